// structuredClone: copies of values, with cycles, collections, dates, buffers and errors.
const refuse = (value) => {
  const { DOMException } = require("internal/abort");
  const shown = typeof value === "symbol" ? String(value) : typeof value === "function" ? String(value) : "#<Object>";
  return new DOMException(`${shown} could not be cloned.`, "DataCloneError");
};

const ERRORS = new Set(["Error", "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError", "URIError"]);

function copyError(error, copy) {
  const Class = ERRORS.has(error.name) ? globalThis[error.name] : Error;
  const made = new Class(String(error.message));
  for (const key of ["stack", "cause"]) {
    if (!Object.hasOwn(error, key)) continue;
    Object.defineProperty(made, key, { value: copy(error[key]), writable: true, configurable: true, enumerable: false });
  }
  return made;
}

function copyView(view, copy) {
  const buffer = copy(view.buffer);
  const Class = globalThis[Object.prototype.toString.call(view).slice(8, -1)];
  const length = view instanceof DataView ? view.byteLength : view.length;
  return new Class(buffer, view.byteOffset, length);
}

exports.structuredClone = (value, _options) => {
  const seen = new Map();
  const copy = (item) => {
    if (typeof item === "function" || typeof item === "symbol") throw refuse(item);
    if (typeof item !== "object" || item === null) return item;
    if (seen.has(item)) return seen.get(item);
    const keep = (made) => {
      seen.set(item, made);
      return made;
    };
    if (Array.isArray(item)) {
      const made = keep(new Array(item.length));
      for (const key of Object.keys(item)) made[key] = copy(item[key]);
      return made;
    }
    if (item instanceof Map) {
      const made = keep(new Map());
      for (const [key, held] of item) made.set(copy(key), copy(held));
      return made;
    }
    if (item instanceof Set) {
      const made = keep(new Set());
      for (const held of item) made.add(copy(held));
      return made;
    }
    if (item instanceof Date) return keep(new Date(item.getTime()));
    if (item instanceof RegExp) return keep(new RegExp(item.source, item.flags));
    if (item instanceof ArrayBuffer) return keep(item.slice(0));
    if (ArrayBuffer.isView(item)) return keep(copyView(item, copy));
    if (item instanceof Error) return keep(copyError(item, copy));
    if (item instanceof Boolean || item instanceof Number || item instanceof String) return keep(Object(item.valueOf()));
    if (item instanceof WeakMap || item instanceof WeakSet || item instanceof Promise) throw refuse(item);
    const made = keep({});
    for (const key of Object.keys(item)) made[key] = copy(item[key]);
    return made;
  };
  return copy(value);
};
