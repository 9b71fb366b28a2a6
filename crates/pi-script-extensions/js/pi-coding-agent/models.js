// Registries of models that scripts make, and what belongs to any of them: its credentials and its number.
import { AuthStorage } from "pi:coding-agent/auth";
import { HANDLE, hold } from "pi:bridge/handle";

import { host } from "script:host";

// The credentials of registries.
const storages = new WeakMap();

function made(Registry, number, auth) {
  const registry = hold(new Registry({ held: number }), "registries", number);
  storages.set(registry, auth);
  return registry;
}

export const create = (Registry, auth, file) => made(Registry, host.sync("registries.create", auth[HANDLE], file), auth);
export const inMemory = (Registry, auth) => made(Registry, host.sync("registries.inMemory", auth[HANDLE]), auth);

export function authOf(registry, meant) {
  let auth = storages.get(registry);
  if (!auth) storages.set(registry, (auth = new AuthStorage(host.sync("registries.auth", meant))));
  return auth;
}

// That of a session gets a number when somebody asks for it.
export const handleOf = (registry, meant) => hold(registry, "registries", host.sync("registries.hold", meant))[HANDLE];
