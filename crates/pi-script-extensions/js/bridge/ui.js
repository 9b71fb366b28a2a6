// `ctx.ui`: the user. What needs a terminal does nothing without one. As with `ctx`, the members are the object's own.
import { own } from "pi:bridge/callbacks";
import { addProvider } from "pi:bridge/completion";
import { editorOf, setEditor, setFooter, setHeader, setWidget } from "pi:bridge/places";
import { custom, hasScreen } from "pi:bridge/screen";
import { withSignal } from "pi:bridge/signals";
import { Theme, refreshTheme, theme } from "pi:bridge/theme";

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
    setWidget: (key, content, options) => setWidget(number, key, content, options),
    setTitle: (text) => tell("setTitle", text),
    setEditorText: (text) => tell("setEditorText", text),
    pasteToEditor: (text) => tell("paste", text),
    getEditorText: () => tell("editorText"),
    ...terminal(number, tell),
    get theme() {
      return theme();
    },
    setTheme: (wanted) => setTheme(number, wanted),
  };
}

// What only a terminal has.
const terminal = (number, tell) => ({
  setWorkingMessage: (text) => tell("setWorking", { message: text ?? null }),
  setWorkingVisible: (isVisible) => tell("setWorking", { visible: Boolean(isVisible) }),
  setWorkingIndicator: (indicator) => tell("setWorking", { indicator: [indicator?.frames ?? null, indicator?.intervalMs ?? null] }),
  setHiddenThinkingLabel: (label) => tell("setHiddenThinkingLabel", label),
  setFooter: (factory) => setFooter(number, factory),
  setHeader: (factory) => setHeader(number, factory),
  custom: (factory, options) => custom(number, factory, options),
  setEditorComponent: (factory) => setEditor(number, factory),
  getEditorComponent: () => editorOf(number),
  addAutocompleteProvider: (factory) => void (hasScreen(number) && addProvider(number, factory)),
  onTerminalInput: (handler) => onTerminalInput(number, handler),
  getAllThemes: () => tell("themes"),
  getTheme: (name) => themeOf(tell("themeNamed", name)),
  getToolsExpanded: () => tell("isExpanded"),
  setToolsExpanded: (isExpanded) => tell("setExpanded", Boolean(isExpanded)),
});

const themeOf = (said) => (said ? new Theme(said) : undefined);

function setTheme(number, wanted) {
  if (!hasScreen(number)) {
    const hasUser = host.sync("ctx.hasUI", number);
    return { success: false, error: hasUser ? "Theme switching not supported in RPC mode" : "UI not available" };
  }
  const outcome = host.sync("ui.setTheme", number, typeof wanted === "string" ? wanted : wanted?.name);
  refreshTheme(true);
  return outcome;
}

// What the handler says of one input: nothing lets it go on, a text takes its place.
function onTerminalInput(number, handler) {
  if (!hasScreen(number)) return () => {};
  const call = (data) => {
    const said = handler(data);
    return said?.consume ? "" : said?.data;
  };
  const hook = host.sync("ui.hookInput", number, own(number, call));
  return () => void host.sync("ui.unhookInput", number, hook);
}
