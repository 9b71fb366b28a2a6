// What a schema is: plain JSON Schema, with its kind and modifiers in properties that JSON does not show.
const hide = (schema, name, value) => Object.defineProperty(schema, name, { value, writable: true, configurable: true, enumerable: false });

/** A schema of a kind: its own fields, then the user's options. */
export const make = (kind, fields, options) => hide(Object.assign({}, fields, options), "~kind", kind);

export const kindOf = (schema) => schema?.["~kind"];
export const isKind = (schema, kind) => kindOf(schema) === kind;
/** Whether the builders made the schema, so that its fields are known to mean what they say. */
export const isBuilt = (schema) => ![undefined, "Unsafe"].includes(kindOf(schema));
export const isOptional = (schema) => schema?.["~optional"] === true;
export const isReadonly = (schema) => schema?.["~readonly"] === true;

/** A copy, with what JSON does not show. */
export const copy = (schema, options) => Object.assign(Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema)), options);

/** A copy that is marked. */
export const marked = (schema, mark, value = true) => hide(copy(schema), mark, value);

/** A copy without the mark. */
export const unmarked = (schema, mark) => {
  const result = copy(schema);
  delete result[mark];
  return result;
};
