// `ctx.ui`: the user. What needs a terminal does nothing without one. As with `ctx`, the members are the object's own.
import { withSignal } from "pi:bridge/signals";
import { theme } from "pi:bridge/theme";

import { host } from "script:host";

export function createUi(number) {
  const ask = (dialog, name, title, more) =>
    withSignal(dialog?.signal, (token) => host.async(name, number, title, more, dialog?.timeout, token));
  // Nobody waits for these.
  const tell = (name, ...args) => host.sync(`ui.${name}`, number, ...args);
  return {
    select: (title, options, dialog) => ask(dialog, "ui.select", title, options),
    confirm: (title, message, dialog) => ask(dialog, "ui.confirm", title, message),
    input: (title, placeholder, dialog) => ask(dialog, "ui.input", title, placeholder),
    editor: (title, prefill) => host.async("ui.editor", number, title, prefill),
    notify: (message, type) => tell("notify", String(message), type),
    setStatus: (key, text) => tell("setStatus", key, text),
    setWidget: (key, content, options) => {
      if (typeof content !== "function") tell("setWidget", key, content, options?.placement);
    },
    setTitle: (text) => tell("setTitle", text),
    setEditorText: (text) => tell("setEditorText", text),
    pasteToEditor: (text) => tell("setEditorText", text),
    getEditorText: () => "",
    ...TERMINAL,
    get theme() {
      return theme();
    },
    setTheme: () => {
      const hasUser = host.sync("ctx.hasUI", number);
      return { success: false, error: hasUser ? "Theme switching not supported in RPC mode" : "UI not available" };
    },
  };
}

const nothing = () => {};

// What only a terminal has.
const TERMINAL = {
  setWorkingMessage: nothing,
  setWorkingVisible: nothing,
  setWorkingIndicator: nothing,
  setHiddenThinkingLabel: nothing,
  setFooter: nothing,
  setHeader: nothing,
  custom: async () => undefined,
  setEditorComponent: nothing,
  getEditorComponent: nothing,
  addAutocompleteProvider: nothing,
  onTerminalInput: () => nothing,
  getAllThemes: () => [],
  getTheme: nothing,
  getToolsExpanded: () => false,
  setToolsExpanded: nothing,
};
