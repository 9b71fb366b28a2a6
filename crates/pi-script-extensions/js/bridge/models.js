// `ctx.modelRegistry`, registries that scripts make, and providers that extensions bring.
import { callbacksOf, sayAll } from "pi:bridge/providers";

import { host } from "script:host";

// What is needed only of registries that scripts make, or to give one away.
const more = () => host.importNow("pi:coding-agent/models");
const calls = () => host.importNow("pi:ai/calls");

export class ModelRegistry {
  // The number of the context whose registry it is, or `{ held }`.
  constructor(number) {
    if (number === undefined) throw new Error("Use ModelRegistry.create or ModelRegistry.inMemory");
    Object.defineProperty(this, "number", { value: number });
  }
  static create(auth, file) {
    return more().create(ModelRegistry, auth, file);
  }
  static inMemory(auth) {
    return more().inMemory(ModelRegistry, auth);
  }
  get authStorage() {
    return more().authOf(this, this.number);
  }
  // The own property of this name comes with the first question.
  get [Symbol.for("pi.handle")]() {
    return more().handleOf(this, this.number);
  }
  find(provider, id) {
    return host.sync("models.find", this.number, provider, id);
  }
  getAll() {
    return host.sync("models.getAll", this.number);
  }
  getAvailable() {
    return host.sync("models.getAvailable", this.number);
  }
  hasConfiguredAuth(model) {
    return host.sync("models.hasConfiguredAuth", this.number, model);
  }
  getProviderDisplayName(provider) {
    return host.sync("models.getProviderDisplayName", this.number, provider);
  }
  getApiKeyAndHeaders(model) {
    return host.async("models.getApiKeyAndHeaders", this.number, model);
  }
  getApiKeyForProvider(provider) {
    return host.async("models.getApiKeyForProvider", this.number, provider);
  }
  getProviderAuthStatus(provider) {
    return host.sync("models.getProviderAuthStatus", this.number, provider);
  }
  isUsingOAuth(model) {
    return host.sync("models.isUsingOAuth", this.number, model);
  }
  getProvider(id) {
    const models = this.getAll().filter(({ provider }) => provider === id);
    if (models.length === 0) return undefined;
    return { id, name: this.getProviderDisplayName(id), baseUrl: models[0].baseUrl, getModels: () => models };
  }
  getError() {
    return host.sync("models.getError", this.number);
  }
  // Calls with the key that the registry has for the model.
  stream(model, context, options) {
    return calls().streamWith(this, "stream", model, context, options);
  }
  streamSimple(model, context, options) {
    return calls().streamWith(this, "streamSimple", model, context, options);
  }
  async complete(model, context, options) {
    return this.streamSimple(model, context, options).result();
  }
  refresh() {
    host.sync("models.refresh", this.number);
  }
  registerProvider(name, config) {
    register(this.#words("registerProvider"), this.number, name, config);
  }
  unregisterProvider(name) {
    host.sync(this.#words("unregisterProvider"), this.number, name);
  }
  // To the session's registry the extension speaks as to the session.
  #words(name) {
    return typeof this.number === "number" ? `pi.${name}` : `registries.${name}`;
  }
}

export const registerProvider = (context, name, config) => register("pi.registerProvider", context, name, config);

function register(operation, whose, name, config) {
  const { streamSimple, oauth, ...said } = config ?? {};
  const stream = streamSimple && host.callback((...call) => sayAll(streamSimple, ...call));
  host.sync(operation, whose, name, { ...said, stream, oauth: oauth && loginOf(oauth) });
}

// The functions of a login, as numbers.
function loginOf(oauth) {
  const { name, usesCallbackServer } = oauth;
  const number = (method, call) => {
    if (typeof oauth[method] !== "function") throw new TypeError(`oauth.${method} must be a function`);
    return host.callback(call);
  };
  return {
    name,
    usesCallbackServer: Boolean(usesCallbackServer),
    login: number("login", (login, signal) => oauth.login(callbacksOf(login, signal))),
    refreshToken: number("refreshToken", (credentials) => oauth.refreshToken(credentials)),
    getApiKey: number("getApiKey", (credentials) => oauth.getApiKey(credentials)),
    modifyModels: oauth.modifyModels && number("modifyModels", (models, credentials) => oauth.modifyModels(models, credentials)),
  };
}
