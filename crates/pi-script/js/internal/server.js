// What servers of net and http have in common: they listen, say where, and are closed.
const EventEmitter = require("events");
const { coded, outOfRange } = require("internal/errors");

// The forms of `listen`: (port, host, backlog, callback), each optional, or ({port, host}, callback).
const listenArgs = (args) => {
  const callback = typeof args.at(-1) === "function" ? args.pop() : undefined;
  const [first, second] = args;
  const options = first !== null && typeof first === "object" ? first : { port: first, host: typeof second === "string" ? second : undefined };
  if (options.path !== undefined || (typeof first === "string" && !/^\d+$/.test(first))) {
    throw coded(Error, "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM", "Listening on a path is not available in this program");
  }
  const port = Number(options.port ?? 0);
  if (!(Number.isInteger(port) && port >= 0 && port < 65536)) {
    throw Object.assign(outOfRange("options.port", ">= 0 and < 65536", options.port), { code: "ERR_SOCKET_BAD_PORT" });
  }
  return { port, address: options.host ?? "127.0.0.1", callback };
};

// `kind` says which event the listener is for, which operation begins to listen, what is done then (`serve`, until the
// server is closed) and what ends that (`stop`); the last two are given the server's number.
class ListeningServer extends EventEmitter {
  #kind;
  #id = null;
  #address = null;
  constructor(kind, options, listener) {
    super();
    this.#kind = kind;
    this.listening = false;
    if (typeof options === "function") listener = options;
    if (listener) this.on(kind.event, listener);
  }
  listen(...args) {
    const { port, address, callback } = listenArgs(args);
    if (callback) this.once("listening", callback);
    host.async(this.#kind.operation, address, port).then(
      (bound) => {
        this.#id = bound.id;
        this.#address = bound.address;
        this.listening = true;
        this.emit("listening");
        this.#kind.serve(bound.id);
      },
      (error) => this.emit("error", error),
    ).catch(host.uncaught);
    return this;
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
    this.#kind.stop(this.#id);
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

module.exports = { ListeningServer };
