// `ctx.ui`: the user. What needs a terminal does nothing without one.
import { withSignal } from "pi:bridge/signals";
import { theme } from "pi:bridge/theme";

import { host } from "script:host";

export class Ui {
  constructor(number) {
    Object.defineProperty(this, "number", { value: number });
  }

  // --- questions
  select(title, options, dialog) {
    return this.ask(dialog, "ui.select", title, options);
  }
  confirm(title, message, dialog) {
    return this.ask(dialog, "ui.confirm", title, message);
  }
  input(title, placeholder, dialog) {
    return this.ask(dialog, "ui.input", title, placeholder);
  }
  editor(title, prefill) {
    return host.async("ui.editor", this.number, title, prefill);
  }
  ask(dialog, name, title, more) {
    return withSignal(dialog?.signal, (token) => host.async(name, this.number, title, more, dialog?.timeout, token));
  }

  // --- notices: nobody waits for them
  tell(name, ...args) {
    host.sync(`ui.${name}`, this.number, ...args);
  }
  notify(message, type) {
    this.tell("notify", String(message), type);
  }
  setStatus(key, text) {
    this.tell("setStatus", key, text);
  }
  setWidget(key, content, options) {
    if (typeof content !== "function") this.tell("setWidget", key, content, options?.placement);
  }
  setTitle(text) {
    this.tell("setTitle", text);
  }
  setEditorText(text) {
    this.tell("setEditorText", text);
  }
  pasteToEditor(text) {
    this.setEditorText(text);
  }
  getEditorText() {
    return "";
  }

  // --- what only a terminal has
  setWorkingMessage() {}
  setWorkingVisible() {}
  setWorkingIndicator() {}
  setHiddenThinkingLabel() {}
  setFooter() {}
  setHeader() {}
  async custom() {
    return undefined;
  }
  setEditorComponent() {}
  getEditorComponent() {
    return undefined;
  }
  addAutocompleteProvider() {}
  onTerminalInput() {
    return () => {};
  }
  get theme() {
    return theme();
  }
  getAllThemes() {
    return [];
  }
  getTheme() {
    return undefined;
  }
  setTheme() {
    const hasUser = host.sync("ctx.hasUI", this.number);
    const error = hasUser ? "Theme switching not supported in RPC mode" : "UI not available";
    return { success: false, error };
  }
  getToolsExpanded() {
    return false;
  }
  setToolsExpanded() {}
}
