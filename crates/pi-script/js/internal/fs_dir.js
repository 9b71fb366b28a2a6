// fs.Dir: a directory that is read entry by entry.
class Dir {
  #entries;
  #at = 0;
  constructor(path, entries) {
    this.path = path;
    this.#entries = entries;
  }
  readSync() {
    return this.#entries[this.#at++] ?? null;
  }
  read(callback) {
    if (callback === undefined) return Promise.resolve(this.readSync());
    require("process").nextTick(callback, null, this.readSync());
  }
  closeSync() {}
  close(callback) {
    if (callback === undefined) return Promise.resolve();
    require("process").nextTick(callback, null);
  }
  async *[Symbol.asyncIterator]() {
    for (let entry = this.readSync(); entry !== null; entry = this.readSync()) yield entry;
  }
}
exports.Dir = Dir;
