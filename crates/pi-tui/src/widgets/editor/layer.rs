//! What widgets that lie over an editor do to it, such as the keys of vi: nothing that programs do.

use super::{Editor, EditorOutcome, Position};
use crate::widgets::edit::{Direction, EditText};

/// The text, for those that edit it in their own way; [`touch`] follows every change.
pub(in crate::widgets) fn text(editor: &mut Editor) -> &mut EditText {
    &mut editor.text
}

/// The text was changed.
pub(in crate::widgets) fn touch(editor: &mut Editor) {
    editor.changed();
}

/// Moves the cursor.
pub(in crate::widgets) fn move_to(editor: &mut Editor, position: Position) {
    editor.text.move_to(position);
    editor.column = None;
    editor.revision += 1;
}

/// Shows what is between two positions as selected.
pub(in crate::widgets) fn select(editor: &mut Editor, selection: Option<(Position, Position)>) {
    if editor.selection != selection {
        editor.selection = selection;
        editor.revision += 1;
    }
}

/// An earlier text, or a later one.
pub(in crate::widgets) fn recall(editor: &mut Editor, direction: Direction) -> EditorOutcome {
    match direction {
        Direction::Backward => editor.older(),
        Direction::Forward => editor.newer(),
    }
}
