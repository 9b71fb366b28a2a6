//! The actions that the editor and the one-line field have in common.

use super::motion::MotionTarget;
use super::text::EditText;
use crate::input::KeyEvent;
use crate::keymap::{Action, Keymap, action};

/// What a key does to the text or to its cursor.
#[derive(Debug, Clone, Copy)]
pub(crate) enum EditCommand {
    Undo,
    Yank,
    YankPop,
    Go(MotionTarget),
    Remove(MotionTarget),
    Cut(MotionTarget),
}

/// The first match wins.
const COMMANDS: &[(Action, EditCommand)] = &[
    (action::EDITOR_UNDO, EditCommand::Undo),
    (action::EDITOR_DELETE_TO_LINE_END, EditCommand::Cut(MotionTarget::CutEnd)),
    (action::EDITOR_DELETE_TO_LINE_START, EditCommand::Cut(MotionTarget::CutStart)),
    (action::EDITOR_DELETE_WORD_BACKWARD, EditCommand::Cut(MotionTarget::WordLeft)),
    (action::EDITOR_DELETE_WORD_FORWARD, EditCommand::Cut(MotionTarget::WordRight)),
    (action::EDITOR_DELETE_CHAR_BACKWARD, EditCommand::Remove(MotionTarget::Left)),
    (action::EDITOR_DELETE_CHAR_FORWARD, EditCommand::Remove(MotionTarget::Right)),
    (action::EDITOR_YANK, EditCommand::Yank),
    (action::EDITOR_YANK_POP, EditCommand::YankPop),
    (action::EDITOR_CURSOR_LINE_START, EditCommand::Go(MotionTarget::LineStart)),
    (action::EDITOR_CURSOR_LINE_END, EditCommand::Go(MotionTarget::LineEnd)),
    (action::EDITOR_CURSOR_WORD_LEFT, EditCommand::Go(MotionTarget::WordLeft)),
    (action::EDITOR_CURSOR_WORD_RIGHT, EditCommand::Go(MotionTarget::WordRight)),
    (action::EDITOR_CURSOR_LEFT, EditCommand::Go(MotionTarget::Left)),
    (action::EDITOR_CURSOR_RIGHT, EditCommand::Go(MotionTarget::Right)),
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
