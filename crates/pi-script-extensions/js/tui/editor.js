// Several lines of text that the user edits: history, completion, what is pasted.
import { CURSOR_MARKER } from "pi:tui/basic";
import { EditorText, layOut } from "pi:tui/editor_text";
import { isBound } from "pi:tui/keybindings";
import { typedText } from "pi:tui/keys";
import { SelectList } from "pi:tui/lists";
import { clusters, truncateToWidth, visibleWidth } from "pi:tui/width";
import { PasteReader } from "pi:tui/words";

const HISTORY = 100;
const MIN_ROWS = 5;
const SHARE_OF_ROWS = 0.3;
const COMPLETIONS = 5;
const COMPLETION_LAYOUT = { minPrimaryColumnWidth: 12, maxPrimaryColumnWidth: 32 };
const TRIGGERS = ["@", "#"];

export class Editor {
  focused = false;
  disableSubmit = false;
  #text = new EditorText();
  #paste = new PasteReader();
  #history = [];
  // The place in the history, -1 for the draft.
  #browsing = -1;
  #draft = "";
  #jump = null;
  #column = null;
  #scroll = 0;
  #width = 80;
  #provider;
  #completion;
  #request;

  constructor(tui, theme, options = {}) {
    this.tui = tui;
    this.theme = theme;
    this.borderColor = theme.borderColor;
    this.setPaddingX(options.paddingX ?? 0);
    this.setAutocompleteMaxVisible(options.autocompleteMaxVisible ?? COMPLETIONS);
  }

  getPaddingX() {
    return this.paddingX;
  }

  setPaddingX(padding) {
    this.paddingX = Math.max(0, Math.floor(Number(padding)) || 0);
    this.tui?.requestRender?.();
  }

  getAutocompleteMaxVisible() {
    return this.autocompleteMaxVisible;
  }

  setAutocompleteMaxVisible(maxVisible) {
    this.autocompleteMaxVisible = Math.max(3, Math.min(20, Math.floor(Number(maxVisible)) || COMPLETIONS));
  }

  setAutocompleteProvider(provider) {
    this.#closeCompletion();
    this.#provider = provider;
  }

  addToHistory(text) {
    const entry = text.trim();
    if (!entry || entry === this.#history[0]) return;
    this.#history.unshift(entry);
    this.#history.length = Math.min(this.#history.length, HISTORY);
  }

  getText() {
    return this.#text.text;
  }

  getExpandedText() {
    return this.#text.expanded;
  }

  getLines() {
    return [...this.#text.lines];
  }

  getCursor() {
    return { line: this.#text.line, col: this.#text.col };
  }

  setText(text) {
    this.#closeCompletion();
    this.#browsing = -1;
    if (text !== this.#text.text) this.#text.save();
    this.#text.set(text);
    this.#changed();
  }

  insertTextAtCursor(text) {
    if (!text) return;
    this.#closeCompletion();
    this.#text.save();
    this.#text.insert(text);
    this.#text.last = null;
    this.#changed();
  }

  invalidate() {}

  isShowingAutocomplete() {
    return this.#completion !== undefined;
  }

  #changed() {
    this.#column = null;
    this.onChange?.(this.getText());
  }

  // --- keys

  handleInput(data) {
    const keys = this.#paste.read(data, (text) => this.#edit(() => this.#text.paste(text) ?? true));
    if (keys !== undefined) this.#handle(keys);
  }

  #handle(data) {
    if (this.#jump) return this.#finishJump(data);
    if (this.#completion && this.#handleCompletion(data)) return;
    if (isBound(data, "tui.input.copy")) return;
    if (isBound(data, "tui.input.tab")) return this.#complete(true);
    if (data === "\n" || data === "\x1b\r" || isBound(data, "tui.input.newLine")) return this.#edit(() => this.#newLine());
    if (isBound(data, "tui.input.submit")) return this.#enter();
    for (const [action, work] of this.#actions) {
      if (isBound(data, action)) return work();
    }
    const typed = typedText(data);
    if (typed) this.#type(typed);
  }

  #cut = (place) => () => this.#edit(() => this.#text.remove(this.#text.place(place), { isCut: true }));
  #go = (place) => () => {
    this.#column = null;
    this.#text.moveTo(...this.#text.place(place));
    this.#refresh();
  };
  #jumpTo = (isForward) => () => void (this.#jump = { isForward });
  #delete = (place) => () => {
    this.#edit(() => this.#text.remove(this.#text.place(place)));
    this.#refresh();
  };
  #actions = Object.entries({
    "tui.editor.undo": () => this.#edit(() => this.#text.undo()),
    "tui.editor.deleteToLineEnd": this.#cut("killEnd"),
    "tui.editor.deleteToLineStart": this.#cut("killStart"),
    "tui.editor.deleteWordBackward": this.#cut("wordLeft"),
    "tui.editor.deleteWordForward": this.#cut("wordRight"),
    "tui.editor.deleteCharBackward": this.#delete("left"),
    "tui.editor.deleteCharForward": this.#delete("right"),
    "tui.editor.yank": () => this.#edit(() => this.#text.yank()),
    "tui.editor.yankPop": () => this.#edit(() => this.#text.yankPop()),
    "tui.editor.cursorLineStart": this.#go("lineStart"),
    "tui.editor.cursorLineEnd": this.#go("lineEnd"),
    "tui.editor.cursorWordLeft": this.#go("wordLeft"),
    "tui.editor.cursorWordRight": this.#go("wordRight"),
    "tui.editor.cursorUp": () => this.#vertical(-1),
    "tui.editor.cursorDown": () => this.#vertical(1),
    "tui.editor.cursorRight": this.#go("right"),
    "tui.editor.cursorLeft": this.#go("left"),
    "tui.editor.pageUp": () => this.#page(-1),
    "tui.editor.pageDown": () => this.#page(1),
    "tui.editor.jumpForward": this.#jumpTo(true),
    "tui.editor.jumpBackward": this.#jumpTo(false),
  });

