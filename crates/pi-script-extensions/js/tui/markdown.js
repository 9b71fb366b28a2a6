// Markdown as lines for a terminal.
import { Text, padded, widest } from "pi:tui/basic";
import { getCapabilities, hyperlink } from "pi:tui/image";
import { parseBlocks } from "pi:tui/markdown_blocks";
import { parseInline } from "pi:tui/markdown_inline";
import { visibleWidth } from "pi:tui/width";
import { wrapTextWithAnsi } from "pi:tui/wrap";

const RULE_WIDTH = 80;
const LIST_INDENT = 4;
// Columns narrower than their longest word are broken, words longer than this in any case.
const LONGEST_WORD = 30;

export class Markdown extends Text {
  constructor(text, paddingX, paddingY, theme, defaultTextStyle, options = {}) {
    super(text, paddingX, paddingY);
    this.theme = theme;
    this.defaultTextStyle = defaultTextStyle;
    this.options = options;
  }

  lay(width) {
    if (!this.text || this.text.trim() === "") return [];
    const inner = Math.max(1, width - this.paddingX * 2);
    const { blocks, references } = parseBlocks(this.text.replaceAll("\t", "   "));
    const lines = new Renderer(this, references).blocks(blocks, inner, this.plain());
    const wrapped = lines.flatMap((line) => wrapTextWithAnsi(line, inner));
    return padded(wrapped, width, this.paddingX, this.paddingY, this.defaultTextStyle?.bgColor);
  }

  // How text looks to which Markdown gives no form.
  plain() {
    const style = this.defaultTextStyle;
    if (!style) return styled((text) => text);
    return styled((text) => {
      let result = style.color ? style.color(text) : text;
      for (const name of ["bold", "italic", "strikethrough", "underline"]) if (style[name]) result = this.theme[name](result);
      return result;
    });
  }
}

// A style is what it does to text, and the sequences with which it begins.
const styled = (apply) => {
  const begin = apply("\0");
  return { apply: (text) => text.split("\n").map((line) => (line ? apply(line) : "")).join("\n"), begin: begin.slice(0, Math.max(0, begin.indexOf("\0"))) };
};

class Renderer {
  constructor({ theme, options }, references) {
    this.theme = theme;
    this.options = options;
    this.references = references;
  }

  blocks(blocks, width, style) {
    return blocks.flatMap((block, i) => {
      const next = blocks[i + 1]?.kind;
      const lines = this[block.kind](block, width, style);
      const isOpen = block.kind !== "space" && block.kind !== "list" && block.kind !== "html" && next && next !== "space";
      return isOpen && !(block.kind === "paragraph" && next === "list") ? [...lines, ""] : lines;
    });
  }

  space() {
    return [""];
  }

  paragraph({ text }, _, style) {
    return [this.inline(text, style)];
  }

  html({ text }, _, style) {
    return [style.apply(text.trim())];
  }

  rule(_, width) {
    return [this.theme.hr("─".repeat(Math.min(width, RULE_WIDTH)))];
  }

  heading({ level, text }) {
    const { heading, bold, underline } = this.theme;
    const style = styled(level === 1 ? (line) => heading(bold(underline(line))) : (line) => heading(bold(line)));
    const prefix = level > 2 ? style.apply(`${"#".repeat(level)} `) : "";
    return [prefix + this.inline(text, style)];
  }

  code({ text, language }) {
    const indent = this.theme.codeBlockIndent ?? "  ";
    const lines = this.theme.highlightCode
      ? this.theme.highlightCode(text, language || undefined)
      : text.split("\n").map((line) => this.theme.codeBlock(line));
    const border = this.theme.codeBlockBorder;
    return [border("```" + language), ...lines.map((line) => indent + line), border("```")];
  }

  quote({ blocks }, width) {
    const inner = Math.max(1, width - 2);
    const style = styled((text) => this.theme.quote(this.theme.italic(text)));
    const lines = this.blocks(blocks, inner, { apply: (text) => text, begin: style.begin });
    const { quote, italic, quoteBorder } = this.theme;
    return lines
      // What ends a style within would end that of the quote.
      .map((line) => quote(italic(line.replaceAll("\x1b[0m", `\x1b[0m${style.begin}`))))
      .flatMap((line) => wrapTextWithAnsi(line, inner))
      .map((line) => quoteBorder("│ ") + line);
  }

  list(list, width, style, depth = 0) {
    const indent = " ".repeat(LIST_INDENT * depth);
    return list.items.flatMap((item, i) => {
      const marker = this.marker(list, item, i);
      const task = item.task === undefined ? "" : item.task ? "[x] " : "[ ] ";
      const first = indent + this.theme.listBullet(marker + task);
      const rest = " ".repeat(indent.length + marker.length);
      const lines = this.item(item, { list: width, text: Math.max(1, width - rest.length - task.length) }, style, depth);
      const shown = lines.map(({ text, isPlaced }, k) => (isPlaced ? text : (k === 0 ? first : rest + " ".repeat(task.length)) + text));
      if (lines.length === 0) shown.unshift(first);
      return list.isLoose && i < list.items.length - 1 ? [...shown, ""] : shown;
    });
  }

