// `ctx.modelRegistry`, and providers that extensions bring.
import { callbacksOf, sayAll } from "pi:bridge/providers";

import { host } from "script:host";

export class ModelRegistry {
  constructor(number) {
    Object.defineProperty(this, "number", { value: number });
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
  isUsingOAuth(model) {
    return host.sync("models.isUsingOAuth", this.number, model);
  }
  getError() {
    return host.sync("models.getError", this.number);
  }
  refresh() {
    host.sync("models.refresh", this.number);
  }
  registerProvider(name, config) {
    registerProvider(this.number, name, config);
  }
  unregisterProvider(name) {
    host.sync("pi.unregisterProvider", this.number, name);
  }
}

export function registerProvider(context, name, config) {
  const { streamSimple, oauth, ...said } = config ?? {};
  const stream = streamSimple && host.callback((...call) => sayAll(streamSimple, ...call));
  host.sync("pi.registerProvider", context, name, { ...said, stream, oauth: oauth && loginOf(oauth) });
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
