// Headers.
const { addPairs } = require("internal/pairs");

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const entries = Symbol("entries");

class Headers {
  constructor(init) {
    // Lower-case name -> [value, …].
    this[entries] = new Map();
    if (init === undefined || init === null) return;
    if (init instanceof Headers) {
      for (const [name, values] of init[entries]) this[entries].set(name, [...values]);
    } else if (typeof init[Symbol.iterator] === "function" && typeof init !== "string") {
      for (const [name, value] of init) this.append(name, value);
    } else if (typeof init === "object") {
      for (const [name, value] of Object.entries(init)) this.append(name, value);
    } else {
      throw new TypeError("Headers constructor: init must be an object or a sequence of pairs");
    }
  }
  append(name, value) {
    const key = keyOf(name);
    const values = this[entries].get(key);
    if (values) values.push(valueOf(name, value));
    else this[entries].set(key, [valueOf(name, value)]);
  }
  set(name, value) {
    this[entries].set(keyOf(name), [valueOf(name, value)]);
  }
  get(name) {
    return this[entries].get(keyOf(name))?.join(", ") ?? null;
  }
  has(name) {
    return this[entries].has(keyOf(name));
  }
  delete(name) {
    this[entries].delete(keyOf(name));
  }
  getSetCookie() {
    return [...(this[entries].get("set-cookie") ?? [])];
  }
  static {
    addPairs(this, pairsOf);
  }
  get [Symbol.toStringTag]() {
    return "Headers";
  }
}

// By name; cookies are told one by one.
function* pairsOf(headers) {
  for (const name of [...headers[entries].keys()].sort()) {
    const values = headers[entries].get(name);
    if (name === "set-cookie") for (const value of values) yield [name, value];
    else yield [name, values.join(", ")];
  }
}

const keyOf = (name) => {
  const text = String(name);
  if (!NAME.test(text)) throw new TypeError(`Headers: ${JSON.stringify(text)} is an invalid header name`);
  return text.toLowerCase();
};
const valueOf = (name, value) => {
  const text = String(value).replace(/^[\t\r\n ]+|[\t\r\n ]+$/g, "");
  if (/[\0\r\n]/.test(text)) throw new TypeError(`Headers: the value of ${name} is an invalid header value`);
  return text;
};

exports.Headers = Headers;
// As the program sends them.
exports.pairs = (headers) => [...headers[entries]].flatMap(([name, values]) => values.map((value) => [name, value]));
