// Errors with Node's codes.
const coded = (Class, code, message) => Object.assign(new Class(message), { code });

const received = (value) => {
  if (value === null || value === undefined) return ` Received ${value}`;
  if (typeof value === "function") return ` Received function ${value.name}`;
  if (typeof value === "object") {
    const name = value.constructor?.name;
    return name ? ` Received an instance of ${name}` : ` Received ${require("internal/inspect").inspect(value, { depth: -1 })}`;
  }
  const shown = require("internal/inspect").inspect(value, { colors: false });
  return ` Received type ${typeof value} (${shown.length > 28 ? `${shown.slice(0, 25)}...` : shown})`;
};

class AbortError extends Error {
  constructor(message = "The operation was aborted", options = undefined) {
    super(message, options);
    this.code = "ABORT_ERR";
    this.name = "AbortError";
  }
}

exports.coded = coded;
exports.AbortError = AbortError;
// `expected` in words: "of type string", "an instance of Stream".
exports.invalidType = (name, expected, value) => {
  const what = name.includes(".") ? "property" : "argument";
  const named = name.endsWith(" argument") ? name : `"${name}" ${what}`;
  return coded(TypeError, "ERR_INVALID_ARG_TYPE", `The ${named} must be ${expected}.${received(value)}`);
};
exports.invalidValue = (name, value, reason = "is invalid") => {
  const what = name.includes(".") ? "property" : "argument";
  const shown = require("internal/inspect").inspect(value);
  return coded(TypeError, "ERR_INVALID_ARG_VALUE", `The ${what} '${name}' ${reason}. Received ${shown}`);
};
exports.outOfRange = (name, range, value) => {
  const message = `The value of "${name}" is out of range. It must be ${range}. Received ${value}`;
  return coded(RangeError, "ERR_OUT_OF_RANGE", message);
};
exports.needsFunction = (name, value) => {
  if (typeof value !== "function") throw exports.invalidType(name, "of type function", value);
};
exports.needsString = (name, value) => {
  if (typeof value !== "string") throw exports.invalidType(name, "of type string", value);
};
// For what Node has and this program does not.
exports.unavailable = (name) => () => {
  throw coded(Error, "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM", `${name} is not available in this program`);
};
