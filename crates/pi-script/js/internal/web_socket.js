// WebSocket (RFC 6455), as a client. The connection is that of an HTTP request, with the program's proxies and certificates.
const { EventTarget } = require("internal/event_target");
const { MessageEvent, CloseEvent, ErrorEvent } = require("internal/message_channel");
const { FrameReader, frame, CLOSE, PING, PONG, TEXT, BINARY } = require("internal/web_socket_frames");

const MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const STATES = { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 };

const syntaxError = (message) => new DOMException(message, "SyntaxError");
const address = (url) => {
  let parsed;
  try {
    parsed = new URL(url);
  } catch {
    throw syntaxError(`Invalid URL: ${url}`);
  }
  parsed.protocol = parsed.protocol.replace(/^http/, "ws");
  if (!/^wss?:$/.test(parsed.protocol)) throw syntaxError(`Expected a ws: or wss: protocol, got ${parsed.protocol}`);
  if (parsed.hash) throw syntaxError("Got fragment");
  return parsed;
};

class WebSocket extends EventTarget {
  #url;
  #state = STATES.CONNECTING;
  #socket = null;
  #request;
  #type = "blob";
  #closing = null;
  #waiting = 0;
  // `options` is a protocol, protocols, or {protocols, headers}.
  constructor(url, options = []) {
    super();
    this.#url = address(url);
    const settings = typeof options === "string" || Array.isArray(options) ? { protocols: options } : options;
    this.protocol = "";
    this.extensions = "";
    for (const type of ["open", "message", "error", "close"]) this[`on${type}`] = null;
    this.#connect([settings.protocols ?? []].flat(), settings.headers);
  }
  get url() {
    return this.#url.href;
  }
  get readyState() {
    return this.#state;
  }
  get bufferedAmount() {
    return this.#waiting;
  }
  get binaryType() {
    return this.#type;
  }
  set binaryType(type) {
    if (type === "blob" || type === "arraybuffer") this.#type = type;
  }
  #connect(protocols, extra) {
    const key = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
    const headers = { ...Object.fromEntries(new Headers(extra)), Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": key };
    if (protocols.length > 0) headers["Sec-WebSocket-Protocol"] = protocols.join(", ");
    const url = this.#url.href.replace(/^ws/, "http");
    const request = (this.#request = require(url.startsWith("https") ? "https" : "http").get(url, { headers }));
    const expected = require("crypto").createHash("sha1").update(key + MAGIC).digest("base64");
    request.on("error", (error) => this.#fail(error.message));
    request.on("response", (response) => {
      response.resume();
      this.#fail(`Received network error or non-101 status code (${response.statusCode}).`);
    });
    request.on("upgrade", (response, socket) => {
      if (response.headers["sec-websocket-accept"] !== expected) {
        socket.destroy();
        return this.#fail("Incorrect hash received in Sec-WebSocket-Accept header.");
      }
      this.protocol = response.headers["sec-websocket-protocol"] ?? "";
      this.#opened(socket);
    });
  }
  #opened(socket) {
    this.#socket = socket;
    const reader = new FrameReader((code, payload) => this.#receive(code, payload), (error, code) => this.#broken(error, code));
    socket.on("data", (chunk) => reader.take(chunk));
    socket.on("error", (error) => this.#broken(error.message));
    socket.on("close", () => this.#ended(this.#closing ?? { code: 1006, reason: "", wasClean: false }));
    if (this.#state !== STATES.CONNECTING) return void socket.destroy();
    this.#state = STATES.OPEN;
    this.dispatchEvent(new Event("open"));
  }
  #receive(code, payload) {
    if (code === PING) return this.#write(PONG, payload);
    if (code === CLOSE) return this.#closed(payload);
    if (this.#state !== STATES.OPEN || code === PONG) return;
    const bytes = payload.buffer.slice(payload.byteOffset, payload.byteOffset + payload.byteLength);
    const data = code === TEXT ? payload.toString() : this.#type === "blob" ? new Blob([bytes]) : bytes;
    this.dispatchEvent(new MessageEvent("message", { data, origin: this.#url.origin }));
  }
  // The other side says that it is over.
  #closed(payload) {
    const code = payload.length >= 2 ? payload.readUInt16BE(0) : 1005;
    this.#closing = { code, reason: payload.toString("utf8", 2), wasClean: true };
    if (this.#state === STATES.OPEN) this.#write(CLOSE, payload.subarray(0, 2));
    this.#state = STATES.CLOSING;
    this.#socket.end();
    this.#socket.destroy();
  }
  #broken(message, code = 1006) {
    if (this.#state === STATES.CLOSED) return;
    if (code !== 1006) this.#write(CLOSE, frame.reason(code, ""));
    this.#socket?.destroy();
    this.#fail(message);
  }
  #fail(message) {
    if (this.#state === STATES.CLOSED) return;
    const error = new TypeError(message);
    queueMicrotask(() => {
      if (this.#state === STATES.CLOSED) return;
      this.dispatchEvent(new ErrorEvent("error", { error, message }));
      this.#ended({ code: 1006, reason: "", wasClean: false });
    });
  }
  #ended(about) {
    if (this.#state === STATES.CLOSED) return;
    this.#state = STATES.CLOSED;
    this.dispatchEvent(new CloseEvent("close", about));
  }
  #write(code, bytes) {
    if (!this.#socket || this.#socket.destroyed) return;
    this.#waiting += bytes.length;
    this.#socket.write(frame(code, bytes), () => (this.#waiting -= bytes.length));
  }
  send(data) {
    if (this.#state === STATES.CONNECTING) throw new DOMException("Sent before connected.", "InvalidStateError");
    if (this.#state !== STATES.OPEN) return;
    if (data instanceof Blob) return void data.arrayBuffer().then((bytes) => this.#write(BINARY, Buffer.from(bytes)));
    if (data instanceof ArrayBuffer) return this.#write(BINARY, Buffer.from(data));
    if (ArrayBuffer.isView(data)) return this.#write(BINARY, Buffer.from(data.buffer, data.byteOffset, data.byteLength));
    this.#write(TEXT, Buffer.from(String(data)));
  }
  close(code, reason = "") {
    if (code !== undefined && code !== 1000 && !(code >= 3000 && code <= 4999)) throw new DOMException("invalid code", "InvalidAccessError");
    if (Buffer.byteLength(reason) > 123) throw syntaxError(`Reason must be less than 123 bytes; received ${Buffer.byteLength(reason)}`);
    if (this.#state >= STATES.CLOSING) return;
    if (this.#state === STATES.CONNECTING) {
      this.#state = STATES.CLOSING;
      this.#request.destroy();
      return this.#fail("WebSocket was closed before the connection was established");
    }
    this.#state = STATES.CLOSING;
    this.#write(CLOSE, code === undefined ? Buffer.alloc(0) : frame.reason(code, reason));
    // A server that does not answer does not keep the connection open.
    const timer = setTimeout(() => this.#socket.destroy(), 3000);
    this.#socket.once("close", () => clearTimeout(timer));
  }
  get [Symbol.toStringTag]() {
    return "WebSocket";
  }
}
for (const target of [WebSocket, WebSocket.prototype]) Object.assign(target, STATES);

exports.WebSocket = WebSocket;
