// Words into lines, with colours and links carried from line to line.
import { pieces, sequenceAt, visibleWidth } from "pi:tui/width";

// Attributes of SGR: what turns each on, and off.
const ATTRIBUTES = [
  [1, 22],
  [2, 22],
  [3, 23],
  [4, 24],
  [5, 25],
  [7, 27],
  [8, 28],
  [9, 29],
];

/** What escape sequences have turned on so far. */
export class Style {
  constructor() {
    this.on = new Set();
    this.foreground = "";
    this.background = "";
    this.link = "";
  }

  apply(sequence) {
    const link = /^\x1b\]8;([^;]*);(.*?)(\x07|\x1b\\)$/s.exec(sequence);
    if (link) this.link = link[2] ? { open: sequence, close: `\x1b]8;;${link[3]}` } : "";
    const sgr = /^\x1b\[([\d;:]*)m$/.exec(sequence);
    if (sgr) this.applyCodes(sgr[1].split(";"));
  }

  applyCodes(codes) {
    for (let i = 0; i < codes.length; i++) {
      const code = Number(codes[i] || 0);
      if (code === 38 || code === 48) {
        const count = codes[i + 1] === "5" ? 3 : codes[i + 1] === "2" ? 5 : 1;
        this[code === 38 ? "foreground" : "background"] = codes.slice(i, i + count).join(";");
        i += count - 1;
      } else this.applyCode(code);
    }
  }

  applyCode(code) {
    if (code === 0) {
      this.on.clear();
      this.foreground = this.background = "";
    } else if (code === 39) this.foreground = "";
    else if (code === 49) this.background = "";
    else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) this.foreground = String(code);
    else if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) this.background = String(code);
    else {
      for (const [on, off] of ATTRIBUTES) {
        if (code === on) this.on.add(on);
        else if (code === off) this.on.delete(on);
      }
    }
  }

  /** What brings a new line to this style. */
  open() {
    const codes = ATTRIBUTES.map(([on]) => on).filter((on) => this.on.has(on));
    if (this.foreground) codes.push(this.foreground);
    if (this.background) codes.push(this.background);
    return (codes.length ? `\x1b[${codes.join(";")}m` : "") + (this.link ? this.link.open : "");
  }

  /** What must not run on into the padding at the end of a line: underlines and links. */
  close() {
    return (this.on.has(4) ? "\x1b[24m" : "") + (this.link ? this.link.close : "");
  }

  /** Follows all sequences in `text`. */
  follow(text) {
    for (let at = text.indexOf("\x1b"); at >= 0; at = text.indexOf("\x1b", at + 1)) {
      const sequence = sequenceAt(text, at);
      if (sequence) this.apply(sequence);
    }
  }
}

/** Between these characters a line may break anywhere. */
export const breaksAnywhere = (char) => /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u.test(char);

// Runs of blanks and of other characters; sequences belong to what follows them.
const tokens = (line) => {
  const found = [];
  let current = null;
  let pending = "";
  for (const piece of pieces(line)) {
    if (piece.isSequence) {
      pending += piece.text;
      continue;
    }
    const kind = piece.text === " " ? "blank" : piece.text > "\x7f" && breaksAnywhere(piece.text) ? "single" : "word";
    if (!current || current.kind !== kind || kind === "single") {
      current = { kind, text: "", width: 0 };
      found.push(current);
    }
    current.text += pending + piece.text;
    current.width += piece.width;
    pending = "";
  }
  if (pending) {
    if (current) current.text += pending;
    else found.push({ kind: "word", text: pending, width: 0 });
  }
  return found;
};

class Wrapper {
  constructor(width, style) {
    this.width = width;
    this.style = style;
    this.lines = [];
    this.begin("");
  }

  begin(text) {
    this.line = this.style.open() + text;
    this.used = 0;
    this.isFilled = text !== "";
  }

  end() {
    this.lines.push(this.line.trimEnd() + this.style.close());
  }

  add({ kind, text, width }) {
    const isBlank = kind === "blank";
    if (width > this.width && !isBlank) return this.split(text);
    if (this.used + width <= this.width) {
      this.line += text;
      this.used += width;
      this.isFilled = true;
      this.style.follow(text);
      return;
    }
    this.end();
    this.style.follow(isBlank ? text : "");
    this.begin(isBlank ? "" : text);
    this.used = isBlank ? 0 : width;
    if (!isBlank) this.style.follow(text);
  }

  // A word that is longer than a line breaks where the line ends.
  split(text) {
    if (this.used > 0) {
      this.end();
      this.begin("");
    }
    for (const piece of pieces(text)) {
      if (piece.isSequence) this.style.apply(piece.text);
      else if (this.used + piece.width > this.width) {
        this.end();
        this.begin("");
      }
      this.line += piece.text;
      this.used += piece.width;
      this.isFilled = true;
    }
  }

  // Blanks at the end of a text are no line of their own.
  finish() {
    if (this.isFilled || this.lines.length === 0) this.lines.push(this.line.trimEnd());
    return this.lines;
  }
}

export function wrapTextWithAnsi(text, width) {
  const style = new Style();
  const result = [];
  for (const source of String(text ?? "").split("\n")) {
    const line = style.open() + source;
    if (visibleWidth(source) <= width) {
      result.push(line);
      style.follow(source);
      continue;
    }
    const wrapper = new Wrapper(width, style);
    for (const token of tokens(source)) wrapper.add(token);
    result.push(...wrapper.finish());
  }
  return result;
}
