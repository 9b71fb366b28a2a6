// util.format: %-places filled with values, the rest appended.
const { inspect } = require("internal/inspect");

const shownIn = (value, options) => (typeof value === "string" ? value : inspect(value, { ...options, colors: options.colors ?? false }));

const asText = (value, options) => {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  if (typeof value !== "object" || value === null) return String(value);
  const own = value.toString;
  const isBuiltin = own === Object.prototype.toString || own === Error.prototype.toString || Array.isArray(value);
  const hasOwn = typeof own === "function" && !isBuiltin && !(value instanceof Date && own === Date.prototype.toString);
  return hasOwn ? String(value) : inspect(value, { ...options, depth: 0, colors: false, compact: 3 });
};

const asNumber = (value, parse) => {
  if (typeof value === "bigint") return `${value}n`;
  return typeof value === "symbol" || (typeof value === "object" && parse === Number) ? "NaN" : String(parse(value));
};

const json = (value) => {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (/circular/i.test(error.message)) return "[Circular]";
    throw error;
  }
};

const PLACES = {
  s: asText,
  d: (value) => asNumber(value, Number),
  i: (value) => asNumber(value, Number.parseInt),
  f: (value) => asNumber(value, Number.parseFloat),
  j: json,
  o: (value, options) => inspect(value, { ...options, showHidden: true, showProxy: true, depth: 4 }),
  O: (value, options) => inspect(value, options),
  c: () => "",
};

const formatWithOptions = (options, first, ...rest) => {
  if (rest.length === 0) return shownIn(first, options);
  let at = 0;
  const isPattern = typeof first === "string";
  const head = isPattern
    ? first.replace(/%(.)/gs, (whole, kind) => {
        if (kind === "%") return "%";
        if (!PLACES[kind] || at >= rest.length) return whole;
        return PLACES[kind](rest[at++], options);
      })
    : shownIn(first, options);
  const tail = rest.slice(at).map((value) => (typeof value === "string" ? value : inspect(value, options)));
  return [head, ...tail].join(" ");
};

exports.formatWithOptions = (options, ...args) => (args.length === 0 ? "" : formatWithOptions(options, ...args));
exports.format = (...args) => exports.formatWithOptions({}, ...args);
