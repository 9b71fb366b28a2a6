// util: promises from callbacks, formatting, inspection, types.
const { coded, invalidType, needsFunction } = require("internal/errors");
const { inspect } = require("internal/inspect");
const { format, formatWithOptions } = require("internal/format");
const { types } = require("internal/types");

const customPromise = Symbol.for("nodejs.util.promisify.custom");

function promisify(fn) {
  needsFunction("original", fn);
  if (fn[customPromise]) return fn[customPromise];
  function promised(...args) {
    return new Promise((resolve, reject) => {
      fn.call(this, ...args, (error, value) => (error ? reject(error) : resolve(value)));
    });
  }
  Object.setPrototypeOf(promised, Object.getPrototypeOf(fn));
  const described = Object.getOwnPropertyDescriptors(fn);
  delete described.prototype;
  return Object.defineProperties(promised, described);
}
promisify.custom = customPromise;

function callbackify(fn) {
  needsFunction("original", fn);
  const wrapped = function (...args) {
    const callback = args.pop();
    needsFunction("last argument", callback);
    const later = (...values) => require("process").nextTick(callback, ...values);
    fn.apply(this, args).then(
      (value) => later(null, value),
      (error) => later(error || Object.assign(coded(Error, "ERR_FALSY_VALUE_REJECTION", "Promise was rejected with falsy value"), { reason: error })),
    );
  };
  Object.defineProperty(wrapped, "name", { value: `${fn.name}Callbackified` });
  return wrapped;
}

function inherits(child, parent) {
  if (typeof child !== "function") throw invalidType("ctor", "of type function", child);
  if (typeof parent !== "function") throw invalidType("superCtor", "of type function", parent);
  Object.defineProperty(child, "super_", { value: parent, writable: true, configurable: true });
  Object.setPrototypeOf(child.prototype, parent.prototype);
}

const warned = new Set();
function deprecate(fn, message, code) {
  const told = function (...args) {
    const key = code ?? fn;
    if (!warned.has(key)) {
      warned.add(key);
      require("process").emitWarning(message, "DeprecationWarning", code);
    }
    return new.target ? Reflect.construct(fn, args, new.target) : fn.apply(this, args);
  };
  Object.setPrototypeOf(told, fn);
  if (fn.prototype) told.prototype = fn.prototype;
  return told;
}

const ESCAPE = new RegExp(
  "[\\u001B\\u009B][[\\]()#;?]*(?:(?:(?:(?:;[-a-zA-Z\\d\\/#&.:=?%@~_]+)*|[a-zA-Z\\d]+(?:;[-a-zA-Z\\d\\/#&.:=?%@~_]*)*)?(?:\\u0007|\\u001B\\u005C|\\u009C))" +
    "|(?:(?:\\d{1,4}(?:;\\d{0,4})*)?[\\dA-PR-TZcf-nq-uy=><~]))",
  "g",
);

function styleText(style, text, _options) {
  const styles = Array.isArray(style) ? style : [style];
  let out = String(text);
  for (const name of styles.toReversed()) {
    const codes = inspect.colors[name];
    if (!codes) throw require("internal/errors").invalidValue("format", name);
    out = `\x1b[${codes[0]}m${out}\x1b[${codes[1]}m`;
  }
  return out;
}

function debuglog(section) {
  const asked = (require("process").env.NODE_DEBUG ?? "").toUpperCase().split(",");
  const enabled = asked.includes(section.toUpperCase());
  const log = (...args) => {
    if (enabled) host.log("debug", `${section.toUpperCase()} ${host.pid}: ${format(...args)}`);
  };
  return Object.assign(log, { enabled });
}

module.exports = {
  promisify, callbackify, inherits, deprecate, styleText, debuglog, debug: debuglog, format, formatWithOptions, inspect,
  types,
  isDeepStrictEqual: (one, other) => require("internal/deep_equal").deepEqual(one, other, true),
  parseArgs: (config) => require("internal/parse_args").parseArgs(config),
  stripVTControlCharacters: (text) => String(text).replace(ESCAPE, ""),
  toUSVString: (text) => String(text).toWellFormed(),
  getSystemErrorName: (number) => {
    const { errno } = require("os").constants;
    return Object.keys(errno).find((name) => errno[name] === -number);
  },
  isArray: Array.isArray,
  isError: (value) => value instanceof Error,
  isFunction: (value) => typeof value === "function",
  isString: (value) => typeof value === "string",
  isObject: (value) => typeof value === "object" && value !== null,
  isUndefined: (value) => value === undefined,
  aborted: (signal) => new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener("abort", () => resolve(), { once: true }))),
  parseEnv: (text) => require("internal/env_file").parseEnv(text),
  TextEncoder: require("internal/encoding").TextEncoder,
  TextDecoder: require("internal/encoding").TextDecoder,
};
