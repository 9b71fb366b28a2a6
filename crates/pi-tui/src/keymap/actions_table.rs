//! The actions of the widgets here, with their keys.
//!
//! They are those of the modules that scripts use, with three keys more: Ctrl+J begins a line also where the terminal tells it
//! from LF, and Shift does not stop Backspace and Delete.

crate::actions! {
    /// All actions of the widgets.
    pub static TABLE;
    EDITOR_CURSOR_UP = "tui.editor.cursorUp", scope "editor", keys ["up"], "Move cursor up", old "cursorUp";
    EDITOR_CURSOR_DOWN = "tui.editor.cursorDown", scope "editor", keys ["down"], "Move cursor down", old "cursorDown";
    EDITOR_CURSOR_LEFT = "tui.editor.cursorLeft", scope "editor", keys ["left", "ctrl+b"], "Move cursor left", old "cursorLeft";
    EDITOR_CURSOR_RIGHT = "tui.editor.cursorRight", scope "editor", keys ["right", "ctrl+f"], "Move cursor right", old "cursorRight";
    EDITOR_CURSOR_WORD_LEFT = "tui.editor.cursorWordLeft", scope "editor", keys ["alt+left", "ctrl+left", "alt+b"], "Move cursor word left", old "cursorWordLeft";
    EDITOR_CURSOR_WORD_RIGHT = "tui.editor.cursorWordRight", scope "editor", keys ["alt+right", "ctrl+right", "alt+f"], "Move cursor word right", old "cursorWordRight";
    EDITOR_CURSOR_LINE_START = "tui.editor.cursorLineStart", scope "editor", keys ["home", "ctrl+a"], "Move to line start", old "cursorLineStart";
    EDITOR_CURSOR_LINE_END = "tui.editor.cursorLineEnd", scope "editor", keys ["end", "ctrl+e"], "Move to line end", old "cursorLineEnd";
    EDITOR_JUMP_FORWARD = "tui.editor.jumpForward", scope "editor", keys ["ctrl+]"], "Jump forward to character", old "jumpForward";
    EDITOR_JUMP_BACKWARD = "tui.editor.jumpBackward", scope "editor", keys ["ctrl+alt+]"], "Jump backward to character", old "jumpBackward";
    EDITOR_PAGE_UP = "tui.editor.pageUp", scope "editor", keys ["pageUp"], "Page up", old "pageUp";
    EDITOR_PAGE_DOWN = "tui.editor.pageDown", scope "editor", keys ["pageDown"], "Page down", old "pageDown";
    EDITOR_DELETE_CHAR_BACKWARD = "tui.editor.deleteCharBackward", scope "editor", keys ["backspace", "shift+backspace"], "Delete character backward", old "deleteCharBackward";
    EDITOR_DELETE_CHAR_FORWARD = "tui.editor.deleteCharForward", scope "editor", keys ["delete", "ctrl+d", "shift+delete"], "Delete character forward", old "deleteCharForward";
    EDITOR_DELETE_WORD_BACKWARD = "tui.editor.deleteWordBackward", scope "editor", keys ["ctrl+w", "alt+backspace"], "Delete word backward", old "deleteWordBackward";
    EDITOR_DELETE_WORD_FORWARD = "tui.editor.deleteWordForward", scope "editor", keys ["alt+d", "alt+delete"], "Delete word forward", old "deleteWordForward";
    EDITOR_DELETE_TO_LINE_START = "tui.editor.deleteToLineStart", scope "editor", keys ["ctrl+u"], "Delete to line start", old "deleteToLineStart";
    EDITOR_DELETE_TO_LINE_END = "tui.editor.deleteToLineEnd", scope "editor", keys ["ctrl+k"], "Delete to line end", old "deleteToLineEnd";
    EDITOR_YANK = "tui.editor.yank", scope "editor", keys ["ctrl+y"], "Yank", old "yank";
    EDITOR_YANK_POP = "tui.editor.yankPop", scope "editor", keys ["alt+y"], "Yank pop", old "yankPop";
    EDITOR_UNDO = "tui.editor.undo", scope "editor", keys ["ctrl+-"], "Undo", old "undo";
    INPUT_NEW_LINE = "tui.input.newLine", scope "editor", keys ["shift+enter", "ctrl+j"], "Insert newline", old "newLine";
    INPUT_SUBMIT = "tui.input.submit", scope "editor", keys ["enter"], "Submit input", old "submit";
    INPUT_TAB = "tui.input.tab", scope "editor", keys ["tab"], "Tab / autocomplete", old "tab";
    INPUT_COPY = "tui.input.copy", scope "editor", keys ["ctrl+c"], "Copy selection", old "copy";
    SELECT_UP = "tui.select.up", scope "select", keys ["up"], "Move selection up", old "selectUp";
    SELECT_DOWN = "tui.select.down", scope "select", keys ["down"], "Move selection down", old "selectDown";
    SELECT_PAGE_UP = "tui.select.pageUp", scope "select", keys ["pageUp"], "Selection page up", old "selectPageUp";
    SELECT_PAGE_DOWN = "tui.select.pageDown", scope "select", keys ["pageDown"], "Selection page down", old "selectPageDown";
    SELECT_CONFIRM = "tui.select.confirm", scope "select", keys ["enter"], "Confirm selection", old "selectConfirm";
    SELECT_CANCEL = "tui.select.cancel", scope "select", keys ["escape", "ctrl+c"], "Cancel selection", old "selectCancel";
}
