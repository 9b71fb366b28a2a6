// console.table: rows and columns drawn with lines.
const { inspect } = require("internal/inspect");

const shown = (value) => inspect(value, { maxArrayLength: 3, breakLength: Infinity, depth: value !== null && typeof value === "object" ? 0 : -1 });

function draw(head, rows) {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => (row[i] ?? "").length)) + 2);
  const line = (left, middle, right) => left + widths.map((width) => "─".repeat(width)).join(middle) + right;
  const row = (cells) => `│${cells.map((cell, i) => ` ${cell ?? ""}`.padEnd(widths[i])).join("│")}│`;
  return [line("┌", "┬", "┐"), row(head), line("├", "┼", "┤"), ...rows.map(row), line("└", "┴", "┘")].join("\n");
}

exports.table = (data, columns) => {
  if (data === null || typeof data !== "object") return require("internal/format").format(data);
  const isList = data instanceof Map || data instanceof Set;
  const index = isList ? "(iteration index)" : "(index)";
  const entries = data instanceof Set ? [...data].map((v, i) => [i, v]) : isList ? [...data].map((v, i) => [i, v]) : Object.entries(data);
  const keys = [];
  let hasValues = false;
  for (const [, value] of entries) {
    if (value === null || typeof value !== "object") hasValues = true;
    else for (const key of columns ?? Object.keys(value)) if (!keys.includes(key)) keys.push(key);
  }
  const rows = entries.map(([name, value]) => {
    const isObject = value !== null && typeof value === "object";
    const cells = keys.map((key) => (isObject && Object.hasOwn(value, key) ? shown(value[key]) : ""));
    return [String(name), ...cells, ...(hasValues ? [isObject ? "" : shown(value)] : [])];
  });
  return draw([index, ...keys, ...(hasValues ? ["Values"] : [])], rows);
};
