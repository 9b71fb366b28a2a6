// Exports that are loaded when they are first used, and names that exist but have no use in an extension.
import { host } from "script:host";

// Stands for an export of a module: a class that can be extended, a function, an object.
export function lazy(module, name) {
  const real = () => host.importNow(module)[name];
  const stand = function () {};
  return new Proxy(stand, {
    get: (_, key) => {
      const value = real();
      return Reflect.get(value, key, value);
    },
    has: (_, key) => Reflect.has(real(), key),
    apply: (_, self, args) => Reflect.apply(real(), self, args),
    construct: (own, args, target) => Reflect.construct(real(), args, target === own || target === undefined ? real() : target),
    getPrototypeOf: () => Reflect.getPrototypeOf(real()),
  });
}

const refuse = (name) => {
  throw new Error(`${name} is not available to extensions: it starts or runs the program itself`);
};

// A function that cannot be called from an extension.
export const absent = (name) => Object.defineProperty(() => refuse(name), "name", { value: name });

// A class of which there are no instances, and whose static methods cannot be called either.
export function absentClass(name) {
  const stand = class {
    constructor() {
      refuse(name);
    }
  };
  Object.defineProperty(stand, "name", { value: name });
  return new Proxy(stand, {
    get: (own, key) => (key in own || typeof key === "symbol" || key === "then" ? own[key] : absent(`${name}.${key}`)),
  });
}
