// Fields that are made when somebody reads them, and are then like any other.
import { host } from "script:host";

// What is not made yet, by the objects that it belongs to.
const waiting = new WeakMap();

// For fields at these paths of names: a function that adds them to an object. All hold what its `make` makes. It is called
// for every piece of an answer, so there is one getter per field and not one per event.
export function deferred(paths) {
  const fields = paths.map((path) => {
    const names = path.split(".");
    const name = names.pop();
    return { names, name, accessor: accessorOf(name) };
  });
  return (object, make) => {
    const late = { make, value: undefined, places: [] };
    for (const { names, name, accessor } of fields) {
      let owner = object;
      for (const step of names) owner = owner[step];
      late.places.push(owner, name);
      waiting.set(owner, late);
      Object.defineProperty(owner, name, accessor);
    }
  };
}

function accessorOf(name) {
  const get = function () {
    const late = lateOf(this);
    if (!late?.make) return late?.value;
    late.value = late.make();
    late.make = undefined;
    for (let at = 0; at < late.places.length; at += 2) settle(late.places[at], late.places[at + 1], late.value);
    return late.value;
  };
  const set = function (value) {
    put(this, name, value);
  };
  // It is no getter of the script's own: whoever looks at the object shows the value.
  host.transparent.add(get);
  return { get, set, enumerable: true, configurable: true };
}

// That of an object, or of what it was made from.
function lateOf(object) {
  for (let owner = object; owner; owner = Object.getPrototypeOf(owner)) {
    if (waiting.has(owner)) return waiting.get(owner);
  }
  return undefined;
}

// Makes it a plain field, unless the script has put something else there.
function settle(owner, name, value) {
  if (host.transparent.has(Object.getOwnPropertyDescriptor(owner, name)?.get)) put(owner, name, value);
}

// A frozen object stays as it is.
function put(owner, name, value) {
  Reflect.defineProperty(owner, name, { value, writable: true, enumerable: true, configurable: true });
}
