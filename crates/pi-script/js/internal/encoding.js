// TextEncoder, TextDecoder, atob, btoa. The work is done by the program; what is here splits streams at characters.
const bytesOf = (input) => {
  if (input === undefined) return new Uint8Array(0);
  if (input instanceof Uint8Array) return input;
  if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  if (input instanceof ArrayBuffer || input instanceof SharedArrayBuffer) return new Uint8Array(input);
  throw require("internal/errors").invalidType("input", "an instance of ArrayBuffer or ArrayBufferView", input);
};

// How many bytes at the end belong to a character that is not complete.
const openTail = {
  "utf-8": (bytes) => {
    for (let back = 1; back <= Math.min(3, bytes.length); back++) {
      const byte = bytes[bytes.length - back];
      if (byte < 0x80) return 0;
      if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) && byte < 0xf8 ? back : 0;
    }
    return 0;
  },
  "utf-16le": (bytes) => {
    const odd = bytes.length % 2;
    const high = bytes[bytes.length - 1 - odd];
    return high >= 0xd8 && high <= 0xdb ? 2 + odd : odd;
  },
};

const join = (first, second) => {
  if (first.length === 0) return second;
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
};

// Decodes pieces; what is not complete waits for the next one.
class Pieces {
  rest = new Uint8Array(0);
  constructor(encoding) {
    this.encoding = encoding;
  }
  take(bytes, isLast) {
    const all = join(this.rest, bytes);
    const open = isLast ? 0 : (openTail[this.encoding]?.(all) ?? 0);
    const end = all.length - open;
    this.rest = all.slice(end);
    return open === 0 ? all : all.subarray(0, end);
  }
}

class TextEncoder {
  get encoding() {
    return "utf-8";
  }
  encode(text = "") {
    return host.sync("encoding.encode", String(text), "utf-8");
  }
  encodeInto(text, target) {
    let read = 0;
    let written = 0;
    for (const character of String(text)) {
      const bytes = this.encode(character);
      if (written + bytes.length > target.length) break;
      target.set(bytes, written);
      written += bytes.length;
      read += character.length;
    }
    return { read, written };
  }
}

const LABELS = {
  "utf-8": ["utf-8", "utf8", "unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "x-unicode20utf8"],
  "utf-16be": ["utf-16be", "unicodefffe"],
  "utf-16le": ["utf-16le", "utf-16", "ucs-2", "csunicode", "iso-10646-ucs-2", "unicode", "unicodefeff"],
  "windows-1252": [
    "windows-1252", "latin1", "iso-8859-1", "iso8859-1", "iso88591", "iso_8859-1", "ascii", "us-ascii", "l1", "cp1252",
    "x-cp1252", "cp819", "ibm819", "csisolatin1", "ansi_x3.4-1968",
  ],
};

const swapped = (bytes) => {
  const result = bytes.slice();
  for (let i = 0; i + 1 < result.length; i += 2) [result[i], result[i + 1]] = [bytes[i + 1], bytes[i]];
  return result;
};

class TextDecoder {
  #pieces;
  #sawStart = false;
  constructor(label = "utf-8", options = {}) {
    const asked = String(label).trim().toLowerCase();
    const encoding = Object.keys(LABELS).find((name) => LABELS[name].includes(asked));
    if (!encoding) {
      const message = `The "${label}" encoding is not supported`;
      throw require("internal/errors").coded(RangeError, "ERR_ENCODING_NOT_SUPPORTED", message);
    }
    const define = (name, value) => Object.defineProperty(this, name, { value, enumerable: true });
    define("encoding", encoding);
    define("fatal", Boolean(options?.fatal));
    define("ignoreBOM", Boolean(options?.ignoreBOM));
    this.#pieces = new Pieces(this.#inner);
  }
  // Big-endian text is little-endian text with its bytes in the other order.
  get #inner() {
    return this.encoding === "utf-16be" ? "utf-16le" : this.encoding;
  }
  decode(input, options = {}) {
    const isLast = !options?.stream;
    const bytes = this.#pieces.take(bytesOf(input), isLast);
    let text;
    try {
      const ordered = this.encoding === "utf-16be" ? swapped(bytes) : bytes;
      text = host.sync("encoding.decode", ordered, this.#inner, this.fatal);
    } catch (error) {
      this.#pieces = new Pieces(this.#inner);
      throw error;
    }
    if (!this.#sawStart && text.length > 0) {
      this.#sawStart = true;
      if (!this.ignoreBOM && text.charCodeAt(0) === 0xfeff) text = text.slice(1);
    }
    if (isLast) this.#sawStart = false;
    return text;
  }
}

const invalidCharacter = (message) => {
  const { DOMException } = require("internal/abort");
  return new DOMException(message, "InvalidCharacterError");
};

exports.atob = (text) => {
  const clean = String(text).replace(/[\t\n\f\r ]/g, "").replace(/^((?:.{4})*.{2,3}?)==?$/, (whole, body) => {
    return whole.length % 4 === 0 ? body : whole;
  });
  if (clean.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(clean)) {
    throw invalidCharacter("The string to be decoded is not correctly encoded.");
  }
  return host.sync("encoding.decode", host.sync("encoding.encode", clean, "base64"), "latin1");
};
exports.btoa = (text) => {
  const whole = String(text);
  if (/[^\0-\xff]/.test(whole)) throw invalidCharacter("Invalid character");
  return host.sync("encoding.decode", host.sync("encoding.encode", whole, "latin1"), "base64");
};
exports.TextEncoder = TextEncoder;
exports.TextDecoder = TextDecoder;
exports.Pieces = Pieces;
exports.bytesOf = bytesOf;
for (const Class of [TextEncoder, TextDecoder]) {
  Object.defineProperty(Class.prototype, Symbol.toStringTag, { value: Class.name, configurable: true });
}
