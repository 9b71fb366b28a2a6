// async_hooks: AsyncLocalStorage. The engine does not tell which work belongs to which promise, so a store holds while a
// function runs and, if it returns a promise, until that is settled; of two that overlap the later one is seen.
class AsyncLocalStorage {
  #stores = [];
  #isOn = true;
  static bind(fn) {
    return AsyncResource.bind(fn);
  }
  static snapshot() {
    return (fn, ...args) => fn(...args);
  }
  getStore() {
    return this.#isOn ? this.#stores.at(-1)?.store : undefined;
  }
  run(store, fn, ...args) {
    const entry = { store };
    this.#stores.push(entry);
    this.#isOn = true;
    const done = () => {
      const at = this.#stores.indexOf(entry);
      if (at !== -1) this.#stores.splice(at, 1);
    };
    let result;
    try {
      result = fn(...args);
    } catch (error) {
      done();
      throw error;
    }
    if (result instanceof Promise) result.then(done, done);
    else done();
    return result;
  }
  exit(fn, ...args) {
    return this.run(undefined, fn, ...args);
  }
  enterWith(store) {
    this.#stores.push({ store });
    this.#isOn = true;
  }
  disable() {
    this.#isOn = false;
    this.#stores = [];
  }
}

class AsyncResource {
  constructor(type) {
    this.type = type;
  }
  runInAsyncScope(fn, self, ...args) {
    return fn.apply(self, args);
  }
  bind(fn) {
    return fn.bind(undefined);
  }
  static bind(fn) {
    return fn.bind(undefined);
  }
  emitDestroy() {
    return this;
  }
  asyncId() {
    return 1;
  }
  triggerAsyncId() {
    return 0;
  }
}

module.exports = {
  AsyncLocalStorage,
  AsyncResource,
  createHook: () => ({ enable() { return this; }, disable() { return this; } }),
  executionAsyncId: () => 1,
  triggerAsyncId: () => 0,
  executionAsyncResource: () => ({}),
};
