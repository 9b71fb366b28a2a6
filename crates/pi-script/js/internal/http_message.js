// What requests and responses of http have in common: headers as Node shows them, and a body to read or to write.
const { Readable, Writable } = require("stream");
const { coded } = require("internal/errors");

// Of these only the first counts.
const SINGLE = new Set(("age authorization content-length content-type etag expires from host if-modified-since if-unmodified-since " +
  "last-modified location max-forwards proxy-authorization referer retry-after server user-agent").split(" "));

class IncomingMessage extends Readable {
  #pull;
  #drop;
  constructor({ headers, pull, drop, ...about }) {
    super();
    this.#pull = pull;
    this.#drop = drop;
    this.httpVersion = "1.1";
    [this.httpVersionMajor, this.httpVersionMinor] = [1, 1];
    this.rawHeaders = headers.flat();
    this.headers = {};
    this.trailers = {};
    this.complete = false;
    this.aborted = false;
    for (const [key, value] of headers) this.#addHeader(key.toLowerCase(), value);
    Object.assign(this, about);
    this.connection = this.socket;
  }
  #addHeader(name, value) {
    const known = this.headers[name];
    if (name === "set-cookie") this.headers[name] = [...(known ?? []), value];
    else if (known === undefined) this.headers[name] = value;
    else if (!SINGLE.has(name)) this.headers[name] = `${known}${name === "cookie" ? "; " : ", "}${value}`;
  }
  get headersDistinct() {
    const result = {};
    for (let i = 0; i < this.rawHeaders.length; i += 2) (result[this.rawHeaders[i].toLowerCase()] ??= []).push(this.rawHeaders[i + 1]);
    return result;
  }
  setTimeout(milliseconds, callback) {
    if (callback) this.once("timeout", callback);
    return this;
  }
  _read() {
    this.#pull().then(
      (piece) => {
        if (piece === undefined) this.complete = true;
        this.push(piece === undefined ? null : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
      },
      (error) => this.destroy(error),
    );
  }
  _destroy(error, done) {
    if (!this.complete) this.#drop?.();
    done(error);
  }
}

// Headers that are still to be sent, by their names in lower case.
class OutgoingHeaders {
  #map = new Map();
  set(name, value) {
    this.#map.set(String(name).toLowerCase(), [String(name), value]);
  }
  append(name, value) {
    const known = this.get(name);
    this.set(name, known === undefined ? value : [known, value].flat());
  }
  // An object, pairs, or names and values in turn.
  addAll(headers) {
    if (!headers) return;
    if (!Array.isArray(headers)) {
      const pairs = typeof headers.entries === "function" ? headers.entries() : Object.entries(headers);
      for (const [name, value] of pairs) this.set(name, value);
    } else if (Array.isArray(headers[0])) {
      for (const [name, value] of headers) this.append(name, value);
    } else {
      for (let i = 0; i + 1 < headers.length; i += 2) this.append(headers[i], headers[i + 1]);
    }
  }
  get(name) {
    return this.#map.get(String(name).toLowerCase())?.[1];
  }
  has(name) {
    return this.#map.has(String(name).toLowerCase());
  }
  delete(name) {
    this.#map.delete(String(name).toLowerCase());
  }
  names() {
    return [...this.#map.keys()];
  }
  rawNames() {
    return [...this.#map.values()].map(([name]) => name);
  }
  toObject() {
    return Object.fromEntries([...this.#map].map(([key, [, value]]) => [key, value]));
  }
  pairs() {
    return [...this.#map.values()].flatMap(([name, value]) => {
      if (value === undefined || value === null) return [];
      return [value].flat().map((one) => [name, String(one)]);
    });
  }
}

const HEADERS = Symbol("headers");

// The headers, as long as they can be changed.
const unsent = (message) => {
  if (message.headersSent) throw coded(Error, "ERR_HTTP_HEADERS_SENT", "Cannot set headers after they are sent to the client");
  return message[HEADERS];
};

class OutgoingMessage extends Writable {
  [HEADERS] = new OutgoingHeaders();
  headersSent = false;
  sendDate = true;
  get finished() {
    return this.writableEnded;
  }
  setHeader(name, value) {
    const headers = unsent(this);
    require("http").validateHeaderName(name);
    require("http").validateHeaderValue(name, value);
    headers.set(name, value);
    return this;
  }
  setHeaders(headers) {
    for (const [name, value] of headers) this.setHeader(name, value);
    return this;
  }
  appendHeader(name, value) {
    unsent(this).append(name, value);
    return this;
  }
  removeHeader(name) {
    unsent(this).delete(name);
  }
  getHeader(name) {
    return this[HEADERS].get(name);
  }
  hasHeader(name) {
    return this[HEADERS].has(name);
  }
  getHeaders() {
    return this[HEADERS].toObject();
  }
  getHeaderNames() {
    return this[HEADERS].names();
  }
  getRawHeaderNames() {
    return this[HEADERS].rawNames();
  }
  addTrailers() {}
  flushHeaders() {}
}

module.exports = { HEADERS, IncomingMessage, OutgoingMessage, unsent };
