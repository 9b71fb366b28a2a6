// http.createServer. Without a host it listens on this machine only.
const { coded } = require("internal/errors");
const { HEADERS, IncomingMessage, OutgoingMessage, unsent } = require("internal/http_message");
const { ListeningServer } = require("internal/server");
const { Socket } = require("net");

class ServerResponse extends OutgoingMessage {
  #exchange;
  constructor(request, exchange) {
    super();
    this.#exchange = exchange;
    this.req = request;
    this.statusCode = 200;
    this.statusMessage = "";
    this.sendDate = true;
    this.socket = this.connection = request.socket;
  }
  get finished() {
    return this.writableEnded;
  }
  writeHead(status, message, headers) {
    const outgoing = unsent(this);
    if (typeof message !== "string") [message, headers] = ["", message];
    if (!Number.isInteger(status) || status < 100 || status > 999) {
      throw coded(RangeError, "ERR_HTTP_INVALID_STATUS_CODE", `Invalid status code: ${status}`);
    }
    this.statusCode = status;
    if (message) this.statusMessage = message;
    outgoing.addAll(headers);
    return this;
  }
  flushHeaders() {
    if (!this.headersSent) this.#answer();
  }
  writeContinue() {}
  writeProcessing() {}
  writeEarlyHints(hints, done) {
    done?.();
  }
  setTimeout() {
    return this;
  }
  // With a body the answer is complete; without one, pieces follow.
  #answer(body) {
    this.headersSent = true;
    const drop = /^(connection|transfer-encoding|keep-alive)$/i;
    const headers = this[HEADERS].pairs().filter(([name]) => !drop.test(name));
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

const HEAD_END = "\r\n\r\n";

// The connection of a request for another protocol. What is written first is the answer, written out; if that agrees, all
// that follows is the other protocol.
class UpgradingSocket extends Socket {
  #exchange;
  #head = "";
  #isAnswered = false;
  constructor(exchange, remote) {
    super();
    this.#exchange = exchange;
    this.remoteAddress = remote;
  }
  _write(chunk, encoding, done) {
    if (this.#isAnswered) return super._write(chunk, encoding, done);
    this.#head += Buffer.from(chunk).toString("latin1");
    const end = this.#head.indexOf(HEAD_END);
    if (end < 0) return done();
    this.#isAnswered = true;
    const rest = Buffer.from(this.#head.slice(end + HEAD_END.length), "latin1");
    this.#answer(parsedHead(this.#head.slice(0, end)), rest).then(() => {
      if (rest.length > 0 && !this.pending) super._write(rest, "buffer", done);
      else done();
    }, done);
  }
  async #answer(head, rest) {
    if (head.status === 101) return void Socket.of(await host.async("net.http.upgrade", this.#exchange, head), this);
    const headers = head.headers.filter(([name]) => !/^(connection|content-length|transfer-encoding)$/i.test(name));
    host.sync("net.http.answer", this.#exchange, { status: head.status, headers }, rest);
  }
  _final(done) {
    if (this.pending) done();
    else super._final(done);
  }
  _destroy(error, done) {
    host.sync("net.http.end", this.#exchange);
    super._destroy(error, done);
  }
}

const parsedHead = (text) => {
  const [first, ...lines] = text.split("\r\n");
  const headers = lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]);
  return { status: Number(first.split(" ")[1]), headers };
};

class Server extends ListeningServer {
  #id = null;
  constructor(options, listener) {
    const serve = (id) => {
      this.#id = id;
      this.#serve(id).catch(host.uncaught);
    };
    const stop = (id) => host.sync("net.http.close", id, false);
    super({ event: "request", operation: "net.http.listen", serve, stop }, options, listener);
    this.timeout = 0;
    this.keepAliveTimeout = 5000;
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
  #take({ id, method, url, headers, remote, upgrade }) {
    const pull = () => host.async("net.http.read", id).catch((error) => {
      // The answer is complete: what the client still says is not heard.
      if (error.code === "EBADF") return undefined;
      throw error;
    });
    if (upgrade && this.listenerCount("upgrade") > 0) {
      const socket = new UpgradingSocket(id, remote);
      const request = new IncomingMessage({ headers, method, url, socket, pull: async () => undefined });
      this.emit("upgrade", request, socket, Buffer.alloc(0));
      return;
    }
    const socket = { remoteAddress: remote, encrypted: false, destroy() {}, setTimeout() {}, on() {}, once() {} };
    const request = new IncomingMessage({ headers, method, url, socket, pull });
    const response = new ServerResponse(request, id);
    if (this.emit("request", request, response)) return;
    response.writeHead(404);
    response.end();
  }
  closeAllConnections() {
    if (this.#id !== null) host.sync("net.http.close", this.#id, true);
  }
  closeIdleConnections() {}
  setTimeout() {
    return this;
  }
}

module.exports = { Server, ServerResponse };
