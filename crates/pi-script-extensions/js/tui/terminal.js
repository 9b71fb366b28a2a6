// Terminals: what they answer, and how their input is cut into keys. The terminal itself belongs to the program.
const OSC_11 = /^\x1b\]11;(?:rgba?:([\da-f]+)\/([\da-f]+)\/([\da-f]+)(?:\/[\da-f]+)?|#([\da-f]{6}|[\da-f]{12}))(?:\x07|\x1b\\)$/i;

const channel = (hex) => Math.round((parseInt(hex, 16) / (16 ** hex.length - 1)) * 255);

/** The colour in the answer to OSC 11, or undefined. */
export function parseOsc11BackgroundColor(data) {
  const parts = OSC_11.exec(data);
  if (!parts) return undefined;
  const size = (parts[4]?.length ?? 0) / 3;
  const hex = parts[4] ? [0, 1, 2].map((i) => parts[4].slice(i * size, (i + 1) * size)) : parts.slice(1, 4);
  const [r, g, b] = hex.map(channel);
  return { r, g, b };
}

/** `dark` or `light` from a report of the colour scheme, or undefined. */
export const parseTerminalColorSchemeReport = (data) => ({ 1: "dark", 2: "light" })[/^\x1b\[\?997;([12])n$/.exec(data)?.[1]];

const NOT_HERE = "ProcessTerminal is not available in this program: it draws the screen itself. Use ctx.ui.custom() to show components";

export class ProcessTerminal {
  constructor() {
    throw new Error(NOT_HERE);
  }
}

const WAIT_MS = 10;
const PASTE_BEGIN = "\x1b[200~";
const PASTE_END = "\x1b[201~";
// One key, complete: a character, a sequence, Escape with a character.
const COMPLETE = [
  /^\x1b\[<\d+;\d+;\d+[Mm]/,
  /^\x1b\[M[^]{3}/,
  /^\x1b\[\[?[0-?]*[ -/]*[@-~]/,
  /^\x1b[\]P_][^]*?(?:\x07|\x1b\\)/,
  /^\x1bO[^]/,
  /^\x1b\x1b(?:\[[0-?]*[@-~]|O[^])/,
  /^\x1b[^[\]OP_]/,
];
const UNFINISHED = /^\x1b(?:$|\[M[^]{0,2}$|\[\[?[0-?]*[ -/]*$|[\]P_][^]*$|O$)/;

/** Cuts input into keys: `on("data", key)`, `on("paste", text)`. */
export class StdinBuffer {
  #buffer = "";
  #pasted;
  #timer;
  #listeners = new Map();

  constructor({ timeout = WAIT_MS } = {}) {
    this.timeout = timeout;
  }

  on(event, listener) {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
    return this;
  }

  once(event, listener) {
    const only = (...args) => {
      this.off(event, only);
      listener(...args);
    };
    return this.on(event, only);
  }

  off(event, listener) {
    this.#listeners.set(event, (this.#listeners.get(event) ?? []).filter((known) => known !== listener));
    return this;
  }

  emit(event, ...args) {
    const listeners = this.#listeners.get(event) ?? [];
    for (const listener of listeners) listener(...args);
    return listeners.length > 0;
  }

  process(data) {
    clearTimeout(this.#timer);
    this.#buffer += typeof data === "string" ? data : new TextDecoder().decode(data);
    while (this.#buffer && this.#step());
    if (this.#buffer && this.#pasted === undefined) this.#timer = setTimeout(() => this.#release(), this.timeout);
  }

  // Takes one key or one paste from the buffer; whether there was any.
  #step() {
    if (this.#pasted !== undefined) return this.#stepPaste();
    if (this.#buffer.startsWith(PASTE_BEGIN)) {
      this.#buffer = this.#buffer.slice(PASTE_BEGIN.length);
      this.#pasted = "";
      return true;
    }
    const key = this.#buffer[0] === "\x1b" ? this.#sequence() : String.fromCodePoint(this.#buffer.codePointAt(0));
    if (!key) return false;
    this.#buffer = this.#buffer.slice(key.length);
    this.emit("data", key);
    return true;
  }

  #sequence() {
    for (const pattern of COMPLETE) {
      const found = pattern.exec(this.#buffer);
      if (found) return found[0];
    }
    return UNFINISHED.test(this.#buffer) ? "" : "\x1b";
  }

  #stepPaste() {
    const end = this.#buffer.indexOf(PASTE_END);
    if (end < 0) return false;
    const text = this.#buffer.slice(0, end);
    this.#buffer = this.#buffer.slice(end + PASTE_END.length);
    this.#pasted = undefined;
    this.emit("paste", text);
    return true;
  }

  #release() {
    for (const key of this.flush()) this.emit("data", key);
  }

  /** What is there, complete or not. */
  flush() {
    clearTimeout(this.#timer);
    const rest = this.#buffer;
    this.#buffer = "";
    return rest ? [rest] : [];
  }

  clear() {
    clearTimeout(this.#timer);
    this.#buffer = "";
    this.#pasted = undefined;
  }

  getBuffer() {
    return this.#buffer;
  }

  destroy() {
    this.clear();
    this.#listeners.clear();
  }
}
