// An editor of a script in the place of the program's: its text is the program's text, and keys that are the program's do what
// they do without it.
import { providerFor } from "pi:bridge/completion";
import { theme } from "pi:bridge/theme";

import { host } from "script:host";

export function editorTheme() {
  const paint = (colour) => (text) => theme().fg(colour, text);
  const selectList = {
    selectedPrefix: paint("accent"),
    selectedText: paint("accent"),
    description: paint("muted"),
    scrollInfo: paint("muted"),
    noMatch: paint("muted"),
  };
  return { borderColor: paint("borderMuted"), selectList };
}

// Connects an editor with the program; how it is mounted.
export function wired(number, shown, editor) {
  const act = (action) => host.sync("ui.act", number, action);
  const edited = (text) => host.sync("ui.edited", number, shown.id, text);
  let isToldByProgram = false;
  editor.setText?.(host.sync("ui.editorText", number));
  editor.onChange = (text) => void (shown.id !== undefined && !isToldByProgram && edited(text));
  editor.onSubmit = (text) => {
    edited(text);
    act("tui.input.submit");
  };
  editor.setAutocompleteProvider?.(providerFor(number));
  if (editor.actionHandlers instanceof Map) {
    for (const { action, actsInEditor } of host.sync("ui.keys", number)) {
      if (actsInEditor && !editor.actionHandlers.has(action)) editor.actionHandlers.set(action, () => act(action));
    }
    editor.onPasteImage ??= () => act("app.clipboard.pasteImage");
  }
  const setText = (text) => {
    if (editor.getText?.() === text) return;
    isToldByProgram = true;
    try {
      editor.setText?.(text);
    } finally {
      isToldByProgram = false;
    }
    shown.redraw();
  };
  return { component: editor, setText };
}
