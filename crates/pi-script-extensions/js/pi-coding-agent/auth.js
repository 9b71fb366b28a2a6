// Credentials of providers: in a file, in memory, in a storage of the script's own, of the session.
import { getOAuthProvider } from "pi:ai/oauth";
import { HANDLE, hold } from "pi:bridge/handle";
import { asked } from "pi:bridge/logins";

import { host } from "script:host";

const PATH = Symbol("path");

// A file of credentials that is changed under its lock.
export class FileAuthStorageBackend {
  #path;
  constructor(path) {
    this.#path = path;
  }
  get [PATH]() {
    return this.#path;
  }
  withLock(change) {
    const { number, text } = host.sync("authFile.open", this.#path);
    let next;
    try {
      let result;
      ({ result, next } = change(text));
      return result;
    } finally {
      host.sync("authFile.close", number, next);
    }
  }
  async withLockAsync(change) {
    const { number, text } = await host.async("authFile.openLong", this.#path);
    let next;
    try {
      let result;
      ({ result, next } = await change(text));
      return result;
    } finally {
      host.sync("authFile.close", number, next);
    }
  }
}

// Credentials as a text, in memory.
export class InMemoryAuthStorageBackend {
  #text;
  withLock(change) {
    const { result, next } = change(this.#text);
    if (next !== undefined) this.#text = next;
    return result;
  }
  async withLockAsync(change) {
    const { result, next } = await change(this.#text);
    if (next !== undefined) this.#text = next;
    return result;
  }
}

const parsed = (text) => (text ? JSON.parse(text) : {});
const written = (entries) => JSON.stringify(entries, null, 2);
const isDue = (entry) => entry?.type === "oauth" && Date.now() >= entry.expires;

export class AuthStorage {
  // What went wrong, until somebody asks.
  #problems = [];
  #fallback;
  // Where a script keeps it itself; the program then has a copy.
  #backend;

  constructor(number) {
    if (typeof number !== "number") throw new Error("Use AuthStorage.create, inMemory or fromStorage");
    hold(this, "auth", number);
  }
  static create = (path) => new AuthStorage(host.sync("auth.create", path));
  static fromStorage(backend) {
    if (backend?.constructor === FileAuthStorageBackend) return AuthStorage.create(backend[PATH]);
    const storage = AuthStorage.inMemory();
    storage.#backend = backend;
    storage.reload();
    return storage;
  }
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
    const key = await this.#key(provider);
    return key ?? (options?.includeFallback === false ? undefined : this.#fallback?.(provider));
  }
  // A login is renewed under the lock of who keeps it.
  #key(provider) {
    if (!this.#backend || !isDue(this.get(provider))) return this.#resolved(provider);
    return this.#backend.withLockAsync(async (text) => {
      const entries = parsed(text);
      host.sync("auth.replace", this[HANDLE], entries);
      const result = await this.#resolved(provider);
      const entry = this.get(provider);
      const isNew = JSON.stringify(entry) !== JSON.stringify(entries[provider]);
      return isNew ? { result, next: written({ ...entries, [provider]: entry }) } : { result };
    });
  }
  async #resolved(provider) {
    const { key, error } = await host.async("auth.getApiKey", this[HANDLE], provider);
    if (error) this.#problems.push(error);
    return key ?? undefined;
  }

  set(provider, credential) {
    this.#noted(host.sync("auth.set", this[HANDLE], provider, credential));
    this.#keep(provider, credential);
  }
  remove(provider) {
    this.#noted(host.sync("auth.remove", this[HANDLE], provider));
    this.#keep(provider, undefined);
  }
  logout(provider) {
    this.remove(provider);
  }
  reload() {
    if (!this.#backend) return host.sync("auth.reload", this[HANDLE]);
    this.#tried(() => host.sync("auth.replace", this[HANDLE], parsed(this.#backend.withLock((result) => ({ result })))));
  }
  // Tells the script's own storage of one change; what else is in there stays.
  #keep(provider, credential) {
    const change = (text) => ({ result: undefined, next: written({ ...parsed(text), [provider]: credential }) });
    if (this.#backend) this.#tried(() => this.#backend.withLock(change));
  }
  async login(provider, callbacks) {
    await asked(callbacks, (said, token) => host.async("auth.login", this[HANDLE], provider, said, token));
    this.#keep(provider, this.get(provider));
  }
  getOAuthProviders() {
    const own = ({ id, name, usesCallbackServer }) => ({ ...getOAuthProvider(id), id, name, usesCallbackServer });
    return host.sync("auth.oauthProviders", this[HANDLE]).map(own);
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
    const errors = [...host.sync("auth.drainErrors", this[HANDLE]), ...this.#problems];
    this.#problems = [];
    return errors.map((message) => new Error(message));
  }
  #noted(problem) {
    if (problem !== undefined) this.#problems.push(problem);
  }
  #tried(work) {
    try {
      work();
    } catch (error) {
      if (error?.code === "ERR_ACCESS_DENIED") throw error;
      this.#noted(error.message);
    }
  }
}
