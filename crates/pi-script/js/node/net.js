// Node's net: TCP connections and servers, and connections to Unix sockets. Without a host a server listens on this machine
// only.
const { Duplex } = require("stream");
const { ListeningServer } = require("internal/server");

class Socket extends Duplex {
  #id = null;
  #ready;
  #isReading = false;
  #timer;
  #idle = 0;
  constructor(options = {}) {
    super({ allowHalfOpen: options.allowHalfOpen ?? false, autoDestroy: true, emitClose: false });
    this.connecting = false;
    this.bytesRead = 0;
    this.bytesWritten = 0;
    this.#ready = new Promise((resolve) => this.once("internal:open", resolve));
  }
  // A connection that is there already.
  static of(opened, socket = new Socket()) {
    socket.#open(opened);
    return socket;
  }
  #open({ id, local, remote }) {
    this.#id = id;
    this.connecting = false;
    Object.assign(this, { localAddress: local?.address, localPort: local?.port });
    Object.assign(this, { remoteAddress: remote?.address, remotePort: remote?.port, remoteFamily: remote?.family });
    this.emit("internal:open");
    if (this.#isReading) this._read();
  }
  connect(...args) {
    const callback = typeof args.at(-1) === "function" ? args.pop() : undefined;
    const [first, host_] = args;
    const options = typeof first === "object" ? first : typeof first === "string" && !/^\d+$/.test(first) ? { path: first } : { port: first, host: host_ };
    if (callback) this.once("connect", callback);
    this.connecting = true;
    const opened = options.path ? host.async("net.connect_path", options.path) : host.async("net.connect", options.host ?? "localhost", Number(options.port));
    opened.then((connection) => {
      if (this.destroyed) return host.sync("net.destroy", connection.id);
      this.#open(connection);
      this.emit("connect");
      this.emit("ready");
    }, (error) => {
      this.connecting = false;
      this.destroy(error);
    }).catch(host.uncaught);
    return this;
  }
  get readyState() {
    if (this.connecting) return "opening";
    return this.#id === null || this.destroyed ? "closed" : "open";
  }
  get pending() {
    return this.#id === null;
  }
  address() {
    return { address: this.localAddress, port: this.localPort, family: this.remoteFamily };
  }
  #touch() {
    if (this.#idle <= 0) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.emit("timeout"), this.#idle);
  }
  setTimeout(milliseconds, callback) {
    clearTimeout(this.#timer);
    this.#idle = milliseconds;
    if (callback) this.once("timeout", callback);
    this.#touch();
    return this;
  }
  setNoDelay() {
    return this;
  }
  setKeepAlive() {
    return this;
  }
  ref() {
    return this;
  }
  unref() {
    return this;
  }
  _read() {
    this.#isReading = true;
    if (this.#id === null) return;
    host.async("net.read", this.#id).then((piece) => {
      this.#touch();
      if (piece === undefined) return void this.push(null);
      this.bytesRead += piece.byteLength;
      this.push(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
    }, (error) => this.#isGone(error) || this.destroy(error));
  }
  #isGone(error) {
    return this.destroyed && error.code === "EBADF";
  }
  _write(chunk, encoding, done) {
    this.#ready.then(() => host.async("net.write", this.#id, chunk)).then(() => {
      this.#touch();
      this.bytesWritten += chunk.byteLength;
      done();
    }, done);
  }
  _final(done) {
    this.#ready.then(() => host.async("net.end", this.#id)).then(() => done(), () => done());
  }
  _destroy(error, done) {
    clearTimeout(this.#timer);
    if (this.#id !== null) host.sync("net.destroy", this.#id);
    done(error);
    process.nextTick(() => process.nextTick(() => this.emit("close", Boolean(error))));
  }
}

class Server extends ListeningServer {
  #open = 0;
  constructor(options, listener) {
    const serve = (id) => this.#serve(id).catch((error) => this.emit("error", error));
    const stop = (id) => host.sync("net.unlisten", id);
    super({ event: "connection", operation: "net.listen", serve, stop }, options, listener);
  }
  async #serve(id) {
    this.#open++;
    while (this.listening) {
      const accepted = await host.async("net.accept", id);
      if (accepted === undefined) break;
      this.#open++;
      const socket = Socket.of(accepted);
      socket.once("close", () => this.#left());
      this.emit("connection", socket);
    }
    this.#left();
  }
  #left() {
    if (--this.#open === 0) this.emit("close");
  }
}

const isIPv4 = (text) => /^(\d{1,3})(\.\d{1,3}){3}$/.test(text) && text.split(".").every((part) => Number(part) < 256 && !/^0\d/.test(part));
const isIPv6 = (text) => {
  if (!/^[0-9a-f:.]+$/i.test(text) || !text.includes(":")) return false;
  try {
    return new URL(`http://[${text}]`).hostname.length > 0;
  } catch {
    return false;
  }
};
const connect = (...args) => new Socket(typeof args[0] === "object" ? args[0] : {}).connect(...args);

module.exports = {
  Socket,
  Stream: Socket,
  Server,
  createServer: (options, listener) => new Server(options, listener),
  connect,
  createConnection: connect,
  isIPv4: (text) => isIPv4(String(text)),
  isIPv6: (text) => isIPv6(String(text)),
  isIP: (text) => (isIPv4(String(text)) ? 4 : isIPv6(String(text)) ? 6 : 0),
};
