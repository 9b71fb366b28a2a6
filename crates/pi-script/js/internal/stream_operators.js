// The methods of Readable that are like those of arrays.
const from = (iterable) => require("internal/stream_readable").Readable.from(iterable);

exports.operators = {
  map(fn) {
    const self = this;
    return from((async function* () { for await (const item of self) yield await fn(item); })());
  },
  filter(fn) {
    const self = this;
    return from((async function* () { for await (const item of self) if (await fn(item)) yield item; })());
  },
  flatMap(fn) {
    const self = this;
    return from((async function* () { for await (const item of self) yield* await fn(item); })());
  },
  take(count) {
    const self = this;
    return from((async function* () {
      let left = count;
      if (left <= 0) return;
      for await (const item of self) {
        yield item;
        if (--left <= 0) return;
      }
    })());
  },
  drop(count) {
    const self = this;
    return from((async function* () {
      let left = count;
      for await (const item of self) if (left-- <= 0) yield item;
    })());
  },
  async toArray() {
    const all = [];
    for await (const item of this) all.push(item);
    return all;
  },
  async forEach(fn) {
    for await (const item of this) await fn(item);
  },
  async some(fn) {
    for await (const item of this) if (await fn(item)) return true;
    return false;
  },
  async every(fn) {
    for await (const item of this) if (!(await fn(item))) return false;
    return true;
  },
  async find(fn) {
    for await (const item of this) if (await fn(item)) return item;
    return undefined;
  },
  async reduce(fn, ...initial) {
    let [result] = initial;
    let isFirst = initial.length === 0;
    for await (const item of this) {
      result = isFirst ? item : await fn(result, item);
      isFirst = false;
    }
    if (isFirst) throw new TypeError("Reduce of an empty stream requires an initial value");
    return result;
  },
};
