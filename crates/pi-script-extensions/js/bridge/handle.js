// Objects of scripts that stand for something of the program, which is kept under a number until nobody has the object
// any more.
import { host } from "script:host";

export const HANDLE = Symbol.for("pi.handle");

const abandoned = new FinalizationRegistry(({ kind, number }) => host.sync(`${kind}.drop`, number));

export function hold(object, kind, number) {
  Object.defineProperty(object, HANDLE, { value: number });
  abandoned.register(object, { kind, number });
  return object;
}
