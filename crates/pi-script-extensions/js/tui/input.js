// One line of text that the user edits.
import { CURSOR_MARKER } from "pi:tui/basic";
import { isBound } from "pi:tui/keybindings";
import { typedText } from "pi:tui/keys";
import { clusters, sliceByColumn, visibleWidth } from "pi:tui/width";
import { KillRing, PasteReader, characterAfter, characterBefore, wordAfter, wordBefore } from "pi:tui/words";

const PROMPT = "> ";

export class Input {
  value = "";
  cursor = 0;
  focused = false;
  #ring = new KillRing();
  #paste = new PasteReader();
  #undo = [];
  // What the last key did: keys that follow their like join it.
  #last = null;

  getValue() {
    return this.value;
  }

  setValue(value) {
    this.value = value;
    this.cursor = Math.min(this.cursor, value.length);
  }

  invalidate() {}

  handleInput(data) {
    const keys = this.#paste.read(data, (text) => this.#insert(text.replace(/[\r\n]/g, "").replaceAll("\t", "    "), "paste"));
    if (keys !== undefined) this.#handle(keys);
  }

  #handle(data) {
    if (isBound(data, "tui.select.cancel")) return this.onEscape?.();
    if (isBound(data, "tui.input.submit") || data === "\n") return this.onSubmit?.(this.value);
    if (isBound(data, "tui.editor.undo")) return this.#revert();
    for (const [action, work] of ACTIONS) {
      if (isBound(data, action)) return work(this, this.#edits);
    }
    const typed = typedText(data);
    if (typed) this.#insert(typed, "type");
  }

  // Moves and cuts, in the terms of the private fields.
  #edits = {
    move: (to) => {
      this.#last = null;
      this.cursor = to;
    },
    cut: (from, to, isBackward) => {
      const text = this.value.slice(from, to);
      if (!text) return;
      this.#save();
      this.#ring.push(text, { isBackward, joins: this.#last === "cut" });
      this.#replace(from, to, "");
      this.#last = "cut";
    },
    remove: (from, to) => {
      if (from === to) return;
      this.#save();
      this.#replace(from, to, "");
      this.#last = null;
    },
    yank: () => {
      const text = this.#ring.peek();
      if (!text) return;
      this.#save();
      this.#replace(this.cursor, this.cursor, text);
      this.#last = "yank";
    },
    yankPop: () => {
      if (this.#last !== "yank" || this.#ring.length < 2) return;
      this.#save();
      const from = this.cursor - this.#ring.peek().length;
      this.#ring.rotate();
      this.#replace(from, this.cursor, this.#ring.peek());
    },
  };

  #replace(from, to, text) {
    this.value = this.value.slice(0, from) + text + this.value.slice(to);
    this.cursor = from + text.length;
  }

  #insert(text, kind) {
    // Letters are undone by the word.
    if (kind === "paste" || this.#last !== "type" || /\s/.test(text)) this.#save();
    this.#replace(this.cursor, this.cursor, text);
    this.#last = kind === "type" ? "type" : null;
  }

  #save() {
    this.#undo.push({ value: this.value, cursor: this.cursor });
  }

  #revert() {
    Object.assign(this, this.#undo.pop());
    this.#last = null;
  }

  render(width) {
    const space = width - PROMPT.length;
    if (space <= 0) return [PROMPT];
    const { text, at } = this.#window(space);
    const under = clusters(text.slice(at))[0]?.text ?? " ";
    const cursor = `${this.focused ? CURSOR_MARKER : ""}\x1b[7m${under}\x1b[27m`;
    const line = text.slice(0, at) + cursor + text.slice(at + under.length);
    return [PROMPT + line + " ".repeat(Math.max(0, space - visibleWidth(line)))];
  }

  // The part of the text that is shown, and the place of the cursor in it.
  #window(space) {
    const total = visibleWidth(this.value);
    if (total < space) return { text: this.value, at: this.cursor };
    const shown = this.cursor === this.value.length ? space - 1 : space;
    const column = visibleWidth(this.value.slice(0, this.cursor));
    const start = Math.max(0, Math.min(column - Math.floor(shown / 2), total - shown));
    return { text: sliceByColumn(this.value, start, shown, true), at: sliceByColumn(this.value, start, column - start, true).length };
  }
}

const ACTIONS = [
  ["tui.editor.deleteCharBackward", (i, e) => e.remove(i.cursor - characterBefore(i.value, i.cursor), i.cursor)],
  ["tui.editor.deleteCharForward", (i, e) => e.remove(i.cursor, i.cursor + characterAfter(i.value, i.cursor))],
  ["tui.editor.deleteWordBackward", (i, e) => e.cut(wordBefore(i.value, i.cursor), i.cursor, true)],
  ["tui.editor.deleteWordForward", (i, e) => e.cut(i.cursor, wordAfter(i.value, i.cursor), false)],
  ["tui.editor.deleteToLineStart", (i, e) => e.cut(0, i.cursor, true)],
  ["tui.editor.deleteToLineEnd", (i, e) => e.cut(i.cursor, i.value.length, false)],
  ["tui.editor.yankPop", (_, e) => e.yankPop()],
  ["tui.editor.yank", (_, e) => e.yank()],
  ["tui.editor.cursorWordLeft", (i, e) => e.move(wordBefore(i.value, i.cursor))],
  ["tui.editor.cursorWordRight", (i, e) => e.move(wordAfter(i.value, i.cursor))],
  ["tui.editor.cursorLeft", (i, e) => e.move(i.cursor - characterBefore(i.value, i.cursor))],
  ["tui.editor.cursorRight", (i, e) => e.move(i.cursor + characterAfter(i.value, i.cursor))],
  ["tui.editor.cursorLineStart", (_, e) => e.move(0)],
  ["tui.editor.cursorLineEnd", (i, e) => e.move(i.value.length)],
];
