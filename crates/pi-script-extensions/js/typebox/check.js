// Whether values fit a schema, and what is wrong with them. Schemas without kinds (plain JSON Schema) are checked alike.
const FORMATS = {
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  uri: /^[a-z][a-z0-9+.-]*:[^\s]+$/i,
  url: /^https?:\/\/[^\s]+$/i,
  uuid: /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i,
  date: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  time: /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:z|[+-]\d\d:?\d\d)?$/i,
  "date-time": /^\d{4}-\d\d-\d\d[t ]\d\d:\d\d:\d\d(?:\.\d+)?(?:z|[+-]\d\d:?\d\d)$/i,
  ipv4: /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/,
};

const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const TYPES = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number" && Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  array: Array.isArray,
  object: isRecord,
  undefined: (value) => value === undefined,
  void: (value) => value === undefined,
  bigint: (value) => typeof value === "bigint",
  symbol: (value) => typeof value === "symbol",
  function: (value) => typeof value === "function",
  constructor: (value) => typeof value === "function",
  promise: (value) => typeof value?.then === "function",
  iterator: (value) => typeof value?.[Symbol.iterator] === "function",
  asyncIterator: (value) => typeof value?.[Symbol.asyncIterator] === "function",
  Date: (value) => value instanceof Date && !Number.isNaN(value.getTime()),
  Uint8Array: (value) => value instanceof Uint8Array,
};

export const equal = (a, b) => {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]));
};

const escaped = (key) => String(key).replaceAll("~", "~0").replaceAll("/", "~1");

/** What is wrong with a value: `{keyword, schemaPath, instancePath, params, message}`. */
export const errorsOf = (schema, value, definitions = {}) => {
  const checker = new Checker(definitions);
  checker.check(schema, value, "#", "");
  return checker.errors;
};

export const fits = (schema, value, definitions = {}) => errorsOf(schema, value, definitions).length === 0;

class Checker {
  errors = [];

  constructor(definitions) {
    this.definitions = definitions;
  }

  report(keyword, at, path, params, message) {
    this.errors.push({ keyword, schemaPath: at, instancePath: path, params, message });
  }

  check(schema, value, at, path) {
    if (schema === true) return;
    if (schema === false) return this.report("boolean", at, path, {}, "schema is false");
    const outer = this.definitions;
    // What a schema defines counts in all of it.
    if (schema.$defs || schema.$id) this.definitions = { ...outer, ...schema.$defs, ...(schema.$id && { [schema.$id]: schema }) };
    if (at === "#") this.root = schema;
    this.reference(schema, value, at, path);
    this.type(schema, value, at, path);
    this.values(schema, value, at, path);
    if (isRecord(value)) this.object(schema, value, at, path);
    if (Array.isArray(value)) this.array(schema, value, at, path);
    if (typeof value === "string") this.string(schema, value, at, path);
    if (typeof value === "number" || typeof value === "bigint") this.number(schema, value, at, path);
    this.combinations(schema, value, at, path);
    for (const { check, message } of schema["~refine"] ?? []) {
      if (!check(value)) this.report("~refine", at, path, {}, message(value));
    }
    this.definitions = outer;
  }

