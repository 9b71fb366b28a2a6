// `ModelRuntime`: models and credentials in one object, as scripts since 0.80 know them. It is a registry and its storage.
import { HANDLE } from "pi:bridge/handle";
import { ModelRegistry } from "pi:bridge/models";
import { AuthStorage } from "pi:coding-agent/auth";

const MAKING = Symbol("making");

export class ModelRuntime {
  #registry;
  #auth;

  constructor(making, registry, auth) {
    if (making !== MAKING) throw new Error("Use ModelRuntime.create");
    this.#registry = registry;
    this.#auth = auth;
  }
  static async create({ authPath, modelsPath } = {}) {
    const auth = AuthStorage.create(authPath);
    return new ModelRuntime(MAKING, ModelRegistry.create(auth, modelsPath), auth);
  }
  get [HANDLE]() {
    return this.#registry[HANDLE];
  }

  // --- models
  getModels(provider) {
    return this.#registry.getAll().filter((model) => provider === undefined || model.provider === provider);
  }
  getModel(provider, id) {
    return this.#registry.find(provider, id);
  }
  getProviders() {
    return [...new Set(this.#registry.getAll().map(({ provider }) => provider))].map((id) => this.getProvider(id));
  }
  getProvider(id) {
    return this.#registry.getProvider(id);
  }
  async getAvailable() {
    return this.#registry.getAvailable();
  }
  getAvailableSnapshot() {
    return this.#registry.getAvailable();
  }
  getError() {
    return this.#registry.getError();
  }
  async refresh() {
    this.#registry.refresh();
  }
  registerProvider(name, config) {
    this.#registry.registerProvider(name, config);
  }
  unregisterProvider(name) {
    this.#registry.unregisterProvider(name);
  }

  // --- calls
  stream(...call) {
    return this.#registry.stream(...call);
  }
  streamSimple(...call) {
    return this.#registry.streamSimple(...call);
  }
  complete(...call) {
    return this.#registry.complete(...call);
  }
  completeSimple(...call) {
    return this.#registry.complete(...call);
  }

  // --- credentials
  hasConfiguredAuth(model) {
    return this.#registry.hasConfiguredAuth(model);
  }
  isUsingOAuth(model) {
    return this.#registry.isUsingOAuth(model);
  }
  getProviderAuthStatus(provider) {
    return this.#registry.getProviderAuthStatus(provider);
  }
  async listCredentials() {
    return Object.entries(this.#auth.getAll()).map(([providerId, { type }]) => ({ providerId, type }));
  }
  async setRuntimeApiKey(provider, key) {
    this.#auth.setRuntimeApiKey(provider, key);
  }
  async removeRuntimeApiKey(provider) {
    this.#auth.removeRuntimeApiKey(provider);
  }
  async logout(provider) {
    this.#auth.logout(provider);
  }
}
