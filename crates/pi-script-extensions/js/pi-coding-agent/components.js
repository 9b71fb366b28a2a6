// Components on top of `pi-tui`.
import { CancellableLoader, Container, Editor, Loader, Markdown, Spacer, Text, getKeybindings } from "pi:tui/main";
import { theme } from "pi:bridge/theme";
import { getMarkdownTheme, keyHint } from "pi:coding-agent/ui";

export class DynamicBorder {
  constructor(color = (text) => theme().fg("border", text)) {
    this.color = color;
  }
  invalidate() {}
  render(width) {
    return [this.color("─".repeat(Math.max(1, width)))];
  }
}

// A loader between two lines, which Escape ends if it may.
export class BorderedLoader extends Container {
  constructor(tui, colours, message, { cancellable = true } = {}) {
    super();
    const line = (text) => colours.fg("border", text);
    const Kind = cancellable ? CancellableLoader : Loader;
    this.loader = new Kind(tui, (text) => colours.fg("accent", text), (text) => colours.fg("muted", text), message);
    this.own = cancellable ? undefined : new AbortController();
    this.addChild(new DynamicBorder(line));
    this.addChild(this.loader);
    if (cancellable) {
      this.addChild(new Spacer(1));
      this.addChild(new Text(keyHint("tui.select.cancel", "cancel"), 1, 0));
    }
    this.addChild(new Spacer(1));
    this.addChild(new DynamicBorder(line));
  }
  get signal() {
    return (this.own ?? this.loader).signal;
  }
  set onAbort(listener) {
    this.loader.onAbort = listener;
  }
  handleInput(data) {
    this.loader.handleInput?.(data);
  }
  dispose() {
    this.loader.stop();
  }
}

// The editor of the program: the actions of the application come before those of the editor.
export class CustomEditor extends Editor {
  actionHandlers = new Map();

  constructor(tui, editorTheme, keybindings, options) {
    super(tui, editorTheme, options);
    this.keybindings = keybindings ?? getKeybindings();
  }
  onAction(action, handler) {
    this.actionHandlers.set(action, handler);
  }
  handleInput(data) {
    if (this.onExtensionShortcut?.(data)) return;
    const is = (action) => this.keybindings.matches(data, action);
    if (is("app.clipboard.pasteImage") && this.onPasteImage) return void this.onPasteImage();
    if (is("app.interrupt") && !this.isShowingAutocomplete?.()) {
      const handler = this.onEscape ?? this.actionHandlers.get("app.interrupt");
      if (handler) return void handler();
    }
    if (is("app.exit") && this.getText() === "") {
      const handler = this.onCtrlD ?? this.actionHandlers.get("app.exit");
      if (handler) return void handler();
    }
    for (const [action, handler] of this.actionHandlers) {
      if (action !== "app.interrupt" && action !== "app.exit" && is(action)) return void handler();
    }
    super.handleInput(data);
  }
}

// What a message looks like: a text under a heading.
class MessageComponent extends Container {
  constructor(heading, text, colours = getMarkdownTheme()) {
    super();
    this.addChild(new Spacer(1));
    if (heading) this.addChild(new Text(theme().fg("accent", heading), 1, 0));
    if (text) this.addChild(new Markdown(text, 1, 0, colours));
  }
  setExpanded() {}
}

const textOf = (content) =>
  typeof content === "string" ? content : (content ?? []).filter(({ type }) => type === "text").map(({ text }) => text).join("\n");

export class UserMessageComponent extends MessageComponent {
  constructor(text, colours) {
    super(undefined, text, colours);
  }
}
export class AssistantMessageComponent extends MessageComponent {
  constructor(message, _hideThinking, colours) {
    super(undefined, textOf(message?.content), colours);
  }
  updateContent(message) {
    this.clear();
    this.addChild(new Markdown(textOf(message?.content), 1, 0, getMarkdownTheme()));
  }
}
export class CustomMessageComponent extends MessageComponent {
  constructor(message, _renderer, colours) {
    super(`[${message.customType}]`, textOf(message.content), colours);
  }
}
export class BranchSummaryMessageComponent extends MessageComponent {
  constructor(message, colours) {
    super("[branch]", message.summary, colours);
  }
}
export class CompactionSummaryMessageComponent extends MessageComponent {
  constructor(message, colours) {
    super("[compaction]", message.summary, colours);
  }
}
export class SkillInvocationMessageComponent extends MessageComponent {
  constructor(block, colours) {
    super(`[skill] ${block.name}`, block.content, colours);
  }
}
