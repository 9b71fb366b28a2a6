// Walking through names and values: what Headers, URLSearchParams and FormData have in common.

// Adds the methods to a class; `pairsOf` gives a new iterator over the pairs of an object. None of the methods calls another
// one: subclasses redefine them in terms of each other.
exports.addPairs = (type, pairsOf) => {
  function entries() {
    return pairsOf(this);
  }
  const methods = {
    forEach(fn, self) {
      for (const [name, value] of pairsOf(this)) fn.call(self, value, name, this);
    },
    entries,
    keys() {
      return each(pairsOf(this), 0);
    },
    values() {
      return each(pairsOf(this), 1);
    },
    [Symbol.iterator]: entries,
  };
  for (const key of Reflect.ownKeys(methods)) {
    Object.defineProperty(type.prototype, key, { value: methods[key], writable: true, configurable: true });
  }
};

function* each(pairs, part) {
  for (const pair of pairs) yield pair[part];
}
