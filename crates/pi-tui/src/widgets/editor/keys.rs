//! Key handling of the editor.

use super::layout::Layout;
use super::{Editor, EditorOutcome};
use crate::input::{Input, Key, KeyCode, KeyEvent, Modifiers};
use crate::keymap::{Action, Keymap, action};
use crate::widgets::edit::{Direction, EditCommand, MotionTarget, Position};

#[derive(Debug, Clone, Copy)]
enum Command {
    Nothing,
    NewLine,
    Submit,
    Edit(EditCommand),
    Row(Direction),
    Page(Direction),
    Jump(Direction),
}

/// Looked up before the commands that text fields share; the first match wins.
const FIRST: &[(Action, Command)] = &[
    (action::INPUT_COPY, Command::Nothing),
    (action::INPUT_NEW_LINE, Command::NewLine),
    (action::INPUT_SUBMIT, Command::Submit),
];

/// Looked up after them.
const LAST: &[(Action, Command)] = &[
    (action::EDITOR_CURSOR_UP, Command::Row(Direction::Backward)),
    (action::EDITOR_CURSOR_DOWN, Command::Row(Direction::Forward)),
    (action::EDITOR_PAGE_UP, Command::Page(Direction::Backward)),
    (action::EDITOR_PAGE_DOWN, Command::Page(Direction::Forward)),
    (action::EDITOR_JUMP_FORWARD, Command::Jump(Direction::Forward)),
    (action::EDITOR_JUMP_BACKWARD, Command::Jump(Direction::Backward)),
];

impl Command {
    fn of(event: &KeyEvent, keys: &Keymap) -> Option<Self> {
        let find = |table: &[(Action, Self)]| {
            table.iter().find(|(action, _)| keys.is(event, *action)).map(|(_, command)| *command)
        };
        find(FIRST).or_else(|| EditCommand::of(event, keys).map(Self::Edit)).or_else(|| find(LAST))
    }
}

/// Sequences that terminals are configured to send for Shift+Enter: LF (also Ctrl+J), and Escape CR.
const NEW_LINES: [&[u8]; 2] = [b"\n", b"\x1b\r"];

impl Editor {
    /// Handles an input. Tab and Escape are ignored: they belong to completions and to the program.
    pub fn handle(&mut self, input: &Input, keys: &Keymap) -> EditorOutcome {
        match input {
            Input::Paste(text) => {
                self.paste(text);
                EditorOutcome::Changed
            }
            Input::Key(event) if !event.is_release() => {
                let outcome = self.key(event, keys);
                self.revision += u64::from(outcome != EditorOutcome::Ignored);
                outcome
            }
            _ => EditorOutcome::Ignored,
        }
    }

    fn key(&mut self, event: &KeyEvent, keys: &Keymap) -> EditorOutcome {
        if let Some(direction) = self.jump.take() {
            if let Some(text) = &event.text {
                self.column = None;
                self.text.jump(text, direction);
                return EditorOutcome::Moved;
            }
            // The same key again cancels; other keys keep their meaning.
            if keys.is(event, action::EDITOR_JUMP_FORWARD) || keys.is(event, action::EDITOR_JUMP_BACKWARD) {
                return EditorOutcome::Moved;
            }
        }
        if NEW_LINES.contains(&event.raw.as_slice()) {
            return self.edit(|editor| editor.text.insert("\n"));
        }
        match keys.binds(event).then(|| Command::of(event, keys)).flatten() {
            Some(command) => self.run(command, keys),
            None => self.type_text(event),
        }
    }

    fn type_text(&mut self, event: &KeyEvent) -> EditorOutcome {
        match event.text.as_deref() {
            Some(text) if !text.is_empty() => self.edit(|editor| editor.text.type_text(text)),
            _ => EditorOutcome::Ignored,
        }
    }

    fn run(&mut self, command: Command, keys: &Keymap) -> EditorOutcome {
        match command {
            Command::Nothing => EditorOutcome::Moved,
            Command::NewLine => self.new_line(keys),
            Command::Submit => self.enter(keys),
            Command::Edit(EditCommand::Go(place)) => self.go(place),
            Command::Edit(command) => self.run_edit(command),
            Command::Row(direction) => self.vertical(direction),
            Command::Page(direction) => {
                let visible = self.visible;
                let row = page_away(&self.layout(), visible, direction);
                self.go_to_row(row)
            }
            Command::Jump(direction) => {
                self.jump = Some(direction);
                EditorOutcome::Moved
            }
        }
    }

