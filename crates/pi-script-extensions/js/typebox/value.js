// Values and schemas: check, convert, complete, clean, create. What extensions import as `typebox/value`.
import { equal, errorsOf, fits } from "pi:typebox/check";
import { isKind, isOptional } from "pi:typebox/kind";

// All functions take `(context, schema, value)` or `(schema, value)`; the context holds schemas by name.
const withContext = (work) => (...args) => (args.length >= 3 ? work(args[1], args[2], args[0]) : work(args[0], args[1], {}));

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

class ValueError extends Error {
  constructor(message, schema, value, context) {
    super(message, { cause: { source: message, errors: errorsOf(schema, value, context), value } });
  }
}
export class AssertError extends ValueError {}
export class ParseError extends ValueError {}
export class DecodeError extends ValueError {}
export class EncodeError extends ValueError {}
export class CreateError extends Error {}

export const Check = withContext((schema, value, context) => fits(schema, value, context));
export const Errors = withContext((schema, value, context) => errorsOf(schema, value, context));
export const Assert = withContext((schema, value, context) => {
  if (!fits(schema, value, context)) throw new AssertError("Assert", schema, value, context);
});
export const Equal = (a, b) => equal(a, b);

export const Clone = (value) => {
  if (Array.isArray(value)) return value.map(Clone);
  if (value instanceof Date) return new Date(value);
  if (!isObject(value) || (Object.getPrototypeOf(value) !== Object.prototype && Object.getPrototypeOf(value) !== null)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, Clone(item)]));
};

// The schema that another one refers to, and the names that count within.
const resolved = (schema, context) => {
  const names = { ...context, ...schema.$defs, ...(schema.$id && { [schema.$id]: schema }) };
  const target = schema.$ref && names[schema.$ref.replace(/^#\/\$defs\//, "")];
  return target ? resolved(target, names) : [schema, names];
};

// The schemas of the parts of a value: properties and items.
const propertySchema = (schema, key) => {
  if (schema.properties && Object.hasOwn(schema.properties, key)) return schema.properties[key];
  for (const [pattern, property] of Object.entries(schema.patternProperties ?? {})) if (new RegExp(pattern, "u").test(key)) return property;
  return isObject(schema.additionalProperties) ? schema.additionalProperties : undefined;
};
const itemSchema = ({ items }, i) => (Array.isArray(items) ? items[i] : items);

const mapParts = (schema, value, work) => {
  if (Array.isArray(value)) return value.map((item, i) => (itemSchema(schema, i) ? work(itemSchema(schema, i), item) : item));
  if (!isObject(value)) return value;
  const parts = Object.entries(value).map(([key, item]) => {
    const property = propertySchema(schema, key);
    return [key, property ? work(property, item) : item];
  });
  return Object.fromEntries(parts);
};

// --- convert

const toNumber = (value) => {
  if (typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value))) return Number(value);
  if (typeof value === "boolean") return Number(value);
  return value === null ? 0 : typeof value === "bigint" ? Number(value) : value;
};
const toInteger = (value) => {
  const number = toNumber(value);
  return typeof number === "number" ? Math.trunc(number) : number;
};
const WORDS = { true: true, false: false, 1: true, 0: false };
const toBoolean = (value) => {
  if (value === 1 || value === 0) return value === 1;
  return typeof value === "string" && Object.hasOwn(WORDS, value.toLowerCase()) ? WORDS[value.toLowerCase()] : value === null ? false : value;
};
const toText = (value) => (["number", "boolean", "bigint"].includes(typeof value) || value === null ? String(value) : value);
const toNull = (value) => (["null", "undefined", "", 0, false, undefined].includes(value) ? null : value);
const toUndefined = (value) => (["undefined", "null", "", 0, false, null].includes(value) ? undefined : value);
const toBigInt = (value) => (/^-?\d+$/.test(String(value)) ? BigInt(value) : value);
const CONVERSIONS = {
  number: toNumber, integer: toInteger, boolean: toBoolean, string: toText, null: toNull, undefined: toUndefined, void: toUndefined, bigint: toBigInt,
};

