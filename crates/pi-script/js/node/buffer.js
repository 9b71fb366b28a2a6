// Buffer: bytes with the text encodings of Node. Numbers in buffers are in internal/buffer_numbers.js.
const { isEncoding, normalize } = require("internal/encodings");
const { coded, invalidType, outOfRange } = require("internal/errors");

// What `new` on a buffer's class makes; its prototype is that of Buffer, which is a function for old callers.
class Bytes extends Uint8Array {}

function Buffer(value, encodingOrOffset, length) {
  return typeof value === "number" ? Buffer.alloc(value) : Buffer.from(value, encodingOrOffset, length);
}
Buffer.prototype = Bytes.prototype;
Object.setPrototypeOf(Buffer, Uint8Array);
Object.defineProperty(Bytes.prototype, "constructor", { value: Buffer, writable: true, configurable: true });

const view = (array) => new Bytes(array.buffer, array.byteOffset, array.byteLength);
const encode = (text, encoding) => host.sync("encoding.encode", text, encoding);
const isBuffer = (value) => value instanceof Buffer;

const size = (value) => {
  if (typeof value !== "number") throw invalidType("size", "of type number", value);
  if (!(value >= 0 && value <= Number.MAX_SAFE_INTEGER)) {
    throw outOfRange("size", `>= 0 && <= ${Number.MAX_SAFE_INTEGER}`, value);
  }
  return value;
};

const isArrayBuffer = (value) =>
  value instanceof ArrayBuffer || (typeof SharedArrayBuffer !== "undefined" && value instanceof SharedArrayBuffer);

Buffer.from = (value, encodingOrOffset, length) => {
  if (typeof value === "string") return view(encode(value, normalize(encodingOrOffset)));
  if (typeof value === "object" && value !== null) {
    if (isArrayBuffer(value)) return new Bytes(value, encodingOrOffset, length);
    if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return fromList(value);
    const primitive = value.valueOf?.();
    if (primitive !== value && primitive !== null && primitive !== undefined) {
      return Buffer.from(primitive, encodingOrOffset, length);
    }
    if (value.type === "Buffer" && Array.isArray(value.data)) return fromList(value.data);
    if (value.length !== undefined) return fromList(typeof value.length === "number" ? value : []);
    if (value.buffer !== undefined && isArrayBuffer(value.buffer)) return new Bytes(value.buffer);
    const text = value[Symbol.toPrimitive]?.("string");
    if (typeof text === "string") return Buffer.from(text, encodingOrOffset);
  }
  const expected = "of type string or an instance of Buffer, ArrayBuffer, or Array or an Array-like Object";
  throw invalidType("first argument", expected, value);
};
const fromList = (list) => {
  const made = new Bytes(list.length);
  if (ArrayBuffer.isView(list) || Array.isArray(list)) made.set(list);
  else for (let i = 0; i < list.length; i++) made[i] = list[i];
  return made;
};

