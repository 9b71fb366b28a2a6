// Prepares the global object, and returns the functions by which the program calls the script. Evaluated once per engine,
// with the host object; `internal/*` and the modules of Node are evaluated when something asks for them.
(function (host) {
  "use strict";
  const callbacks = new Map();
  const callbackIds = new WeakMap();
  const operations = new Map();
  const signals = new Map();
  const timers = new Map();
  let lastCallback = 0;

  // --- what modules in js/ use of `host`, beyond what the engine put there
  host.callback = (fn) => {
    const known = callbackIds.get(fn);
    if (known !== undefined && callbacks.has(known)) return known;
    callbacks.set(++lastCallback, fn);
    callbackIds.set(fn, lastCallback);
    return lastCallback;
  };
  host.forget = (id) => callbacks.delete(id);
  // Getters of the program's that stand for plain values.
  host.transparent = new WeakSet();
  // Starts an operation. An AbortSignal as `signal` gives it up.
  host.async = (name, ...args) => host.cancellable(undefined, name, ...args);
  host.cancellable = (signal, name, ...args) => {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = host.start(name, ...args);
    return new Promise((resolve, reject) => {
      const stop = () => {
        host.cancel(id);
        operations.delete(id);
        reject(signal.reason);
      };
      const done = () => signal?.removeEventListener("abort", stop);
      operations.set(id, { resolve, reject, done });
      signal?.addEventListener("abort", stop, { once: true });
    });
  };

  // Fires signals whose tokens the script itself has just had cancelled, before it is told.
  host.fireSignals = () => {
    for (const id of host.cancelledSignals()) fire(id);
  };

  // --- modules: see require.js
  const builtins = new Map();
  const requireBuiltin = (name) => {
    const known = builtins.get(name);
    if (known) return known.exports;
    const module = { exports: {} };
    // Of some modules there is nothing but their names.
    const body = host.has(name) || host.nodeNames(name) === undefined ? host.own(name) : () => {};
    builtins.set(name, module);
    body(host, (other) => requireBuiltin(other.replace(/^node:/, "")), module, module.exports);
    return module.exports;
  };
  host.builtin = requireBuiltin;
  const { face, describe } = requireBuiltin("internal/require");

  // --- timers
  class Timeout {
    constructor(id) {
      this.id = id;
    }
    ref() {
      return this;
    }
    unref() {
      return this;
    }
    hasRef() {
      return true;
    }
    refresh() {
      const entry = timers.get(this.id);
      if (!entry) return this;
      host.clearTimer(this.id);
      timers.delete(this.id);
      this.id = host.setTimer(entry.delay, entry.repeats);
      timers.set(this.id, entry);
      return this;
    }
    close() {
      clear(this);
      return this;
    }
    [Symbol.toPrimitive]() {
      return this.id;
    }
    [Symbol.dispose ?? Symbol("dispose")]() {
      clear(this);
    }
  }
  const set = (fn, delay, repeats, args) => {
    if (typeof fn !== "function") throw new TypeError('The "callback" argument must be of type function');
    const entry = { fn, args, delay: Number(delay ?? 1), repeats };
    const id = host.setTimer(entry.delay, repeats);
    timers.set(id, entry);
    return new Timeout(id);
  };
  const clear = (timer) => {
    const id = typeof timer === "object" && timer !== null ? timer.id : Number(timer);
    if (Number.isNaN(id) || id === undefined) return;
    host.clearTimer(id);
    timers.delete(id);
  };
  const define = (name, value) => Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  define("setTimeout", (fn, delay, ...args) => set(fn, delay, false, args));
  define("setInterval", (fn, delay, ...args) => set(fn, delay, true, args));
  define("setImmediate", (fn, ...args) => set(fn, 0, false, args));
  define("clearTimeout", clear);
  define("clearInterval", clear);
  define("clearImmediate", clear);
  define("queueMicrotask", (fn) => void Promise.resolve().then(fn).catch(host.uncaught));
  define("global", globalThis);
  // What util.promisify makes of the timers.
  const promised = Symbol.for("nodejs.util.promisify.custom");
  for (const name of ["setTimeout", "setImmediate"]) {
    const value = (...args) => host.builtin("timers/promises")[name](...args);
    Object.defineProperty(globalThis[name], promised, { value });
  }

  // --- globals that are made when they are first used: name -> module and export
  const lazy = {
    console: ["internal/console", "console"],
    process: ["process", null],
    Buffer: ["buffer", "Buffer"],
    Event: ["internal/event_target", "Event"],
    EventTarget: ["internal/event_target", "EventTarget"],
    CustomEvent: ["internal/event_target", "CustomEvent"],
    AbortController: ["internal/abort", "AbortController"],
    AbortSignal: ["internal/abort", "AbortSignal"],
    DOMException: ["internal/abort", "DOMException"],
    TextEncoder: ["internal/encoding", "TextEncoder"],
    TextDecoder: ["internal/encoding", "TextDecoder"],
    atob: ["internal/encoding", "atob"],
    btoa: ["internal/encoding", "btoa"],
    URL: ["internal/url", "URL"],
    URLSearchParams: ["internal/url", "URLSearchParams"],
    structuredClone: ["internal/structured_clone", "structuredClone"],
    performance: ["internal/performance", "performance"],
    crypto: ["internal/web_crypto", "crypto"],
    fetch: ["internal/fetch", "fetch"],
    Headers: ["internal/fetch", "Headers"],
    Request: ["internal/fetch", "Request"],
    Response: ["internal/fetch", "Response"],
    FormData: ["internal/fetch", "FormData"],
    Blob: ["internal/blob", "Blob"],
    File: ["internal/blob", "File"],
    ReadableStream: ["internal/web_streams", "ReadableStream"],
    WritableStream: ["internal/web_streams", "WritableStream"],
    TransformStream: ["internal/web_streams", "TransformStream"],
    TextDecoderStream: ["internal/web_streams", "TextDecoderStream"],
    TextEncoderStream: ["internal/web_streams", "TextEncoderStream"],
    ReadableStreamDefaultReader: ["internal/web_streams", "ReadableStreamDefaultReader"],
    ReadableStreamDefaultController: ["internal/web_streams", "ReadableStreamDefaultController"],
    WritableStreamDefaultWriter: ["internal/web_streams", "WritableStreamDefaultWriter"],
    WritableStreamDefaultController: ["internal/web_streams", "WritableStreamDefaultController"],
    CountQueuingStrategy: ["internal/web_streams", "CountQueuingStrategy"],
    ByteLengthQueuingStrategy: ["internal/web_streams", "ByteLengthQueuingStrategy"],
    CompressionStream: ["internal/compression_streams", "CompressionStream"],
    DecompressionStream: ["internal/compression_streams", "DecompressionStream"],
    MessageChannel: ["internal/message_channel", "MessageChannel"],
    MessagePort: ["internal/message_channel", "MessagePort"],
    MessageEvent: ["internal/message_channel", "MessageEvent"],
    BroadcastChannel: ["internal/message_channel", "BroadcastChannel"],
    WebSocket: ["internal/web_socket", "WebSocket"],
    PerformanceEntry: ["internal/performance", "PerformanceEntry"],
    PerformanceObserver: ["perf_hooks", "PerformanceObserver"],
    navigator: ["internal/navigator", "navigator"],
    Crypto: ["internal/web_crypto", "Crypto"],
    CryptoKey: ["internal/web_crypto", "CryptoKey"],
    SubtleCrypto: ["internal/web_crypto", "SubtleCrypto"],
    Intl: ["internal/intl", "Intl"],
  };
  for (const [name, [module, key]] of Object.entries(lazy)) {
    if (!host.has(module)) continue;
    Object.defineProperty(globalThis, name, {
      configurable: true,
      enumerable: false,
      get() {
        const value = key === null ? requireBuiltin(module) : requireBuiltin(module)[key];
        define(name, value);
        return value;
      },
      set(value) {
        define(name, value);
      },
    });
  }

  // --- what the engine writes in its own way, written as Intl does
  const dates = { year: "numeric", month: "numeric", day: "numeric" };
  const times = { hour: "numeric", minute: "2-digit", second: "2-digit" };
  const localized = (prototype, name, format) => {
    const value = function (...args) {
      return format(this, ...args);
    };
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true });
  };
  const inDate = (fields) => (date, locales, options) => {
    if (Number.isNaN(date.getTime())) return "Invalid Date";
    const asks = ["weekday", "year", "month", "day", "hour", "minute", "second", "dateStyle", "timeStyle"];
    const settings = asks.some((key) => options?.[key] !== undefined) ? options : { ...fields, ...options };
    return new Intl.DateTimeFormat(locales, settings).format(date);
  };
  localized(Number.prototype, "toLocaleString", (value, ...args) => new Intl.NumberFormat(...args).format(value));
  localized(Date.prototype, "toLocaleString", inDate({ ...dates, ...times }));
  localized(Date.prototype, "toLocaleDateString", inDate(dates));
  localized(Date.prototype, "toLocaleTimeString", inDate(times));

  // --- signals of the program
  const fire = (id) => {
    const controller = signals.get(id)?.deref();
    signals.delete(id);
    controller?.abort();
  };
  // What nobody can listen to any more need not be kept.
  const unheard = new FinalizationRegistry((id) => signals.delete(id));

  // --- calls of the program
  const { apply } = Reflect;
  // Several values in answer to one call: texts among them need not be escaped for one JSON text of all.
  class Several {
    constructor(values) {
      this.values = values;
    }
  }
  host.several = (...values) => new Several(values);
  const reply = (number, value) =>
    value instanceof Several ? host.reply(number, true, ...value.values) : host.reply(number, true, value);
  const answer = (number, result) => {
    if (result !== null && typeof result === "object" && typeof result.then === "function") {
      result.then(
        (value) => reply(number, value),
        (error) => host.reply(number, false, error),
      );
    } else {
      reply(number, result);
    }
  };
  return {
    // for the engine alone: what modules of the program import as `script:host`, and what the loader of modules calls
    host,
    face,
    describe,
    // Called for every piece of an answer.
    call(id, number, ...args) {
      const fn = callbacks.get(id);
      let result;
      try {
        if (!fn) throw new Error("This function of the script is gone");
        result = apply(fn, undefined, args);
      } catch (error) {
        host.reply(number, false, error);
        return;
      }
      answer(number, result);
    },
    callExport(module, name, number, ...args) {
      answer(
        number,
        import(module).then((namespace) => apply(namespace[name], namespace, args)),
      );
    },
    settle(id, isOk, value) {
      const operation = operations.get(id);
      if (!operation) return;
      operations.delete(id);
      operation.done();
      if (isOk) operation.resolve(value);
      else operation.reject(value);
    },
    timer(id) {
      const entry = timers.get(id);
      if (!entry) return;
      if (!entry.repeats) timers.delete(id);
      try {
        entry.fn(...entry.args);
      } catch (error) {
        host.uncaught(error);
      }
    },
    signal(id, isAborted) {
      const controller = new AbortController();
      if (isAborted) controller.abort();
      else {
        signals.set(id, new WeakRef(controller));
        unheard.register(controller, id);
      }
      controller.signal.keepsController = controller;
      return controller.signal;
    },
    abort: fire,
    forget(id) {
      callbacks.delete(id);
    },
  };
});
