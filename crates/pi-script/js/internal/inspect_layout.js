// How util.inspect lays out what it shows: quotes, lines, columns of short items.
const ESCAPES = { "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", "\\": "\\\\", "\x0b": "\\x0B" };

exports.quote = (text) => {
  const mark = !text.includes("'") ? "'" : !text.includes('"') ? '"' : !text.includes("`") && !text.includes("${") ? "`" : "'";
  let out = "";
  for (const character of text) {
    const code = character.codePointAt(0);
    const isLone = code >= 0xd800 && code <= 0xdfff;
    if (character === mark) out += `\\${mark}`;
    else if (ESCAPES[character]) out += ESCAPES[character];
    else if (code < 32 || (code >= 127 && code < 160)) out += `\\x${code.toString(16).toUpperCase().padStart(2, "0")}`;
    else out += isLone ? `\\u${code.toString(16).toUpperCase()}` : character;
  }
  return mark + out + mark;
};

const plain = (text) => text.replace(/\x1b\[[\d;]*m/g, "");
const width = (ctx, text) => require("internal/text_width").textWidth(ctx.colors ? plain(text) : text);

// Many short items of a list go into columns.
function columns(ctx, out, value) {
  const hasMore = ctx.maxArrayLength < value.length;
  const count = hasMore ? out.length - 1 : out.length;
  const gap = 2;
  const lengths = out.slice(0, count).map((item) => width(ctx, item));
  const total = lengths.reduce((sum, length) => sum + length + gap, 0);
  const longest = Math.max(0, ...lengths);
  const cell = longest + gap;
  if (cell * 3 + ctx.indentation >= ctx.breakLength || !(total / cell > 5 || longest <= 6)) return out;
  const bias = Math.sqrt(cell - total / out.length);
  const biased = Math.max(cell - 3 - bias, 1);
  const wanted = Math.round(Math.sqrt(2.5 * biased * count) / biased);
  const perLine = Math.min(wanted, Math.floor((ctx.breakLength - ctx.indentation) / cell), ctx.compact * 4, 15);
  if (perLine <= 1) return out;
  const isNumeric = value !== undefined && [...value].every((item) => typeof item === "number" || typeof item === "bigint");
  const widths = [];
  for (let column = 0; column < perLine; column++) {
    let widest = 0;
    for (let i = column; i < count; i += perLine) widest = Math.max(widest, lengths[i]);
    widths.push(widest + gap);
  }
  const lines = [];
  for (let from = 0; from < count; from += perLine) {
    const to = Math.min(from + perLine, count);
    let line = "";
    for (let i = from; i < to; i++) {
      const isLast = i === to - 1;
      const fill = widths[i - from] - lengths[i] - gap;
      if (isNumeric) line += " ".repeat(fill) + out[i] + (isLast ? "" : ", ");
      else line += isLast ? out[i] : `${out[i]}, ${" ".repeat(fill)}`;
    }
    lines.push(line);
  }
  if (hasMore) lines.push(out[count]);
  return lines;
}

const fits = (ctx, out, start, base) => {
  let total = out.length + start;
  if (total + out.length > ctx.breakLength) return false;
  for (const item of out) {
    total += ctx.colors ? plain(item).length : item.length;
    if (total > ctx.breakLength) return false;
  }
  return base === "" || !base.includes("\n");
};

exports.reduceToLines = (ctx, items, base, braces, isList, level, value) => {
  let out = items;
  const lead = base ? `${base} ` : "";
  if (ctx.compact !== true && typeof ctx.compact === "number" && ctx.compact >= 1) {
    const before = out.length;
    if (isList && before > 6) out = columns(ctx, out, value);
    if (ctx.currentDepth - level < ctx.compact && before === out.length) {
      const start = out.length + ctx.indentation + braces[0].length + base.length + 10;
      if (fits(ctx, out, start, base)) {
        const joined = out.join(", ");
        if (!joined.includes("\n")) return `${lead}${braces[0]} ${joined} ${braces[1]}`;
      }
    }
  } else if (ctx.compact === true && fits(ctx, out, 0, base)) {
    return `${braces[0]}${base ? ` ${base}` : ""} ${out.join(", ")} ${braces[1]}`;
  }
  const line = `\n${" ".repeat(ctx.indentation)}`;
  return `${lead}${braces[0]}${line}  ${out.join(`,${line}  `)}${line}${braces[1]}`;
};
