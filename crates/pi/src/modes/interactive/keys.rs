//! Actions of this mode and their keys, by the names that `keybindings.json` uses.

use pi_tui::keymap::{Action, ActionSpec, Scope};

/// Declares the actions with their default keys and what they do.
macro_rules! actions {
    ($($name:ident $id:literal $scope:ident [$($key:literal),*] $meaning:literal;)*) => {
        $(#[doc = $meaning] pub(super) const $name: Action = Action($id);)*
        /// All of them.
        pub(super) const ACTIONS: &[ActionSpec] = &[
            $(ActionSpec { action: $name, keys: &[$($key),*], description: $meaning, scope: Scope(stringify!($scope)) },)*
        ];
    };
}

actions! {
    INTERRUPT "app.interrupt" app ["escape"] "Abort what is going on";
    CLEAR "app.clear" app ["ctrl+c"] "Clear the editor; twice: leave";
    EXIT "app.exit" app ["ctrl+d"] "Leave, when the editor is empty";
    SUSPEND "app.suspend" app ["ctrl+z"] "Go to the background";
    THINKING_CYCLE "app.thinking.cycle" app ["shift+tab"] "Next thinking level";
    THINKING_TOGGLE "app.thinking.toggle" app ["ctrl+t"] "Show or hide thinking";
    MODEL_SELECT "app.model.select" app ["ctrl+l"] "Choose a model";
    MODEL_CYCLE_FORWARD "app.model.cycleForward" app ["ctrl+p"] "Next model";
    MODEL_CYCLE_BACKWARD "app.model.cycleBackward" app ["shift+ctrl+p"] "Previous model";
    TOOLS_EXPAND "app.tools.expand" app ["ctrl+o"] "Show more or less of calls and notes";
    EDITOR_EXTERNAL "app.editor.external" app ["ctrl+g"] "Write in the external editor";
    MESSAGE_FOLLOW_UP "app.message.followUp" app ["alt+enter"] "Queue the message for when the run is done";
    MESSAGE_DEQUEUE "app.message.dequeue" app ["alt+up"] "Edit all queued messages";
    CLIPBOARD_PASTE_IMAGE "app.clipboard.pasteImage" app ["ctrl+v"] "Paste an image";
    SESSION_NEW "app.session.new" app [] "Begin a new session";
    SESSION_TREE "app.session.tree" app [] "Go to another place in the session";
    SESSION_FORK "app.session.fork" app [] "Fork the session";
    SESSION_RESUME "app.session.resume" app [] "Go on with another session";
    SESSION_TOGGLE_PATH "app.session.togglePath" sessions ["ctrl+p"] "Show or hide paths";
    SESSION_TOGGLE_SORT "app.session.toggleSort" sessions ["ctrl+s"] "Another order";
    SESSION_TOGGLE_NAMED "app.session.toggleNamedFilter" sessions ["ctrl+n"] "Sessions with a name only";
    SESSION_RENAME "app.session.rename" sessions ["ctrl+r"] "Rename";
    SESSION_DELETE "app.session.delete" sessions ["ctrl+d"] "Delete";
    SESSION_DELETE_NONINVASIVE "app.session.deleteNoninvasive" sessions ["ctrl+backspace"] "Delete, when nothing is searched for";
    MODELS_SAVE "app.models.save" models ["ctrl+s"] "Store as default";
    MODELS_ENABLE_ALL "app.models.enableAll" models ["ctrl+a"] "Enable all";
    MODELS_CLEAR_ALL "app.models.clearAll" models ["ctrl+x"] "Disable all";
    MODELS_TOGGLE_PROVIDER "app.models.toggleProvider" models ["ctrl+p"] "Enable or disable a provider";
    MODELS_REORDER_UP "app.models.reorderUp" models ["alt+up"] "Move up";
    MODELS_REORDER_DOWN "app.models.reorderDown" models ["alt+down"] "Move down";
    TREE_FOLD_OR_UP "app.tree.foldOrUp" tree ["ctrl+left", "alt+left"] "Fold, or go to the start of the segment";
    TREE_UNFOLD_OR_DOWN "app.tree.unfoldOrDown" tree ["ctrl+right", "alt+right"] "Unfold, or go to the next segment";
    TREE_EDIT_LABEL "app.tree.editLabel" tree ["shift+l"] "Edit the label";
    TREE_TOGGLE_LABEL_TIMESTAMP "app.tree.toggleLabelTimestamp" tree ["shift+t"] "Show or hide times of labels";
    TREE_FILTER_DEFAULT "app.tree.filter.default" tree ["ctrl+d"] "Usual filter";
    TREE_FILTER_NO_TOOLS "app.tree.filter.noTools" tree ["ctrl+t"] "Without tools";
    TREE_FILTER_USER_ONLY "app.tree.filter.userOnly" tree ["ctrl+u"] "Messages of the user only";
    TREE_FILTER_LABELED_ONLY "app.tree.filter.labeledOnly" tree ["ctrl+l"] "Entries with a label only";
    TREE_FILTER_ALL "app.tree.filter.all" tree ["ctrl+a"] "Everything";
    TREE_FILTER_CYCLE_FORWARD "app.tree.filter.cycleForward" tree ["ctrl+o"] "Next filter";
    TREE_FILTER_CYCLE_BACKWARD "app.tree.filter.cycleBackward" tree ["shift+ctrl+o"] "Previous filter";
}
