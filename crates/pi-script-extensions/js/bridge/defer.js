// Fields that are made when somebody reads them, and are then like any other. They come with every piece of an answer: no
// iterators here, no descriptors for the engine to take apart, no cycle that would wait for its garbage collector.
import { host } from "script:host";

const { __defineGetter__: defineGetter, __defineSetter__: defineSetter } = Object.prototype;

// What is not made yet, by the objects that it belongs to.
const waiting = new WeakMap();

// For fields at these paths of names: a function that adds them to an object. All hold what its `make` makes.
export function deferred(paths) {
  const fields = paths.map((path) => {
    const names = path.split(".");
    const name = names.pop();
    return { names, name, get: getterOf(name), set: setterOf(name) };
  });
  return (object, make) => {
    const late = { make, value: undefined };
    for (let at = 0; at < fields.length; at++) {
      const { names, name, get, set } = fields[at];
      let owner = object;
      for (let step = 0; step < names.length; step++) owner = owner[names[step]];
      waiting.set(owner, late);
      defineGetter.call(owner, name, get);
      defineSetter.call(owner, name, set);
    }
  };
}

// Of the object that it is asked of, or of what that was made from.
function getterOf(name) {
  const get = function () {
    let owner = this;
    while (owner && !waiting.has(owner)) owner = Object.getPrototypeOf(owner);
    if (!owner) return undefined;
    const value = made(waiting.get(owner));
    // A plain field from now on, unless the script has put something else there.
    if (Object.getOwnPropertyDescriptor(owner, name)?.get === get) put(owner, name, value);
    return value;
  };
  // It is no getter of the script's own: whoever looks at the object shows the value.
  host.transparent.add(get);
  return get;
}

function setterOf(name) {
  return function (value) {
    put(this, name, value);
  };
}

function made(late) {
  if (late.make) late.value = late.make();
  late.make = undefined;
  return late.value;
}

// A frozen object stays as it is.
function put(owner, name, value) {
  Reflect.defineProperty(owner, name, { value, writable: true, enumerable: true, configurable: true });
}
