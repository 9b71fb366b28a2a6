// events: EventEmitter, and `once` and `on` for promises and loops.
const { AbortError, coded, invalidType } = require("internal/errors");

const kCapture = Symbol.for("nodejs.rejection");
const errorMonitor = Symbol("events.errorMonitor");

// A function rather than a class: old code calls it on its own objects.
function EventEmitter(options) {
  EventEmitter.init.call(this, options);
}
EventEmitter.init = function () {
  if (this._events === undefined || this._events === Object.getPrototypeOf(this)._events) {
    this._events = Object.create(null);
    this._eventsCount = 0;
  }
  this._maxListeners ??= undefined;
};
EventEmitter.prototype._events = undefined;
EventEmitter.prototype._eventsCount = 0;
EventEmitter.prototype._maxListeners = undefined;

const needsListener = (listener) => {
  if (typeof listener !== "function") throw invalidType("listener", "of type function", listener);
};
const listOf = (emitter, name) => emitter._events?.[name] ?? [];

function add(emitter, name, listener, isFirst) {
  needsListener(listener);
  if (emitter._events === undefined) EventEmitter.init.call(emitter);
  if (emitter._events.newListener !== undefined) emitter.emit("newListener", name, listener.listener ?? listener);
  const list = emitter._events[name];
  if (list === undefined) {
    emitter._eventsCount++;
    emitter._events[name] = [listener];
  } else {
    // A new list: one that is being called stays as it is.
    emitter._events[name] = isFirst ? [listener, ...list] : [...list, listener];
    warn(emitter, name);
  }
  return emitter;
}
function warn(emitter, name) {
  const list = emitter._events[name];
  const max = emitter.getMaxListeners();
  if (max <= 0 || list.length <= max || emitter._warned?.has(name)) return;
  (emitter._warned ??= new Set()).add(name);
  Object.defineProperty(emitter, "_warned", { enumerable: false });
  const text = `Possible EventEmitter memory leak detected. ${list.length} ${String(name)} listeners added to ${emitter.constructor?.name}. MaxListeners is ${max}. Use emitter.setMaxListeners() to increase limit`;
  host.log("warn", `MaxListenersExceededWarning: ${text}`);
}
function wrapOnce(emitter, name, listener) {
  needsListener(listener);
  const wrapped = function (...args) {
    emitter.removeListener(name, wrapped);
    return listener.apply(emitter, args);
  };
  wrapped.listener = listener;
  return wrapped;
}
function unhandled(error) {
  if (error instanceof Error) return error;
  const { inspect } = require("internal/inspect");
  const wrapped = coded(Error, "ERR_UNHANDLED_ERROR", `Unhandled error. (${inspect(error)})`);
  wrapped.context = error;
  return wrapped;
}

const methods = {
  on(name, listener) {
    return add(this, name, listener, false);
  },
  addListener(name, listener) {
    return add(this, name, listener, false);
  },
  prependListener(name, listener) {
    return add(this, name, listener, true);
  },
  once(name, listener) {
    return this.on(name, wrapOnce(this, name, listener));
  },
  prependOnceListener(name, listener) {
    return this.prependListener(name, wrapOnce(this, name, listener));
  },
  removeListener(name, listener) {
    needsListener(listener);
    const list = this._events?.[name];
    const at = list?.findLastIndex((held) => held === listener || held.listener === listener) ?? -1;
    if (at === -1) return this;
    const [gone] = [list[at]];
    if (list.length === 1) {
      delete this._events[name];
      this._eventsCount--;
    } else this._events[name] = list.toSpliced(at, 1);
    if (this._events.removeListener !== undefined) this.emit("removeListener", name, gone.listener ?? gone);
    return this;
  },
  off(name, listener) {
    return this.removeListener(name, listener);
  },
  removeAllListeners(...names) {
    if (this._events === undefined) return this;
    const which = names.length ? [names[0]] : Reflect.ownKeys(this._events).filter((name) => name !== "removeListener");
    for (const name of which) for (const listener of listOf(this, name).toReversed()) this.removeListener(name, listener);
    if (names.length === 0) {
      this._events = Object.create(null);
      this._eventsCount = 0;
    }
    return this;
  },
  emit(name, ...args) {
    if (name === "error") {
      for (const listener of listOf(this, errorMonitor)) listener.apply(this, args);
      if (listOf(this, "error").length === 0) throw unhandled(args[0]);
    }
    const list = listOf(this, name);
    for (const listener of list) {
      const result = listener.apply(this, args);
      if (result !== undefined && result !== null && this[kCaptureOn] && typeof result.then === "function") {
        result.then(undefined, (error) => (this[kCapture] ? this[kCapture](error, name, ...args) : this.emit("error", error)));
      }
    }
    return list.length > 0;
  },
  listenerCount(name, listener) {
    const list = listOf(this, name);
    return listener ? list.filter((held) => held === listener || held.listener === listener).length : list.length;
  },
  listeners(name) {
    return listOf(this, name).map((listener) => listener.listener ?? listener);
  },
  rawListeners(name) {
    return [...listOf(this, name)];
  },
  eventNames() {
    return this._events === undefined ? [] : Reflect.ownKeys(this._events);
  },
  setMaxListeners(count) {
    if (typeof count !== "number" || count < 0 || Number.isNaN(count)) {
      throw require("internal/errors").outOfRange("setMaxListeners", ">= 0", count);
    }
    this._maxListeners = count;
    return this;
  },
  getMaxListeners() {
    return this._maxListeners ?? EventEmitter.defaultMaxListeners;
  },
};
const kCaptureOn = Symbol("captureRejections");
const initPlain = EventEmitter.init;
EventEmitter.init = function (options) {
  initPlain.call(this);
  if (options?.captureRejections) Object.defineProperty(this, kCaptureOn, { value: true });
};
Object.assign(EventEmitter.prototype, methods);

