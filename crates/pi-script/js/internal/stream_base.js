// What all streams share: pipe's ancestor class, destroying, and the end of it all.
const EventEmitter = require("events");
const { AbortError } = require("internal/errors");

function Stream(options) {
  EventEmitter.call(this, options);
}
Object.setPrototypeOf(Stream.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Stream, EventEmitter);

const tick = (fn, ...args) => require("process").nextTick(fn, ...args);
const statesOf = (stream) => [stream._readableState, stream._writableState].filter(Boolean);

// Ends a stream before its time, or after it. `_destroy` is asked first.
function destroy(error, callback) {
  const states = statesOf(this);
  if (states.some((state) => state.destroyed)) {
    callback?.();
    return this;
  }
  for (const state of states) {
    state.destroyed = true;
    if (error) state.errored ??= error;
  }
  const done = (failure) => {
    const reason = failure ?? null;
    for (const state of states) {
      state.closed = true;
      if (reason) state.errored ??= reason;
    }
    callback?.(reason);
    tick(() => {
      if (reason && !states.some((state) => state.errorEmitted)) {
        for (const state of states) state.errorEmitted = true;
        this.emit("error", reason);
      }
      for (const state of states) state.closeEmitted = true;
      if (states.some((state) => state.emitClose)) this.emit("close");
    });
  };
  const run = () => {
    try {
      this._destroy(error ?? null, once(done));
    } catch (thrown) {
      done(thrown);
    }
  };
  // What is being made is finished first.
  if (states.some((state) => !state.constructed)) this.once("constructed", run);
  else run();
  return this;
}
const once = (fn) => {
  let called = false;
  return (...args) => {
    if (called) return;
    called = true;
    fn(...args);
  };
};

// Lets the stream open what it needs; until then nothing is read or written.
function construct(stream, start) {
  const states = statesOf(stream);
  if (typeof stream._construct !== "function") return tick(start);
  for (const state of states) state.constructed = false;
  tick(() => {
    const done = once((error) => {
      for (const state of states) state.constructed = true;
      stream.emit("constructed");
      if (error) stream.destroy(error);
      else tick(start);
    });
    try {
      stream._construct(done);
    } catch (error) {
      done(error);
    }
  });
}

function withSignal(signal, stream) {
  const abort = () => stream.destroy(new AbortError(undefined, { cause: signal.reason }));
  if (signal.aborted) abort();
  else {
    signal.addEventListener("abort", abort, { once: true });
    stream.once("close", () => signal.removeEventListener("abort", abort));
  }
  return stream;
}

exports.Stream = Stream;
exports.tick = tick;
exports.once = once;
exports.destroy = destroy;
exports.construct = construct;
exports.withSignal = withSignal;
exports.defaults = { bytes: 65536, objects: 16 };
exports.highWaterMark = (options, isObject, own) => {
  const mark = options?.highWaterMark ?? options?.[own];
  if (mark === undefined || mark === null) return isObject ? exports.defaults.objects : exports.defaults.bytes;
  if (!Number.isInteger(mark) || mark < 0) {
    throw require("internal/errors").invalidValue(`options.${own}`, mark);
  }
  return mark;
};
// Methods of options take the place of those of the class.
exports.adopt = (stream, options, names) => {
  for (const name of names) if (typeof options?.[name] === "function") stream[`_${name}`] = options[name];
};
