// MessageChannel and BroadcastChannel: within the script, for there are no other threads. And the events of the web that
// carry data.
const { Event, EventTarget } = require("internal/event_target");
const { structuredClone } = require("internal/structured_clone");

class MessageEvent extends Event {
  constructor(type, options = {}) {
    super(type, options);
    const { data = null, origin = "", lastEventId = "", source = null, ports = [] } = options ?? {};
    Object.assign(this, { data, origin, lastEventId, source, ports });
  }
}
class CloseEvent extends Event {
  constructor(type, options = {}) {
    super(type, options);
    const { wasClean = false, code = 0, reason = "" } = options ?? {};
    Object.assign(this, { wasClean, code, reason });
  }
}
class ErrorEvent extends Event {
  constructor(type, options = {}) {
    super(type, options);
    const { message = "", filename = "", lineno = 0, colno = 0, error } = options ?? {};
    Object.assign(this, { message, filename, lineno, colno, error });
  }
}

const isMade = Symbol("isMade");
const others = new WeakMap();

class MessagePort extends EventTarget {
  #queue = [];
  #isStarted = false;
  #isClosed = false;
  #handler = null;
  #wrapped = new WeakMap();
  constructor(mark) {
    if (mark !== isMade) throw new TypeError("Illegal constructor");
    super();
  }
  get onmessage() {
    return this.#handler;
  }
  set onmessage(handler) {
    this.#handler = typeof handler === "function" ? handler : null;
    if (this.#handler) this.start();
  }
  postMessage(value, options) {
    const other = others.get(this);
    const transfer = Array.isArray(options) ? options : options?.transfer;
    const copy = structuredClone(value, { transfer });
    if (!this.#isClosed && other && !other.#isClosed) other.#take(copy);
  }
  #take(value) {
    this.#queue.push(value);
    if (this.#isStarted) setImmediate(() => this.#deliver());
  }
  #deliver() {
    if (this.#isClosed || this.#queue.length === 0) return;
    this.dispatchEvent(new MessageEvent("message", { data: this.#queue.shift() }));
  }
  start() {
    if (this.#isStarted) return;
    this.#isStarted = true;
    for (const _ of this.#queue) setImmediate(() => this.#deliver());
  }
  close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const other = others.get(this);
    setImmediate(() => {
      this.dispatchEvent(new Event("close"));
      other?.close();
    });
  }
  // As Node's emitters have them; listeners get the value itself.
  on(type, listener, options) {
    const wrapped = (event) => listener.call(this, type === "message" ? event.data : event);
    this.#wrapped.set(listener, wrapped);
    this.addEventListener(type, wrapped, options);
    if (type === "message") this.start();
    return this;
  }
  once(type, listener) {
    return this.on(type, listener, { once: true });
  }
  off(type, listener) {
    this.removeEventListener(type, this.#wrapped.get(listener) ?? listener);
    return this;
  }
  ref() {}
  unref() {}
  hasRef() {
    return false;
  }
  // What waits, without an event.
  static next(port) {
    return port.#queue.length ? { message: port.#queue.shift() } : undefined;
  }
}
MessagePort.prototype.addListener = MessagePort.prototype.on;
MessagePort.prototype.removeListener = MessagePort.prototype.off;

class MessageChannel {
  constructor() {
    this.port1 = new MessagePort(isMade);
    this.port2 = new MessagePort(isMade);
    others.set(this.port1, this.port2);
    others.set(this.port2, this.port1);
  }
}

const channels = new Set();
class BroadcastChannel extends EventTarget {
  #isClosed = false;
  constructor(name) {
    super();
    this.name = String(name);
    this.onmessage = null;
    channels.add(this);
  }
  postMessage(value) {
    if (this.#isClosed) throw new DOMException("BroadcastChannel is closed.", "InvalidStateError");
    for (const channel of channels) {
      if (channel === this || channel.name !== this.name) continue;
      const data = structuredClone(value);
      setImmediate(() => channel.#isClosed || channel.dispatchEvent(new MessageEvent("message", { data })));
    }
  }
  close() {
    this.#isClosed = true;
    channels.delete(this);
  }
  ref() {
    return this;
  }
  unref() {
    return this;
  }
}

const receiveMessageOnPort = MessagePort.next;
delete MessagePort.next;
module.exports = { MessageEvent, CloseEvent, ErrorEvent, MessagePort, MessageChannel, BroadcastChannel, receiveMessageOnPort };