const isTarget = (emitter) => typeof emitter.addEventListener === "function" && typeof emitter.on !== "function";
const listen = (emitter, name, fn, isOnce) => {
  if (isTarget(emitter)) emitter.addEventListener(name, fn, { once: isOnce });
  else if (isOnce) emitter.once(name, fn);
  else emitter.on(name, fn);
};
const unlisten = (emitter, name, fn) =>
  isTarget(emitter) ? emitter.removeEventListener(name, fn) : emitter.removeListener(name, fn);

// A promise for the arguments of the next event.
function once(emitter, name, options = {}) {
  const { signal } = options;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(new AbortError(undefined, { cause: signal.reason }));
    const done = (settle) => (value) => {
      unlisten(emitter, name, onEvent);
      if (!isTarget(emitter)) unlisten(emitter, "error", onError);
      signal?.removeEventListener("abort", onAbort);
      settle(value);
    };
    const onEvent = (...args) => done(resolve)(args);
    const onError = done(reject);
    const onAbort = () => done(reject)(new AbortError(undefined, { cause: signal.reason }));
    listen(emitter, name, onEvent, true);
    if (name !== "error" && !isTarget(emitter)) emitter.once("error", onError);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

// The events of one name, one after the other.
function on(emitter, name, options = {}) {
  const { signal, close = [] } = options;
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
  const ready = [];
  const waiting = [];
  let failure;
  let isOver = false;
  const finish = () => {
    isOver = true;
    unlisten(emitter, name, onEvent);
    if (!isTarget(emitter)) unlisten(emitter, "error", fail);
    for (const event of close) unlisten(emitter, event, finish);
    signal?.removeEventListener("abort", onAbort);
    for (const { resolve } of waiting.splice(0)) resolve({ value: undefined, done: true });
    return Promise.resolve({ value: undefined, done: true });
  };
  const onEvent = (...args) => {
    const next = waiting.shift();
    if (next) next.resolve({ value: args, done: false });
    else ready.push(args);
  };
  const fail = (error) => {
    const next = waiting.shift();
    if (next) next.reject(error);
    else failure = { error };
    finish();
  };
  const onAbort = () => fail(new AbortError(undefined, { cause: signal.reason }));
  listen(emitter, name, onEvent, false);
  if (name !== "error" && !isTarget(emitter)) emitter.on("error", fail);
  for (const event of close) listen(emitter, event, finish, true);
  signal?.addEventListener("abort", onAbort, { once: true });
  return {
    next() {
      if (ready.length) return Promise.resolve({ value: ready.shift(), done: false });
      if (failure) {
        const { error } = failure;
        failure = undefined;
        return Promise.reject(error);
      }
      if (isOver) return Promise.resolve({ value: undefined, done: true });
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    return: finish,
    throw(error) {
      fail(error);
      return Promise.resolve({ value: undefined, done: true });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

module.exports = EventEmitter;
Object.assign(EventEmitter, {
  EventEmitter,
  defaultMaxListeners: 10,
  errorMonitor,
  captureRejections: false,
  captureRejectionSymbol: kCapture,
  usingDomains: false,
  once,
  on,
  listenerCount: (emitter, name) => emitter.listenerCount(name),
  getEventListeners: (emitter, name) =>
    isTarget(emitter) ? require("internal/event_target").listenersFor(emitter, name) : emitter.listeners(name),
  getMaxListeners: (emitter) => emitter.getMaxListeners?.() ?? EventEmitter.defaultMaxListeners,
  setMaxListeners(count = EventEmitter.defaultMaxListeners, ...emitters) {
    if (emitters.length === 0) EventEmitter.defaultMaxListeners = count;
    for (const emitter of emitters) emitter.setMaxListeners?.(count);
  },
  addAbortListener(signal, listener) {
    if (signal.aborted) queueMicrotask(() => listener({ type: "abort", target: signal }));
    else signal.addEventListener("abort", listener, { once: true });
    return { [Symbol.dispose ?? Symbol.for("nodejs.dispose")]: () => signal.removeEventListener("abort", listener) };
  },
});
class EventEmitterAsyncResource extends EventEmitter {}
EventEmitter.EventEmitterAsyncResource = EventEmitterAsyncResource;
