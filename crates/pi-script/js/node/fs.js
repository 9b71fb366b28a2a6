// fs: files. Functions with callbacks and functions that wait; `fs/promises` has those with promises.
const { needsFunction, unavailable } = require("internal/errors");
const { calls, later, now } = require("internal/fs_calls");
const { toPath } = require("internal/fs_paths");
const { Dirent, Stats } = require("internal/fs_stats");
const constants = require("internal/fs_constants");

const tick = (fn, ...args) => require("process").nextTick(fn, ...args);
const answer = (promise, callback) =>
  promise.then(
    (value) => tick(callback, null, ...(value === undefined ? [] : [value])),
    (error) => tick(callback, error),
  );

const fs = {};
for (const [name, plan] of Object.entries(calls)) {
  fs[name] = (...args) => {
    const callback = args.at(-1);
    needsFunction("cb", callback);
    const planned = plan(...args.slice(0, -1));
    const buffer = name === "read" || name === "write" ? args[1] : undefined;
    const done = buffer === undefined ? callback : (error, count) => callback(error, count, buffer);
    answer(later(planned, args.at(-2)?.signal), done);
  };
  Object.defineProperty(fs[name], "name", { value: name });
  fs[`${name}Sync`] = (...args) => now(plan(...args));
  Object.defineProperty(fs[`${name}Sync`], "name", { value: `${name}Sync` });
}

// What util.promisify makes of those with two results.
for (const [name, key] of [["read", "bytesRead"], ["write", "bytesWritten"]]) {
  const promised = async (fd, buffer, ...rest) => ({ [key]: await later(calls[name](fd, buffer, ...rest)), buffer });
  Object.defineProperty(fs[name], Symbol.for("nodejs.util.promisify.custom"), { value: promised });
}

const mayBeAbsent = (sync) => (path, options) => {
  try {
    return sync(path, options);
  } catch (error) {
    if (options?.throwIfNoEntry === false && (error.code === "ENOENT" || error.code === "ENOTDIR")) return undefined;
    throw error;
  }
};
fs.statSync = mayBeAbsent(fs.statSync);
fs.lstatSync = mayBeAbsent(fs.lstatSync);
fs.existsSync = (path) => {
  try {
    fs.accessSync(path);
    return true;
  } catch (error) {
    if (error.code === "ERR_ACCESS_DENIED") throw error;
    return false;
  }
};
fs.exists = (path, callback) => {
  needsFunction("cb", callback);
  fs.access(path, (error) => callback(!error));
};
Object.defineProperty(fs.exists, Symbol.for("nodejs.util.promisify.custom"), {
  value: (path) => new Promise((resolve) => fs.exists(path, resolve)),
});
fs.realpath.native = fs.realpath;
fs.realpathSync.native = fs.realpathSync;
fs.lchown = fs.chown;
fs.lchownSync = fs.chownSync;

fs.readvSync = (fd, buffers, position) => {
  let total = 0;
  for (const buffer of buffers) total += fs.readSync(fd, buffer, 0, buffer.byteLength, position === undefined || position === null ? undefined : position + total);
  return total;
};
fs.writevSync = (fd, buffers, position) => {
  let total = 0;
  for (const buffer of buffers) total += fs.writeSync(fd, buffer, 0, buffer.byteLength, typeof position === "number" ? position + total : undefined);
  return total;
};
fs.writev = (fd, buffers, ...rest) => {
  const callback = rest.pop();
  answer(later(calls.write(fd, Buffer.concat(buffers), 0, undefined, rest[0])), (error, count) => callback(error, count, buffers));
};
fs.opendirSync = (path) => new (require("internal/fs_dir").Dir)(toPath(path), fs.readdirSync(path, { withFileTypes: true }));
fs.opendir = (path, ...rest) => {
  const callback = rest.pop();
  answer(require("fs/promises").opendir(path), callback);
};

const lazily = (module, name) => (...args) => require(module)[name](...args);
fs.createReadStream = lazily("internal/fs_streams", "createReadStream");
fs.createWriteStream = lazily("internal/fs_streams", "createWriteStream");
fs.watch = lazily("internal/fs_watch", "watch");
fs.watchFile = lazily("internal/fs_watch", "watchFile");
fs.unwatchFile = lazily("internal/fs_watch", "unwatchFile");
fs.glob = unavailable("fs.glob");
fs.globSync = unavailable("fs.globSync");
fs.openAsBlob = unavailable("fs.openAsBlob");

const getter = (name, get) => Object.defineProperty(fs, name, { configurable: true, enumerable: true, get });
getter("promises", () => require("fs/promises"));
getter("ReadStream", () => require("internal/fs_streams").ReadStream);
getter("WriteStream", () => require("internal/fs_streams").WriteStream);
Object.assign(fs, { constants, Stats, Dirent, F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1 });
module.exports = fs;