const convert = (schema, value, context) => {
  const [target, names] = resolved(schema, context);
  const options = target.anyOf ?? target.oneOf;
  if (options) {
    if (fits(target, value, names)) return value;
    const found = options.map((option) => convert(option, value, names)).find((result) => fits(target, result, names));
    return found === undefined ? value : found;
  }
  if (target.allOf) return target.allOf.reduce((result, part) => convert(part, result, names), value);
  if ("const" in target) return literal([target.const], value);
  if (target.enum) return literal(target.enum, value);
  if (target.type === "array" && !Array.isArray(value) && !Array.isArray(target.items)) return convert(target, [value], names);
  if (target.type === "array" || target.type === "object") return mapParts(target, value, (part, item) => convert(part, item, names));
  return Object.hasOwn(CONVERSIONS, target.type) ? CONVERSIONS[target.type](value) : value;
};
const literal = (values, value) => {
  if (values.some((known) => known === value)) return value;
  const found = values.find((known) => String(known) === String(value));
  return found === undefined || isObject(value) ? value : found;
};
export const Convert = withContext((schema, value, context) => convert(schema, Clone(value), context));

// --- defaults

const ownDefault = (schema, value) => {
  if (value !== undefined || !("default" in schema)) return value;
  return typeof schema.default === "function" ? schema.default() : Clone(schema.default);
};
const complete = (schema, value, context) => {
  const [target, names] = resolved(schema, context);
  const own = ownDefault(target, ownDefault(schema, value));
  const options = target.anyOf ?? target.oneOf;
  if (options) {
    const tried = options.map((option) => complete(option, Clone(own), names)).find((result) => fits(target, result, names));
    return tried === undefined ? own : tried;
  }
  if (target.allOf) return target.allOf.reduce((result, part) => complete(part, result, names), own);
  if (isObject(own)) {
    for (const [key, property] of Object.entries(target.properties ?? {})) {
      const part = complete(property, own[key], names);
      if (part !== undefined) own[key] = part;
    }
    return own;
  }
  return Array.isArray(own) ? mapParts(target, own, (part, item) => complete(part, item, names)) : own;
};
export const Default = withContext((schema, value, context) => complete(schema, Clone(value), context));

// --- what no schema knows goes

const clean = (schema, value, context) => {
  const [target, names] = resolved(schema, context);
  const options = target.anyOf ?? target.oneOf;
  if (options) {
    const fitting = options.find((option) => fits(option, clean(option, Clone(value), names), names));
    return fitting ? clean(fitting, value, names) : value;
  }
  if (target.allOf) {
    const properties = Object.assign({}, ...target.allOf.map((part) => resolved(part, names)[0].properties));
    return clean({ type: "object", properties, additionalProperties: target.unevaluatedProperties }, value, names);
  }
  if (isObject(value) && (target.properties || target.patternProperties)) {
    for (const key of Object.keys(value)) {
      const isKnown = propertySchema(target, key) !== undefined || target.additionalProperties === true;
      if (!isKnown) delete value[key];
    }
  }
  return mapParts(target, value, (part, item) => clean(part, item, names));
};
export const Clean = withContext((schema, value, context) => clean(schema, Clone(value), context));

// --- a value that fits

const SAMPLES = {
  string: ({ minLength = 0 }) => " ".repeat(minLength),
  number: (schema) => least(schema, Number.EPSILON),
  integer: (schema) => least(schema, 1),
  boolean: () => false,
  null: () => null,
  bigint: () => 0n,
  symbol: () => Symbol(),
  Date: () => new Date(0),
  Uint8Array: () => new Uint8Array(),
  function: () => () => undefined,
};
const least = ({ minimum, exclusiveMinimum, multipleOf }, step) => {
  const low = minimum ?? (exclusiveMinimum === undefined ? 0 : exclusiveMinimum + step);
  return multipleOf ? Math.ceil(low / multipleOf) * multipleOf : low;
};

const create = (schema, context, depth = 0) => {
  const [target, names] = resolved(schema, context);
  const given = ownDefault(target, undefined);
  if (given !== undefined) return given;
  if (isKind(target, "Never") || depth > 64) throw new CreateError("There is no value that fits this schema");
  if ("const" in target) return target.const;
  if (target.enum) return target.enum[0];
  const options = target.anyOf ?? target.oneOf;
  if (options) return create(options[0], names, depth + 1);
  if (target.allOf) return Object.assign({}, ...target.allOf.map((part) => create(part, names, depth + 1)));
  if (target.pattern || target.format) throw new CreateError("A text with a pattern or a format needs a default to be created");
  if (target.type === "object") return createObject(target, names, depth);
  if (target.type === "array") return createArray(target, names, depth);
  return SAMPLES[target.type]?.(target);
};
const createObject = ({ properties = {}, required = [] }, names, depth) =>
  Object.fromEntries(required.filter((key) => properties[key]).map((key) => [key, create(properties[key], names, depth + 1)]));
