// Handlers of events: what they are given, and what becomes of their answers.
import { own } from "pi:bridge/callbacks";
import { contextOf, trustContext } from "pi:bridge/context";
import { deferred } from "pi:bridge/defer";
import { bashFunction } from "pi:bridge/operations";

import { host } from "script:host";

// Subscribes `handler`; `context` is the number of the session's context. Returns what takes it back.
export function subscribe(context, name, handler) {
  if (typeof handler !== "function") throw new TypeError(`The handler of ${name} must be a function`);
  let [mutable, isAssignable, defer, isAsked] = [[], false, undefined, false];
  const call = (event, signal, make, trust, about) => {
    prepare(event, signal);
    if (make) defer(event, make);
    const ctx = trust === undefined ? contextOf(context) : trustContext(trust, about);
    if (!isAsked) return settled(handler(event, ctx), () => undefined);
    // What counts is what is in a field, not what another value was put into.
    const kept = mutable.map((field) => event[field]);
    const left = (result) => (isAssignable && result ? mutable.map((field) => event[field]) : kept);
    return settled(handler(event, ctx), (result) => answer(result, left(result)));
  };
  const about = host.sync("pi.on", context, name, own(context, call));
  ({ mutable = [], isAssignable, isAsked } = about);
  if (about.late?.length > 0) defer = deferred(about.late);
  return () => host.sync("pi.off", context, about.handlers);
}

// Puts in what JSON cannot say.
function prepare(event, signal) {
  if (signal) event.signal = signal;
  const files = event.preparation?.fileOps;
  if (files) {
    for (const kind of ["read", "written", "edited"]) files[kind] = new Set(files[kind] ?? []);
  }
}

// The answer, and the JSON text of each mutable field as the handler left it: the program knows what it was, and finds out
// whether it was changed.
function answer(result, left) {
  const said = sayable(result);
  return left.length === 0 ? said : host.several(said, ...left.map((value) => JSON.stringify(value)));
}

function sayable(result) {
  if (typeof result?.operations?.exec !== "function") return result === undefined ? undefined : { result };
  const { operations, ...said } = result;
  return { result: said, exec: host.callback(bashFunction(operations)) };
}

// Goes on at once where there is nothing to wait for.
export function settled(value, next) {
  return typeof value?.then === "function" ? Promise.resolve(value).then(next) : next(value);
}
