// Which keys do what, by the names of actions. The program replaces the manager by one with the user's settings.
import { matchesKey } from "pi:tui/keys";

const action = (defaultKeys, description) => ({ defaultKeys, description });

export const TUI_KEYBINDINGS = {
  "tui.editor.cursorUp": action("up", "Move cursor up"),
  "tui.editor.cursorDown": action("down", "Move cursor down"),
  "tui.editor.cursorLeft": action(["left", "ctrl+b"], "Move cursor left"),
  "tui.editor.cursorRight": action(["right", "ctrl+f"], "Move cursor right"),
  "tui.editor.cursorWordLeft": action(["alt+left", "ctrl+left", "alt+b"], "Move cursor word left"),
  "tui.editor.cursorWordRight": action(["alt+right", "ctrl+right", "alt+f"], "Move cursor word right"),
  "tui.editor.cursorLineStart": action(["home", "ctrl+a"], "Move to line start"),
  "tui.editor.cursorLineEnd": action(["end", "ctrl+e"], "Move to line end"),
  "tui.editor.jumpForward": action("ctrl+]", "Jump forward to character"),
  "tui.editor.jumpBackward": action("ctrl+alt+]", "Jump backward to character"),
  "tui.editor.pageUp": action("pageUp", "Page up"),
  "tui.editor.pageDown": action("pageDown", "Page down"),
  "tui.editor.deleteCharBackward": action("backspace", "Delete character backward"),
  "tui.editor.deleteCharForward": action(["delete", "ctrl+d"], "Delete character forward"),
  "tui.editor.deleteWordBackward": action(["ctrl+w", "alt+backspace"], "Delete word backward"),
  "tui.editor.deleteWordForward": action(["alt+d", "alt+delete"], "Delete word forward"),
  "tui.editor.deleteToLineStart": action("ctrl+u", "Delete to line start"),
  "tui.editor.deleteToLineEnd": action("ctrl+k", "Delete to line end"),
  "tui.editor.yank": action("ctrl+y", "Yank"),
  "tui.editor.yankPop": action("alt+y", "Yank pop"),
  "tui.editor.undo": action("ctrl+-", "Undo"),
  "tui.input.newLine": action("shift+enter", "Insert newline"),
  "tui.input.submit": action("enter", "Submit input"),
  "tui.input.tab": action("tab", "Tab / autocomplete"),
  "tui.input.copy": action("ctrl+c", "Copy selection"),
  "tui.select.up": action("up", "Move selection up"),
  "tui.select.down": action("down", "Move selection down"),
  "tui.select.pageUp": action("pageUp", "Selection page up"),
  "tui.select.pageDown": action("pageDown", "Selection page down"),
  "tui.select.confirm": action("enter", "Confirm selection"),
  "tui.select.cancel": action(["escape", "ctrl+c"], "Cancel selection"),
};

const list = (keys) => (keys === undefined ? [] : [...new Set(Array.isArray(keys) ? keys : [keys])]);

export class KeybindingsManager {
  constructor(definitions, userBindings = {}) {
    this.definitions = definitions;
    this.setUserBindings(userBindings);
  }

  setUserBindings(userBindings) {
    this.userBindings = userBindings;
    this.keys = new Map();
    for (const [id, definition] of Object.entries(this.definitions)) {
      this.keys.set(id, list(Object.hasOwn(userBindings, id) ? userBindings[id] : definition.defaultKeys));
    }
  }

  matches(data, keybinding) {
    return this.getKeys(keybinding).some((key) => matchesKey(data, key));
  }

  getKeys(keybinding) {
    return [...(this.keys.get(keybinding) ?? [])];
  }

  getDefinition(keybinding) {
    return this.definitions[keybinding];
  }

  /** Keys to which the user gave several actions. */
  getConflicts() {
    const owners = new Map();
    for (const id of Object.keys(this.userBindings)) {
      if (!(id in this.definitions)) continue;
      for (const key of list(this.userBindings[id])) owners.set(key, [...(owners.get(key) ?? []), id]);
    }
    return [...owners].filter(([, ids]) => ids.length > 1).map(([key, keybindings]) => ({ key, keybindings }));
  }

  getUserBindings() {
    return { ...this.userBindings };
  }

  getResolvedBindings() {
    return Object.fromEntries([...this.keys].map(([id, keys]) => [id, keys.length === 1 ? keys[0] : [...keys]]));
  }
}

let current;
export const setKeybindings = (manager) => void (current = manager);
export const getKeybindings = () => (current ??= new KeybindingsManager(TUI_KEYBINDINGS));

/** Whether the input is bound to one of the actions. */
export const isBound = (data, ...actions) => actions.some((name) => getKeybindings().matches(data, name));
