// How wide text is in a terminal, and what fits: visible width, truncation, columns. Escape sequences count as nothing.
import { host } from "script:host";

const PLAIN = /^[\x20-\x7e]*$/;
// CSI, then OSC and the other strings (APC, DCS, PM), ended by BEL or ST.
const SEQUENCE = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]_P^][^\x07\x1b]*(?:\x07|\x1b\\)/y;
const SEQUENCES = new RegExp(SEQUENCE.source, "g");
const TAB_WIDTH = 3;
const RESET = "\x1b[0m";

/** The escape sequence at `position`, or an empty string. */
export const sequenceAt = (text, position) => {
  if (text.charCodeAt(position) !== 0x1b) return "";
  SEQUENCE.lastIndex = position;
  return SEQUENCE.exec(text)?.[0] ?? "";
};

// Only text beyond ASCII needs the tables of Unicode, which the program has.
const measured = (text) => {
  const pairs = host.sync("text.clusters", text);
  const clusters = [];
  for (let i = 0, at = 0; i < pairs.length; i += 2) {
    clusters.push({ text: text.slice(at, at + pairs[i]), width: pairs[i + 1] });
    at += pairs[i];
  }
  return clusters;
};
const ofAscii = (char) => ({ text: char, width: char === "\t" ? TAB_WIDTH : char < " " || char === "\x7f" ? 0 : 1 });

/** What a reader sees as characters, each with its width; `text` without escape sequences. */
export const clusters = (text) => (/^[\x00-\x7f]*$/.test(text) ? Array.from(text, ofAscii) : measured(text));

/** Escape sequences and characters in order: `{text, width, isSequence}`. */
export function* pieces(text) {
  let from = 0;
  while (from < text.length) {
    const sequence = sequenceAt(text, from);
    if (sequence) {
      yield { text: sequence, width: 0, isSequence: true };
      from += sequence.length;
      continue;
    }
    let to = text.indexOf("\x1b", from + 1);
    if (to < 0) to = text.length;
    for (const cluster of clusters(text.slice(from, to))) yield { ...cluster, isSequence: false };
    from = to;
  }
}

export const visibleWidth = (text) => {
  if (PLAIN.test(text)) return text.length;
  const bare = text.includes("\x1b") ? text.replace(SEQUENCES, "") : text;
  if (PLAIN.test(bare)) return bare.length;
  let width = 0;
  for (const cluster of clusters(bare)) width += cluster.width;
  return width;
};

// As much of `text` as fits into `width` columns, sequences before what fits included.
const fitting = (text, width) => {
  let kept = "";
  let pending = "";
  let used = 0;
  for (const piece of pieces(text)) {
    if (piece.isSequence) {
      pending += piece.text;
      continue;
    }
    if (used + piece.width > width) break;
    kept += pending + piece.text;
    pending = "";
    used += piece.width;
  }
  return { kept, used };
};

export function truncateToWidth(text, maxWidth, ellipsis = "...", pad = false) {
  if (maxWidth <= 0) return "";
  const whole = visibleWidth(text);
  if (whole <= maxWidth) return pad ? text + " ".repeat(maxWidth - whole) : text;
  const mark = fitting(ellipsis, maxWidth);
  // Sequences of the ellipsis stay when all of it fits.
  const sign = visibleWidth(ellipsis) <= maxWidth ? ellipsis : mark.kept;
  const { kept, used } = fitting(text, maxWidth - mark.used);
  const rest = pad ? " ".repeat(Math.max(0, maxWidth - used - mark.used)) : "";
  return kept + RESET + (sign ? sign + RESET : "") + rest;
}

/** Like `sliceByColumn`, with the width of the result. */
export function sliceWithWidth(line, startColumn, length, strict = false) {
  if (length <= 0) return { text: "", width: 0 };
  const end = startColumn + length;
  let column = 0;
  let text = "";
  let pending = "";
  let width = 0;
  for (const piece of pieces(line)) {
    if (piece.isSequence) {
      pending += piece.text;
      continue;
    }
    if (column >= end) break;
    if (column >= startColumn && (!strict || column + piece.width <= end)) {
      text += pending + piece.text;
      pending = "";
      width += piece.width;
    }
    column += piece.width;
  }
  return { text, width };
}

export const sliceByColumn = (line, startColumn, length, strict = false) => sliceWithWidth(line, startColumn, length, strict).text;

/** `line` with spaces up to `width`, and a background behind all of it. */
export const onBackground = (line, width, background) => {
  const padded = line + " ".repeat(Math.max(0, width - visibleWidth(line)));
  return background ? background(padded) : padded;
};
