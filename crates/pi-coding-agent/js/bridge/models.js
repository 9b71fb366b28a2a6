// `ctx.modelRegistry`, and providers that extensions bring.
const { host } = globalThis.__pi_script;

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
  registerProvider(name, config) {
    registerProvider(this.number, name, config);
  }
}

export function registerProvider(context, name, config) {
  host.sync("pi.registerProvider", context, name, config);
}
