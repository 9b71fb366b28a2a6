// Names of the encodings of Buffer.
const NAMES = {
  utf8: "utf8", "utf-8": "utf8", hex: "hex", base64: "base64", base64url: "base64url", latin1: "latin1",
  binary: "latin1", ascii: "ascii", ucs2: "utf16le", "ucs-2": "utf16le", utf16le: "utf16le", "utf-16le": "utf16le",
};

exports.isEncoding = (name) => typeof name === "string" && Object.hasOwn(NAMES, name.toLowerCase());
exports.normalize = (name) => {
  if (name === undefined || name === null || name === "") return "utf8";
  const known = typeof name === "string" ? (NAMES[name] ?? NAMES[name.toLowerCase()]) : undefined;
  if (known) return known;
  throw require("internal/errors").coded(TypeError, "ERR_UNKNOWN_ENCODING", `Unknown encoding: ${String(name)}`);
};
