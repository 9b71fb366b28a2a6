// What an editor edits: lines with a cursor, undo, the ring of what was cut, pasted text behind markers; and its lay-out.
import { clusters } from "pi:tui/width";
import { KillRing, characterAfter, characterBefore, wordAfter, wordBefore } from "pi:tui/words";
import { breaksAnywhere } from "pi:tui/wrap";

const MARKER = /\[paste #(\d+) (?:\+\d+ lines|\d+ chars)\]/g;
// Pasted text above either becomes a marker.
const PASTE_LINES = 10;
const PASTE_CHARACTERS = 1000;

export const normalized = (text) => text.replace(/\r\n?/g, "\n").replaceAll("\t", "    ");

export class EditorText {
  lines = [""];
  line = 0;
  col = 0;
  #pastes = new Map();
  #lastPaste = 0;
  #undo = [];
  #ring = new KillRing();
  // What was done last: what is like it joins it.
  last = null;

  get text() {
    return this.lines.join("\n");
  }

  get current() {
    return this.lines[this.line];
  }

  /** The text with what is behind its markers. */
  get expanded() {
    return this.text.replace(MARKER, (marker, id) => this.#pastes.get(Number(id)) ?? marker);
  }

  /** Replaces everything; the cursor goes to the end. */
  set(text) {
    this.lines = normalized(text).split("\n");
    this.line = this.lines.length - 1;
    this.col = this.current.length;
    this.last = null;
  }

  clear() {
    this.set("");
    this.#pastes.clear();
    this.#lastPaste = 0;
    this.#undo = [];
  }

  save() {
    this.#undo.push({ lines: [...this.lines], line: this.line, col: this.col });
  }

  /** Whether there was anything to undo. */
  undo() {
    const before = this.#undo.pop();
    if (before) Object.assign(this, before);
    this.last = null;
    return before !== undefined;
  }

  moveTo(line, col) {
    this.line = Math.max(0, Math.min(line, this.lines.length - 1));
    this.col = Math.max(0, Math.min(col, this.current.length));
    this.last = null;
  }

  insert(text) {
    const parts = normalized(text).split("\n");
    const after = this.current.slice(this.col);
    parts[0] = this.current.slice(0, this.col) + parts[0];
    const col = parts.at(-1).length;
    parts[parts.length - 1] += after;
    this.lines.splice(this.line, 1, ...parts);
    this.line += parts.length - 1;
    this.col = col;
  }

  /** What a key types: a run of letters is undone at once, from the blank before it. */
  type(text) {
    if (this.last !== "type" || /\s/.test(text)) this.save();
    this.insert(text);
    this.last = "type";
  }

  paste(pasted) {
    let text = normalized(pasted).replace(/[\x00-\x09\x0b-\x1f\x7f]/g, "");
    if (/^[/~.]/.test(text) && /\w/.test(this.current[this.col - 1] ?? "")) text = ` ${text}`;
    this.save();
    const count = text.split("\n").length;
    if (count <= PASTE_LINES && text.length <= PASTE_CHARACTERS) return this.insert(text);
    const id = ++this.#lastPaste;
    this.#pastes.set(id, text);
    this.insert(`[paste #${id} ${count > PASTE_LINES ? `+${count} lines` : `${text.length} chars`}]`);
  }

  /** Markers in a line whose text is known: `{from, to}`. */
  markers(line) {
    const found = [];
    for (const match of line.matchAll(MARKER)) {
      if (this.#pastes.has(Number(match[1]))) found.push({ from: match.index, to: match.index + match[0].length });
    }
    return found;
  }

  #before() {
    const marker = this.markers(this.current).find(({ from, to }) => from < this.col && this.col <= to);
    return marker ? marker.from : this.col - characterBefore(this.current, this.col);
  }

  #after() {
    const marker = this.markers(this.current).find(({ from, to }) => from <= this.col && this.col < to);
    return marker ? marker.to : this.col + characterAfter(this.current, this.col);
  }

  // Places as `[line, col]`; at the edge of a line they are in the next one.
  #back(within) {
    if (this.col > 0) return [this.line, within];
    return this.line > 0 ? [this.line - 1, this.lines[this.line - 1].length] : [0, 0];
  }

  #on(within) {
    if (this.col < this.current.length) return [this.line, within];
    return this.line < this.lines.length - 1 ? [this.line + 1, 0] : [this.line, this.col];
  }

  /** Where things are from the cursor. */
  place(name) {
    switch (name) {
      case "left":
        return this.#back(this.#before());
      case "right":
        return this.#on(this.#after());
      case "wordLeft":
        return this.#back(wordBefore(this.current, this.col));
      case "wordRight":
        return this.#on(wordAfter(this.current, this.col));
      case "lineStart":
        return [this.line, 0];
      case "lineEnd":
        return [this.line, this.current.length];
      case "killStart":
        return this.#back(0);
      default:
        return this.#on(this.current.length);
    }
  }

  /** Removes what is between the cursor and a place; whether anything was. */
  remove([line, col], { isCut = false } = {}) {
    const isBackward = line < this.line || (line === this.line && col < this.col);
    const [from, to] = isBackward ? [[line, col], [this.line, this.col]] : [[this.line, this.col], [line, col]];
    if (from[0] === to[0] && from[1] === to[1]) return false;
    this.save();
    const text = this.#between(from, to);
    if (isCut) this.#ring.push(text, { isBackward, joins: this.last === "cut" });
    const joined = this.lines[from[0]].slice(0, from[1]) + this.lines[to[0]].slice(to[1]);
    this.lines.splice(from[0], to[0] - from[0] + 1, joined);
    [this.line, this.col] = from;
    this.last = isCut ? "cut" : null;
    return true;
  }

  #between(from, to) {
    if (from[0] === to[0]) return this.lines[from[0]].slice(from[1], to[1]);
    const middle = this.lines.slice(from[0] + 1, to[0]);
    return [this.lines[from[0]].slice(from[1]), ...middle, this.lines[to[0]].slice(0, to[1])].join("\n");
  }

  yank() {
    const text = this.#ring.peek();
    if (!text) return false;
    this.save();
    this.insert(text);
    this.last = "yank";
    return true;
  }

  /** Replaces what was just put back by what was cut before it. */
  yankPop() {
    if (this.last !== "yank" || this.#ring.length < 2) return false;
    this.undo();
    this.#ring.rotate();
    return this.yank();
  }

  /** Goes to the next such character in a direction, beyond the cursor. */
  jump(char, isForward) {
    const step = isForward ? 1 : -1;
    for (let line = this.line; line >= 0 && line < this.lines.length; line += step) {
      const isFirst = line === this.line;
      const text = this.lines[line];
      let at;
      if (isForward) at = text.indexOf(char, isFirst ? this.col + 1 : 0);
      else at = isFirst && this.col === 0 ? -1 : text.lastIndexOf(char, isFirst ? this.col - 1 : text.length);
      if (at >= 0) return this.moveTo(line, at);
    }
    this.last = null;
  }
}

