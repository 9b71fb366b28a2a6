// Markdown into blocks: `{kind: heading | paragraph | code | list | quote | table | rule | html | space, ...}`.
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/;
const FENCE = /^( {0,3})(`{3,}|~{3,})[ \t]*([^\n`]*)$/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( {0,3})([-+*]|\d{1,9}[.)])( +|\t|$)(.*)$/;
const TABLE_RULE = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
const DEFINITION = /^ {0,3}\[([^\]]+)\]:\s*<?([^\s>]+)>?(?:\s+["'(].*["')])?\s*$/;
const HTML = /^ {0,3}<(?:!--|\/?(?:address|article|aside|blockquote|body|center|dd|details|dialog|div|dl|dt|fieldset|figure|footer|form|h[1-6]|head|header|hr|html|iframe|li|link|main|menu|nav|ol|p|param|pre|script|section|style|summary|table|tbody|td|tfoot|th|thead|title|tr|ul)(?=[\s/>]|$))/i;
// These end where they say, not at a blank line.
const HTML_ENDS = [
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<(?:script|pre|style|textarea)(?=[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
];
const SETEXT = /^ {0,3}(=+|-+)[ \t]*$/;

/** The blocks of a text, and where its references lead. */
export const parseBlocks = (text) => {
  const references = new Map();
  const blocks = new Blocks(text.replace(/\r\n?/g, "\n").split("\n"), references).parse();
  return { blocks, references };
};

const isBlank = (line) => line.trim() === "";
const isEmptyOf = (line) => line === undefined || isBlank(line);

class Blocks {
  constructor(lines, references) {
    this.lines = lines;
    this.references = references;
    this.at = 0;
    this.blocks = [];
  }

  parse() {
    while (this.at < this.lines.length) {
      const line = this.lines[this.at];
      const known =
        this.space(line) || this.indented(line) || this.fence(line) || this.heading(line) || this.rule(line) ||
        this.quote(line) || this.list(line) || this.html(line) || this.definition(line) || this.table(line);
      if (!known) this.paragraph();
    }
    return this.blocks;
  }

  add(block, lines = 1) {
    this.blocks.push(block);
    this.at += lines;
    return true;
  }

  space(line) {
    if (!isBlank(line)) return false;
    let end = this.at;
    while (end < this.lines.length && isBlank(this.lines[end])) end++;
    return this.add({ kind: "space" }, end - this.at);
  }

  indented(line) {
    if (!/^(?: {4}|\t)/.test(line)) return false;
    let end = this.at;
    while (end < this.lines.length && /^(?: {4}|\t|\s*$)/.test(this.lines[end])) end++;
    while (isBlank(this.lines[end - 1])) end--;
    const text = this.lines.slice(this.at, end).map((each) => each.replace(/^(?: {1,4}|\t)/, "")).join("\n");
    return this.add({ kind: "code", text, language: "" }, end - this.at);
  }

  fence(line) {
    const open = FENCE.exec(line);
    if (!open) return false;
    const close = new RegExp(`^ {0,3}${open[2][0]}{${open[2].length},}[ \\t]*$`);
    let end = this.at + 1;
    while (end < this.lines.length && !close.test(this.lines[end])) end++;
    const margin = new RegExp(`^ {0,${open[1].length}}`);
    const text = this.lines.slice(this.at + 1, end).map((each) => each.replace(margin, "")).join("\n");
    return this.add({ kind: "code", text, language: open[3].trim() }, end + 1 - this.at);
  }

  heading(line) {
    const found = HEADING.exec(line);
    return found !== null && this.add({ kind: "heading", level: found[1].length, text: found[2] ?? "" });
  }

  rule(line) {
    return RULE.test(line) && this.add({ kind: "rule" });
  }

  quote(line) {
    if (!QUOTE.test(line)) return false;
    let end = this.at;
    const inner = [];
    // A paragraph goes on without the mark.
    while (end < this.lines.length && (QUOTE.test(this.lines[end]) || (!isBlank(this.lines[end]) && !this.interrupts(end)))) {
      inner.push(this.lines[end++].replace(QUOTE, ""));
    }
    return this.add({ kind: "quote", blocks: new Blocks(inner, this.references).parse() }, end - this.at);
  }

  list(line) {
    const first = ITEM.exec(line);
    if (!first || RULE.test(line)) return false;
    const isOrdered = /\d/.test(first[2]);
    const mark = first[2].at(-1);
    const list = { kind: "list", isOrdered, start: isOrdered ? parseInt(first[2], 10) : 1, isLoose: false, items: [] };
    let at = this.at;
    for (;;) {
      const item = ITEM.exec(this.lines[at] ?? "");
      if (!item || RULE.test(this.lines[at]) || item[2].at(-1) !== mark || /\d/.test(item[2]) !== isOrdered) break;
      const { lines, next, hasGap } = this.itemLines(at, item);
      list.items.push(this.item(item[2], lines));
      const goesOn = ITEM.exec(this.lines[next] ?? "");
      const isSame = goesOn && goesOn[2].at(-1) === mark && !RULE.test(this.lines[next]);
      if (list.items.at(-1).hasGap || (hasGap && isSame)) list.isLoose = true;
      at = isSame ? next : next - (hasGap ? this.gapBefore(next) : 0);
      if (!isSame) break;
    }
    return this.add(list, at - this.at);
  }

  gapBefore(at) {
    let count = 0;
    while (isEmptyOf(this.lines[at - 1 - count]) && at - 1 - count >= 0) count++;
    return count;
  }

  // The lines of one item without its indentation, and where the next one begins.
  itemLines(at, item) {
    const space = item[3].length > 4 || item[3] === "" ? 1 : item[3].length;
    const indent = item[1].length + item[2].length + space;
    const lines = [item[3].length > 4 ? item[3].slice(1) + item[4] : item[4]];
    let gap = 0;
    let next = at + 1;
    for (; next < this.lines.length; next++) {
      const line = this.lines[next].replace(/^\t+/, (tabs) => "    ".repeat(tabs.length));
      if (isBlank(line)) {
        gap++;
        continue;
      }
      const isInside = new RegExp(`^ {${indent}}`).test(line);
      if (!isInside && (gap > 0 || this.interrupts(next) || ITEM.test(line))) break;
      lines.push(...Array(gap).fill(""), isInside ? line.slice(indent) : line.trimStart());
      gap = 0;
    }
    return { lines, next, hasGap: gap > 0 };
  }

  item(marker, lines) {
    const task = /^\[([ xX])\][ \t]+/.exec(lines[0]);
    if (task) lines[0] = lines[0].slice(task[0].length);
    const blocks = new Blocks(lines, this.references).parse();
    const hasGap = blocks.some((block, i) => block.kind === "space" && i > 0 && i < blocks.length - 1);
    return { marker, task: task ? task[1] !== " " : undefined, blocks, hasGap };
  }

  html(line) {
    if (!HTML.test(line)) return false;
    const isOver = HTML_ENDS.find(([start]) => start.test(line))?.[1];
    let end = this.at;
    if (isOver) {
      while (end < this.lines.length && !isOver.test(this.lines[end])) end++;
      end = Math.min(end + 1, this.lines.length);
    } else {
      while (end < this.lines.length && !isBlank(this.lines[end])) end++;
    }
    return this.add({ kind: "html", text: this.lines.slice(this.at, end).join("\n") }, end - this.at);
  }

  definition(line) {
    const found = DEFINITION.exec(line);
    if (!found) return false;
    this.references.set(found[1].toLowerCase(), found[2]);
    this.at++;
    return true;
  }

  table(line) {
    const rule = this.lines[this.at + 1];
    if (!line.includes("|") || !rule || !TABLE_RULE.test(rule)) return false;
    const header = cells(line);
    if (cells(rule).length !== header.length) return false;
    let end = this.at + 2;
    while (end < this.lines.length && !isBlank(this.lines[end]) && !this.interrupts(end)) end++;
    const rows = this.lines.slice(this.at + 2, end).map((row) => {
      const found = cells(row);
      return header.map((_, i) => found[i] ?? "");
    });
    return this.add({ kind: "table", header, rows, raw: this.lines.slice(this.at, end).join("\n") }, end - this.at);
  }

  // Whether the line at `at` ends a paragraph.
  interrupts(at) {
    const line = this.lines[at];
    const item = ITEM.exec(line);
    const isList = item !== null && item[4] !== "" && (!/\d/.test(item[2]) || parseInt(item[2], 10) === 1);
    return HEADING.test(line) || FENCE.test(line) || RULE.test(line) || QUOTE.test(line) || HTML.test(line) || isList;
  }

  paragraph() {
    const lines = [];
    while (this.at < this.lines.length && !isBlank(this.lines[this.at])) {
      const line = this.lines[this.at];
      const under = lines.length > 0 && SETEXT.exec(line);
      if (under) return this.add({ kind: "heading", level: under[1][0] === "=" ? 1 : 2, text: lines.join("\n").trim() });
      if (lines.length > 0 && this.interrupts(this.at)) break;
      lines.push(line.trimStart());
      this.at++;
    }
    this.blocks.push({ kind: "paragraph", text: lines.join("\n").trimEnd() });
  }
}

// The cells of a row; a bar after a backslash is text.
const cells = (row) => {
  const bare = row.trim().replace(/^\|/, "").replace(/(?<!\\)\|$/, "");
  return bare.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
};
