// Functions that belong to an activation: they go with it.
import { host } from "script:host";

const owned = new Map();

// The number of `fn`, which the program may call as long as the session of `context` was not replaced.
export function own(context, fn) {
  const id = host.callback(fn);
  keep(context, [id]);
  return id;
}

// Lets functions that have numbers already go with this activation.
export function keep(context, added) {
  const ids = owned.get(context);
  if (ids) ids.push(...added);
  else owned.set(context, [...added]);
}

// Lets the functions of these activations go.
export function release(contexts) {
  for (const context of contexts) {
    for (const id of owned.get(context) ?? []) host.forget(id);
    owned.delete(context);
  }
}
