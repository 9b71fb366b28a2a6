// Schemas from schemas: parts of objects, keys, unions without members.
import * as build from "pi:typebox/build";
import { copy, isKind, isOptional } from "pi:typebox/kind";

const { Intersect, Literal, Never, Optional, OptionalRemove, Union, literalsOf } = build;

// What properties an object has; intersections have those of all.
const propertiesOf = (type) => {
  if (isKind(type, "Object") || type?.properties) return type.properties;
  if (type?.allOf) return mergedProperties(type.allOf);
  if (type?.anyOf) return sharedProperties(type.anyOf);
  return {};
};

const mergedProperties = (types) => {
  const result = {};
  for (const type of types) {
    for (const [key, property] of Object.entries(propertiesOf(type))) {
      result[key] = key in result ? both(result[key], property) : property;
    }
  }
  return result;
};
// What must be both is optional only where both are.
const both = (a, b) => {
  if (JSON.stringify(a) === JSON.stringify(b)) return isOptional(a) ? b : a;
  const type = Intersect([OptionalRemove(a), OptionalRemove(b)]);
  return isOptional(a) && isOptional(b) ? Optional(type) : type;
};

// What all members of a union have.
const sharedProperties = (types) => {
  const [first, ...others] = types.map(propertiesOf);
  const keys = Object.keys(first ?? {}).filter((key) => others.every((other) => key in other));
  return Object.fromEntries(keys.map((key) => [key, oneOf([first, ...others].map((properties) => properties[key]))]));
};

/** One of these types: nothing, the type itself, or a union. */
const oneOf = (types, options) => {
  if (types.length === 0) return Never(options);
  return types.length === 1 ? copy(types[0], options) : Union(types, options);
};

const keysOf = (keys) => {
  if (Array.isArray(keys)) return keys.map(String);
  return (literalsOf(keys) ?? []).map(String);
};

// Each member of a union by itself.
const eachObject = (type, options, change) => {
  if (isKind(type, "Union")) return Union(type.anyOf.map((member) => eachObject(member, undefined, change)), options);
  const changed = Object.entries(propertiesOf(type)).map(([key, property]) => [key, change(key, property)]);
  return build.Object(Object.fromEntries(changed.filter(([, property]) => property !== undefined)), options);
};
const filtered = (type, options, isKept) =>
  build.Object(Object.fromEntries(Object.entries(propertiesOf(type)).filter(([key]) => isKept(key))), options);

export const Partial = (type, options) => eachObject(type, options, (_, property) => Optional(property));
export const Required = (type, options) => eachObject(type, options, (_, property) => OptionalRemove(property));
export const ReadonlyObject = (type, options) => eachObject(type, options, (_, property) => build.Readonly(property));
export { ReadonlyObject as ReadonlyType };

export const Pick = (type, keys, options) => {
  const wanted = new Set(keysOf(keys));
  return filtered(type, options, (key) => wanted.has(key));
};
export const Omit = (type, keys, options) => {
  const unwanted = new Set(keysOf(keys));
  return filtered(type, options, (key) => !unwanted.has(key));
};

export const Composite = (types, options) => build.Object(mergedProperties(types), options);
export const Evaluate = (type, options) => (isKind(type, "Intersect") ? Composite(type.allOf, options) : copy(type, options));
/** What the heritage has, and more; what is there twice is as written last. */
export const Interface = (heritage, properties, options) => build.Object({ ...mergedProperties(heritage), ...properties }, options);

export const KeyOf = (type, options) => oneOf(Object.keys(propertiesOf(type)).map((key) => Literal(key)), options);

export const Index = (type, keys, options) => {
  if (isKind(type, "Array")) return copy(type.items, options);
  if (isKind(type, "Tuple")) {
    const places = isKind(keys, "Number") || isKind(keys, "Integer") ? type.items : keysOf(keys).map((key) => type.items[key]);
    return oneOf(places.filter(Boolean), options);
  }
  const properties = propertiesOf(type);
  return oneOf(keysOf(keys).filter((key) => key in properties).map((key) => OptionalRemove(properties[key])), options);
};