// Functions with `function`: some packages call them with `new`.
Buffer.alloc = function alloc(length, fill, encoding) {
  const made = new Bytes(size(length));
  return fill === undefined || fill === 0 ? made : made.fill(fill, encoding);
};
Buffer.allocUnsafe = function allocUnsafe(length) {
  return new Bytes(size(length));
};
Buffer.allocUnsafeSlow = Buffer.allocUnsafe;
Buffer.isBuffer = isBuffer;
Buffer.isEncoding = isEncoding;
Buffer.poolSize = 8192;
Buffer.byteLength = (value, encoding) => {
  if (typeof value === "string") {
    const name = isEncoding(encoding) ? normalize(encoding) : "utf8";
    if (name === "latin1" || name === "ascii") return value.length;
    if (name === "utf16le") return value.length * 2;
    return encode(value, name).length;
  }
  if (ArrayBuffer.isView(value) || isArrayBuffer(value)) return value.byteLength;
  throw invalidType("string", "of type string or an instance of Buffer or ArrayBuffer", value);
};
Buffer.concat = (list, total) => {
  if (!Array.isArray(list)) throw invalidType("list", "an instance of Array", list);
  const length = total ?? list.reduce((sum, item) => sum + item.length, 0);
  const made = new Bytes(length);
  let at = 0;
  for (const item of list) {
    if (!(item instanceof Uint8Array)) throw invalidType("list[0]", "an instance of Buffer or Uint8Array", item);
    if (at >= length) break;
    const part = item.length > length - at ? item.subarray(0, length - at) : item;
    made.set(part, at);
    at += part.length;
  }
  return made;
};
Buffer.compare = (one, other) => {
  const end = Math.min(one.length, other.length);
  for (let i = 0; i < end; i++) if (one[i] !== other[i]) return one[i] < other[i] ? -1 : 1;
  return Math.sign(one.length - other.length);
};
Buffer.of = (...items) => fromList(items);
Buffer.copyBytesFrom = (source, offset = 0, length = source.length - offset) => {
  const part = source.subarray(offset, offset + length);
  return fromList(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
};

// --- methods
const place = (value, length) => {
  const number = Math.trunc(Number(value)) || 0;
  return number < 0 ? Math.max(length + number, 0) : Math.min(number, length);
};
const clamp = (value, otherwise, length) =>
  value === undefined ? otherwise : Math.min(Math.max(Math.trunc(Number(value)) || 0, 0), length);
const needle = (value, encoding) => {
  if (typeof value === "string") return encode(value, normalize(encoding));
  if (typeof value === "number") return Uint8Array.of(value);
  if (value instanceof Uint8Array) return value;
  throw invalidType("value", "one of type number or string or an instance of Buffer or Uint8Array", value);
};
const matches = (bytes, part, at) => {
  for (let i = 0; i < part.length; i++) if (bytes[at + i] !== part[i]) return false;
  return true;
};
function find(bytes, value, from, encoding) {
  if (typeof from === "string") [from, encoding] = [0, from];
  const part = needle(value, encoding);
  let at = place(from, bytes.length);
  if (part.length === 0) return at;
  for (; at + part.length <= bytes.length; at++) {
    at = Uint8Array.prototype.indexOf.call(bytes, part[0], at);
    if (at === -1 || at + part.length > bytes.length) return -1;
    if (matches(bytes, part, at)) return at;
  }
  return -1;
}
function findLast(bytes, value, from, encoding) {
  if (typeof from === "string") [from, encoding] = [undefined, from];
  const part = needle(value, encoding);
  const start = from === undefined || Number.isNaN(Number(from)) ? bytes.length : from < 0 ? bytes.length + from : from;
  for (let at = Math.min(start, bytes.length - part.length); at >= 0; at--) if (matches(bytes, part, at)) return at;
  return -1;
}
function swap(buffer, width) {
  if (buffer.length % width !== 0) {
    throw coded(RangeError, "ERR_INVALID_BUFFER_SIZE", `Buffer size must be a multiple of ${width * 8}-bits`);
  }
  for (let at = 0; at < buffer.length; at += width) buffer.subarray(at, at + width).reverse();
  return buffer;
}

const methods = {
  toString(encoding, start, end) {
    const name = normalize(encoding);
    const from = clamp(start, 0, this.length);
    const to = clamp(end, this.length, this.length);
    if (to <= from) return "";
    return host.sync("encoding.decode", from === 0 && to === this.length ? this : this.subarray(from, to), name);
  },
  toJSON() {
    return { type: "Buffer", data: Array.from(this) };
  },
  equals(other) {
    if (!(other instanceof Uint8Array)) {
      throw invalidType("otherBuffer", "an instance of Buffer or Uint8Array", other);
    }
    return this === other || Buffer.compare(this, other) === 0;
  },
  compare(other, start = 0, end = other.length, ownStart = 0, ownEnd = this.length) {
    return Buffer.compare(this.subarray(ownStart, ownEnd), other.subarray(start, end));
  },
  copy(target, targetStart = 0, start = 0, end = this.length) {
    const room = Math.max(target.length - targetStart, 0);
    const part = this.subarray(start, Math.min(end, start + room));
    target.set(part, targetStart);
    return part.length;
  },
  slice(start, end) {
    return this.subarray(start, end);
  },
  write(text, offset, length, encoding) {
    if (typeof offset === "string") [offset, length, encoding] = [0, undefined, offset];
    else if (typeof length === "string") [length, encoding] = [undefined, length];
    const at = offset ?? 0;
    if (at < 0 || at > this.length) throw outOfRange("offset", `>= 0 && <= ${this.length}`, at);
    const name = normalize(encoding);
    const room = Math.min(length ?? Infinity, this.length - at);
    let bytes = encode(String(text), name);
    if (bytes.length > room) bytes = whole(bytes, room, name);
    this.set(bytes, at);
    return bytes.length;
  },
  fill(value, start, end, encoding) {
    if (typeof start === "string") [start, end, encoding] = [undefined, undefined, start];
    else if (typeof end === "string") [end, encoding] = [undefined, end];
    const from = start ?? 0;
    const to = end ?? this.length;
    if (from < 0 || from > this.length) throw outOfRange("offset", `>= 0 && <= ${this.length}`, from);
    if (to < 0 || to > this.length) throw outOfRange("end", `>= 0 && <= ${this.length}`, to);
    const isByte = typeof value === "number" || typeof value === "boolean";
    const part = isByte ? Uint8Array.of(Number(value) & 255) : needle(value, encoding);
    if (part.length === 0) {
      if (typeof value !== "string" || value.length > 0) {
        throw coded(TypeError, "ERR_INVALID_ARG_VALUE", `The argument 'value' is invalid. Received '${value}'`);
      }
      Uint8Array.prototype.fill.call(this, 0, from, to);
    } else if (part.length === 1) Uint8Array.prototype.fill.call(this, part[0], from, to);
    else {
      this.set(part.subarray(0, to - from), from);
      // What is there is doubled until it reaches the end.
      for (let done = part.length; from + done < to; done *= 2) {
        this.copyWithin(from + done, from, Math.min(from + done, to - done));
      }
    }
    return this;
  },
  indexOf(value, from, encoding) {
    return find(this, value, from, encoding);
  },
  lastIndexOf(value, from, encoding) {
    return findLast(this, value, from, encoding);
  },
  includes(value, from, encoding) {
    return find(this, value, from, encoding) !== -1;
  },
  swap16() {
    return swap(this, 2);
  },
  swap32() {
    return swap(this, 4);
  },
  swap64() {
    return swap(this, 8);
  },
  toLocaleString(...args) {
    return this.toString(...args);
  },
  inspect() {
    return this[Symbol.for("nodejs.util.inspect.custom")]();
  },
  [Symbol.for("nodejs.util.inspect.custom")]() {
    const max = exports.INSPECT_MAX_BYTES;
    const bytes = Array.from(this.subarray(0, max), (byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const more = this.length > max ? ` ... ${this.length - max} more byte${this.length - max === 1 ? "" : "s"}` : "";
    return `<Buffer${bytes ? ` ${bytes}` : ""}${more}>`;
  },
};
// The part of encoded text that fits without breaking a character.
const whole = (bytes, room, encoding) => {
  if (encoding === "utf16le") return bytes.subarray(0, room - (room % 2));
  let end = room;
  if (encoding === "utf8") while (end > 0 && (bytes[end] & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end);
};
for (const [name, value] of [...Object.entries(methods), ...Object.entries(require("internal/buffer_numbers").methods)]) {
  Object.defineProperty(Buffer.prototype, name, { value, writable: true, configurable: true });
}
const custom = Symbol.for("nodejs.util.inspect.custom");
Object.defineProperty(Buffer.prototype, custom, { value: methods[custom], writable: true, configurable: true });
Object.defineProperty(Buffer.prototype, "parent", { get() { return this.buffer; } });
Object.defineProperty(Buffer.prototype, "offset", { get() { return this.byteOffset; } });
for (const encoding of ["utf8", "hex", "base64", "base64url", "latin1", "ascii", "ucs2"]) {
  const define = (name, value) => Object.defineProperty(Buffer.prototype, name, { value, writable: true, configurable: true });
  define(`${encoding}Slice`, function (start, end) {
    return this.toString(encoding, start, end);
  });
  define(`${encoding}Write`, function (text, offset, length) {
    return this.write(text, offset, length, encoding);
  });
}

exports.Buffer = Buffer;
exports.SlowBuffer = Buffer.alloc;
exports.INSPECT_MAX_BYTES = 50;
exports.kMaxLength = Number.MAX_SAFE_INTEGER;
exports.kStringMaxLength = 536870888;
exports.constants = { MAX_LENGTH: exports.kMaxLength, MAX_STRING_LENGTH: exports.kStringMaxLength };
exports.atob = (text) => require("internal/encoding").atob(text);
exports.btoa = (text) => require("internal/encoding").btoa(text);
exports.isUtf8 = (bytes) => {
  try {
    host.sync("encoding.decode", require("internal/encoding").bytesOf(bytes), "utf-8", true);
    return true;
  } catch {
    return false;
  }
};
exports.isAscii = (bytes) => require("internal/encoding").bytesOf(bytes).every((byte) => byte < 128);
exports.transcode = (bytes, from, to) => Buffer.from(Buffer.from(bytes).toString(from), to);
for (const name of ["Blob", "File"]) {
  if (!host.has("internal/blob")) continue;
  Object.defineProperty(exports, name, { enumerable: true, get: () => require("internal/blob")[name] });
}
