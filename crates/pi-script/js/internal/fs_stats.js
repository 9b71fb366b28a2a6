// fs: what stat and readdir return.
const FORMAT = 0o170000;
const KINDS = [
  ["isFile", 0o100000, 1], ["isDirectory", 0o040000, 2], ["isSymbolicLink", 0o120000, 3], ["isFIFO", 0o010000, 4],
  ["isSocket", 0o140000, 5], ["isCharacterDevice", 0o020000, 6], ["isBlockDevice", 0o060000, 7],
];

class Stats {
  constructor(fields) {
    Object.assign(this, fields);
  }
}
for (const name of ["atime", "mtime", "ctime", "birthtime"]) {
  Object.defineProperty(Stats.prototype, name, {
    enumerable: true,
    configurable: true,
    get() {
      return new Date(Math.round(Number(this[`${name}Ms`])));
    },
    set(value) {
      Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
    },
  });
}

class Dirent {
  #kind;
  constructor(name, parentPath, kind) {
    this.name = name;
    this.parentPath = parentPath;
    this.path = parentPath;
    this.#kind = kind;
  }
  static kind(entry) {
    return entry.#kind;
  }
}

for (const [method, bits, kind] of KINDS) {
  const define = (Class, value) => Object.defineProperty(Class.prototype, method, { value, writable: true, configurable: true });
  define(Stats, function () {
    return (Number(this.mode) & FORMAT) === bits;
  });
  define(Dirent, function () {
    return Dirent.kind(this) === kind;
  });
}

const big = (fields) => {
  const found = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, BigInt(Math.trunc(value))]));
  for (const name of ["atime", "mtime", "ctime", "birthtime"]) found[`${name}Ns`] = BigInt(Math.round(fields[`${name}Ms`] * 1e6));
  return found;
};
exports.Stats = Stats;
exports.Dirent = Dirent;
exports.toStats = (fields, options) => new Stats(options?.bigint ? big(fields) : fields);
