// Readable: data to be read, by events or in a loop.
const { Stream, adopt, construct, destroy, highWaterMark, tick, withSignal } = require("internal/stream_base");
const { AbortError, coded, invalidType } = require("internal/errors");

function Readable(options) {
  if (!(this instanceof Readable)) return new Readable(options);
  Stream.call(this, options);
  Readable.init(this, options, false);
  construct(this, () => fill(this));
}
Object.setPrototypeOf(Readable.prototype, Stream.prototype);
Object.setPrototypeOf(Readable, Stream);

Readable.init = (stream, options, isDuplex) => {
  const objectMode = Boolean(options?.objectMode || (isDuplex && options?.readableObjectMode));
  stream._readableState = {
    objectMode, buffer: [], length: 0, flowing: null, ended: false, endEmitted: false, reading: false, constructed: true,
    highWaterMark: highWaterMark(options, objectMode, "readableHighWaterMark"), destroyed: false, errored: null,
    errorEmitted: false, closed: false, closeEmitted: false, emitClose: options?.emitClose !== false,
    autoDestroy: options?.autoDestroy !== false, pipes: [], waiting: new Set(), encoding: null, decoder: null,
    isScheduled: false, wantsReadable: false, paused: false, dataEmitted: false,
  };
  adopt(stream, options, ["read", "destroy", "construct"]);
  if (options?.encoding) stream.setEncoding(options.encoding);
  if (options?.signal) withSignal(options.signal, stream);
};

// Asks for more if there is room and anybody wants it.
function fill(stream) {
  const state = stream._readableState;
  if (state.reading || state.ended || state.destroyed || !state.constructed || state.errored) return;
  if (state.length >= state.highWaterMark && state.length > 0) return;
  if (state.flowing === null && !state.wantsReadable && !state.wasRead) return;
  if (state.flowing === false && !state.wantsReadable && !state.wasRead) return;
  state.reading = true;
  try {
    stream._read(state.highWaterMark);
  } catch (error) {
    stream.destroy(error);
  }
}

function add(stream, given, encoding, isFront) {
  const state = stream._readableState;
  state.reading = false;
  if (given === null) {
    finish(stream);
    return false;
  }
  let chunk = given;
  if (!state.objectMode) {
    if (typeof chunk === "string") {
      const isSame = state.encoding && (encoding ?? "utf8") === state.encoding;
      if (!isSame) chunk = Buffer.from(chunk, encoding ?? "utf8");
    } else if (ArrayBuffer.isView(chunk)) {
      if (!Buffer.isBuffer(chunk)) chunk = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    } else {
      stream.destroy(invalidType("chunk", "of type string or an instance of Buffer, TypedArray, or DataView", given));
      return false;
    }
    if (state.decoder && typeof chunk !== "string") chunk = state.decoder.write(chunk);
    if (chunk.length === 0) {
      schedule(stream);
      return state.length < state.highWaterMark;
    }
  }
  if (state.ended && !isFront) {
    stream.destroy(coded(Error, "ERR_STREAM_PUSH_AFTER_EOF", "stream.push() after EOF"));
    return false;
  }
  if (state.destroyed) return false;
  state.buffer[isFront ? "unshift" : "push"](chunk);
  state.length += state.objectMode ? 1 : chunk.length;
  schedule(stream);
  return state.length < state.highWaterMark;
}

function finish(stream) {
  const state = stream._readableState;
  if (state.ended) return;
  state.ended = true;
  const rest = state.decoder?.end();
  if (rest) {
    state.buffer.push(rest);
    state.length += state.objectMode ? 1 : rest.length;
  }
  schedule(stream);
}

// Hands over what is there, soon: one turn at a time, whoever asked for it.
function schedule(stream) {
  const state = stream._readableState;
  if (state.isScheduled) return;
  state.isScheduled = true;
  tick(() => {
    state.isScheduled = false;
    if (state.destroyed || !state.constructed) return;
    if (state.wantsReadable && (state.length > 0 || state.ended) && !state.endEmitted) stream.emit("readable");
    flow(stream);
    if (state.ended && state.length === 0) end(stream);
    else fill(stream);
  });
}

function flow(stream) {
  const state = stream._readableState;
  while (state.flowing && !state.wantsReadable && state.buffer.length > 0 && !state.destroyed) {
    const chunk = take(state, state.objectMode ? 1 : state.length);
    state.dataEmitted = true;
    stream.emit("data", chunk);
    // A turn for others, and for what arrives meanwhile.
    if (state.buffer.length === 0 && !state.ended) fill(stream);
  }
}

