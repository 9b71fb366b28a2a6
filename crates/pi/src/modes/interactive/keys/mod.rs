//! Actions of this mode and their keys, by the names that `keybindings.json` uses.

use pi_tui::keymap::Scope;

pi_tui::actions! {
    /// All of them.
    pub(super) static ACTIONS;
    INTERRUPT = "app.interrupt", scope "app", keys ["escape"], "Abort what is going on", old "interrupt";
    CLEAR = "app.clear", scope "app", keys ["ctrl+c"], "Clear the editor; twice: leave", old "clear";
    EXIT = "app.exit", scope "app", keys ["ctrl+d"], "Leave, when the editor is empty", old "exit";
    SUSPEND = "app.suspend", scope "app", keys ["ctrl+z"], "Go to the background", old "suspend";
    THINKING_CYCLE = "app.thinking.cycle", scope "app", keys ["shift+tab"], "Next thinking level", old "cycleThinkingLevel";
    THINKING_TOGGLE = "app.thinking.toggle", scope "app", keys ["ctrl+t"], "Show or hide thinking", old "toggleThinking";
    MODEL_SELECT = "app.model.select", scope "app", keys ["ctrl+l"], "Choose a model", old "selectModel";
    MODEL_CYCLE_FORWARD = "app.model.cycleForward", scope "app", keys ["ctrl+p"], "Next model", old "cycleModelForward";
    MODEL_CYCLE_BACKWARD = "app.model.cycleBackward", scope "app", keys ["shift+ctrl+p"], "Previous model", old "cycleModelBackward";
    PERMISSIONS_CYCLE = "app.permissions.cycle", scope "app", keys ["alt+m"], "Ask before commands, before edits and commands, or never";
    TOOLS_EXPAND = "app.tools.expand", scope "app", keys ["ctrl+o"], "Show more or less of calls and notes", old "expandTools";
    BLOCK_FOCUS = "app.block.focus", scope "app", keys ["alt+o"], "Show more or less of one block";
    EDITOR_EXTERNAL = "app.editor.external", scope "app", keys ["ctrl+g"], "Write in the external editor", old "externalEditor";
    MESSAGE_FOLLOW_UP = "app.message.followUp", scope "app", keys ["alt+enter"], "Queue the message for when the run is done", old "followUp";
    MESSAGE_DEQUEUE = "app.message.dequeue", scope "app", keys ["alt+up"], "Edit all queued messages", old "dequeue";
    MESSAGE_QUEUE = "app.message.queue", scope "app", keys ["alt+q"], "Show the queued messages, to change them one by one";
    CLIPBOARD_PASTE_IMAGE = "app.clipboard.pasteImage", scope "app", keys ["ctrl+v"], "Paste an image", old "pasteImage";
    TRANSCRIPT_OPEN = "app.transcript.open", scope "app", keys ["alt+t"], "Look at the whole session";
    SESSION_NEW = "app.session.new", scope "app", keys [], "Begin a new session", old "newSession";
    SESSION_TREE = "app.session.tree", scope "app", keys [], "Go to another place in the session", old "tree";
    SESSION_FORK = "app.session.fork", scope "app", keys [], "Fork the session", old "fork";
    SESSION_RESUME = "app.session.resume", scope "app", keys [], "Go on with another session", old "resume";
    SESSION_TOGGLE_PATH = "app.session.togglePath", scope "sessions", keys ["ctrl+p"], "Show or hide paths";
    SESSION_TOGGLE_SORT = "app.session.toggleSort", scope "sessions", keys ["ctrl+s"], "Another order";
    SESSION_TOGGLE_NAMED = "app.session.toggleNamedFilter", scope "sessions", keys ["ctrl+n"], "Sessions with a name only";
    SESSION_RENAME = "app.session.rename", scope "sessions", keys ["ctrl+r"], "Rename";
    SESSION_DELETE = "app.session.delete", scope "sessions", keys ["ctrl+d"], "Delete";
    SESSION_DELETE_NONINVASIVE = "app.session.deleteNoninvasive", scope "sessions", keys ["ctrl+backspace"], "Delete, when nothing is searched for";
    MODELS_SAVE = "app.models.save", scope "models", keys ["ctrl+s"], "Store as default";
    MODELS_ENABLE_ALL = "app.models.enableAll", scope "models", keys ["ctrl+a"], "Enable all";
    MODELS_CLEAR_ALL = "app.models.clearAll", scope "models", keys ["ctrl+x"], "Disable all";
    MODELS_TOGGLE_PROVIDER = "app.models.toggleProvider", scope "models", keys ["ctrl+p"], "Enable or disable a provider";
    MODELS_REORDER_UP = "app.models.reorderUp", scope "models", keys ["alt+up"], "Move up";
    MODELS_REORDER_DOWN = "app.models.reorderDown", scope "models", keys ["alt+down"], "Move down";
    QUEUE_EARLIER = "app.queue.earlier", scope "queue", keys ["alt+up"], "Move up";
    QUEUE_LATER = "app.queue.later", scope "queue", keys ["alt+down"], "Move down";
    QUEUE_TOGGLE_KIND = "app.queue.toggleKind", scope "queue", keys ["tab"], "Deliver in the run, or after it";
    QUEUE_SEND_NOW = "app.queue.sendNow", scope "queue", keys ["ctrl+s"], "Deliver before all others";
    QUEUE_DELETE = "app.queue.delete", scope "queue", keys ["ctrl+d", "delete"], "Delete";
    VIEW_PAGE_UP = "app.view.pageUp", scope "view", keys ["pageUp"], "Page up";
    VIEW_PAGE_DOWN = "app.view.pageDown", scope "view", keys ["pageDown"], "Page down";
    VIEW_UP = "app.view.up", scope "view", keys ["shift+up"], "Row up";
    VIEW_DOWN = "app.view.down", scope "view", keys ["shift+down"], "Row down";
    VIEW_TOP = "app.view.top", scope "view", keys ["ctrl+home"], "Beginning";
    VIEW_BOTTOM = "app.view.bottom", scope "view", keys ["end", "ctrl+end"], "End";
    CHANGES_OPEN = "app.changes.open", scope "app", keys [], "Look at the edits of the session";
    CHANGES_TAKE_BACK = "app.changes.takeBack", scope "changes", keys ["ctrl+x"], "Take the edit back";
    CHANGES_SCROLL_UP = "app.changes.scrollUp", scope "changes", keys ["shift+up", "left"], "Scroll what was changed up";
    CHANGES_SCROLL_DOWN = "app.changes.scrollDown", scope "changes", keys ["shift+down", "right"], "Scroll what was changed down";
    TRANSCRIPT_CLOSE = "app.transcript.close", scope "transcript", keys ["q"], "Back to the conversation";
    TRANSCRIPT_TOP = "app.transcript.top", scope "transcript", keys ["g", "home"], "Go to the beginning";
    TRANSCRIPT_BOTTOM = "app.transcript.bottom", scope "transcript", keys ["shift+g", "end"], "Go to the end";
    TRANSCRIPT_NEXT_BLOCK = "app.transcript.nextBlock", scope "transcript", keys ["tab", "j"], "Next block";
    TRANSCRIPT_PREVIOUS_BLOCK = "app.transcript.previousBlock", scope "transcript", keys ["shift+tab", "k"], "Previous block";
    TRANSCRIPT_NEXT_PROMPT = "app.transcript.nextPrompt", scope "transcript", keys ["]"], "Next message of yours";
    TRANSCRIPT_PREVIOUS_PROMPT = "app.transcript.previousPrompt", scope "transcript", keys ["["], "Previous message of yours";
    TRANSCRIPT_TOGGLE = "app.transcript.toggle", scope "transcript", keys ["enter", "space"], "Show more or less of the block";
    TRANSCRIPT_FOLD = "app.transcript.fold", scope "transcript", keys ["left", "h"], "Fold the block";
    TRANSCRIPT_UNFOLD = "app.transcript.unfold", scope "transcript", keys ["right", "l"], "Unfold the block, then show all of it";
    TRANSCRIPT_FOLD_ALL = "app.transcript.foldAll", scope "transcript", keys ["a"], "Fold or unfold all blocks";
    TRANSCRIPT_SEARCH = "app.transcript.search", scope "transcript", keys ["/"], "Search";
    TRANSCRIPT_NEXT_HIT = "app.transcript.nextHit", scope "transcript", keys ["n"], "Next place that was found";
    TRANSCRIPT_PREVIOUS_HIT = "app.transcript.previousHit", scope "transcript", keys ["shift+n"], "Previous place that was found";
    TRANSCRIPT_COPY = "app.transcript.copy", scope "transcript", keys ["y"], "Copy the source of the block";
    TRANSCRIPT_EDIT = "app.transcript.edit", scope "transcript", keys ["e"], "Look at the source of the block in the external editor";
    TREE_FOLD_OR_UP = "app.tree.foldOrUp", scope "tree", keys ["ctrl+left", "alt+left"], "Fold, or go to the start of the segment";
    TREE_UNFOLD_OR_DOWN = "app.tree.unfoldOrDown", scope "tree", keys ["ctrl+right", "alt+right"], "Unfold, or go to the next segment";
    TREE_EDIT_LABEL = "app.tree.editLabel", scope "tree", keys ["shift+l"], "Edit the label";
    TREE_TOGGLE_LABEL_TIMESTAMP = "app.tree.toggleLabelTimestamp", scope "tree", keys ["shift+t"], "Show or hide times of labels";
    TREE_FILTER_DEFAULT = "app.tree.filter.default", scope "tree", keys ["ctrl+d"], "Usual filter";
    TREE_FILTER_NO_TOOLS = "app.tree.filter.noTools", scope "tree", keys ["ctrl+t"], "Without tools";
    TREE_FILTER_USER_ONLY = "app.tree.filter.userOnly", scope "tree", keys ["ctrl+u"], "Messages of the user only";
    TREE_FILTER_LABELED_ONLY = "app.tree.filter.labeledOnly", scope "tree", keys ["ctrl+l"], "Entries with a label only";
    TREE_FILTER_ALL = "app.tree.filter.all", scope "tree", keys ["ctrl+a"], "Everything";
    TREE_FILTER_CYCLE_FORWARD = "app.tree.filter.cycleForward", scope "tree", keys ["ctrl+o"], "Next filter";
    TREE_FILTER_CYCLE_BACKWARD = "app.tree.filter.cycleBackward", scope "tree", keys ["shift+ctrl+o"], "Previous filter";
}

/// The scope of actions that work while the editor has the focus.
pub(super) const APP: Scope = Scope("app");

#[cfg(test)]
mod tests;
