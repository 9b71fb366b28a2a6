// Event, EventTarget and CustomEvent of the web.
const targets = new WeakMap();
const now = () => require("internal/performance").performance.now();

class Event {
  #stopped = false;
  #prevented = false;
  constructor(type, options = {}) {
    this.type = String(type);
    this.bubbles = Boolean(options?.bubbles);
    this.cancelable = Boolean(options?.cancelable);
    this.composed = Boolean(options?.composed);
    this.timeStamp = now();
    this.target = null;
    this.currentTarget = null;
    this.eventPhase = 0;
    this.isTrusted = false;
  }
  get srcElement() {
    return this.target;
  }
  get defaultPrevented() {
    return this.#prevented;
  }
  get isStopped() {
    return this.#stopped;
  }
  preventDefault() {
    if (this.cancelable) this.#prevented = true;
  }
  stopPropagation() {}
  stopImmediatePropagation() {
    this.#stopped = true;
  }
  composedPath() {
    return this.currentTarget ? [this.currentTarget] : [];
  }
}
Object.assign(Event, { NONE: 0, CAPTURING_PHASE: 1, AT_TARGET: 2, BUBBLING_PHASE: 3 });

class CustomEvent extends Event {
  constructor(type, options = {}) {
    super(type, options);
    this.detail = options?.detail ?? null;
  }
}

const listenersOf = (target) => {
  let known = targets.get(target);
  if (!known) targets.set(target, (known = new Map()));
  return known;
};

const call = (target, listener, event) => {
  try {
    const result = typeof listener === "function" ? listener.call(target, event) : listener.handleEvent(event);
    if (result && typeof result.then === "function") result.then(undefined, host.uncaught);
  } catch (error) {
    host.uncaught(error);
  }
};

class EventTarget {
  addEventListener(type, listener, options) {
    if (listener === null || listener === undefined) return;
    const settings = typeof options === "boolean" ? { capture: options } : (options ?? {});
    if (settings.signal?.aborted) return;
    const all = listenersOf(this);
    const list = all.get(type) ?? [];
    const capture = Boolean(settings.capture);
    if (list.some((entry) => entry.listener === listener && entry.capture === capture)) return;
    all.set(type, [...list, { listener, capture, once: Boolean(settings.once) }]);
    settings.signal?.addEventListener("abort", () => this.removeEventListener(type, listener, capture), { once: true });
  }
  removeEventListener(type, listener, options) {
    const all = listenersOf(this);
    const capture = typeof options === "boolean" ? options : Boolean(options?.capture);
    const kept = (all.get(type) ?? []).filter((entry) => entry.listener !== listener || entry.capture !== capture);
    if (kept.length) all.set(type, kept);
    else all.delete(type);
  }
  dispatchEvent(event) {
    if (!(event instanceof Event)) {
      throw require("internal/errors").invalidType("event", "an instance of Event", event);
    }
    event.target = this;
    event.currentTarget = this;
    event.eventPhase = 2;
    const handler = this[`on${event.type}`];
    if (typeof handler === "function") call(this, handler, event);
    for (const entry of listenersOf(this).get(event.type) ?? []) {
      if (event.isStopped) break;
      if (!(listenersOf(this).get(event.type) ?? []).includes(entry)) continue;
      if (entry.once) this.removeEventListener(event.type, entry.listener, entry.capture);
      call(this, entry.listener, event);
    }
    event.currentTarget = null;
    event.eventPhase = 0;
    return !event.defaultPrevented;
  }
}

exports.Event = Event;
exports.CustomEvent = CustomEvent;
exports.EventTarget = EventTarget;
exports.listenersFor = (target, type) => (listenersOf(target).get(type) ?? []).map((entry) => entry.listener);
for (const Class of [Event, CustomEvent, EventTarget]) {
  Object.defineProperty(Class.prototype, Symbol.toStringTag, { value: Class.name, configurable: true });
}
