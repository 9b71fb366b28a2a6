//! The keys of vi over an editor: modes, counts, operators with motions and text objects, registers, repetition.
//!
//! A layer: the editor knows nothing of it. While text is inserted its keys go to the editor as ever; otherwise they are
//! commands. `sheet` is the text as cells, `motion` and `object` say what is meant, `keys` reads commands, `operate` and
//! `put` change the text, `visual` is about selections, `registers` keeps what was cut. Undo, redo and the kill ring are
//! those of the editor.

mod keys;
mod motion;
mod object;
mod operate;
mod put;
mod registers;
mod sheet;
#[cfg(test)]
mod tests;
mod visual;

use super::editor::{Editor, EditorOutcome, Position, layer};
use crate::input::{Input, Key, KeyCode, KeyEvent, Modifiers};
use keys::Pending;
use motion::Find;
use registers::Registers;
use sheet::Sheet;

/// What keys mean.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum VimMode {
    /// Text.
    #[default]
    Insert,
    /// Commands.
    Normal,
    /// Commands for the cells that are selected.
    Visual,
    /// Commands for the lines that are selected.
    VisualLine,
}

impl VimMode {
    /// Its name, as vi shows it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Insert => "INSERT",
            Self::Normal => "NORMAL",
            Self::Visual => "VISUAL",
            Self::VisualLine => "VISUAL LINE",
        }
    }

    fn is_visual(self) -> bool {
        matches!(self, Self::Visual | Self::VisualLine)
    }
}

/// The keys of vi for one editor. It begins with inserting.
///
/// ```
/// use pi_tui::input::{Input, Splitter};
/// use pi_tui::keymap::Keymap;
/// use pi_tui::widgets::editor::Editor;
/// use pi_tui::widgets::vim::{Vim, VimMode};
///
/// let (mut editor, mut vim, keys) = (Editor::new(Default::default()), Vim::default(), Keymap::default());
/// let (mut splitter, mut inputs) = (Splitter::default(), Vec::new());
/// splitter.feed(b"one two", &mut inputs);
/// inputs.iter().for_each(|input| _ = vim.handle(&mut editor, input, &keys));
/// splitter.feed(b"\x1b", &mut inputs);
/// splitter.flush(&mut inputs);
/// splitter.feed(b"bdw", &mut inputs);
/// inputs.iter().skip(7).for_each(|input| _ = vim.handle(&mut editor, input, &keys));
/// assert_eq!((editor.text().as_str(), vim.mode()), ("one ", VimMode::Normal));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Vim {
    mode: VimMode,
    pending: Pending,
    registers: Registers,
    /// What `;` looks for.
    found: Option<Find>,
    /// The other end of the selection.
    anchor: Position,
    /// Where a series of vertical motions began.
    column: Option<usize>,
    /// The inputs of the command that is being given, and those of the last change.
    given: Vec<Input>,
    repeated: Vec<Input>,
    is_repeating: bool,
    /// Whether the command has changed the text.
    has_changed: bool,
    /// How much could be undone before the text that is being inserted.
    depth: usize,
}

/// Counts are no larger.
const MOST: usize = 9999;

impl Vim {
    /// What keys mean now.
    pub fn mode(&self) -> VimMode {
        self.mode
    }

    /// The mode's name and what has been typed of a command.
    pub fn label(&self) -> String {
        let typed: String = match self.mode {
            VimMode::Insert => String::new(),
            _ => self.given.iter().filter_map(|input| text_of(input)).collect(),
        };
        if typed.is_empty() { self.mode.name().to_owned() } else { format!("{} {typed}", self.mode.name()) }
    }

    /// Whether Escape means something here: it ends inserting, a selection, a command that was begun.
    pub fn takes_escape(&self) -> bool {
        self.mode != VimMode::Normal || !self.given.is_empty()
    }

    /// Inserts again, as after a text was sent.
    pub fn reset(&mut self, editor: &mut Editor) {
        self.cancel(editor);
        self.mode = VimMode::Insert;
        self.depth = layer::text(editor).undo_log().depth();
    }

    /// Handles an input for an editor.
    pub fn handle(&mut self, editor: &mut Editor, input: &Input, keys: &crate::keymap::Keymap) -> EditorOutcome {
        if let Some(outcome) = self.command(editor, input) {
            return outcome;
        }
        let outcome = editor.handle(input, keys);
        if matches!(outcome, EditorOutcome::Submit(_)) {
            self.reset(editor);
        } else if self.mode != VimMode::Insert {
            self.settle(editor);
        }
        outcome
    }

    /// Handles an input that is a command; nothing is done with one that is the editor's.
    pub fn command(&mut self, editor: &mut Editor, input: &Input) -> Option<EditorOutcome> {
        let Input::Key(event) = input else {
            self.note(input);
            return None;
        };
        if event.is_release() {
            return None;
        }
        if is_escape(event) {
            return self.escape(editor);
        }
        if self.mode == VimMode::Insert {
            self.note(input);
            return None;
        }
        let key = key_of(event)?;
        self.given.push(input.clone());
        Some(self.give(editor, key))
    }