  marker(list, item, place) {
    if (this.options.preserveOrderedListMarkers) return `${item.marker} `;
    return list.isOrdered ? `${list.start + place}. ` : "- ";
  }

  // The lines of an item; those of lists within it have their place already.
  item({ blocks }, { list, text: width }, style, depth) {
    const kept = blocks.filter((block, i) => block.kind !== "space" || i < blocks.length - 1);
    return kept.flatMap((block) => {
      if (block.kind === "list") {
        return this.list(block, list, style, depth + 1).map((text) => ({ text, isPlaced: true }));
      }
      const lines = this[block.kind](block, width, style).flatMap((line) => wrapTextWithAnsi(line, width));
      return lines.map((text) => ({ text, isPlaced: text === "" && block.kind === "space" }));
    });
  }

  inline(text, style) {
    const result = this.nodes(parseInline(text, this.references), style);
    let end = result;
    while (style.begin && end.endsWith(style.begin)) end = end.slice(0, -style.begin.length);
    return end;
  }

  // After each node with a style of its own, that of the text around it begins again.
  nodes(nodes, style) {
    return nodes.map((node) => (node.kind === "text" ? style.apply(node.text) : this.node(node, style) + style.begin)).join("");
  }

  node(node, style) {
    const { theme } = this;
    const inner = () => this.trimmed(this.nodes(node.children, style), style);
    switch (node.kind) {
      case "code":
        return theme.code(node.text);
      case "strong":
        return theme.bold(inner());
      case "emphasis":
        return theme.italic(inner());
      case "deleted":
        return theme.strikethrough(inner());
      default:
        return this.link(node, theme.link(theme.underline(inner())));
    }
  }

  trimmed(text, { begin }) {
    return begin && text.endsWith(begin) ? text.slice(0, -begin.length) : text;
  }

  link({ href, children }, shown) {
    if (getCapabilities().hyperlinks) return hyperlink(shown, href);
    const text = plainText(children);
    return text === href || text === href.replace(/^mailto:/, "") ? shown : shown + this.theme.linkUrl(` (${href})`);
  }

  table({ header, rows, raw }, width, style) {
    const edges = 3 * header.length + 1;
    if (width - edges < header.length) return wrapTextWithAnsi(raw, width);
    const shown = [header, ...rows].map((row) => row.map((cell) => this.inline(cell, style)));
    const widths = columnWidths(shown, width - edges);
    const bar = (left, middle, right) => left + widths.map((each) => "─".repeat(each + 2)).join(middle) + right;
    const [head, ...body] = shown.map((row, i) => tableRow(row, widths, i === 0 ? this.theme.bold : (text) => text));
    const between = bar("├", "┼", "┤");
    const separated = body.flatMap((lines, i) => (i > 0 ? [between, ...lines] : lines));
    return [bar("┌", "┬", "┐"), ...head, between, ...separated, bar("└", "┴", "┘")];
  }
}

const plainText = (nodes) => nodes.map((node) => node.text ?? plainText(node.children)).join("");

const tableRow = (cells, widths, style) => {
  const wrapped = cells.map((cell, i) => wrapTextWithAnsi(cell, widths[i]));
  const height = Math.max(...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, row) => {
    const parts = wrapped.map((lines, i) => {
      const line = lines[row] ?? "";
      return style(line + " ".repeat(Math.max(0, widths[i] - visibleWidth(line))));
    });
    return `│ ${parts.join(" │ ")} │`;
  });
};

// As wide as the contents; where that is too much, the longest words first, then the rest by what is missing.
const columnWidths = (rows, space) => {
  const column = (i) => rows.map((row) => row[i]);
  const natural = rows[0].map((_, i) => Math.max(1, widest(column(i))));
  if (sum(natural) <= space) return natural;
  let least = rows[0].map((_, i) => Math.min(LONGEST_WORD, Math.max(1, widest(column(i).flatMap((cell) => cell.split(/\s+/))))));
  if (sum(least) > space) least = natural.map(() => 1);
  return shared(least, natural.map((each, i) => Math.max(0, each - least[i])), space);
};

const shared = (least, wanted, space) => {
  const extra = space - sum(least);
  const total = sum(wanted);
  const widths = least.map((each, i) => each + (total > 0 ? Math.floor((wanted[i] / total) * extra) : 0));
  for (let i = 0, left = space - sum(widths); left > 0; i = (i + 1) % widths.length, left--) widths[i]++;
  return widths;
};
const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);
