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

const refuse = (name, reason = "it starts or runs the program itself") => {
  throw new Error(`${name} is not available to extensions: ${reason}`);
};

// A function that cannot be called from an extension.
export const absent = (name, reason) => Object.defineProperty(() => refuse(name, reason), "name", { value: name });

// A class of which there are no instances, and whose static methods cannot be called either.
export function absentClass(name, reason) {
  const stand = class {
    constructor() {
      refuse(name, reason);
    }
  };
  Object.defineProperty(stand, "name", { value: name });
  return new Proxy(stand, {
    get: (own, key) => (key in own || isHarmless(key) ? own[key] : absent(`${name}.${key}`, reason)),
  });
}

// Who asks whether it is a promise, or shows it, uses nothing of it.
const isHarmless = (key) => typeof key === "symbol" || key === "then" || key === "toJSON" || key === "__esModule";

const UNKNOWN = "this program has no work for it";
const absentObject = (name) => new Proxy({}, { get: (own, key) => (isHarmless(key) || key in own ? own[key] : refuse(`${name}.${key}`, UNKNOWN)) });

// What stands for exports that this program has no work for, by kind.
const stands = {
  class: (name) => absentClass(name, UNKNOWN),
  function: (name) => absent(name, UNKNOWN),
  object: absentObject,
  string: () => "",
  symbol: Symbol,
};

// Finds exports of a package: among `known`, or as `special` says of a path, or in the list of what the package has; what is
// only in that list fails by name when it is used.
export const exporter = (known, special = () => undefined) => (path, name, kind, value) =>
  special(path, name) ?? known[name] ?? (kind === "constant" ? value : stands[kind]?.(name));