    /// What is inserted is part of the change that is repeated.
    fn note(&mut self, input: &Input) {
        if self.mode == VimMode::Insert && self.has_changed && !self.is_repeating {
            self.given.push(input.clone());
        }
    }

    fn escape(&mut self, editor: &mut Editor) -> Option<EditorOutcome> {
        if !self.takes_escape() {
            return None;
        }
        if self.mode == VimMode::Insert {
            self.end_inserting(editor);
        } else {
            self.cancel(editor);
            self.mode = VimMode::Normal;
        }
        self.settle(editor);
        Some(EditorOutcome::Moved)
    }

    /// What was inserted is undone at once, and repeated with the command that began it.
    fn end_inserting(&mut self, editor: &mut Editor) {
        layer::text(editor).undo_log().merge_above(self.depth);
        let given = std::mem::take(&mut self.given);
        // What was typed before the first command was begun by none.
        if self.has_changed {
            self.repeated = given;
        }
        self.has_changed = false;
        self.mode = VimMode::Normal;
        let sheet = Sheet::new(layer::text(editor));
        let at = sheet.at(editor.cursor());
        layer::move_to(editor, sheet.place(if at > sheet.line_start(at) { at - 1 } else { at }));
    }

    fn cancel(&mut self, editor: &mut Editor) {
        self.pending = Pending::default();
        self.given.clear();
        self.has_changed = false;
        layer::select(editor, None);
    }

    /// Takes a key of a command, and does what the command means when it is whole.
    fn give(&mut self, editor: &mut Editor, key: keys::CommandKey) -> EditorOutcome {
        if self.pending == Pending::default() {
            self.has_changed = false;
            self.depth = layer::text(editor).undo_log().depth();
        }
        let was_visual = self.mode.is_visual();
        self.key(editor, key);
        let has_changed = self.has_changed;
        if self.pending == Pending::default() && self.mode != VimMode::Insert {
            let given = std::mem::take(&mut self.given);
            let is_repeatable = has_changed && !was_visual && !self.is_repeating;
            if is_repeatable && !keys::is_of_history(&given) {
                self.repeated = given;
            }
        } else if self.mode == VimMode::Insert {
            // It is known to be a change, whatever is inserted.
            self.has_changed = !was_visual;
        }
        self.settle(editor);
        if has_changed { EditorOutcome::Changed } else { EditorOutcome::Moved }
    }

    /// Does the last change again.
    fn repeat(&mut self, editor: &mut Editor, times: usize) {
        if self.is_repeating {
            return;
        }
        let depth = layer::text(editor).undo_log().depth();
        let (given, keys) = (std::mem::take(&mut self.given), crate::keymap::Keymap::default());
        let inputs = self.repeated.clone();
        self.is_repeating = true;
        for _ in 0..times.min(MOST / inputs.len().max(1)).max(1) {
            for input in &inputs {
                if self.command(editor, input).is_none() {
                    editor.handle(input, &keys);
                }
            }
            if self.mode == VimMode::Insert {
                self.end_inserting(editor);
            }
            self.given.clear();
        }
        self.is_repeating = false;
        self.repeated = inputs;
        self.given = given;
        self.has_changed = layer::text(editor).undo_log().depth() > depth;
        layer::text(editor).undo_log().merge_above(depth);
    }

    /// Puts the cursor where it may stand in this mode, and shows what is selected.
    fn settle(&mut self, editor: &mut Editor) {
        if self.mode == VimMode::Insert {
            return layer::select(editor, None);
        }
        let sheet = Sheet::new(layer::text(editor));
        let at = sheet.clamp(sheet.at(editor.cursor()));
        if editor.cursor() != sheet.place(at) {
            layer::move_to(editor, sheet.place(at));
        }
        let selected = self.mode.is_visual().then(|| self.selected(&sheet, at));
        layer::select(editor, selected.map(|range| (sheet.place(range.start), sheet.place(range.end))));
    }
}

fn is_escape(event: &KeyEvent) -> bool {
    event.matches(Key::plain(KeyCode::Escape)) || event.matches(Key::new(KeyCode::Char('['), Modifiers::CTRL))
}

fn text_of(input: &Input) -> Option<&str> {
    match input {
        Input::Key(event) => event.text.as_deref(),
        _ => None,
    }
}

/// The key of a command that an input is.
fn key_of(event: &KeyEvent) -> Option<keys::CommandKey> {
    use keys::CommandKey;
    if event.matches(Key::new(KeyCode::Char('r'), Modifiers::CTRL)) {
        return Some(CommandKey::Redo);
    }
    if let Some(text) = &event.text {
        return Some(CommandKey::Text(text.clone()));
    }
    let plain = |code| event.matches(Key::plain(code));
    let text = match () {
        () if plain(KeyCode::Left) || plain(KeyCode::Backspace) => "h",
        () if plain(KeyCode::Right) => "l",
        () if plain(KeyCode::Up) => "k",
        () if plain(KeyCode::Down) => "j",
        () if plain(KeyCode::Home) => "0",
        () if plain(KeyCode::End) => "$",
        () if plain(KeyCode::Delete) => "x",
        () => return None,
    };
    Some(CommandKey::Text(text.to_owned()))
}
