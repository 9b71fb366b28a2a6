//! Actions of this mode and their keys, by the names that `keybindings.json` uses.

use pi_tui::keymap::{Action, ActionSpec, Scope};

/// Declares the actions with their default keys and what they do.
macro_rules! actions {
    ($($name:ident $id:literal $scope:ident [$($key:literal),*] $meaning:literal;)*) => {
        $(#[doc = $meaning] pub(super) const $name: Action = Action($id);)*
        /// All of them.
        pub(super) const ACTIONS: &[ActionSpec] = &[
            $(ActionSpec { action: $name, keys: &[$($key),*], description: $meaning, scope: Scope::$scope },)*
        ];
    };
}

actions! {
    INTERRUPT "app.interrupt" App ["escape"] "Abort what is going on";
    CLEAR "app.clear" App ["ctrl+c"] "Clear the editor; twice: leave";
    EXIT "app.exit" App ["ctrl+d"] "Leave, when the editor is empty";
    SUSPEND "app.suspend" App ["ctrl+z"] "Go to the background";
    THINKING_CYCLE "app.thinking.cycle" App ["shift+tab"] "Next thinking level";
    THINKING_TOGGLE "app.thinking.toggle" App ["ctrl+t"] "Show or hide thinking";
    MODEL_SELECT "app.model.select" App ["ctrl+l"] "Choose a model";
    MODEL_CYCLE_FORWARD "app.model.cycleForward" App ["ctrl+p"] "Next model";
    MODEL_CYCLE_BACKWARD "app.model.cycleBackward" App ["shift+ctrl+p"] "Previous model";
    TOOLS_EXPAND "app.tools.expand" App ["ctrl+o"] "Show more or less of calls and notes";
    EDITOR_EXTERNAL "app.editor.external" App ["ctrl+g"] "Write in the external editor";
    MESSAGE_FOLLOW_UP "app.message.followUp" App ["alt+enter"] "Queue the message for when the run is done";
    MESSAGE_DEQUEUE "app.message.dequeue" App ["alt+up"] "Edit all queued messages";
    CLIPBOARD_PASTE_IMAGE "app.clipboard.pasteImage" App ["ctrl+v"] "Paste an image";
    SESSION_NEW "app.session.new" App [] "Begin a new session";
    SESSION_TREE "app.session.tree" App [] "Go to another place in the session";
    SESSION_FORK "app.session.fork" App [] "Fork the session";
    SESSION_RESUME "app.session.resume" App [] "Go on with another session";
    SESSION_TOGGLE_PATH "app.session.togglePath" Sessions ["ctrl+p"] "Show or hide paths";
    SESSION_TOGGLE_SORT "app.session.toggleSort" Sessions ["ctrl+s"] "Another order";
    SESSION_TOGGLE_NAMED "app.session.toggleNamedFilter" Sessions ["ctrl+n"] "Sessions with a name only";
    SESSION_RENAME "app.session.rename" Sessions ["ctrl+r"] "Rename";
    SESSION_DELETE "app.session.delete" Sessions ["ctrl+d"] "Delete";
    SESSION_DELETE_NONINVASIVE "app.session.deleteNoninvasive" Sessions ["ctrl+backspace"] "Delete, when nothing is searched for";
    MODELS_SAVE "app.models.save" Models ["ctrl+s"] "Store as default";
    MODELS_ENABLE_ALL "app.models.enableAll" Models ["ctrl+a"] "Enable all";
    MODELS_CLEAR_ALL "app.models.clearAll" Models ["ctrl+x"] "Disable all";
    MODELS_TOGGLE_PROVIDER "app.models.toggleProvider" Models ["ctrl+p"] "Enable or disable a provider";
    MODELS_REORDER_UP "app.models.reorderUp" Models ["alt+up"] "Move up";
    MODELS_REORDER_DOWN "app.models.reorderDown" Models ["alt+down"] "Move down";
    TREE_FOLD_OR_UP "app.tree.foldOrUp" Tree ["ctrl+left", "alt+left"] "Fold, or go to the start of the segment";
    TREE_UNFOLD_OR_DOWN "app.tree.unfoldOrDown" Tree ["ctrl+right", "alt+right"] "Unfold, or go to the next segment";
    TREE_EDIT_LABEL "app.tree.editLabel" Tree ["shift+l"] "Edit the label";
    TREE_TOGGLE_LABEL_TIMESTAMP "app.tree.toggleLabelTimestamp" Tree ["shift+t"] "Show or hide times of labels";
    TREE_FILTER_DEFAULT "app.tree.filter.default" Tree ["ctrl+d"] "Usual filter";
    TREE_FILTER_NO_TOOLS "app.tree.filter.noTools" Tree ["ctrl+t"] "Without tools";
    TREE_FILTER_USER_ONLY "app.tree.filter.userOnly" Tree ["ctrl+u"] "Messages of the user only";
    TREE_FILTER_LABELED_ONLY "app.tree.filter.labeledOnly" Tree ["ctrl+l"] "Entries with a label only";
    TREE_FILTER_ALL "app.tree.filter.all" Tree ["ctrl+a"] "Everything";
    TREE_FILTER_CYCLE_FORWARD "app.tree.filter.cycleForward" Tree ["ctrl+o"] "Next filter";
    TREE_FILTER_CYCLE_BACKWARD "app.tree.filter.cycleBackward" Tree ["shift+ctrl+o"] "Previous filter";
}