// At most so much: whole chunks in flowing streams, exactly `size` where it was asked for.
function take(state, size, isExact = false) {
  if (state.objectMode || !isExact) {
    const chunk = state.buffer.shift();
    state.length -= state.objectMode ? 1 : chunk.length;
    return chunk;
  }
  const parts = [];
  let left = size;
  while (left > 0 && state.buffer.length > 0) {
    const chunk = state.buffer.shift();
    parts.push(chunk.slice(0, left));
    if (chunk.length > left) state.buffer.unshift(chunk.slice(left));
    left -= parts.at(-1).length;
  }
  state.length -= size - left;
  return typeof parts[0] === "string" ? parts.join("") : parts.length === 1 ? parts[0] : Buffer.concat(parts);
}

function end(stream) {
  const state = stream._readableState;
  if (state.endEmitted || state.errored) return;
  state.endEmitted = true;
  tick(() => {
    if (state.destroyed && state.errored) return;
    stream.emit("end");
    const writable = stream._writableState;
    if (writable && stream.allowHalfOpen === false && !writable.ending) stream.end();
    if (state.autoDestroy && (!writable || !writable.autoDestroy || writable.finished)) stream.destroy();
  });
}

const methods = {
  push(chunk, encoding) {
    return add(this, chunk, encoding, false);
  },
  unshift(chunk, encoding) {
    return add(this, chunk, encoding, true);
  },
  read(size) {
    const state = this._readableState;
    const wanted = size === undefined || Number.isNaN(size) ? undefined : Math.trunc(size);
    state.wasRead = true;
    if (wanted === 0) {
      schedule(this);
      return null;
    }
    const isEnough = state.length > 0 && (wanted === undefined || state.objectMode || wanted <= state.length || state.ended);
    const chunk = isEnough ? take(state, Math.min(wanted ?? state.length, state.length), true) : null;
    if (chunk !== null) this.emit("data", chunk);
    if (state.ended && state.length === 0) end(this);
    else if (wanted > state.highWaterMark) {
      state.highWaterMark = wanted;
      fill(this);
    } else fill(this);
    return chunk;
  },
  _read() {
    throw coded(Error, "ERR_METHOD_NOT_IMPLEMENTED", "The _read() method is not implemented");
  },
  _destroy(error, done) {
    done(error);
  },
  destroy,
  setEncoding(encoding) {
    const state = this._readableState;
    const { StringDecoder } = require("string_decoder");
    state.decoder = new StringDecoder(encoding);
    state.encoding = state.decoder.encoding;
    const text = state.buffer.map((chunk) => (typeof chunk === "string" ? chunk : state.decoder.write(chunk))).join("");
    state.buffer = text ? [text] : [];
    state.length = text.length;
    return this;
  },
  resume() {
    const state = this._readableState;
    if (!state.flowing) {
      state.flowing = !state.wantsReadable;
      state.paused = false;
      tick(() => this.emit("resume"));
      schedule(this);
    }
    return this;
  },
  pause() {
    const state = this._readableState;
    if (state.flowing !== false) {
      state.flowing = false;
      this.emit("pause");
    }
    state.paused = true;
    return this;
  },
  isPaused() {
    return this._readableState.paused;
  },
  on(name, listener) {
    const state = this._readableState;
    Stream.prototype.on.call(this, name, listener);
    if (name === "data" && state.flowing !== false && !state.wantsReadable) this.resume();
    if (name === "readable" && !state.wantsReadable) {
      state.wantsReadable = true;
      state.flowing = false;
      schedule(this);
    }
    return this;
  },
  addListener(name, listener) {
    return this.on(name, listener);
  },
  removeListener(name, listener) {
    Stream.prototype.removeListener.call(this, name, listener);
    if (name === "readable" && this.listenerCount("readable") === 0) this._readableState.wantsReadable = false;
    return this;
  },
  off(name, listener) {
    return this.removeListener(name, listener);
  },
  pipe(target, options) {
    const state = this._readableState;
    const onData = (chunk) => {
      if (target.write(chunk) !== false) return;
      state.waiting.add(target);
      this.pause();
    };
    const onDrain = () => {
      state.waiting.delete(target);
      if (state.waiting.size === 0 && state.pipes.length > 0) this.resume();
    };
    const onEnd = () => target.end();
    const onError = (error) => {
      this.unpipe(target);
      if (target.listenerCount("error") === 0) target.destroy ? target.destroy(error) : target.emit("error", error);
    };
    const onClose = () => this.unpipe(target);
    const endsToo = options?.end !== false && !target._isStdio;
    const undo = () => {
      this.removeListener("data", onData);
      this.removeListener("end", onEnd);
      target.removeListener("drain", onDrain);
      target.removeListener("error", onError);
      target.removeListener("close", onClose);
      onDrain();
    };
    state.pipes.push({ target, undo });
    if (endsToo) state.endEmitted ? tick(onEnd) : this.once("end", onEnd);
    target.on("drain", onDrain);
    target.prependListener("error", onError);
    target.once("close", onClose);
    this.on("data", onData);
    target.emit("pipe", this);
    if (!state.flowing) this.resume();
    return target;
  },
  unpipe(target) {
    const state = this._readableState;
    const gone = state.pipes.filter((pipe) => target === undefined || pipe.target === target);
    state.pipes = state.pipes.filter((pipe) => !gone.includes(pipe));
    if (state.pipes.length === 0 && gone.length > 0) this.pause();
    for (const pipe of gone) {
      pipe.undo();
      pipe.target.emit("unpipe", this, { hasUnpiped: false });
    }
    return this;
  },
  [Symbol.asyncIterator]() {
    return this.iterator();
  },
  async *iterator(options) {
    const { finished } = require("internal/stream_finished");
    let wake;
    let outcome;
    const rouse = () => wake?.();
    this.on("readable", rouse);
    const stop = finished(this, { writable: false }, (error) => {
      outcome = { error: error ?? null };
      rouse();
    });
    let isWhole = false;
    try {
      for (;;) {
        const chunk = this.destroyed ? null : this.read();
        if (chunk !== null) yield chunk;
        else if (outcome) {
          if (outcome.error) throw outcome.error;
          isWhole = true;
          return;
        } else {
          await new Promise((resolve) => (wake = resolve));
          wake = undefined;
        }
      }
    } finally {
      stop();
      this.removeListener("readable", rouse);
      if (!isWhole && options?.destroyOnReturn !== false) this.destroy(outcome?.error ?? undefined);
    }
  },
};
Object.assign(Readable.prototype, methods, require("internal/stream_operators").operators);