    fn edit(&mut self, change: impl FnOnce(&mut Self)) -> EditorOutcome {
        change(self);
        self.changed();
        EditorOutcome::Changed
    }

    fn run_edit(&mut self, command: EditCommand) -> EditorOutcome {
        if self.text.run(command) {
            self.changed();
            return EditorOutcome::Changed;
        }
        EditorOutcome::Moved
    }

    // --- Enter

    /// Backslash Enter inserts a newline, for terminals that cannot send Shift+Enter.
    fn enter(&mut self, keys: &Keymap) -> EditorOutcome {
        if !submits_with_shift(keys) && self.text.before_cursor().ends_with('\\') {
            return self.edit(|editor| {
                editor.text.remove(MotionTarget::Left);
                editor.text.insert("\n");
            });
        }
        self.take().map_or(EditorOutcome::Moved, EditorOutcome::Submit)
    }

    /// The reverse where Shift+Enter submits: backslash Enter submits.
    fn new_line(&mut self, keys: &Keymap) -> EditorOutcome {
        if submits_with_shift(keys) && self.text.before_cursor().ends_with('\\') {
            self.edit(|editor| _ = editor.text.remove(MotionTarget::Left));
            return self.take().map_or(EditorOutcome::Changed, EditorOutcome::Submit);
        }
        self.edit(|editor| editor.text.insert("\n"))
    }

    // --- moves

    fn go(&mut self, place: MotionTarget) -> EditorOutcome {
        self.column = None;
        self.text.move_to(self.text.place(place));
        EditorOutcome::Moved
    }

    fn vertical(&mut self, direction: Direction) -> EditorOutcome {
        let layout = self.layout();
        let (at, count) = (layout.current_row(), layout.row_count());
        let is_browsing = self.history.is_browsing();
        match direction {
            Direction::Backward if at > 0 => self.go_to_row(at - 1),
            Direction::Forward if at + 1 < count => self.go_to_row(at + 1),
            Direction::Backward if is_browsing || self.text.cursor() == Position::default() => self.older(),
            Direction::Backward => self.go(MotionTarget::LineStart),
            Direction::Forward if is_browsing => self.newer(),
            Direction::Forward => self.go(MotionTarget::LineEnd),
        }
    }

    /// Sticky column: a series of vertical moves keeps the column where the first began.
    fn go_to_row(&mut self, row: usize) -> EditorOutcome {
        let kept = self.column;
        let layout = self.layout();
        let column = kept.unwrap_or_else(|| layout.current_column());
        if let Some(place) = layout.place_in(row, column) {
            self.text.move_to(place);
        }
        self.column = Some(column);
        EditorOutcome::Moved
    }

    /// Puts the cursor into a column of the area that was drawn last, so many rows below its own row; above it where they are
    /// negative. Beside the text nothing happens.
    pub fn click(&mut self, rows: isize, column: u16) {
        let (first, visible) = (self.scroll, self.visible);
        let padding = self.padding;
        let layout = self.layout();
        let Some(row) = layout.current_row().checked_add_signed(rows) else { return };
        if row < first || row >= layout.row_count().min(first + visible) {
            return;
        }
        if let Some(place) = layout.place_in(row, column.saturating_sub(padding).into()) {
            self.text.move_to(place);
            self.column = None;
            self.revision += 1;
        }
    }

    // --- history

    pub(super) fn older(&mut self) -> EditorOutcome {
        let is_first = !self.history.is_browsing();
        let Some(entry) = self.history.older(|| self.text.text()) else { return EditorOutcome::Moved };
        if is_first {
            self.text.set(entry);
        } else {
            self.text.set_again(entry);
        }
        self.text.move_to(Position::default());
        self.column = None;
        EditorOutcome::Changed
    }

    pub(super) fn newer(&mut self) -> EditorOutcome {
        let Some(entry) = self.history.newer() else { return EditorOutcome::Moved };
        self.text.set_again(&entry);
        self.column = None;
        EditorOutcome::Changed
    }
}

/// The row a page away from the cursor's.
fn page_away(layout: &Layout<'_>, visible: usize, direction: Direction) -> usize {
    match direction {
        Direction::Backward => layout.current_row().saturating_sub(visible),
        Direction::Forward => (layout.current_row() + visible).min(layout.row_count() - 1),
    }
}

fn submits_with_shift(keys: &Keymap) -> bool {
    keys.keys_of(action::INPUT_SUBMIT).contains(&Key::new(KeyCode::Enter, Modifiers::SHIFT))
}
