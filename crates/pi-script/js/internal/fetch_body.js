// What Request and Response have in common: a body that is read once.

const { Blob, bytesOf, concat } = require("internal/blob");
const { FormData, encode, decode } = require("internal/form_data");
const { ReadableStream, isDisturbed } = require("internal/web_streams");
const body = Symbol("body");

// What was given as a body: {bytes} or {stream}, and the content type that goes with it.
const extract = (value) => {
  if (value === null || value === undefined) return { type: null };
  if (value instanceof ReadableStream) return { stream: value, type: null };
  if (value instanceof ArrayBuffer) return { bytes: new Uint8Array(value.slice(0)), type: null };
  if (ArrayBuffer.isView(value)) {
    return { bytes: new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice(), type: null };
  }
  if (value instanceof Blob) return { bytes: bytesOf(value), type: value.type || null };
  if (value instanceof FormData) return encode(value);
  const encoder = new TextEncoder();
  if (value instanceof URLSearchParams) {
    return { bytes: encoder.encode(String(value)), type: "application/x-www-form-urlencoded;charset=UTF-8" };
  }
  if (typeof value === "object" && typeof value[Symbol.asyncIterator] === "function") {
    return { stream: ReadableStream.from(value), type: null };
  }
  return { bytes: encoder.encode(String(value)), type: "text/plain;charset=UTF-8" };
};

const readAll = async (stream) => {
  const parts = [];
  for await (const part of stream) {
    if (!(part instanceof Uint8Array)) throw new TypeError("Received non-Uint8Array chunk");
    parts.push(part);
  }
  return parts.length === 1 ? parts[0] : concat(parts);
};

class Body {
  constructor(value) {
    Object.defineProperty(this, body, { value: { isUsed: false, ...extract(value) } });
  }
  get body() {
    const inner = this[body];
    if (!inner.stream && inner.bytes) {
      const { bytes } = inner;
      inner.stream = new ReadableStream({
        pull(controller) {
          if (bytes.byteLength > 0) controller.enqueue(bytes);
          controller.close();
        },
      }, { highWaterMark: 0 });
    }
    return inner.stream ?? null;
  }
  get bodyUsed() {
    const inner = this[body];
    return inner.isUsed || (inner.stream !== undefined && isDisturbed(inner.stream));
  }
  async bytes() {
    const inner = this[body];
    if (this.bodyUsed || inner.stream?.locked) throw new TypeError("Body is unusable: Body has already been read");
    if (!inner.bytes && !inner.stream) return new Uint8Array(0);
    inner.isUsed = true;
    return inner.stream ? readAll(inner.stream) : inner.bytes;
  }
  async arrayBuffer() {
    const bytes = await this.bytes();
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  }
  async text() {
    return new TextDecoder().decode(await this.bytes());
  }
  async json() {
    return JSON.parse(await this.text());
  }
  async blob() {
    return new Blob([await this.bytes()], { type: this.headers.get("content-type") ?? "" });
  }
  async formData() {
    return decode(await this.bytes(), this.headers.get("content-type") ?? "");
  }
}

// A second body with the same content.
exports.cloneBody = (from) => {
  const inner = from[body];
  if (from.bodyUsed || inner.stream?.locked) throw new TypeError("Response.clone: Body has already been consumed.");
  if (!inner.stream) return inner.bytes;
  const [one, other] = inner.stream.tee();
  inner.stream = one;
  return other;
};
exports.inner = (of) => of[body];
exports.Body = Body;