const createArray = ({ items, minItems = 0 }, names, depth) => {
  if (Array.isArray(items)) return items.map((item) => create(item, names, depth + 1));
  return Array.from({ length: minItems }, () => create(items ?? {}, names, depth + 1));
};
export const Create = (...args) => (args.length > 1 ? create(args[1], args[0]) : create(args[0], {}));

// --- through codecs

const coded = (direction) => {
  const run = (schema, value, context) => {
    const [target, names] = resolved(schema, context);
    const codec = schema["~codec"] ?? target["~codec"];
    if (codec && direction === "encode") return inner(target, codec.encode(value), names);
    const result = inner(target, value, names);
    return codec ? codec.decode(result) : result;
  };
  const inner = (schema, value, names) => {
    const options = schema.anyOf ?? schema.oneOf;
    const fitting = options?.find((option) => direction === "encode" || fits(option, value, names));
    if (fitting) return run(fitting, value, names);
    if (schema.allOf) return schema.allOf.reduce((result, part) => run(part, result, names), value);
    return mapParts(schema, value, (part, item) => run(part, item, names));
  };
  return run;
};
const decode = coded("decode");
const encode = coded("encode");

// Defaults, conversions and cleaning, where the value does not fit as it is.
const prepared = (schema, value, context) => {
  const whole = complete(schema, Clone(value), context);
  return clean(schema, fits(schema, whole, context) ? whole : convert(schema, whole, context), context);
};

export const Parse = withContext((schema, value, context) => {
  if (fits(schema, value, context)) return value;
  const ready = prepared(schema, value, context);
  if (!fits(schema, ready, context)) throw new ParseError("Parse", schema, ready, context);
  return ready;
});
export const Decode = withContext((schema, value, context) => {
  const ready = fits(schema, value, context) ? Clone(value) : prepared(schema, value, context);
  if (!fits(schema, ready, context)) throw new DecodeError("Decode", schema, ready, context);
  return decode(schema, ready, context);
});
export const Encode = withContext((schema, value, context) => {
  const ready = prepared(schema, encode(schema, Clone(value), context), context);
  if (!fits(schema, ready, context)) throw new EncodeError("Encode", schema, ready, context);
  return ready;
});
export const HasCodec = (...args) => {
  const seen = new Set();
  const has = (part) => {
    if (typeof part !== "object" || part === null || seen.has(part)) return false;
    seen.add(part);
    return part["~codec"] !== undefined || Object.values(part).some(has);
  };
  return has(args.at(-1));
};

/** What it takes to make a value fit: what fits stays, the rest is created. */
export const Repair = withContext((schema, value, context) => {
  const ready = clean(schema, convert(schema, Clone(value), context), context);
  if (fits(schema, ready, context)) return ready;
  if (schema.type === "object" && isObject(ready)) {
    for (const [key, property] of Object.entries(schema.properties ?? {})) {
      const isWrong = key in ready ? !fits(property, ready[key], context) : !isOptional(property) && schema.required?.includes(key);
      if (isWrong) ready[key] = Repair(context, property, ready[key]);
    }
    if (fits(schema, ready, context)) return ready;
  }
  return create(schema, context);
});

// --- places in values

const steps = (pointer) => pointer.split("/").slice(1).map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
export const Pointer = {
  Indices: steps,
  Get: (value, pointer) => steps(pointer).reduce((part, step) => part?.[step], value),
  Has: (value, pointer) => steps(pointer).every((step) => {
    const isThere = typeof value === "object" && value !== null && step in value;
    if (isThere) value = value[step];
    return isThere;
  }),
  Set: (value, pointer, item) => {
    const path = steps(pointer);
    const last = path.pop();
    path.reduce((part, step) => (part[step] ??= {}), value)[last] = item;
    return value;
  },
  Delete: (value, pointer) => {
    const path = steps(pointer);
    const last = path.pop();
    const owner = path.reduce((part, step) => part?.[step], value);
    if (Array.isArray(owner)) owner.splice(Number(last), 1);
    else if (owner) delete owner[last];
    return value;
  },
};

const missing = (name) => () => {
  throw new Error(`Value.${name} is not available in this program`);
};
const [Diff, Hash, Mutate, Patch] = ["Diff", "Hash", "Mutate", "Patch"].map(missing);
export { Diff, Hash, Mutate, Patch };

export const Value = {
  Assert, Check, Clean, Clone, Convert, Create, Decode, Default, Diff, Encode, Equal, Errors, HasCodec, Hash, Mutate, Parse, Patch, Pointer, Repair,
};
export default Value;
