// fs: what each function asks of the program. The forms with and without waiting, and with callbacks, are made from this.
const { checkEncoding, fromBytes, toBytes, toFd, toMode, toOptions, toPath, toSeconds } = require("internal/fs_paths");
const { Dirent, toStats } = require("internal/fs_stats");

const isFd = (file) => typeof file === "number" || typeof file?.fd === "number";
const fdOf = (file) => toFd(typeof file === "number" ? file : file.fd);
const call = (op, args, result) => ({ op, args, result });
const same = (value) => value;
const stats = (op) => (path, options) => call(op, [toPath(path)], (fields) => toStats(fields, toOptions(options)));
const named = (op, result) => (path, ...rest) => call(op, [toPath(path), ...rest], result);

const encoded = (text, options) => (toOptions(options).encoding === "buffer" ? Buffer.from(text) : text);

function write(file, data, options, flag) {
  const { encoding = "utf8", ...rest } = toOptions(options, { flag });
  checkEncoding(encoding);
  const bytes = toBytes(data, encoding);
  if (isFd(file)) return call("handle_write", [fdOf(file), bytes, undefined]);
  return call("write", [toPath(file), bytes, { flag: rest.flag, mode: toMode(rest.mode) }]);
}

const join = (directory, name) => (directory === "" ? name : `${directory}/${name}`);
function listed(path, found, { withFileTypes, encoding }) {
  if (!withFileTypes) return found.map(([directory, name]) => encoded(join(directory, name), encoding));
  const base = path.length > 1 ? path.replace(/\/$/, "") : path;
  return found.map(([directory, name, kind]) => new Dirent(name, directory === "" ? path : join(base, directory), kind));
}

exports.calls = {
  access: (path, mode) => call("access", [toPath(path), typeof mode === "function" ? 0 : mode]),
  appendFile: (file, data, options) => write(file, data, options, "a"),
  chmod: (path, mode) => call("chmod", [toPath(path), toMode(mode)]),
  chown: (path, uid, gid) => call("chown", [toPath(path), uid, gid]),
  copyFile: (from, to, mode) => call("copy", [toPath(from, "src"), toPath(to, "dest"), typeof mode === "number" ? mode : 0]),
  cp: (from, to, options) => call("cp", [toPath(from, "src"), toPath(to, "dest"), plain(toOptions(options))]),
  link: (from, to) => call("link", [toPath(from, "existingPath"), toPath(to, "newPath")]),
  lstat: stats("lstat"),
  lutimes: (path, atime, mtime) => call("lutimes", [toPath(path), toSeconds(atime), toSeconds(mtime)]),
  mkdir(path, options) {
    const { recursive = false, mode } = typeof options === "number" || typeof options === "string" ? { mode: options } : toOptions(options);
    return call("mkdir", [toPath(path), { recursive, mode: toMode(mode) }]);
  },
  mkdtemp: (prefix, options) => call("mkdtemp", [toPath(prefix, "prefix")], (made) => encoded(made, options)),
  open: (path, flags = "r", mode = undefined) =>
    call("open", [toPath(path), flags === null ? "r" : flags, toMode(typeof mode === "function" ? undefined : mode)]),
  readdir(path, options) {
    const chosen = toOptions(options);
    const name = toPath(path);
    return call("readdir", [name, { recursive: Boolean(chosen.recursive) }], (found) => listed(name, found, chosen));
  },
  readFile(file, options) {
    const { encoding } = toOptions(options);
    checkEncoding(encoding);
    const result = (bytes) => fromBytes(bytes, encoding);
    return isFd(file) ? call("handle_read_all", [fdOf(file)], result) : call("read", [toPath(file)], result);
  },
  readlink: (path, options) => call("readlink", [toPath(path)], (target) => encoded(target, options)),
  realpath: (path, options) => call("realpath", [toPath(path)], (full) => encoded(full, options)),
  rename: (from, to) => call("rename", [toPath(from, "oldPath"), toPath(to, "newPath")]),
  rm: (path, options) => call("rm", [toPath(path), plain(toOptions(options))]),
  rmdir: (path, options) => call("rmdir", [toPath(path), plain(toOptions(options))]),
  stat: stats("stat"),
  statfs: named("statfs", same),
  symlink: (target, path) => call("symlink", [toPath(target, "target"), toPath(path)]),
  truncate: (path, length) => call("truncate", [toPath(path), typeof length === "number" ? length : 0]),
  unlink: named("unlink"),
  utimes: (path, atime, mtime) => call("utimes", [toPath(path), toSeconds(atime), toSeconds(mtime)]),
  writeFile: (file, data, options) => write(file, data, options, "w"),
  // On open files.
  close: (fd) => call("close", [toFd(fd)]),
  fchmod: (fd, mode) => call("handle_chmod", [toFd(fd), toMode(mode)]),
  fdatasync: (fd) => call("handle_sync", [toFd(fd)]),
  fstat: (fd, options) => call("handle_stat", [toFd(fd)], (fields) => toStats(fields, toOptions(options))),
  fsync: (fd) => call("handle_sync", [toFd(fd)]),
  ftruncate: (fd, length) => call("handle_truncate", [toFd(fd), typeof length === "number" ? length : 0]),
  futimes: (fd, atime, mtime) => call("handle_utimes", [toFd(fd), toSeconds(atime), toSeconds(mtime)]),
  // Into `buffer`; the result is the number of bytes.
  read(fd, buffer, offsetOrOptions, length, position) {
    const isOptions = typeof offsetOrOptions === "object" && offsetOrOptions !== null;
    const given = isOptions ? offsetOrOptions : { offset: offsetOrOptions, length, position };
    const start = Number(given.offset ?? 0);
    const room = given.length ?? buffer.byteLength - start;
    const at = typeof given.position === "bigint" ? Number(given.position) : given.position;
    if (room < 0 || start + room > buffer.byteLength) {
      throw require("internal/errors").outOfRange("length", `<= ${buffer.byteLength - start}`, room);
    }
    return call("handle_read", [toFd(fd), room, typeof at === "number" && at >= 0 ? at : undefined], (bytes) => {
      new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength).set(bytes, start);
      return bytes.length;
    });
  },
  write(fd, data, offsetOrPosition, lengthOrEncoding, position) {
    const at = (value) => (typeof value === "number" && value >= 0 ? value : undefined);
    if (typeof data === "string") {
      return call("handle_write", [toFd(fd), toBytes(data, lengthOrEncoding), at(offsetOrPosition)]);
    }
    const isOptions = typeof offsetOrPosition === "object" && offsetOrPosition !== null;
    const given = isOptions ? offsetOrPosition : { offset: offsetOrPosition, length: lengthOrEncoding, position };
    const bytes = toBytes(data);
    const start = given.offset ?? 0;
    const part = bytes.subarray(start, start + (given.length ?? bytes.length - start));
    return call("handle_write", [toFd(fd), part, at(given.position)]);
  },
};

// What the program understands of options; functions and streams are no part of it.
function plain({ recursive = false, force, errorOnExist = false, dereference = false }) {
  return { recursive, errorOnExist, dereference, ...(force === undefined ? {} : { force: Boolean(force) }) };
}

exports.now = (planned) => {
  const value = host.sync(`fs.${planned.op}`, host.cwd, ...planned.args);
  return planned.result ? planned.result(value) : value;
};
exports.later = async (planned, signal) => {
  const value = await host.cancellable(signal, `fs.later.${planned.op}`, host.cwd, ...planned.args);
  return planned.result ? planned.result(value) : value;
};