  reference({ $ref }, value, at, path) {
    if ($ref === undefined) return;
    const target = $ref === "#" ? this.root : (this.definitions[$ref] ?? this.definitions[$ref.replace(/^#\/\$defs\//, "")]);
    if (!target) throw new Error(`The schema refers to "${$ref}", which is defined nowhere`);
    this.check(target, value, `${at}/$ref`, path);
  }

  type({ type }, value, at, path) {
    if (type === undefined) return;
    const types = Array.isArray(type) ? type : [type];
    if (types.some((name) => TYPES[name]?.(value) ?? true)) return;
    const names = types.length === 1 ? types[0] : `either ${types.join(" or ")}`;
    this.report("type", at, path, { type }, `must be ${names}`);
  }

  values(schema, value, at, path) {
    if ("const" in schema && !equal(schema.const, value)) {
      this.report("const", at, path, { allowedValue: schema.const }, "must be equal to constant");
    }
    if (schema.enum && !schema.enum.some((allowed) => equal(allowed, value))) {
      this.report("enum", at, path, { allowedValues: schema.enum }, "must be equal to one of the allowed values");
    }
  }

  object(schema, value, at, path) {
    const { properties = {}, patternProperties = {}, additionalProperties, required = [], propertyNames } = schema;
    const keys = Object.keys(value);
    const missing = required.filter((key) => !Object.hasOwn(value, key));
    if (missing.length > 0) {
      this.report("required", at, path, { requiredProperties: missing }, `must have required properties ${missing.join(", ")}`);
    }
    this.extra(keys, schema, value, at, path, additionalProperties);
    for (const [key, property] of Object.entries(properties)) {
      if (!Object.hasOwn(value, key) || (value[key] === undefined && !required.includes(key))) continue;
      this.check(property, value[key], `${at}/properties/${escaped(key)}`, `${path}/${escaped(key)}`);
    }
    for (const [pattern, property] of Object.entries(patternProperties)) {
      const expression = new RegExp(pattern, "u");
      for (const key of keys.filter((name) => expression.test(name))) {
        this.check(property, value[key], `${at}/patternProperties/${pattern}`, `${path}/${escaped(key)}`);
      }
    }
    if (propertyNames) for (const key of keys) this.check(propertyNames, key, `${at}/propertyNames`, path);
    this.count("Properties", "properties", keys.length, schema, at, path);
  }

  extra(keys, { properties = {}, patternProperties = {} }, value, at, path, additional) {
    if (additional === undefined || additional === true) return;
    const patterns = Object.keys(patternProperties).map((pattern) => new RegExp(pattern, "u"));
    const extra = keys.filter((key) => !Object.hasOwn(properties, key) && !patterns.some((pattern) => pattern.test(key)));
    if (additional !== false) {
      for (const key of extra) this.check(additional, value[key], `${at}/additionalProperties`, `${path}/${escaped(key)}`);
    } else if (extra.length > 0) {
      this.report("additionalProperties", at, path, { additionalProperties: extra }, "must not have additional properties");
    }
  }

  array(schema, value, at, path) {
    const { items, additionalItems, contains } = schema;
    const fixed = Array.isArray(items) ? items : (schema.prefixItems ?? []);
    value.forEach((item, i) => {
      if (i >= fixed.length && fixed.length >= 0 && Array.isArray(items) && additionalItems !== undefined) {
        this.check(additionalItems, item, `${at}/additionalItems`, `${path}/${i}`);
      }
    });
    value.forEach((item, i) => {
      if (i < fixed.length) this.check(fixed[i], item, `${at}/items/${i}`, `${path}/${i}`);
      else if (items !== undefined && !Array.isArray(items)) this.check(items, item, `${at}/items`, `${path}/${i}`);
    });
    if (contains && !value.some((item) => fits(contains, item, this.definitions))) {
      this.report("contains", at, path, { minContains: 1 }, "must contain at least 1 valid item");
    }
    this.count("Items", "items", value.length, schema, at, path);
    const twice = schema.uniqueItems ? value.flatMap((item, i) => (value.slice(0, i).some((other) => equal(item, other)) ? [i] : [])) : [];
    if (twice.length > 0) this.report("uniqueItems", at, path, { duplicateItems: twice }, "must not have duplicate items");
  }

  string(schema, value, at, path) {
    this.count("Length", "characters", [...value].length, schema, at, path);
    const { format, pattern } = schema;
    if (format && FORMATS[format] && !FORMATS[format].test(value)) {
      this.report("format", at, path, { format }, `must match format "${format}"`);
    }
    if (pattern !== undefined && !new RegExp(pattern, "u").test(value)) {
      this.report("pattern", at, path, { pattern }, `must match pattern "${pattern}"`);
    }
  }

  // `minItems`, `maxLength` and so on.
  count(what, words, count, schema, at, path) {
    const [least, most] = [schema[`min${what}`], schema[`max${what}`]];
    if (most !== undefined && count > most) this.report(`max${what}`, at, path, { limit: most }, `must not have more than ${most} ${words}`);
    if (least !== undefined && count < least) this.report(`min${what}`, at, path, { limit: least }, `must not have fewer than ${least} ${words}`);
  }

  number(schema, value, at, path) {
    const limits = [
      ["exclusiveMaximum", "<", (limit) => value < limit],
      ["exclusiveMinimum", ">", (limit) => value > limit],
      ["maximum", "<=", (limit) => value <= limit],
      ["minimum", ">=", (limit) => value >= limit],
    ];
    for (const [keyword, comparison, isWithin] of limits) {
      const limit = schema[keyword];
      if (limit !== undefined && !isWithin(limit)) this.report(keyword, at, path, { comparison, limit }, `must be ${comparison} ${limit}`);
    }
    const { multipleOf } = schema;
    if (multipleOf !== undefined && !isMultiple(value, multipleOf)) {
      this.report("multipleOf", at, path, { multipleOf }, `must be multiple of ${multipleOf}`);
    }
  }

  combinations({ allOf, anyOf, oneOf, not, "~kind": kind }, value, at, path) {
    allOf?.forEach((schema, i) => this.check(schema, value, `${at}/allOf/${i}`, path));
    if (anyOf && !anyOf.some((schema) => fits(schema, value, this.definitions))) {
      anyOf.forEach((schema, i) => this.check(schema, value, `${at}/anyOf/${i}`, path));
      this.report("anyOf", at, path, {}, "must match a schema in anyOf");
    }
    const passing = oneOf?.flatMap((schema, i) => (fits(schema, value, this.definitions) ? [i] : []));
    if (passing && passing.length !== 1) {
      this.report("oneOf", at, path, { passingSchemas: passing }, "must match exactly one schema in oneOf");
    }
    if (kind === "Never" || (not && fits(not, value, this.definitions))) this.report("not", at, path, {}, "must not be valid");
  }
}

const isMultiple = (value, of) => {
  if (typeof value === "bigint") return value % BigInt(of) === 0n;
  const times = value / of;
  return Math.abs(times - Math.round(times)) < 1e-9;
};
