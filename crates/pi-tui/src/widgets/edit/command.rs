//! The actions that the editor and the one-line field have in common.

use super::motion::Place;
use super::text::EditText;
use crate::input::KeyEvent;
use crate::keymap::{Action, Keymap, action};

/// What a key does to the text or to its cursor.
#[derive(Debug, Clone, Copy)]
pub(crate) enum EditCommand {
    Undo,
    Yank,
    YankPop,
    Go(Place),
    Remove(Place),
    Cut(Place),
}

/// The first match wins.
const COMMANDS: &[(Action, EditCommand)] = &[
    (action::EDITOR_UNDO, EditCommand::Undo),
    (action::EDITOR_DELETE_TO_LINE_END, EditCommand::Cut(Place::CutEnd)),
    (action::EDITOR_DELETE_TO_LINE_START, EditCommand::Cut(Place::CutStart)),
    (action::EDITOR_DELETE_WORD_BACKWARD, EditCommand::Cut(Place::WordLeft)),
    (action::EDITOR_DELETE_WORD_FORWARD, EditCommand::Cut(Place::WordRight)),
    (action::EDITOR_DELETE_CHAR_BACKWARD, EditCommand::Remove(Place::Left)),
    (action::EDITOR_DELETE_CHAR_FORWARD, EditCommand::Remove(Place::Right)),
    (action::EDITOR_YANK, EditCommand::Yank),
    (action::EDITOR_YANK_POP, EditCommand::YankPop),
    (action::EDITOR_CURSOR_LINE_START, EditCommand::Go(Place::LineStart)),
    (action::EDITOR_CURSOR_LINE_END, EditCommand::Go(Place::LineEnd)),
    (action::EDITOR_CURSOR_WORD_LEFT, EditCommand::Go(Place::WordLeft)),
    (action::EDITOR_CURSOR_WORD_RIGHT, EditCommand::Go(Place::WordRight)),
    (action::EDITOR_CURSOR_LEFT, EditCommand::Go(Place::Left)),
    (action::EDITOR_CURSOR_RIGHT, EditCommand::Go(Place::Right)),
];

impl EditCommand {
    /// What a key does; `None` if it does none of these.
    pub(crate) fn of(event: &KeyEvent, keys: &Keymap) -> Option<Self> {
        COMMANDS.iter().find(|(action, _)| keys.is(event, *action)).map(|(_, command)| *command)
    }
}

impl EditText {
    /// Carries out a command; returns whether the text changed.
    pub(crate) fn run(&mut self, command: EditCommand) -> bool {
        match command {
            EditCommand::Undo => self.undo(),
            EditCommand::Yank => self.yank(),
            EditCommand::YankPop => self.yank_pop(),
            EditCommand::Remove(place) => self.remove(place),
            EditCommand::Cut(place) => self.cut(place),
            EditCommand::Go(place) => {
                self.move_to(self.place(place));
                false
            }
        }
    }
}