/** Lines as they are shown: `{line, from, to}`, no wider than `width`. */
export function layOut(text, width) {
  const rows = [];
  text.lines.forEach((line, i) => {
    for (const [from, to] of wrapped(line, width, text.markers(line))) rows.push({ line: i, from, to });
  });
  return rows;
}

// Characters with their places; a marker is one unless it is too wide.
const units = (line, width, markers) => {
  const found = [];
  let at = 0;
  for (const cluster of clusters(line)) {
    const marker = markers.find(({ from, to }) => from <= at && at < to && to - from <= width);
    const last = found.at(-1);
    if (marker && at > marker.from) {
      last.to += cluster.text.length;
      last.width += cluster.width;
    } else found.push({ from: at, to: at + cluster.text.length, width: cluster.width, text: cluster.text });
    at += cluster.text.length;
  }
  return found;
};

const wrapped = (line, width, markers) => {
  const rows = [];
  let from = 0;
  let used = 0;
  // Where the row may end, and how wide what is behind it is.
  let edge = -1;
  let behind = 0;
  for (const unit of units(line, width, markers)) {
    const isBlank = unit.text === " ";
    if (used + unit.width > width) {
      const end = edge > from && !breaksAnywhere(unit.text) ? edge : unit.from;
      rows.push([from, end]);
      used = end === edge ? behind : 0;
      from = end;
      edge = -1;
    }
    used += unit.width;
    behind += unit.width;
    if (isBlank || breaksAnywhere(unit.text)) {
      edge = unit.to;
      behind = 0;
    }
  }
  rows.push([from, line.length]);
  return rows;
};
