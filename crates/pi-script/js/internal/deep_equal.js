// Whether two values are the same in structure: util.isDeepStrictEqual and assert.deepEqual.
const { types } = require("internal/types");

const keysOf = (value) => {
  const symbols = Object.getOwnPropertySymbols(value).filter((key) => Object.prototype.propertyIsEnumerable.call(value, key));
  return [...Object.keys(value), ...symbols];
};
const tag = (value) => Object.prototype.toString.call(value);
const isObject = (value) => typeof value === "object" && value !== null;

exports.deepEqual = (one, other, isStrict) => {
  const pairs = [];
  const equal = (a, b) => {
    if (isStrict ? Object.is(a, b) : a == b || (a !== a && b !== b)) return true;
    if (!isObject(a) || !isObject(b)) return false;
    if (isStrict && Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
    if (tag(a) !== tag(b) || Array.isArray(a) !== Array.isArray(b)) return false;
    if (pairs.some(([x, y]) => x === a && y === b)) return true;
    pairs.push([a, b]);
    const same = alike(a, b) && properties(a, b);
    pairs.pop();
    return same;
  };
  const alike = (a, b) => {
    if (a instanceof Date) return Object.is(a.getTime(), b.getTime());
    if (a instanceof RegExp) return a.source === b.source && a.flags === b.flags && a.lastIndex === b.lastIndex;
    if (a instanceof Error) {
      return a.message === b.message && a.name === b.name && equal(a.cause, b.cause) && equal(a.errors, b.errors);
    }
    if (types.isBoxedPrimitive(a)) return Object.is(a.valueOf(), b.valueOf());
    if (ArrayBuffer.isView(a)) return bytesEqual(bytes(a.buffer, a.byteOffset, a.byteLength), bytes(b.buffer, b.byteOffset, b.byteLength));
    if (types.isAnyArrayBuffer(a)) return bytesEqual(new Uint8Array(a), new Uint8Array(b));
    if (types.isSet(a)) return a.size === b.size && everyMatches([...a], [...b], equal);
    if (types.isMap(a)) {
      const match = ([k, v], [l, w]) => equal(k, l) && equal(v, w);
      return a.size === b.size && everyMatches([...a], [...b], match);
    }
    return !(Array.isArray(a) && a.length !== b.length);
  };
  const properties = (a, b) => {
    if (ArrayBuffer.isView(a)) return true;
    const keys = keysOf(a);
    if (keys.length !== keysOf(b).length) return false;
    return keys.every((key) => Object.prototype.propertyIsEnumerable.call(b, key) && equal(a[key], b[key]));
  };
  return equal(one, other);
};

const bytes = (buffer, offset, length) => new Uint8Array(buffer, offset, length);
const bytesEqual = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]);
const everyMatches = (items, others, match) => {
  const left = [...others];
  return items.every((item) => {
    const at = left.findIndex((candidate) => match(item, candidate));
    if (at !== -1) left.splice(at, 1);
    return at !== -1;
  });
};
