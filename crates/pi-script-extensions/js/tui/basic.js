// Components without input: containers, text, space, spinners. A component is `render(width) -> lines`.
import { isBound } from "pi:tui/keybindings";
import { onBackground, truncateToWidth, visibleWidth } from "pi:tui/width";
import { wrapTextWithAnsi } from "pi:tui/wrap";

/** Tells where the cursor is; terminals show nothing for it. */
export const CURSOR_MARKER = "\x1b_pi:c\x07";

export const isFocusable = (component) => component !== null && component !== undefined && "focused" in component;

export class Container {
  children = [];

  addChild(component) {
    this.children.push(component);
  }

  removeChild(component) {
    const at = this.children.indexOf(component);
    if (at >= 0) this.children.splice(at, 1);
  }

  clear() {
    this.children = [];
  }

  invalidate() {
    for (const child of this.children) child.invalidate?.();
  }

  render(width) {
    return this.children.flatMap((child) => child.render(width));
  }
}

/** Children with space around them and a background behind them. */
export class Box extends Container {
  constructor(paddingX = 1, paddingY = 1, bgFn) {
    super();
    this.paddingX = paddingX;
    this.paddingY = paddingY;
    this.bgFn = bgFn;
  }

  setBgFn(bgFn) {
    this.bgFn = bgFn;
  }

  render(width) {
    const left = " ".repeat(this.paddingX);
    const inner = super.render(Math.max(1, width - this.paddingX * 2)).map((line) => left + line);
    if (inner.length === 0) return [];
    const edge = Array(this.paddingY).fill("");
    return [...edge, ...inner, ...edge].map((line) => onBackground(line, width, this.bgFn));
  }
}

export class Spacer {
  constructor(lines = 1) {
    this.setLines(lines);
  }

  setLines(lines) {
    this.lines = lines;
  }

  invalidate() {}

  render() {
    return Array(this.lines).fill("");
  }
}

/** Lines, each with padding left and right, and empty lines above and below, over a background. */
export const padded = (lines, width, paddingX, paddingY, background) => {
  const side = " ".repeat(paddingX);
  const edge = Array(paddingY).fill("");
  return [...edge, ...lines.map((line) => side + line + side), ...edge].map((line) => onBackground(line, width, background));
};

/** Text in as many lines as it takes. */
export class Text {
  constructor(text = "", paddingX = 1, paddingY = 1, customBgFn) {
    this.text = text;
    this.paddingX = paddingX;
    this.paddingY = paddingY;
    this.customBgFn = customBgFn;
  }

  setText(text) {
    this.text = text;
    this.invalidate();
  }

  setCustomBgFn(customBgFn) {
    this.customBgFn = customBgFn;
    this.invalidate();
  }

  invalidate() {
    this.cache = undefined;
  }

  render(width) {
    if (this.cache?.width === width && this.cache.text === this.text) return this.cache.lines;
    const lines = this.lay(width);
    this.cache = { width, text: this.text, lines };
    return lines;
  }

  lay(width) {
    if (!this.text || String(this.text).trim() === "") return [];
    const inner = Math.max(1, width - this.paddingX * 2);
    const lines = wrapTextWithAnsi(String(this.text).replaceAll("\t", "   "), inner);
    return padded(lines, width, this.paddingX, this.paddingY, this.customBgFn);
  }
}

/** The first line of a text, as much of it as fits. */
export class TruncatedText {
  constructor(text, paddingX = 0, paddingY = 0) {
    this.text = text;
    this.paddingX = paddingX;
    this.paddingY = paddingY;
  }

  invalidate() {}

  render(width) {
    const [first] = this.text.split("\n");
    const line = truncateToWidth(first, Math.max(1, width - this.paddingX * 2));
    return padded([line], width, this.paddingX, this.paddingY);
  }
}

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const INTERVAL_MS = 80;

/** A message after something that moves. */
export class Loader extends Text {
  constructor(ui, spinnerColorFn, messageColorFn, message = "Loading...", indicator) {
    super("", 1, 0);
    this.ui = ui;
    this.spinnerColorFn = spinnerColorFn;
    this.messageColorFn = messageColorFn;
    this.message = message;
    this.setIndicator(indicator);
  }

  render(width) {
    return ["", ...super.render(width)];
  }

  start() {
    this.stop();
    this.show();
    if (this.frames.length < 2) return;
    this.timer = setInterval(() => {
      this.frame = (this.frame + 1) % this.frames.length;
      this.show();
    }, this.intervalMs);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  setMessage(message) {
    this.message = message;
    this.show();
  }

  setIndicator(indicator) {
    // Frames of others bring their own colours.
    this.isVerbatim = indicator?.frames !== undefined;
    this.frames = indicator?.frames ?? FRAMES;
    this.intervalMs = indicator?.intervalMs > 0 ? indicator.intervalMs : INTERVAL_MS;
    this.frame = 0;
    this.start();
  }

  show() {
    const frame = this.frames[this.frame] ?? "";
    const shown = this.isVerbatim ? frame : this.spinnerColorFn(frame);
    this.setText((frame ? `${shown} ` : "") + this.messageColorFn(this.message));
    this.ui?.requestRender?.();
  }
}

/** A loader that Escape ends, and its signal with it. */
export class CancellableLoader extends Loader {
  controller = new AbortController();

  get signal() {
    return this.controller.signal;
  }

  get aborted() {
    return this.controller.signal.aborted;
  }

  handleInput(data) {
    if (!isBound(data, "tui.select.cancel")) return;
    this.controller.abort();
    this.onAbort?.();
  }

  dispose() {
    this.stop();
  }
}

/** The longest of these, in columns. */
export const widest = (texts) => texts.reduce((most, text) => Math.max(most, visibleWidth(text)), 0);
