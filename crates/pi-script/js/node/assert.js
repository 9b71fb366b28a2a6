// assert: errors where something is not as it should be.
const { invalidType, needsFunction } = require("internal/errors");
const { deepEqual } = require("internal/deep_equal");
const inspect = (value) => require("internal/inspect").inspect(value, { depth: 1000, maxArrayLength: Infinity, breakLength: Infinity });

class AssertionError extends Error {
  constructor(options) {
    if (options === null || typeof options !== "object") throw invalidType("options", "of type object", options);
    super(options.message === undefined ? `${inspect(options.actual)} ${options.operator} ${inspect(options.expected)}` : String(options.message));
    Object.defineProperty(this, "name", { value: "AssertionError", configurable: true, writable: true, enumerable: false });
    this.generatedMessage = options.message === undefined || Boolean(options.generated);
    this.code = "ERR_ASSERTION";
    this.actual = options.actual;
    this.expected = options.expected;
    this.operator = options.operator;
  }
}

function fail(actual, expected, message, operator, words) {
  if (message instanceof Error) throw message;
  throw new AssertionError({ actual, expected, operator, message: message ?? words, generated: message === undefined });
}

const WORDS = {
  strictEqual: "Expected values to be strictly equal:",
  deepStrictEqual: "Expected values to be strictly deep-equal:",
  deepEqual: "Expected values to be loosely deep-equal:",
};
const differ = (operator, actual, expected) => `${WORDS[operator]}\n\n${inspect(actual)} !== ${inspect(expected)}\n`;
const same = (operator, value) => `Expected "actual" not to be ${operator}: ${inspect(value)}`;

function ok(value, message) {
  if (value) return;
  const words = "The expression evaluated to a falsy value";
  fail(value, true, message, "==", arguments.length === 0 ? "No value argument passed to `assert.ok()`" : words);
}

const assert = (...args) => ok(...args);
Object.assign(assert, {
  ok,
  AssertionError,
  fail: (message = "Failed") => fail(undefined, undefined, message, "fail"),
  equal(actual, expected, message) {
    if (actual == expected || (actual !== actual && expected !== expected)) return;
    fail(actual, expected, message, "==", `${inspect(actual)} == ${inspect(expected)}`);
  },
  notEqual(actual, expected, message) {
    if (actual != expected) return;
    fail(actual, expected, message, "!=", `${inspect(actual)} != ${inspect(expected)}`);
  },
  strictEqual(actual, expected, message) {
    if (!Object.is(actual, expected)) fail(actual, expected, message, "strictEqual", differ("strictEqual", actual, expected));
  },
  notStrictEqual(actual, expected, message) {
    if (Object.is(actual, expected)) fail(actual, expected, message, "notStrictEqual", same("strictly equal", actual));
  },
  deepEqual(actual, expected, message) {
    if (!deepEqual(actual, expected, false)) fail(actual, expected, message, "deepEqual", differ("deepEqual", actual, expected));
  },
  notDeepEqual(actual, expected, message) {
    if (deepEqual(actual, expected, false)) fail(actual, expected, message, "notDeepEqual", same("loosely deep-equal", actual));
  },
  deepStrictEqual(actual, expected, message) {
    if (deepEqual(actual, expected, true)) return;
    fail(actual, expected, message, "deepStrictEqual", differ("deepStrictEqual", actual, expected));
  },
  notDeepStrictEqual(actual, expected, message) {
    if (deepEqual(actual, expected, true)) fail(actual, expected, message, "notDeepStrictEqual", same("strictly deep-equal", actual));
  },
  match(text, pattern, message) {
    if (typeof text === "string" && pattern.test(text)) return;
    fail(text, pattern, message, "match", `The input did not match the regular expression ${pattern}. Input:\n\n${inspect(text)}\n`);
  },
  doesNotMatch(text, pattern, message) {
    if (typeof text !== "string" || !pattern.test(text)) return;
    const words = `The input was expected to not match the regular expression ${pattern}. Input:\n\n${inspect(text)}\n`;
    fail(text, pattern, message, "doesNotMatch", words);
  },
  ifError(value) {
    if (value === null || value === undefined) return;
    const words = value instanceof Error ? value.message : inspect(value);
    fail(value, null, undefined, "ifError", `ifError got unwanted exception: ${words}`);
  },
  throws(fn, ...rest) {
    needsFunction("fn", fn);
    let thrown;
    try {
      fn();
    } catch (error) {
      thrown = { error };
    }
    judge("throws", thrown, rest, "exception");
  },
  doesNotThrow(fn, ...rest) {
    try {
      fn();
    } catch (error) {
      unwanted("doesNotThrow", error, rest, "exception");
    }
  },
  async rejects(work, ...rest) {
    let thrown;
    try {
      await (typeof work === "function" ? work() : work);
    } catch (error) {
      thrown = { error };
    }
    judge("rejects", thrown, rest, "rejection");
  },
  async doesNotReject(work, ...rest) {
    try {
      await (typeof work === "function" ? work() : work);
    } catch (error) {
      unwanted("doesNotReject", error, rest, "rejection");
    }
  },
});

function unwanted(operator, error, rest, kind) {
  const message = rest.find((item) => typeof item === "string");
  const words = `Got unwanted ${kind}${message ? `: ${message}` : "."}\nActual message: "${error?.message}"`;
  fail(error, undefined, undefined, operator, words);
}

function judge(operator, thrown, rest, kind) {
  const expected = typeof rest[0] === "string" ? undefined : rest[0];
  const message = typeof rest[0] === "string" ? rest[0] : rest[1];
  if (!thrown) {
    const name = expected?.name ? ` (${expected.name})` : "";
    fail(undefined, expected, undefined, operator, `Missing expected ${kind}${name}${message ? `: ${message}` : "."}`);
  }
  if (expected === undefined) return;
  const { error } = thrown;
  const isClass = typeof expected === "function" && expected.prototype !== undefined;
  if (isClass && error instanceof expected) return;
  if (isClass && (expected === Error || Error.prototype.isPrototypeOf(expected.prototype))) throw error;
  if (typeof expected === "function") {
    if (expected.call({}, error) === true) return;
    fail(error, expected, message, operator, `The validation function is expected to return "true". Received false`);
  }
  if (expected instanceof RegExp) {
    if (expected.test(String(error))) return;
    fail(error, expected, message, operator, `The input did not match the regular expression ${expected}. Input:\n\n${inspect(String(error))}\n`);
  }
  const keys = Object.keys(expected);
  if (expected instanceof Error) keys.push("name", "message");
  for (const key of keys) {
    const wanted = expected[key];
    const isMatch = wanted instanceof RegExp && typeof error[key] === "string" ? wanted.test(error[key]) : deepEqual(error[key], wanted, true);
    if (!isMatch) fail(error, expected, message, operator, `${key}: ${inspect(error[key])} !== ${inspect(wanted)}`);
  }
}

const strict = (...args) => ok(...args);
Object.assign(strict, assert, {
  equal: assert.strictEqual,
  notEqual: assert.notStrictEqual,
  deepEqual: assert.deepStrictEqual,
  notDeepEqual: assert.notDeepStrictEqual,
});
strict.strict = strict;
assert.strict = strict;
module.exports = assert;
