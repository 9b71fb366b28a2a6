// Blob and File: immutable bytes with a type.

const toBytes = (part, encoder) => {
  if (part instanceof Blob) return part[content];
  if (part instanceof ArrayBuffer) return new Uint8Array(part);
  if (ArrayBuffer.isView(part)) return new Uint8Array(part.buffer, part.byteOffset, part.byteLength);
  return encoder.encode(String(part));
};
const content = Symbol("content");

// One array of several.
const concat = (arrays) => {
  const result = new Uint8Array(arrays.reduce((sum, array) => sum + array.byteLength, 0));
  let at = 0;
  for (const array of arrays) {
    result.set(array, at);
    at += array.byteLength;
  }
  return result;
};

class Blob {
  constructor(parts = [], options = {}) {
    const encoder = new TextEncoder();
    this[content] = concat([...parts].map((part) => toBytes(part, encoder)));
    const type = String(options?.type ?? "");
    Object.defineProperty(this, "type", { value: /[^\x20-\x7e]/.test(type) ? "" : type.toLowerCase() });
  }
  get size() {
    return this[content].byteLength;
  }
  slice(start, end, type = "") {
    const part = new Blob([], { type });
    part[content] = this[content].slice(start, end);
    return part;
  }
  async bytes() {
    return this[content].slice();
  }
  async arrayBuffer() {
    return this[content].slice().buffer;
  }
  async text() {
    return new TextDecoder().decode(this[content]);
  }
  stream() {
    const bytes = this[content];
    return new ReadableStream({
      start(controller) {
        if (bytes.byteLength > 0) controller.enqueue(bytes.slice());
        controller.close();
      },
    });
  }
  get [Symbol.toStringTag]() {
    return this.constructor.name;
  }
}

class File extends Blob {
  constructor(parts, name, options = {}) {
    super(parts, options);
    Object.defineProperty(this, "name", { value: String(name) });
    Object.defineProperty(this, "lastModified", { value: options?.lastModified ?? Date.now() });
  }
}

Object.assign(exports, { Blob, File });
Object.defineProperty(exports, "concat", { value: concat });
Object.defineProperty(exports, "bytesOf", { value: (blob) => blob[content] });
