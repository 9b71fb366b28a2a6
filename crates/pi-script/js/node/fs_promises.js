// fs/promises: files, with promises; FileHandle.
const { calls, later } = require("internal/fs_calls");
const { toPath } = require("internal/fs_paths");

const promises = {};
const OF_FDS = new Set(["open", "close", "fchmod", "fdatasync", "fstat", "fsync", "ftruncate", "futimes", "read", "write"]);
for (const [name, plan] of Object.entries(calls)) {
  if (OF_FDS.has(name)) continue;
  const signalOf = (args) => args.find((arg) => typeof arg === "object" && arg !== null && arg.signal)?.signal;
  promises[name] = async (...args) => later(plan(...args), signalOf(args));
  Object.defineProperty(promises[name], "name", { value: name });
}

// Data that comes in pieces.
const isPieces = (data) =>
  data !== null && typeof data === "object" && !ArrayBuffer.isView(data) && (data[Symbol.asyncIterator] || data[Symbol.iterator]);
const { writeFile } = promises;
promises.writeFile = async (file, data, options) => {
  if (!isPieces(data)) return writeFile(file, data, options);
  const flag = options?.flag ?? "w";
  const handle = typeof file === "object" && file instanceof FileHandle ? file : await promises.open(file, flag, options?.mode);
  try {
    for await (const piece of data) await handle.write(typeof piece === "string" ? Buffer.from(piece, options?.encoding) : piece);
  } finally {
    if (handle !== file) await handle.close();
  }
};
promises.open = async (path, flags, mode) => new FileHandle(await later(calls.open(path, flags, mode)));
promises.opendir = async (path) => {
  const entries = await promises.readdir(path, { withFileTypes: true });
  return new (require("internal/fs_dir").Dir)(toPath(path), entries);
};
promises.watch = (...args) => require("internal/fs_watch").events(...args);
promises.constants = require("internal/fs_constants");
promises.glob = require("internal/errors").unavailable("fs.promises.glob");

class FileHandle extends require("events") {
  #fd;
  constructor(fd) {
    super();
    this.#fd = fd;
  }
  get fd() {
    return this.#fd;
  }
  async #on(name, ...args) {
    return later(calls[name](this.#fd < 0 ? 0 : this.#fd, ...args));
  }
  async read(buffer, ...rest) {
    const given = ArrayBuffer.isView(buffer) ? buffer : (buffer?.buffer ?? Buffer.alloc(16384));
    const options = ArrayBuffer.isView(buffer) ? rest : [buffer ?? {}];
    return { bytesRead: await this.#on("read", given, ...options), buffer: given };
  }
  async write(data, ...rest) {
    return { bytesWritten: await this.#on("write", data, ...rest), buffer: data };
  }
  async readv(buffers, position) {
    let bytesRead = 0;
    for (const buffer of buffers) {
      const at = typeof position === "number" ? position + bytesRead : undefined;
      bytesRead += await this.#on("read", buffer, 0, buffer.byteLength, at);
    }
    return { bytesRead, buffers };
  }
  async writev(buffers, position) {
    return { bytesWritten: await this.#on("write", Buffer.concat(buffers), 0, undefined, position), buffers };
  }
  readFile(options) {
    return this.#on("readFile", options);
  }
  writeFile(data, options) {
    return isPieces(data) ? promises.writeFile(this, data, options) : this.#on("writeFile", data, options);
  }
  appendFile(data, options) {
    return this.#on("appendFile", data, options);
  }
  stat(options) {
    return this.#on("fstat", options);
  }
  truncate(length) {
    return this.#on("ftruncate", length);
  }
  sync() {
    return this.#on("fsync");
  }
  datasync() {
    return this.#on("fdatasync");
  }
  chmod(mode) {
    return this.#on("fchmod", mode);
  }
  utimes(atime, mtime) {
    return this.#on("futimes", atime, mtime);
  }
  async close() {
    const fd = this.#fd;
    if (fd === -1) return;
    this.#fd = -1;
    await later(calls.close(fd));
    this.emit("close");
  }
  createReadStream(options) {
    return require("internal/fs_streams").createReadStream("", { ...options, fd: this });
  }
  createWriteStream(options) {
    return require("internal/fs_streams").createWriteStream("", { ...options, fd: this });
  }
  readLines(options) {
    return require("readline").createInterface({ input: this.createReadStream(options), crlfDelay: Infinity });
  }
  async [Symbol.asyncDispose ?? Symbol.for("nodejs.asyncDispose")]() {
    await this.close();
  }
}

module.exports = promises;
