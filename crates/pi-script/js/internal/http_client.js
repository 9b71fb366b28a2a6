// http.request and http.get: over the program's connections, so agents and their options mean nothing here.
const { coded, AbortError } = require("internal/errors");
const { HEADERS, IncomingMessage, OutgoingMessage } = require("internal/http_message");

// (url, options, callback) or (options, callback).
const target = (scheme, input, options) => {
  let settings = options ?? {};
  let url;
  if (typeof input === "string" || input instanceof URL) url = new URL(input);
  else settings = input ?? {};
  const protocol = settings.protocol ?? url?.protocol ?? `${scheme}:`;
  const host = settings.hostname ?? settings.host?.replace(/:\d+$/, "") ?? url?.hostname ?? "localhost";
  const port = settings.port ?? (settings.hostname || settings.host ? undefined : url?.port);
  const path = settings.path ?? (url ? `${url.pathname}${url.search}` : "/");
  if (/[^\x21-\xff]/.test(path)) throw coded(TypeError, "ERR_UNESCAPED_CHARACTERS", "Request path contains unescaped characters");
  if (settings.socketPath) throw coded(Error, "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM", "http.request over a socketPath is not available in this program");
  const shown = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  const auth = settings.auth ?? (url?.username ? `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}` : undefined);
  return { url: `${protocol}//${shown}${port ? `:${port}` : ""}${path}`, protocol, host, path, auth, settings };
};

class ClientRequest extends OutgoingMessage {
  #parts = [];
  #abort = new AbortController();
  #timer;
  #url;
  constructor(scheme, input, options, callback) {
    // The end of what is sent is not the end of the request.
    super({ autoDestroy: false });
    const { url, protocol, host, path, auth, settings } = target(scheme, input, options);
    this.#url = url;
    this.method = (settings.method ?? "GET").toUpperCase();
    Object.assign(this, { protocol, host, path, res: null, reusedSocket: false, aborted: false });
    this[HEADERS].addAll(settings.headers);
    if (auth && !this.hasHeader("authorization")) this.setHeader("Authorization", `Basic ${Buffer.from(auth).toString("base64")}`);
    if (callback) this.once("response", callback);
    if (settings.timeout) this.setTimeout(settings.timeout);
    const { signal } = settings;
    const stop = () => this.destroy(new AbortError("The operation was aborted", { cause: signal.reason }));
    if (signal?.aborted) process.nextTick(stop);
    else signal?.addEventListener("abort", stop, { once: true });
  }
  flushHeaders() {}
  setNoDelay() {}
  setSocketKeepAlive() {}
  setTimeout(milliseconds, callback) {
    clearTimeout(this.#timer);
    if (callback) this.once("timeout", callback);
    if (milliseconds > 0) this.#timer = setTimeout(() => this.emit("timeout"), milliseconds);
    return this;
  }
  abort() {
    this.aborted = true;
    this.destroy();
  }
  // What the end would otherwise begin.
  get #asksUpgrade() {
    return this[HEADERS].has("upgrade") && /\bupgrade\b/i.test(this[HEADERS].get("connection") ?? "");
  }
  async #upgrade() {
    this.headersSent = true;
    this[HEADERS].delete("content-length");
    const head = { method: this.method, url: this.#url.replace(/^ws/, "http"), headers: this[HEADERS].pairs() };
    const answer = await host.cancellable(this.#abort.signal, "net.upgrade", head);
    if (answer.socket === null) return this.#answered(answer);
    host.sync("net.fetch.drop", answer.body);
    const socket = require("net").Socket.of({ id: answer.socket });
    const response = new IncomingMessage({ ...this.#about(answer), socket, pull: async () => undefined });
    this.res = response;
    clearTimeout(this.#timer);
    this.socket = this.connection = socket;
    if (!this.emit("upgrade", response, socket, Buffer.alloc(0))) socket.destroy();
  }
  _write(chunk, encoding, done) {
    this.#parts.push(chunk);
    done();
  }
  _final(done) {
    const sent = this.#asksUpgrade ? this.#upgrade() : this.#send();
    sent.catch((error) => this.destroy(error));
    done();
  }
  async #send() {
    const body = this.#parts.length > 0 ? Buffer.concat(this.#parts) : undefined;
    for (const name of ["content-length", "transfer-encoding", "connection"]) this[HEADERS].delete(name);
    this.headersSent = true;
    const head = { method: this.method, url: this.#url, headers: this[HEADERS].pairs() };
    const answer = await host.cancellable(this.#abort.signal, "net.fetch", head, body);
    this.#answered(answer);
  }
  #about(answer) {
    return { headers: answer.headers, statusCode: answer.status, statusMessage: answer.statusText, url: "", req: this };
  }
  #answered(answer) {
    const { signal } = this.#abort;
    const response = new IncomingMessage({
      ...this.#about(answer),
      socket: { encrypted: this.protocol === "https:", setTimeout() {}, on() {}, destroy() {} },
      pull: () => host.cancellable(signal, "net.fetch.read", answer.body),
      drop: () => host.sync("net.fetch.drop", answer.body),
    });
    this.res = response;
    response.once("close", () => {
      clearTimeout(this.#timer);
      this.emit("close");
    });
    // Nobody listens: the answer is thrown away, as in Node.
    if (!this.emit("response", response)) response.resume();
  }
  _destroy(error, done) {
    clearTimeout(this.#timer);
    const hangUp = this.res === null && !error ? coded(Error, "ECONNRESET", "socket hang up") : error;
    this.#abort.abort();
    this.res?.destroy(error ?? undefined);
    done(this.res ? null : hangUp);
  }
}

module.exports = (scheme) => {
  const request = (input, options, callback) => {
    if (typeof options === "function") [options, callback] = [undefined, options];
    return new ClientRequest(scheme, input, options, callback);
  };
  const get = (...args) => {
    const made = request(...args);
    made.end();
    return made;
  };
  return { ClientRequest, request, get };
};
