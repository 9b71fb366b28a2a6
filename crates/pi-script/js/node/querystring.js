// querystring: the part of an address after "?", the old way.
const escape = (text) =>
  encodeURIComponent(String(text).toWellFormed()).replace(/%(21|27|28|29|2A)/g, (code) => decodeURIComponent(code));
const unescape = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return Buffer.from(text.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16))), "latin1").toString();
  }
};
const primitive = (value) => {
  if (typeof value === "string") return value;
  if (typeof value === "bigint" || typeof value === "boolean") return String(value);
  return typeof value === "number" && Number.isFinite(value) ? String(value) : "";
};

function parse(text, separator = "&", equals = "=", options = {}) {
  const found = Object.create(null);
  if (typeof text !== "string" || text === "") return found;
  const { maxKeys = 1000, decodeURIComponent: decode = querystring.unescape } = options;
  const pieces = text.split(separator).filter((piece) => piece !== "");
  for (const piece of maxKeys > 0 ? pieces.slice(0, maxKeys) : pieces) {
    const at = piece.indexOf(equals);
    const read = (part) => decode(part.replaceAll("+", " "));
    const name = read(at === -1 ? piece : piece.slice(0, at));
    const value = at === -1 ? "" : read(piece.slice(at + equals.length));
    if (!(name in found)) found[name] = value;
    else if (Array.isArray(found[name])) found[name].push(value);
    else found[name] = [found[name], value];
  }
  return found;
}

function stringify(values, separator = "&", equals = "=", options = {}) {
  if (values === null || typeof values !== "object") return "";
  const encode = options.encodeURIComponent ?? querystring.escape;
  const pair = (name, value) => `${encode(primitive(name))}${equals}${encode(primitive(value))}`;
  return Object.entries(values)
    .flatMap(([name, value]) => (Array.isArray(value) ? value.map((item) => pair(name, item)) : [pair(name, value)]))
    .join(separator);
}

const querystring = { parse, stringify, escape, unescape, decode: parse, encode: stringify };
module.exports = querystring;
