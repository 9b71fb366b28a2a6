// Fields that are made when somebody reads them, and are then like any other.
import { host } from "script:host";

// Adds fields to `object`: each a path of names. All hold what `make` makes.
export function defer(object, paths, make) {
  let value;
  const get = () => {
    if (!make) return value;
    value = make();
    make = undefined;
    for (const [owner, name] of places) settle(owner, name, get, value);
    return value;
  };
  // It is no getter of the script's own: whoever looks at the object shows the value.
  host.transparent.add(get);
  const places = paths.map((path) => [path.slice(0, -1).reduce((owner, name) => owner[name], object), path.at(-1)]);
  for (const [owner, name] of places) {
    const set = (now) => settle(owner, name, get, now);
    Object.defineProperty(owner, name, { get, set, enumerable: true, configurable: true });
  }
}

// Makes it a plain field, unless the script has put something else there. A frozen object stays as it is.
function settle(owner, name, get, value) {
  if (Object.getOwnPropertyDescriptor(owner, name)?.get !== get) return;
  Reflect.defineProperty(owner, name, { value, writable: true, enumerable: true, configurable: true });
}