const state = (name, get) => Object.defineProperty(Readable.prototype, name, { configurable: true, get });
state("readable", function () {
  const own = this._readableState;
  return Boolean(own) && !own.destroyed && !own.errored && !own.endEmitted;
});
state("readableLength", function () { return this._readableState.length; });
state("readableHighWaterMark", function () { return this._readableState.highWaterMark; });
state("readableObjectMode", function () { return this._readableState.objectMode; });
state("readableEncoding", function () { return this._readableState.encoding; });
state("readableEnded", function () { return this._readableState.endEmitted; });
state("readableDidRead", function () { return this._readableState.dataEmitted; });
state("readableAborted", function () {
  return (this._readableState.destroyed || this._readableState.errored !== null) && !this._readableState.endEmitted;
});
state("closed", function () { return (this._readableState ?? this._writableState).closed; });
state("errored", function () { return this._readableState?.errored ?? this._writableState?.errored ?? null; });
Object.defineProperty(Readable.prototype, "readableFlowing", {
  configurable: true,
  get() { return this._readableState.flowing; },
  set(value) { this._readableState.flowing = value; },
});
Object.defineProperty(Readable.prototype, "destroyed", {
  configurable: true,
  get() { return this._readableState?.destroyed ?? false; },
  set(value) { if (this._readableState) this._readableState.destroyed = value; },
});

Readable.from = (items, options) => {
  if (typeof items === "string" || items instanceof Uint8Array) {
    return new Readable({ objectMode: true, ...options, read() { this.push(items); this.push(null); } });
  }
  const iterator = (items[Symbol.asyncIterator] ?? items[Symbol.iterator])?.call(items);
  if (!iterator) throw invalidType("iterable", "an instance of Iterable", items);
  return new Readable({
    objectMode: true,
    highWaterMark: 1,
    ...options,
    read() {
      Promise.resolve(iterator.next()).then(async ({ value, done }) => {
        if (done) return this.push(null);
        const item = await value;
        if (item === null) return this.destroy(coded(TypeError, "ERR_STREAM_NULL_VALUES", "May not write null values to stream"));
        this.push(item);
      }).catch((error) => this.destroy(error));
    },
    destroy(error, done) {
      Promise.resolve(error ? iterator.throw?.(error) : iterator.return?.()).then(() => done(error), () => done(error));
    },
  });
};
Readable.fromWeb = (web, options) => Readable.from(web, { objectMode: false, highWaterMark: 65536, ...options });
Readable.toWeb = (stream) => {
  const chunks = stream[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(Buffer.isBuffer(value) ? new Uint8Array(value) : value);
    },
    cancel: (reason) => void stream.destroy(reason instanceof Error ? reason : new AbortError()),
  });
};
exports.Readable = Readable;
