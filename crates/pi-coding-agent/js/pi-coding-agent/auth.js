// Credentials of providers: in a file, in memory, in a storage of the script's own, of the session.
import { HANDLE, hold } from "pi:bridge/handle";

import { host } from "script:host";

export class AuthStorage {
  // What could not be saved, until somebody asks.
  #unsaved = [];
  #fallback;

  constructor(number) {
    if (typeof number !== "number") throw new Error("Use AuthStorage.create, inMemory or fromStorage");
    hold(this, "auth", number);
  }
  static create = (path) => new AuthStorage(host.sync("auth.create", path));
  static inMemory = (data) => new AuthStorage(host.sync("auth.inMemory", data));

  list() {
    return host.sync("auth.list", this[HANDLE]);
  }
  has(provider) {
    return this.list().includes(provider);
  }
  hasAuth(provider) {
    return host.sync("auth.hasAuth", this[HANDLE], provider) || Boolean(this.#fallback?.(provider));
  }
  get(provider) {
    return host.sync("auth.get", this[HANDLE], provider);
  }
  getAll() {
    return host.sync("auth.getAll", this[HANDLE]);
  }
  getProviderEnv(provider) {
    return host.sync("auth.providerEnv", this[HANDLE], provider);
  }
  getAuthStatus(provider) {
    const status = host.sync("auth.status", this[HANDLE], provider);
    if (status.source || !this.#fallback?.(provider)) return status;
    return { configured: false, source: "fallback", label: "custom provider config" };
  }
  async getApiKey(provider, options) {
    const key = await host.async("auth.getApiKey", this[HANDLE], provider);
    return key ?? (options?.includeFallback === false ? undefined : this.#fallback?.(provider));
  }

  set(provider, credential) {
    this.#saved(host.sync("auth.set", this[HANDLE], provider, credential));
  }
  remove(provider) {
    this.#saved(host.sync("auth.remove", this[HANDLE], provider));
  }
  logout(provider) {
    this.remove(provider);
  }
  reload() {
    host.sync("auth.reload", this[HANDLE]);
  }
  setRuntimeApiKey(provider, key) {
    host.sync("auth.setRuntimeApiKey", this[HANDLE], provider, key);
  }
  removeRuntimeApiKey(provider) {
    host.sync("auth.removeRuntimeApiKey", this[HANDLE], provider);
  }
  // Asked by this storage alone; registries have `models.json`.
  setFallbackResolver(resolver) {
    this.#fallback = resolver;
  }
  drainErrors() {
    const errors = [...host.sync("auth.drainErrors", this[HANDLE]), ...this.#unsaved];
    this.#unsaved = [];
    return errors.map((message) => new Error(message));
  }
  #saved(problem) {
    if (problem !== undefined) this.#unsaved.push(problem);
  }

  static held = (number) => new AuthStorage(number);
}
