// What editing shares: words, the ring of what was cut, pasted text.
import { host } from "script:host";
import { clusters } from "pi:tui/width";

// Neither a word nor a blank: punctuation, symbols, pictures. Several of them are taken together.
const isMark = (text) => /[!-/:-@[-`{-~]/.test(text[0]) || !/[\p{L}\p{N}\s]/u.test(text);

// The words of a text by the rules of Unicode, with ASCII punctuation apart.
const segments = (text) => {
  const found = [];
  let at = 0;
  const lengths = host.sync("text.words", text);
  for (const length of lengths) {
    for (const part of text.slice(at, at + length).match(/[!-/:-@[-`{-~]+|[^!-/:-@[-`{-~]+/g) ?? []) {
      const last = found.at(-1);
      if (last && isMark(part) && isMark(last)) found[found.length - 1] += part;
      else found.push(part);
    }
    at += length;
  }
  return found;
};

const isBlank = (text) => text.trim() === "";

/** Where the word begins that ends at `cursor` or before it. */
export const wordBefore = (text, cursor) => {
  const parts = segments(text.slice(0, cursor));
  let at = cursor;
  while (parts.length && isBlank(parts.at(-1))) at -= parts.pop().length;
  return at - (parts.at(-1)?.length ?? 0);
};

/** Where the word ends that begins at `cursor` or after it. */
export const wordAfter = (text, cursor) => {
  const parts = segments(text.slice(cursor));
  let at = cursor;
  while (parts.length && isBlank(parts[0])) at += parts.shift().length;
  return at + (parts[0]?.length ?? 0);
};

/** How long the character before `cursor` is. */
export const characterBefore = (text, cursor) => clusters(text.slice(0, cursor)).at(-1)?.text.length ?? 0;
/** How long the character at `cursor` is. */
export const characterAfter = (text, cursor) => clusters(text.slice(cursor, cursor + 64))[0]?.text.length ?? 0;

/** What was cut last, and before. */
export class KillRing {
  #cuts = [];

  push(text, { isBackward, joins }) {
    if (!text) return;
    const last = joins ? this.#cuts.pop() : undefined;
    this.#cuts.push(last === undefined ? text : isBackward ? text + last : last + text);
  }

  peek() {
    return this.#cuts.at(-1);
  }

  rotate() {
    if (this.#cuts.length > 1) this.#cuts.unshift(this.#cuts.pop());
  }

  get length() {
    return this.#cuts.length;
  }
}

const PASTE_BEGIN = "\x1b[200~";
const PASTE_END = "\x1b[201~";

/** Collects what a terminal pastes, which may come in pieces. */
export class PasteReader {
  #text;

  /** Gives pasted text to `onPaste`; returns what is left to handle as keys, or undefined. */
  read(data, onPaste) {
    if (this.#text === undefined) {
      const begin = data.indexOf(PASTE_BEGIN);
      if (begin < 0) return data;
      this.#text = "";
      data = data.slice(0, begin) + data.slice(begin + PASTE_BEGIN.length);
    }
    this.#text += data;
    const end = this.#text.indexOf(PASTE_END);
    if (end < 0) return undefined;
    const text = this.#text.slice(0, end);
    const rest = this.#text.slice(end + PASTE_END.length);
    this.#text = undefined;
    onPaste(text);
    return rest || undefined;
  }
}
