// AbortController and AbortSignal, and DOMException, with which signals fire.
const { Event, EventTarget } = require("internal/event_target");

const CODES = {
  IndexSizeError: 1, HierarchyRequestError: 3, WrongDocumentError: 4, InvalidCharacterError: 5,
  NoModificationAllowedError: 7, NotFoundError: 8, NotSupportedError: 9, InvalidStateError: 11, SyntaxError: 12,
  InvalidModificationError: 13, NamespaceError: 14, InvalidAccessError: 15, SecurityError: 18, NetworkError: 19,
  AbortError: 20, URLMismatchError: 21, QuotaExceededError: 22, TimeoutError: 23, InvalidNodeTypeError: 24,
  DataCloneError: 25,
};

class DOMException extends Error {
  constructor(message = "", options = "Error") {
    super(message);
    const name = typeof options === "object" && options !== null ? (options.name ?? "Error") : String(options);
    if (typeof options === "object" && options !== null && "cause" in options) this.cause = options.cause;
    Object.defineProperty(this, "name", { value: name, configurable: true, writable: true, enumerable: false });
  }
  get code() {
    return CODES[this.name] ?? 0;
  }
  get [Symbol.toStringTag]() {
    return "DOMException";
  }
}
for (const [name, code] of Object.entries(CODES)) {
  const constant = name.replace(/Error$/, "").replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();
  Object.defineProperty(DOMException, `${constant}_ERR`, { value: code, enumerable: true });
}

const key = Symbol("make");
const states = new WeakMap();

class AbortSignal extends EventTarget {
  constructor(token) {
    if (token !== key) throw require("internal/errors").coded(TypeError, "ERR_ILLEGAL_CONSTRUCTOR", "Illegal constructor");
    super();
    this.onabort = null;
    Object.defineProperty(this, "onabort", { enumerable: false });
    states.set(this, { aborted: false, reason: undefined });
  }
  get aborted() {
    return states.get(this).aborted;
  }
  get reason() {
    return states.get(this).reason;
  }
  throwIfAborted() {
    if (this.aborted) throw this.reason;
  }
  get [Symbol.toStringTag]() {
    return "AbortSignal";
  }
  static abort(reason) {
    const signal = new AbortSignal(key);
    fire(signal, reason);
    return signal;
  }
  static timeout(milliseconds) {
    const signal = new AbortSignal(key);
    const reason = () => new DOMException("The operation was aborted due to timeout", "TimeoutError");
    setTimeout(() => fire(signal, reason()), milliseconds);
    return signal;
  }
  static any(signals) {
    const joint = new AbortSignal(key);
    const all = [...signals];
    const first = all.find((signal) => signal.aborted);
    if (first) {
      fire(joint, first.reason);
      return joint;
    }
    const stop = (event) => {
      for (const signal of all) signal.removeEventListener("abort", stop);
      fire(joint, event.target.reason);
    };
    for (const signal of all) signal.addEventListener("abort", stop, { once: true });
    return joint;
  }
}

function fire(signal, reason = new DOMException("This operation was aborted", "AbortError")) {
  const state = states.get(signal);
  if (state.aborted) return;
  state.aborted = true;
  state.reason = reason;
  signal.dispatchEvent(new Event("abort"));
}

class AbortController {
  #signal = new AbortSignal(key);
  get signal() {
    return this.#signal;
  }
  abort(reason) {
    fire(this.#signal, reason);
  }
  get [Symbol.toStringTag]() {
    return "AbortController";
  }
}

exports.AbortController = AbortController;
exports.AbortSignal = AbortSignal;
exports.DOMException = DOMException;
