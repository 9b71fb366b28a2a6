// fs: paths and options as callers may give them.
const { invalidType, invalidValue, outOfRange } = require("internal/errors");

exports.toPath = (value, name = "path") => {
  let path = value;
  if (value instanceof Uint8Array) path = Buffer.from(value).toString();
  else if (typeof value === "object" && value !== null && value.href && value.protocol) {
    path = require("internal/url").fileURLToPath(value);
  }
  if (typeof path !== "string") throw invalidType(name, "of type string or an instance of Buffer or URL", value);
  if (path.includes("\0")) throw invalidValue(name, path, "must be a string, Uint8Array, or URL without null bytes");
  return path;
};
exports.toFd = (fd) => {
  if (typeof fd !== "number") throw invalidType("fd", "of type number", fd);
  if (!Number.isInteger(fd) || fd < 0) throw outOfRange("fd", ">= 0 && <= 2147483647", fd);
  return fd;
};
// Options that may be an encoding alone.
exports.toOptions = (options, defaults = {}) => {
  if (options === undefined || options === null || typeof options === "function") return defaults;
  if (typeof options === "string") return { ...defaults, encoding: options };
  if (typeof options !== "object") throw invalidType("options", "one of type string or an instance of Object", options);
  options.signal?.throwIfAborted?.();
  return { ...defaults, ...options };
};
exports.toMode = (mode, name = "mode") => {
  if (mode === undefined || mode === null) return undefined;
  if (typeof mode === "number") return mode;
  if (typeof mode === "string" && /^[0-7]+$/.test(mode)) return Number.parseInt(mode, 8);
  throw invalidValue(name, mode, "must be a 32-bit unsigned integer or an octal string");
};
// Seconds since 1970.
exports.toSeconds = (time) => {
  if (time instanceof Date) return time.getTime() / 1000;
  const seconds = Number(time);
  if (Number.isFinite(seconds)) return seconds;
  throw invalidType("time", "of type number or an instance of Date", time);
};
exports.toBytes = (data, encoding) => {
  if (typeof data === "string") {
    return encoding && encoding !== "utf8" && encoding !== "utf-8" ? Buffer.from(data, encoding) : data;
  }
  if (ArrayBuffer.isView(data)) {
    return data instanceof Uint8Array ? data : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  }
  throw invalidType("data", "of type string or an instance of Buffer, TypedArray, or DataView", data);
};
exports.fromBytes = (bytes, encoding) => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return encoding && encoding !== "buffer" ? buffer.toString(encoding) : buffer;
};
const { isEncoding } = require("internal/encodings");
exports.checkEncoding = (encoding) => {
  if (encoding === undefined || encoding === null || encoding === "buffer" || isEncoding(encoding)) return;
  throw invalidValue("encoding", encoding, "is invalid encoding");
};
