// Markdown within a paragraph: emphasis, code, links. Nodes are `{kind, text}` or `{kind, children}`.
const ESCAPABLE = /[!-/:-@[-`{-~]/;
const BARE_LINK = /(?:https?:\/\/|ftp:\/\/|www\.)[^\s<]*[^\s<?!.,:*_~'"]/iy;
const BARE_MAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]*\w)+/y;
const IN_ANGLES = /<((?:[a-z][a-z0-9+.-]{1,31}:[^\s<>]*)|(?:[\w.+-]+@[\w.-]+))>/iy;
const TAG = /<\/?[a-z][^>]*>|<!--[^]*?-->/iy;
const DESTINATION = /\(\s*(?:<([^<>\n]*)>|((?:[^\s()\\]|\\.|\([^\s()]*\))*))(?:\s+(?:"[^"]*"|'[^']*'|\([^)]*\)))?\s*\)/y;
const REFERENCE = /\[([^\]]*)\]/y;

const sticky = (pattern, text, at) => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};
const textNode = (text) => ({ kind: "text", text });
const link = (href, children) => ({ kind: "link", href, children });
const isSpace = (char) => char === undefined || /\s/.test(char);
const isPunctuation = (char) => char !== undefined && /[\p{P}\p{S}]/u.test(char);

/** What a text says; `references` are the destinations of `[text][name]`. */
export const parseInline = (text, references = new Map()) => new Inline(text, references, false).parse();

class Inline {
  constructor(text, references, isInLink) {
    this.text = text;
    this.references = references;
    this.isInLink = isInLink;
    this.nodes = [];
    this.at = 0;
    this.plain = "";
  }

  parse() {
    while (this.at < this.text.length) {
      if (!this.special(this.text[this.at])) this.plain += this.text[this.at++];
    }
    this.flush();
    return merged(paired(this.nodes));
  }

  flush() {
    if (this.plain) this.nodes.push(textNode(this.plain));
    this.plain = "";
  }

  push(node, length) {
    this.flush();
    this.nodes.push(node);
    this.at += length;
    return true;
  }

  special(char) {
    switch (char) {
      case "\\":
        return this.escape();
      case "`":
        return this.code();
      case "*":
      case "_":
      case "~":
        return this.run(char);
      case "[":
        return this.link(this.at, false);
      case "!":
        return this.text[this.at + 1] === "[" && this.link(this.at + 1, true);
      case "<":
        return this.angles();
      case "\n":
        return this.newline();
      default:
        return this.bare();
    }
  }

  escape() {
    const next = this.text[this.at + 1];
    if (next === undefined || !ESCAPABLE.test(next)) return false;
    this.plain += next;
    this.at += 2;
    return true;
  }

  code() {
    const ticks = /^`+/.exec(this.text.slice(this.at))[0];
    const end = new RegExp(`(?<!\`)${ticks}(?!\`)`, "g");
    end.lastIndex = this.at + ticks.length;
    const found = end.exec(this.text);
    if (!found) return this.push(textNode(ticks), ticks.length);
    let code = this.text.slice(this.at + ticks.length, found.index).replaceAll("\n", " ");
    if (/^ .*[^ ].* $/s.test(code)) code = code.slice(1, -1);
    return this.push({ kind: "code", text: code }, found.index + ticks.length - this.at);
  }

  // A run of delimiters; what it opens or closes is decided when all are known.
  run(char) {
    let end = this.at;
    while (this.text[end] === char) end++;
    const count = end - this.at;
    const before = this.text[this.at - 1];
    const after = this.text[end];
    const left = !isSpace(after) && (!isPunctuation(after) || isSpace(before) || isPunctuation(before));
    const right = !isSpace(before) && (!isPunctuation(before) || isSpace(after) || isPunctuation(after));
    const inWord = char === "_";
    const canOpen = left && (!inWord || !right || isPunctuation(before)) && (char !== "~" || count === 2);
    const canClose = right && (!inWord || !left || isPunctuation(after)) && (char !== "~" || count === 2);
    return this.push({ kind: "run", char, count, canOpen, canClose }, count);
  }

  link(from, isImage) {
    const close = this.closing(from);
    if (close < 0) return false;
    const label = this.text.slice(from + 1, close);
    const target = sticky(DESTINATION, this.text, close + 1);
    let href = target ? (target[1] ?? target[2]) : undefined;
    let end = target ? DESTINATION.lastIndex : close + 1;
    if (href === undefined) {
      const named = sticky(REFERENCE, this.text, close + 1);
      if (named) end = REFERENCE.lastIndex;
      href = this.references.get((named?.[1] || label).toLowerCase());
    }
    if (href === undefined) return false;
    const node = isImage ? textNode(label) : link(href.replace(/\\([!-/:-@[-`{-~])/g, "$1"), new Inline(label, this.references, true).parse());
    return this.push(node, end - this.at);
  }

  // Where the bracket that opens at `from` closes.
  closing(from) {
    let depth = 0;
    for (let i = from; i < this.text.length; i++) {
      if (this.text[i] === "\\") i++;
      else if (this.text[i] === "[") depth++;
      else if (this.text[i] === "]" && --depth === 0) return i;
    }
    return -1;
  }

  angles() {
    const found = sticky(IN_ANGLES, this.text, this.at);
    if (found) {
      const href = /^[^:]+@/.test(found[1]) ? `mailto:${found[1]}` : found[1];
      return this.push(link(href, [textNode(found[1])]), found[0].length);
    }
    const tag = sticky(TAG, this.text, this.at);
    return tag ? this.push(textNode(tag[0]), tag[0].length) : false;
  }

  newline() {
    this.plain = this.plain.replace(/ +$/, "").replace(/\\$/, "");
    this.flush();
    this.at += 1;
    while (this.text[this.at] === " ") this.at++;
    this.nodes.push({ kind: "text", text: "\n" });
    return true;
  }

  bare() {
    if (this.isInLink) return false;
    if (/\w/.test(this.text[this.at - 1] ?? "") || !/[\w.+-]/.test(this.text[this.at])) return false;
    const found = /[hfw]/i.test(this.text[this.at]) ? sticky(BARE_LINK, this.text, this.at) : null;
    if (found) {
      const url = balanced(found[0]);
      return this.push(link(/^www/i.test(url) ? `http://${url}` : url, [textNode(url)]), url.length);
    }
    const mail = sticky(BARE_MAIL, this.text, this.at);
    return mail ? this.push(link(`mailto:${mail[0]}`, [textNode(mail[0])]), mail[0].length) : false;
  }
}

// A closing parenthesis at the end belongs to the sentence unless it was opened in the link.
const balanced = (url) => {
  let result = url;
  while (result.endsWith(")") && result.split(")").length > result.split("(").length) result = result.slice(0, -1);
  return result;
};

// Pairs runs of delimiters, innermost first.
const paired = (nodes) => {
  for (let i = 0; i < nodes.length; i++) {
    const closer = nodes[i];
    if (closer.kind !== "run" || !closer.canClose) continue;
    const from = opener(nodes, i);
    if (from >= 0) i = join(nodes, from, i) - 1;
  }
  return nodes.map((node) => (node.kind === "run" ? textNode(node.char.repeat(node.count)) : node));
};

const opener = (nodes, at) => {
  const closer = nodes[at];
  for (let i = at - 1; i >= 0; i--) {
    const node = nodes[i];
    if (node.kind !== "run" || node.char !== closer.char || !node.canOpen || node.count === 0) continue;
    const isEither = node.canClose || closer.canOpen;
    if (!isEither || (node.count + closer.count) % 3 !== 0 || (node.count % 3 === 0 && closer.count % 3 === 0)) return i;
  }
  return -1;
};

// Replaces what is between two runs by one node; returns the place of what is left of the closing run.
const join = (nodes, from, to) => {
  const [open, close] = [nodes[from], nodes[to]];
  const size = open.count >= 2 && close.count >= 2 ? 2 : 1;
  const kind = open.char === "~" ? "deleted" : size === 2 ? "strong" : "emphasis";
  const inner = nodes.slice(from + 1, to).map((node) => (node.kind === "run" ? textNode(node.char.repeat(node.count)) : node));
  open.count -= size;
  close.count -= size;
  const replacement = [{ kind, children: merged(inner) }];
  if (open.count > 0) replacement.unshift(open);
  if (close.count > 0) replacement.push(close);
  nodes.splice(from, to - from + 1, ...replacement);
  return from + replacement.length - (close.count > 0 ? 1 : 0);
};

// Texts beside each other become one.
const merged = (nodes) => {
  const result = [];
  for (const node of nodes) {
    const last = result.at(-1);
    if (node.kind === "text" && last?.kind === "text") last.text += node.text;
    else if (node.kind !== "text" || node.text) result.push(node.kind === "text" ? { ...node } : node);
  }
  return result;
};
