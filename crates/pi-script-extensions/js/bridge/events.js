// Handlers of events: what they are given, and what becomes of their answers.
import { own } from "pi:bridge/callbacks";
import { contextOf, trustContext } from "pi:bridge/context";
import { deferred } from "pi:bridge/defer";
import { bashFunction } from "pi:bridge/operations";

import { host } from "script:host";

// Subscribes `handler`; `context` is the number of the session's context. Returns what takes it back.
export function subscribe(context, name, handler) {
  if (typeof handler !== "function") throw new TypeError(`The handler of ${name} must be a function`);
  let [mutable, defer, isAsked] = [[], undefined, false];
  const call = (event, signal, make, trust, about) => {
    prepare(event, signal);
    if (make) defer(event, make);
    const ctx = trust === undefined ? contextOf(context) : trustContext(trust, about);
    if (!isAsked) return settled(handler(event, ctx), () => undefined);
    const kept = mutable.map((field) => ({ field, value: event[field], before: JSON.stringify(event[field]) }));
    return settled(handler(event, ctx), (result) => answer(event, kept, result));
  };
  const said = host.sync("pi.on", context, name, own(context, call));
  ({ mutable, isAsked } = said);
  if (said.late.length > 0) defer = deferred(said.late);
  return () => host.sync("pi.off", context, said.handlers);
}

// Puts in what JSON cannot say.
function prepare(event, signal) {
  if (event.type === "session_before_compact" || event.type === "session_before_tree") event.signal = signal;
  const files = event.preparation?.fileOps;
  if (files) {
    for (const kind of ["read", "written", "edited"]) files[kind] = new Set(files[kind] ?? []);
  }
}

// The answer, with what the handler changed in place: what is in a field, not what another value was put into. Only of
// the result of a tool does such a value count, where the handler answers at all.
function answer(event, kept, result) {
  let changed;
  const isAnswered = event.type === "tool_result" && Boolean(result);
  for (const { field, value, before } of kept) {
    const now = isAnswered ? event[field] : value;
    if (JSON.stringify(now) !== before) (changed ??= {})[field] = now;
  }
  if (typeof result?.operations?.exec === "function") {
    const { operations, ...said } = result;
    return { result: said, event: changed, exec: host.callback(bashFunction(operations)) };
  }
  return changed ? { result, event: changed } : { result };
}

// Goes on at once where there is nothing to wait for.
export function settled(value, next) {
  return typeof value?.then === "function" ? Promise.resolve(value).then(next) : next(value);
}
