//! Where the user writes: the editor and the list of completions below it.

use pi_coding_agent::theme::Token;
use pi_tui::input::Input;
use pi_tui::keymap::Keymap;
use pi_tui::widgets::completion::{Completion, CompletionItem, CompletionOptions, CompletionRequest};
use pi_tui::widgets::editor::{Editor, EditorOutcome, EditorStyle};
use pi_tui::widgets::vim::Vim;

use super::panel::PanelRows;
use super::styles;
use super::theme_styles::ThemeStyles;

/// Rows below the completions: their counter, and the footer.
const ROWS_BELOW: usize = 3;

/// The editor and what belongs to it.
pub(super) struct PromptBox {
    pub(super) editor: Editor,
    completion: Completion,
    /// The keys of vi, where the user wants them.
    vim: Option<Vim>,
    /// The colour of the rules: that of the thinking level.
    level: Token,
    padding: u16,
    /// Completions that are seen at once.
    completions: usize,
    marks: Vec<char>,
}

impl PromptBox {
    pub(super) fn new(look: &ThemeStyles) -> Self {
        let editor = Editor::new(EditorStyle::default());
        let completion = Completion::new(CompletionOptions::default(), styles::select(look));
        Self { editor, completion, vim: None, level: Token::ThinkingOff, padding: 0, completions: 5, marks: Vec::new() }
    }

    /// Blank columns beside the text, and how many completions are seen at once.
    pub(super) fn set_measures(&mut self, padding: u16, completions: usize) {
        self.padding = padding;
        self.editor.set_padding(padding);
        self.completions = completions;
    }

    /// Whether keys are those of vi.
    pub(super) fn set_vim(&mut self, is_vim: bool) {
        if is_vim != self.vim.is_some() {
            self.vim = is_vim.then(Vim::default);
            self.editor.set_label("");
        }
    }

    /// Whether Escape means something to the keys of vi, and is nobody else's.
    pub(super) fn takes_escape(&self) -> bool {
        self.vim.as_ref().is_some_and(Vim::takes_escape)
    }

    pub(super) fn set_level(&mut self, level: Token) {
        self.level = level;
    }

    /// Former messages, oldest first.
    pub(super) fn remember_all(&mut self, texts: &[String]) {
        texts.iter().for_each(|text| self.editor.remember(text));
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
        self.set_text(&all.collect::<Vec<_>>().join("\n\n"));
    }

    /// Replaces the text.
    pub(super) fn set_text(&mut self, text: &str) {
        self.completion.close();
        self.editor.set_text(text);
    }

    /// Closes the list of completions.
    pub(super) fn close_completion(&mut self) {
        self.completion.close();
    }

    /// What begins words that extensions complete.
    pub(super) fn set_marks(&mut self, marks: Vec<char>) {
        self.marks = marks;
    }

    /// Whether a list of completions is shown.
    pub(super) fn is_completing(&self) -> bool {
        self.completion.is_open()
    }

    /// Takes an input.
    pub(super) fn handle(&mut self, input: &Input, keys: &Keymap) -> EditorOutcome {
        if let Some(vim) = self.vim.as_mut().filter(|_| !self.completion.is_open())
            && let Some(outcome) = vim.command(&mut self.editor, input)
        {
            return outcome;
        }
        let outcome = self.completion.handle(&mut self.editor, input, keys);
        if let (EditorOutcome::Submit(_), Some(vim)) = (&outcome, &mut self.vim) {
            vim.reset(&mut self.editor);
        }
        outcome
    }

    /// Goes to a column, so many rows below the caret's row; above it where they are negative.
    pub(super) fn click(&mut self, rows: isize, column: u16) {
        self.completion.close();
        self.editor.click(rows, column);
    }

    /// Empties the editor for a text to be sent.
    pub(super) fn take(&mut self) -> Option<String> {
        self.completion.close();
        let text = self.editor.take();
        if let Some(vim) = &mut self.vim {
            vim.reset(&mut self.editor);
        }
        text
    }

    /// What completions are wanted for.
    pub(super) fn take_request(&mut self) -> Option<CompletionRequest> {
        self.completion.take_request()
    }

    /// Takes what was found.
    pub(super) fn complete(&mut self, id: u64, items: Vec<CompletionItem>) {
        self.completion.answer(&mut self.editor, id, items);
    }

    /// Takes what was found so far; whether the rest is wanted, too.
    pub(super) fn complete_so_far(&mut self, id: u64, items: Vec<CompletionItem>) -> bool {
        self.completion.answer_so_far(&self.editor, id, items)
    }

    /// The rows of the editor and of its completions.
    pub(super) fn rows(&mut self, look: &ThemeStyles, columns: u16, height: u16) -> PanelRows {
        let token = if self.is_shell_command() { Token::BashMode } else { self.level };
        self.editor.set_style(styles::editor(look, token));
        if let Some(vim) = &self.vim {
            self.editor.set_label(&vim.label());
        }
        let (mut rows, caret) = self.editor.rows(columns, Editor::rows_for(height));
        let room = usize::from(height).saturating_sub(rows.len() + ROWS_BELOW);
        let options = CompletionOptions {
            max_visible: self.completions.min(room),
            marks: self.marks.clone(),
            single_arguments: &["model", "theme"],
        };
        self.completion.configure(options, styles::select(look));
        let completions = self.completion.rows(columns, self.padding);
        let chosen = self.completion.selected_row().map(|row| rows.len() + row);
        rows.extend(completions);
        PanelRows { rows, caret: Some((caret.row, caret.column)), chosen, ..PanelRows::default() }
    }
}
