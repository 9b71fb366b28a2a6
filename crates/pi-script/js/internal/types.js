// util.types: what kind of built-in object a value is.
const tag = (value) => Object.prototype.toString.call(value).slice(8, -1);
const isObject = (value) => typeof value === "object" && value !== null;
// Calls a method that only the right kind of object has: what a value says of itself is not proof.
const answers = (get) => (value) => {
  if (!isObject(value)) return false;
  try {
    get(value);
    return true;
  } catch {
    return false;
  }
};
const getter = (prototype, name) => {
  const { get } = Object.getOwnPropertyDescriptor(prototype, name);
  return answers((value) => get.call(value));
};
const method = (fn, ...args) => answers((value) => fn.call(value, ...args));
const typedName = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;

const types = {
  isAnyArrayBuffer: (value) => types.isArrayBuffer(value) || types.isSharedArrayBuffer(value),
  isArgumentsObject: (value) => isObject(value) && !(Symbol.toStringTag in value) && tag(value) === "Arguments",
  isArrayBuffer: getter(ArrayBuffer.prototype, "byteLength"),
  isArrayBufferView: (value) => ArrayBuffer.isView(value),
  isAsyncFunction: (value) => typeof value === "function" && tag(value) === "AsyncFunction",
  isBigInt64Array: (value) => typedName.call(value) === "BigInt64Array",
  isBigIntObject: method(BigInt.prototype.valueOf),
  isBigUint64Array: (value) => typedName.call(value) === "BigUint64Array",
  isBooleanObject: method(Boolean.prototype.valueOf),
  isBoxedPrimitive: (value) =>
    isObject(value) &&
    (types.isNumberObject(value) || types.isStringObject(value) || types.isBooleanObject(value) ||
      types.isBigIntObject(value) || types.isSymbolObject(value)),
  isDataView: (value) => ArrayBuffer.isView(value) && typedName.call(value) === undefined,
  isDate: method(Date.prototype.getTime),
  isExternal: () => false,
  isFloat32Array: (value) => typedName.call(value) === "Float32Array",
  isFloat64Array: (value) => typedName.call(value) === "Float64Array",
  isGeneratorFunction: (value) => typeof value === "function" && tag(value).endsWith("GeneratorFunction"),
  isGeneratorObject: (value) => isObject(value) && tag(value).endsWith("Generator"),
  isInt8Array: (value) => typedName.call(value) === "Int8Array",
  isInt16Array: (value) => typedName.call(value) === "Int16Array",
  isInt32Array: (value) => typedName.call(value) === "Int32Array",
  isMap: getter(Map.prototype, "size"),
  isMapIterator: (value) => isObject(value) && tag(value) === "Map Iterator",
  isModuleNamespaceObject: (value) => isObject(value) && tag(value) === "Module",
  isNativeError: (value) => value instanceof Error,
  isNumberObject: method(Number.prototype.valueOf),
  isPromise: (value) => value instanceof Promise,
  isProxy: () => false,
  isRegExp: (value) => isObject(value) && value instanceof RegExp,
  isSet: getter(Set.prototype, "size"),
  isSetIterator: (value) => isObject(value) && tag(value) === "Set Iterator",
  isSharedArrayBuffer:
    typeof SharedArrayBuffer === "undefined" ? () => false : getter(SharedArrayBuffer.prototype, "byteLength"),
  isStringObject: method(String.prototype.valueOf),
  isSymbolObject: method(Symbol.prototype.valueOf),
  isTypedArray: (value) => typedName.call(value) !== undefined,
  isUint8Array: (value) => typedName.call(value) === "Uint8Array",
  isUint8ClampedArray: (value) => typedName.call(value) === "Uint8ClampedArray",
  isUint16Array: (value) => typedName.call(value) === "Uint16Array",
  isUint32Array: (value) => typedName.call(value) === "Uint32Array",
  isWeakMap: method(WeakMap.prototype.has, {}),
  isWeakSet: method(WeakSet.prototype.has, {}),
};
exports.types = types;
