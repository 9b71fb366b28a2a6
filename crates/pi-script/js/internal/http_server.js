// http.createServer. Without a host it listens on this machine only.
const EventEmitter = require("events");
const { Writable } = require("stream");
const { coded } = require("internal/errors");
const { IncomingMessage, OutgoingHeaders } = require("internal/http_message");
const { listenArgs } = require("internal/listen_args");

class ServerResponse extends Writable {
  #exchange;
  #headers = new OutgoingHeaders();
  constructor(request, exchange) {
    super();
    this.#exchange = exchange;
    this.req = request;
    this.statusCode = 200;
    this.statusMessage = "";
    this.headersSent = false;
    this.sendDate = true;
    this.socket = this.connection = request.socket;
  }
  get finished() {
    return this.writableEnded;
  }
  #open() {
    if (this.headersSent) throw coded(Error, "ERR_HTTP_HEADERS_SENT", "Cannot set headers after they are sent to the client");
  }
  setHeader(name, value) {
    this.#open();
    this.#headers.set(name, value);
    return this;
  }
  appendHeader(name, value) {
    this.#open();
    this.#headers.append(name, value);
    return this;
  }
  getHeader(name) {
    return this.#headers.get(name);
  }
  hasHeader(name) {
    return this.#headers.has(name);
  }
  removeHeader(name) {
    this.#open();
    this.#headers.delete(name);
  }
  getHeaders() {
    return this.#headers.toObject();
  }
  getHeaderNames() {
    return this.#headers.names();
  }
  writeHead(status, message, headers) {
    this.#open();
    if (typeof message !== "string") [message, headers] = ["", message];
    if (!Number.isInteger(status) || status < 100 || status > 999) {
      throw coded(RangeError, "ERR_HTTP_INVALID_STATUS_CODE", `Invalid status code: ${status}`);
    }
    this.statusCode = status;
    if (message) this.statusMessage = message;
    this.#headers.addAll(headers);
    return this;
  }
  flushHeaders() {
    if (!this.headersSent) this.#answer();
  }
  writeContinue() {}
  setTimeout() {
    return this;
  }
  // With a body the answer is complete; without one, pieces follow.
  #answer(body) {
    this.headersSent = true;
    const drop = /^(connection|transfer-encoding|keep-alive)$/i;
    const headers = this.#headers.pairs().filter(([name]) => !drop.test(name));
    host.sync("net.http.answer", this.#exchange, { status: this.statusCode, headers }, body);
  }
  end(chunk, encoding, callback) {
    if (typeof chunk === "function") [chunk, callback] = [undefined, chunk];
    if (typeof encoding === "function") [encoding, callback] = [undefined, encoding];
    if (!this.headersSent && this.writableLength === 0 && !this.writableEnded) {
      const body = chunk === undefined || chunk === null ? new Uint8Array(0) : typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk;
      this.#answer(body);
      return super.end(callback);
    }
    return super.end(chunk, encoding, callback);
  }
  _write(chunk, encoding, done) {
    this.flushHeaders();
    host.async("net.http.write", this.#exchange, chunk).then((isTaken) => {
      // The client went.
      if (!isTaken) this.destroy();
      done();
    }, () => {
      this.destroy();
      done();
    });
  }
  _final(done) {
    host.sync("net.http.end", this.#exchange);
    done();
  }
  _destroy(error, done) {
    host.sync("net.http.end", this.#exchange);
    done(error);
  }
}

class Server extends EventEmitter {
  #id = null;
  #address = null;
  constructor(options, listener) {
    super();
    if (typeof options === "function") listener = options;
    this.listening = false;
    this.timeout = 0;
    this.keepAliveTimeout = 5000;
    if (listener) this.on("request", listener);
  }
  listen(...args) {
    const { port, address, callback } = listenArgs(args);
    if (callback) this.once("listening", callback);
    host.async("net.http.listen", address, port).then(
      ({ id, address: bound }) => {
        this.#id = id;
        this.#address = bound;
        this.listening = true;
        this.emit("listening");
        this.#serve(id).catch(host.uncaught);
      },
      (error) => this.emit("error", error),
    ).catch(host.uncaught);
    return this;
  }
  async #serve(id) {
    for (;;) {
      const next = await host.async("net.http.next", id);
      if (next === undefined) break;
      try {
        this.#take(next);
      } catch (error) {
        host.uncaught(error);
      }
    }
    host.sync("net.http.drop", id);
    this.emit("close");
  }
  #take({ id, method, url, headers, remote }) {
    const pull = () => host.async("net.http.read", id).catch((error) => {
      // The answer is complete: what the client still says is not heard.
      if (error.code === "EBADF") return undefined;
      throw error;
    });
    const socket = { remoteAddress: remote, encrypted: false, destroy() {}, setTimeout() {}, on() {}, once() {} };
    const request = new IncomingMessage({ headers, method, url, socket, pull });
    const response = new ServerResponse(request, id);
    if (this.emit("request", request, response)) return;
    response.writeHead(404);
    response.end();
  }
  address() {
    return this.#address;
  }
  close(callback) {
    if (!this.listening) {
      if (callback) process.nextTick(callback, coded(Error, "ERR_SERVER_NOT_RUNNING", "Server is not running."));
      return this;
    }
    this.listening = false;
    this.#address = null;
    if (callback) this.once("close", () => callback());
    host.sync("net.http.close", this.#id, false);
    return this;
  }
  closeAllConnections() {
    if (this.#id !== null) host.sync("net.http.close", this.#id, true);
  }
  closeIdleConnections() {}
  setTimeout() {
    return this;
  }
  ref() {
    return this;
  }
  unref() {
    return this;
  }
  [Symbol.asyncDispose ?? Symbol("asyncDispose")]() {
    return new Promise((resolve) => this.close(() => resolve()));
  }
}

module.exports = { Server, ServerResponse };
