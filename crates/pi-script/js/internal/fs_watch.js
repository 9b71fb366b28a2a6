// fs.watch and fs.watchFile, by looking again and again: a change is noticed up to half a second late, and one that is
// undone within that time not at all.
const EventEmitter = require("events");
const { calls, later } = require("internal/fs_calls");
const { toOptions, toPath } = require("internal/fs_paths");
const { Stats } = require("internal/fs_stats");

const PAUSE = 500;

// What is there: name -> what identifies its state. A file is the only entry of itself.
async function look(path, recursive) {
  const found = new Map();
  const own = await later(calls.lstat(path));
  if (!own.isDirectory()) return found.set(path.split("/").pop(), mark(own));
  for (const entry of await later(calls.readdir(path, { recursive }))) {
    const stats = await later(calls.lstat(`${path}/${entry}`)).catch(() => undefined);
    if (stats) found.set(entry, mark(stats));
  }
  return found;
}

const mark = (stats) => `${stats.ino} ${stats.mtimeMs} ${stats.size} ${stats.mode}`;

// The same without waiting: what changes after `watch` has returned is a change.
function lookNow(path, recursive) {
  const fs = require("fs");
  const found = new Map();
  const own = fs.lstatSync(path);
  if (!own.isDirectory()) return found.set(path.split("/").pop(), mark(own));
  for (const entry of fs.readdirSync(path, { recursive })) {
    const stats = fs.lstatSync(`${path}/${entry}`, { throwIfNoEntry: false });
    if (stats) found.set(entry, mark(stats));
  }
  return found;
}

class FSWatcher extends EventEmitter {
  #timer;
  #isOver = false;
  constructor(path, options) {
    super();
    // Fails at once for what is not there.
    require("fs").statSync(path);
    let before = lookNow(path, options.recursive);
    const check = async () => {
      try {
        const known = before;
        const present = await look(path, options.recursive).catch((error) => (error.code === "ENOENT" ? new Map() : Promise.reject(error)));
        before = present;
        if (!this.#isOver) this.#compare(known, present);
      } catch (error) {
        if (!this.#isOver) this.emit("error", error);
        this.close();
      }
      if (!this.#isOver) this.#timer = setTimeout(check, PAUSE);
    };
    this.#timer = setTimeout(check, PAUSE);
    options.signal?.addEventListener("abort", () => this.close(), { once: true });
  }
  #compare(before, present) {
    for (const [name, mark] of present) {
      if (!before.has(name)) this.emit("change", "rename", name);
      else if (before.get(name) !== mark) this.emit("change", "change", name);
    }
    for (const name of before.keys()) if (!present.has(name)) this.emit("change", "rename", name);
  }
  close() {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    require("process").nextTick(() => this.emit("close"));
  }
  ref() {
    return this;
  }
  unref() {
    return this;
  }
}

exports.watch = (path, options, listener) => {
  const watcher = new FSWatcher(toPath(path), toOptions(options));
  const heard = typeof options === "function" ? options : listener;
  if (heard) watcher.on("change", heard);
  return watcher;
};
exports.events = async function* (path, options = {}) {
  const watcher = exports.watch(path, options);
  try {
    for await (const [eventType, filename] of EventEmitter.on(watcher, "change", { signal: options.signal })) yield { eventType, filename };
  } finally {
    watcher.close();
  }
};

const watched = new Map();
const absent = () => new Stats(Object.fromEntries("dev mode nlink uid gid rdev blksize ino size blocks atimeMs mtimeMs ctimeMs birthtimeMs".split(" ").map((key) => [key, 0])));
exports.watchFile = (path, options, listener) => {
  const name = require("path").resolve(toPath(path));
  const heard = typeof options === "function" ? options : listener;
  const state = () => later(calls.stat(name)).catch(absent);
  let entry = watched.get(name);
  if (!entry) {
    entry = new EventEmitter();
    entry.ref = entry.unref = () => entry;
    watched.set(name, entry);
    const first = state();
    let before;
    entry.timer = setInterval(async () => {
      before ??= await first;
      const present = await state();
      if (present.mtimeMs === before.mtimeMs && present.size === before.size && present.ino === before.ino) return;
      const known = before;
      before = present;
      entry.emit("change", present, known);
    }, options?.interval ?? 5007);
  }
  entry.on("change", heard);
  return entry;
};
exports.unwatchFile = (path, listener) => {
  const name = require("path").resolve(toPath(path));
  const entry = watched.get(name);
  if (!entry) return;
  if (listener) entry.off("change", listener);
  else entry.removeAllListeners("change");
  if (entry.listenerCount("change") > 0) return;
  clearInterval(entry.timer);
  watched.delete(name);
};