  // Runs a change, and tells of it unless nothing changed.
  #edit(change) {
    this.#browsing = -1;
    if (change() !== false) this.#changed();
  }

  #newLine() {
    this.#closeCompletion();
    this.#text.save();
    this.#text.insert("\n");
    this.#text.last = null;
  }

  #type(typed) {
    this.#edit(() => this.#text.type(typed));
    const { current, col } = this.#text;
    const before = current.slice(0, col);
    const isTrigger = [...TRIGGERS, ...(this.#provider?.triggerCharacters ?? [])].some((char) => new RegExp(`(?:^|\\s)\\${char}\\S*$`).test(before));
    if (this.#completion || isTrigger || (this.#text.line === 0 && before.trimStart().startsWith("/"))) this.#complete(false);
  }

  #finishJump(data) {
    const { isForward } = this.#jump;
    this.#jump = null;
    const typed = typedText(data);
    if (!typed) return isBound(data, "tui.editor.jumpForward", "tui.editor.jumpBackward") ? undefined : this.#handle(data);
    this.#column = null;
    this.#text.jump(typed, isForward);
  }

  // A backslash before the cursor makes Enter a new line, for terminals that know no Shift+Enter.
  #enter() {
    const { current, col } = this.#text;
    if (current[col - 1] === "\\") {
      this.#delete("left")();
      return this.#edit(() => this.#newLine());
    }
    if (this.disableSubmit) return;
    const text = this.#text.expanded.trim();
    this.#closeCompletion();
    this.#text.clear();
    this.#browsing = -1;
    this.#scroll = 0;
    this.#changed();
    this.onSubmit?.(text);
  }

  // --- moving between rows

  #rows() {
    return layOut(this.#text, this.#width);
  }

  #row(rows) {
    const { line, col } = this.#text;
    return rows.findIndex((row, i) => row.line === line && col >= row.from && (col < row.to || rows[i + 1]?.line !== line));
  }

  #vertical(by) {
    const rows = this.#rows();
    const at = this.#row(rows);
    const { line, col } = this.#text;
    const isEdge = by < 0 ? at === 0 : at === rows.length - 1;
    if (!isEdge) return this.#moveToRow(rows, at, at + by);
    const isBrowsing = this.#browsing >= 0;
    if (by < 0 && (isBrowsing || (line === 0 && col === 0))) return this.#browse(1);
    if (by > 0 && isBrowsing) return this.#browse(-1);
    this.#go(by < 0 ? "lineStart" : "lineEnd")();
  }

  #page(by) {
    const rows = this.#rows();
    const at = this.#row(rows);
    this.#moveToRow(rows, at, Math.max(0, Math.min(rows.length - 1, at + by * this.#visibleRows())));
  }

  // Keeps the column where the first of several such moves began.
  #moveToRow(rows, from, to) {
    const column = this.#column ?? visibleWidth(this.#text.current.slice(rows[from].from, this.#text.col));
    const row = rows[to];
    let col = row.from;
    let used = 0;
    for (const cluster of clusters(this.#text.lines[row.line].slice(row.from, row.to))) {
      if (used + cluster.width > column) break;
      used += cluster.width;
      col += cluster.text.length;
    }
    const isLast = rows[to + 1]?.line !== row.line;
    this.#text.moveTo(row.line, isLast ? col : Math.min(col, row.to - 1));
    this.#column = column;
    this.#refresh();
  }

  #browse(by) {
    const next = this.#browsing + by;
    if (next >= this.#history.length || next < -1) return;
    if (this.#browsing < 0) {
      this.#draft = this.#text.text;
      this.#text.save();
    }
    this.#browsing = next;
    this.#text.set(next < 0 ? this.#draft : this.#history[next]);
    if (by > 0) this.#text.moveTo(0, 0);
    this.#changed();
  }

  // --- completion

  #handleCompletion(data) {
    const { list, prefix } = this.#completion;
    if (isBound(data, "tui.select.cancel")) {
      this.#closeCompletion();
      return true;
    }
    if (isBound(data, "tui.select.up", "tui.select.down")) {
      list.handleInput(data);
      return true;
    }
    const isEnter = data !== "\n" && isBound(data, "tui.select.confirm");
    const item = list.getSelectedItem();
    if ((!isEnter && !isBound(data, "tui.input.tab")) || !item) return false;
    this.#apply(item, prefix);
    // The name of a command is all that it needs to run.
    return !(isEnter && prefix.startsWith("/"));
  }

  #apply(item, prefix) {
    const { lines, line, col } = this.#text;
    const result = this.#provider.applyCompletion([...lines], line, col, item, prefix);
    this.#closeCompletion();
    this.#text.save();
    Object.assign(this.#text, { lines: result.lines, line: result.cursorLine, col: result.cursorCol, last: null });
    this.#changed();
  }

  #refresh() {
    if (this.#completion) this.#complete(false);
  }

  async #complete(force) {
    if (!this.#provider) return;
    this.#request?.abort();
    const controller = new AbortController();
    this.#request = controller;
    const { lines, line, col } = this.#text;
    const isCommand = line === 0 && /^\/\S*$/.test(lines[0].slice(0, col));
    const canForce = force && !isCommand && (this.#provider.shouldTriggerFileCompletion?.([...lines], line, col) ?? true);
    let found = null;
    try {
      found = await this.#provider.getSuggestions([...lines], line, col, { signal: controller.signal, force: canForce });
    } catch (error) {
      if (!controller.signal.aborted) throw error;
    }
    if (this.#request === controller) this.#offer(found, canForce);
  }

  #offer(found, isForced) {
    this.#request = undefined;
    if (!found?.items?.length) this.#completion = undefined;
    else if (isForced && found.items.length === 1 && !this.#completion) this.#apply(found.items[0], found.prefix);
    else {
      const list = new SelectList(found.items, this.autocompleteMaxVisible, this.theme.selectList, COMPLETION_LAYOUT);
      const best = found.items.findIndex((item) => item.value === found.prefix);
      list.setSelectedIndex(Math.max(0, best >= 0 ? best : found.items.findIndex((item) => item.value.startsWith(found.prefix))));
      this.#completion = { list, prefix: found.prefix };
    }
    this.tui?.requestRender?.();
  }

  #closeCompletion() {
    this.#request?.abort();
    this.#request = undefined;
    this.#completion = undefined;
  }

  // --- rendering

  #visibleRows() {
    return Math.max(MIN_ROWS, Math.floor((this.tui?.terminal?.rows ?? 24) * SHARE_OF_ROWS));
  }

  render(width) {
    const padding = Math.min(this.paddingX, Math.max(0, Math.floor((width - 1) / 2)));
    const inner = Math.max(1, width - padding * 2);
    // The cursor at the end of a line needs a place.
    this.#width = Math.max(1, padding > 0 ? inner : inner - 1);
    const rows = this.#rows();
    const at = this.#row(rows);
    const visible = this.#visibleRows();
    this.#scroll = Math.max(0, Math.min(this.#scroll, at, rows.length - visible), at - visible + 1);
    const end = Math.min(rows.length, this.#scroll + visible);
    const side = " ".repeat(padding);
    const shown = rows.slice(this.#scroll, end).map((row, i) => side + this.#shown(row, this.#scroll + i === at, inner, padding));
    const listed = this.#completion?.list.render(inner) ?? [];
    const fill = (line) => side + line + " ".repeat(Math.max(0, inner - visibleWidth(line))) + side;
    return [this.#border("↑", this.#scroll, width), ...shown, this.#border("↓", rows.length - end, width), ...listed.map(fill)];
  }

  #border(arrow, count, width) {
    if (count <= 0) return this.borderColor("─").repeat(width);
    const text = `─── ${arrow} ${count} more `;
    return this.borderColor(truncateToWidth(text + "─".repeat(Math.max(0, width - visibleWidth(text))), width, ""));
  }

  #shown({ line, from, to }, hasCursor, inner, padding) {
    const text = this.#text.lines[line].slice(from, to);
    const room = inner + padding;
    if (!hasCursor) return truncateToWidth(text.trimEnd(), inner, "", false) + this.#fill(text.trimEnd(), room);
    const at = Math.min(this.#text.col - from, text.length);
    const marker = this.#text.markers(this.#text.lines[line]).find((each) => each.from === this.#text.col && each.to <= to);
    const under = marker ? text.slice(at, marker.to - from) : (clusters(text.slice(at))[0]?.text ?? " ");
    const after = text.slice(at + under.length).trimEnd();
    const cursor = `${this.focused && !this.#completion ? CURSOR_MARKER : ""}\x1b[7m${under}\x1b[0m`;
    return text.slice(0, at) + cursor + after + this.#fill(text.slice(0, at) + under + after, room);
  }

  #fill(text, room) {
    return " ".repeat(Math.max(0, room - visibleWidth(text)));
  }
}