const members = (type) => (isKind(type, "Union") ? type.anyOf : isKind(type, "Enum") ? type.enum.map((value) => Literal(value)) : [type]);

// Whether all values of one type are values of another, as far as kinds and literals tell.
const extendsType = (left, right) => {
  if (isKind(right, "Any") || isKind(right, "Unknown")) return true;
  if (isKind(right, "Union")) return right.anyOf.some((member) => extendsType(left, member));
  if (isKind(left, "Union")) return left.anyOf.every((member) => extendsType(member, right));
  if (isKind(right, "Literal")) return isKind(left, "Literal") && left.const === right.const;
  if (isKind(left, "Literal")) return typeof left.const === right.type;
  if (isKind(left, "Integer") && isKind(right, "Number")) return true;
  if (isKind(left, "Object") && isKind(right, "Object")) {
    return Object.entries(right.properties).every(([key, type]) => {
      const own = left.properties[key];
      return own ? extendsType(own, type) : isOptional(type);
    });
  }
  return left["~kind"] === right["~kind"];
};

export const Extends = (left, right, yes, no, options) => copy(extendsType(left, right) ? yes : no, options);
export { Extends as Conditional };
export const Exclude = (type, unwanted, options) => oneOf(members(type).filter((member) => !extendsType(member, unwanted)), options);
export const Extract = (type, wanted, options) => oneOf(members(type).filter((member) => extendsType(member, wanted)), options);
export const NonNullable = (type, options) => Exclude(type, Union([build.Null(), build.Undefined()]), options);

export const Parameters = (type, options) => build.Tuple(type.parameters, options);
export { Parameters as ConstructorParameters };
export const ReturnType = (type, options) => copy(type.returnType, options);
export const InstanceType = (type, options) => copy(type.instanceType, options);
export const Awaited = (type, options) => (isKind(type, "Promise") ? Awaited(type.item, options) : copy(type, options));

const spelled = (change) => (type, options) => {
  const changed = members(type).map((member) => (isKind(member, "Literal") ? Literal(change(String(member.const))) : member));
  return oneOf(changed, options);
};
const first = (change) => (text) => change(text.slice(0, 1)) + text.slice(1);
export const Uppercase = spelled((text) => text.toUpperCase());
export const Lowercase = spelled((text) => text.toLowerCase());
export const Capitalize = spelled(first((text) => text.toUpperCase()));
export const Uncapitalize = spelled(first((text) => text.toLowerCase()));

/** An object with a property for each key; in `type` the identifier stands for the key. */
export const Mapped = (identifier, keys, as, type, options) => {
  const named = (part, key) => (isKind(part, "Ref") && part.$ref === identifier.name ? Literal(key) : part);
  const entries = (literalsOf(keys) ?? []).map((key) => [String(named(as, key).const ?? key), named(type, key)]);
  return build.Object(Object.fromEntries(entries), options);
};

/** Types that refer to each other by name, each with what it refers to in place. */
export const Module = (types) => {
  const resolve = (schema, path) => {
    if (schema === null || typeof schema !== "object") return schema;
    if (Array.isArray(schema)) return schema.map((item) => resolve(item, path));
    if (isKind(schema, "Ref") && schema.$ref in types && !path.includes(schema.$ref)) return resolve(types[schema.$ref], [...path, schema.$ref]);
    const result = copy(schema);
    for (const key of Object.keys(result)) result[key] = resolve(result[key], path);
    return result;
  };
  const resolved = Object.fromEntries(Object.entries(types).map(([name, type]) => [name, resolve(type, [name])]));
  return Object.defineProperty(resolved, "Import", { value: (name, options) => copy(resolved[name], options) });
};
