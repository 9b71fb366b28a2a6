//! Where the user writes: the editor and the list of completions below it.

use pi_coding_agent::theme::Token;
use pi_tui::input::Input;
use pi_tui::keymap::Keymap;
use pi_tui::text::Row;
use pi_tui::widgets::editor::{Editor, EditorStyle};

use super::look::Look;
use super::styles;

/// What became of an input to the list of completions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Completed {
    /// It is not for the list.
    Ignored,
    /// It was.
    Taken,
    /// What was completed is to be submitted.
    Submit,
}

/// The editor and what belongs to it.
pub(super) struct PromptBox {
    pub(super) editor: Editor,
    /// The colour of the rules: that of the thinking level.
    level: Token,
}

impl PromptBox {
    pub(super) fn new() -> Self {
        Self { editor: Editor::new(EditorStyle::default()), level: Token::ThinkingOff }
    }

    pub(super) fn set_level(&mut self, level: Token) {
        self.level = level;
    }

    /// Former messages, oldest first, in place of those that there were.
    pub(super) fn set_history(&mut self, texts: Vec<String>) {
        self.editor.set_history(texts);
    }

    /// Whether the text is a command for the shell.
    pub(super) fn is_shell_command(&self) -> bool {
        self.editor.first_character() == Some('!')
    }

    /// Puts a text back that could not be sent, in front of what has been typed since.
    pub(super) fn give_back(&mut self, text: &str) {
        self.take_back(vec![text.to_owned()]);
    }

    /// Puts queued messages back, in front of what is in the editor.
    pub(super) fn take_back(&mut self, texts: Vec<String>) {
        if texts.is_empty() {
            return;
        }
        let draft = self.editor.expanded_text();
        let all = texts.into_iter().chain(Some(draft).filter(|draft| !draft.trim().is_empty()));
        self.editor.set_text(&all.collect::<Vec<_>>().join("\n\n"));
    }

    /// Whether a list of completions is shown.
    pub(super) fn is_completing(&self) -> bool {
        false
    }

    pub(super) fn close_completion(&mut self) {}

    pub(super) fn completion_input(&mut self, _input: &Input, _keys: &Keymap) -> Completed {
        Completed::Ignored
    }

    /// The text or the cursor changed.
    pub(super) fn edited(&mut self, _input: &Input) {}

    /// The rows of the editor, and where the caret stands.
    pub(super) fn rows(&mut self, look: &Look, columns: u16, height: u16) -> (Vec<Row>, (usize, u16)) {
        let token = if self.is_shell_command() { Token::BashMode } else { self.level };
        self.editor.set_style(styles::editor(look, token));
        let (rows, caret) = self.editor.rows(columns, Editor::rows_for(height));
        (rows, (caret.row, caret.column))
    }
}
