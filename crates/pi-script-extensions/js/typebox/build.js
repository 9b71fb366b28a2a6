// Schemas from nothing: `Type.String()`, `Type.Object({...})` and so on.
import { copy, isKind, isOptional, make, marked, unmarked } from "pi:typebox/kind";

const simple = (kind, fields) => (options) => make(kind, fields, options);

export const Any = simple("Any", {});
export const Unknown = simple("Unknown", {});
export const Null = simple("Null", { type: "null" });
export const Never = simple("Never", { not: {} });
export const Void = simple("Void", { type: "void" });
export const Undefined = simple("Undefined", { type: "undefined" });
export const BigInt = simple("BigInt", { type: "bigint" });
export const Symbol = simple("Symbol", { type: "symbol" });
export const String = simple("String", { type: "string" });
export const Number = simple("Number", { type: "number" });
export const Integer = simple("Integer", { type: "integer" });
export const Boolean = simple("Boolean", { type: "boolean" });
const date = simple("Date", { type: "Date" });
const bytes = simple("Uint8Array", { type: "Uint8Array" });
export { bytes as Uint8Array, date as Date };

export const Literal = (value, options) => make("Literal", { type: typeof value, const: value }, options);
export const Const = (value, options) => (typeof value === "object" ? make("Const", { const: value }, options) : Literal(value, options));
const array = (items, options) => make("Array", { type: "array", items }, options);
export { array as Array };
export const Union = (types, options) => make("Union", { anyOf: [...types] }, options);
export const Intersect = (types, options) => make("Intersect", { allOf: [...types] }, options);
export const Not = (type, options) => make("Not", { not: type }, options);
export const Rest = (items) => make("Rest", { type: "rest", items });
export const Ref = (ref, options) => make("Ref", { $ref: ref }, options);
export const This = (options) => make("This", { $ref: "#" }, options);
export const Identifier = (name) => make("Identifier", { name });
export const Unsafe = (schema) => make("Unsafe", {}, schema);
export const Tuple = (types, options) =>
  make("Tuple", { type: "array", additionalItems: false, items: [...types], minItems: types.length }, options);

const object = (properties, options) => {
  const required = Object.keys(properties).filter((key) => !isOptional(properties[key]));
  return make("Object", { type: "object", ...(required.length > 0 && { required }), properties }, options);
};
export { object as Object };

const promise = (item, options) => make("Promise", { type: "promise", item }, options);
const functionType = (parameters, returnType, options) => make("Function", { type: "function", parameters, returnType }, options);
export { functionType as Function, promise as Promise };
export const Constructor = (parameters, instanceType, options) =>
  make("Constructor", { type: "constructor", parameters, instanceType }, options);
export const Iterator = (iteratorItems, options) => make("Iterator", { type: "iterator", iteratorItems }, options);
export const AsyncIterator = (iteratorItems, options) => make("AsyncIterator", { type: "asyncIterator", iteratorItems }, options);

/** From a list of values, or from an `enum` of TypeScript, whose numbers point back to names. */
export const Enum = (values, options) => {
  const list = globalThis.Array.isArray(values)
    ? values
    : Object.keys(values)
        .filter((key) => !/^\d+$/.test(key))
        .map((key) => values[key]);
  return make("Enum", { enum: [...new Set(list)] }, options);
};

/** A schema that refers to itself, by the name it is given. */
let lastName = 0;
export const Recursive = (build, options = {}) => {
  const id = options.$id ?? `T${lastName++}`;
  return Object.assign(build(make("This", { $ref: id })), options, { $id: id });
};
export const Cyclic = ($defs, $ref, options) => {
  const named = Object.fromEntries(Object.entries($defs).map(([name, schema]) => [name, copy(schema, { $id: name })]));
  return make("Cyclic", { $defs: named, $ref }, options);
};

export const Optional = (type, options) => Object.assign(marked(type, "~optional"), options);
export const Readonly = (type, options) => Object.assign(marked(type, "~readonly"), options);
export const OptionalRemove = (type) => unmarked(type, "~optional");
export const Options = (type, options) => copy(type, options);
export const Immutable = (type) => marked(type, "~immutable");
export const Refine = (type, check, message = "Invalid value") =>
  marked(type, "~refine", [...(type["~refine"] ?? []), { check, message: typeof message === "function" ? message : () => message }]);

// --- values that are one thing outside and another inside

const withCodec = (type, codec) => marked(type, "~codec", codec);
export const Codec = (type) => ({ Decode: (decode) => ({ Encode: (encode) => withCodec(type, { decode, encode }) }) });
const oneWay = (name) => () => {
  throw new Error(`This type has no ${name}: use Type.Codec(type).Decode(...).Encode(...)`);
};
export const Decode = (type, decode) => withCodec(type, { decode, encode: oneWay("Encode") });
export const Encode = (type, encode) => withCodec(type, { decode: oneWay("Decode"), encode });
/** The name for it in older versions. */
export const Transform = Codec;

// --- keys and texts of a pattern

const STRING = ".*";
const INTEGER = "-?(?:0|[1-9][0-9]*)";
const NUMBER = `${INTEGER}(?:.[0-9]+)?`;

export const RegExp = (pattern, options) => make("RegExp", { type: "string", pattern: pattern.source ?? pattern }, options);

/** The values of literals, unions and enums of them, or undefined. */
export const literalsOf = (type) => {
  if (isKind(type, "Literal")) return [type.const];
  if (isKind(type, "Enum")) return type.enum;
  if (!isKind(type, "Union")) return undefined;
  const parts = type.anyOf.map(literalsOf);
  return parts.includes(undefined) ? undefined : parts.flat();
};

const keyPattern = (key) => {
  if (key.pattern) return key.pattern;
  return `^${isKind(key, "Integer") ? INTEGER : isKind(key, "Number") ? NUMBER : STRING}$`;
};

export const Record = (key, type, options) => {
  const names = literalsOf(key);
  if (names) return object(Object.fromEntries(names.map((name) => [name, type])), options);
  return make("Record", { type: "object", patternProperties: { [keyPattern(key)]: type } }, options);
};

const PLACEHOLDERS = { string: STRING, number: NUMBER, integer: INTEGER, bigint: `${INTEGER}n`, boolean: "(false|true)" };
const patternOf = (part) => {
  if (typeof part === "string") return part.replace(/\$\{(\w+)\}/g, (all, name) => PLACEHOLDERS[name] ?? all);
  const kind = part["~kind"];
  if (kind === "Literal") return `${part.const}`;
  if (kind === "Union") return `(${part.anyOf.map(patternOf).join("|")})`;
  if (kind === "Enum") return `(${part.enum.join("|")})`;
  return part.pattern ? part.pattern.replace(/^\^|\$$/g, "") : (PLACEHOLDERS[kind.toLowerCase()] ?? STRING);
};
export const TemplateLiteral = (parts, options) =>
  make("TemplateLiteral", { type: "string", pattern: `^${[parts].flat().map(patternOf).join("")}$` }, options);
