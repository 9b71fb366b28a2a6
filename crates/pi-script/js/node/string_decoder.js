// string_decoder: bytes in pieces to text, without breaking characters.
const { Pieces, bytesOf } = require("internal/encoding");
const { normalize } = require("internal/encodings");

class StringDecoder {
  #pieces;
  constructor(encoding = "utf8") {
    this.encoding = normalize(encoding);
    const kind = { utf8: "utf-8", utf16le: "utf-16le" }[this.encoding] ?? this.encoding;
    this.#pieces = this.encoding.startsWith("base64") ? new Triples() : new Pieces(kind);
  }
  write(chunk) {
    if (typeof chunk === "string") return chunk;
    return this.#decode(this.#pieces.take(bytesOf(chunk), false));
  }
  end(chunk) {
    const bytes = chunk === undefined ? new Uint8Array(0) : bytesOf(chunk);
    return this.#decode(this.#pieces.take(bytes, true));
  }
  #decode(bytes) {
    return bytes.length === 0 ? "" : host.sync("encoding.decode", bytes, this.encoding);
  }
}

// Base64 can be cut after every third byte.
class Triples {
  #rest = [];
  take(bytes, isLast) {
    const all = [...this.#rest, ...bytes];
    const end = isLast ? all.length : all.length - (all.length % 3);
    this.#rest = all.slice(end);
    return new Uint8Array(all.slice(0, end));
  }
}

exports.StringDecoder = StringDecoder;
