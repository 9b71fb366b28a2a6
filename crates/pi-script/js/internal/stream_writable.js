// Writable: takes data, one chunk after the other, and says when it is too much.
const { Stream, adopt, construct, destroy, highWaterMark, once, tick, withSignal } = require("internal/stream_base");
const { coded, invalidType } = require("internal/errors");

function Writable(options) {
  if (!(this instanceof Writable)) return new Writable(options);
  Stream.call(this, options);
  Writable.init(this, options, false);
  construct(this, () => next(this));
}
Object.setPrototypeOf(Writable.prototype, Stream.prototype);
Object.setPrototypeOf(Writable, Stream);
Object.defineProperty(Writable, Symbol.hasInstance, {
  value(object) {
    if (Function.prototype[Symbol.hasInstance].call(this, object)) return true;
    return this === Writable && Boolean(object?._writableState);
  },
});

Writable.init = (stream, options, isDuplex) => {
  const objectMode = Boolean(options?.objectMode || (isDuplex && options?.writableObjectMode));
  stream._writableState = {
    objectMode, queue: [], length: 0, writing: false, corked: 0, ending: false, ended: false, finished: false,
    highWaterMark: highWaterMark(options, objectMode, "writableHighWaterMark"), needDrain: false, destroyed: false,
    errored: null, errorEmitted: false, closed: false, closeEmitted: false, emitClose: options?.emitClose !== false,
    autoDestroy: options?.autoDestroy !== false, decodeStrings: options?.decodeStrings !== false, constructed: true,
    defaultEncoding: options?.defaultEncoding ?? "utf8", onFinish: [], finishing: false,
  };
  adopt(stream, options, ["write", "writev", "final", "destroy", "construct"]);
  if (options?.signal && !isDuplex) withSignal(options.signal, stream);
};

function fail(stream, error, callback) {
  tick(callback, error);
  stream.destroy(error);
}

// Writes what is there, as long as it is taken at once, and ends if there will be no more.
function next(stream) {
  while (step(stream));
}
function step(stream) {
  const state = stream._writableState;
  if (state.writing || state.corked > 0 || !state.constructed || state.destroyed || state.errored) return false;
  if (state.queue.length === 0) {
    finish(stream);
    return false;
  }
  const many = state.queue.length > 1 && typeof stream._writev === "function";
  const entries = many ? state.queue.splice(0) : [state.queue.shift()];
  state.writing = true;
  let isSync = true;
  const done = once((error) => {
    state.writing = false;
    for (const entry of entries) state.length -= entry.size;
    if (error) state.errored ??= error;
    if (isSync) tick(settle, stream, entries, error);
    else {
      settle(stream, entries, error);
      next(stream);
    }
  });
  try {
    if (many) stream._writev(entries, done);
    else stream._write(entries[0].chunk, entries[0].encoding, done);
  } catch (error) {
    stream.destroy(error);
  }
  isSync = false;
  return !state.writing;
}
function settle(stream, entries, error) {
  const state = stream._writableState;
  if (error) {
    state.errored ??= error;
    for (const entry of [...entries, ...state.queue.splice(0)]) entry.callback(error);
    stream.destroy(error);
    return;
  }
  for (const entry of entries) entry.callback(null);
  if (state.needDrain && state.length === 0 && !state.ending && !state.destroyed) {
    state.needDrain = false;
    stream.emit("drain");
  }
}

function finish(stream) {
  const state = stream._writableState;
  if (!state.ending || state.finishing || state.length > 0 || state.errored) return;
  state.finishing = true;
  const done = once((error) => {
    if (error) {
      for (const callback of state.onFinish.splice(0)) callback(error);
      stream.destroy(error);
      return;
    }
    tick(() => {
      if (state.destroyed && state.errored) return;
      state.finished = true;
      for (const callback of state.onFinish.splice(0)) callback();
      stream.emit("finish");
      const readable = stream._readableState;
      if (state.autoDestroy && (!readable || !readable.autoDestroy || readable.endEmitted)) stream.destroy();
    });
  });
  if (typeof stream._final !== "function") return done();
  tick(() => {
    try {
      stream._final(done);
    } catch (error) {
      done(error);
    }
  });
}

const toChunk = (state, given, encoding) => {
  if (state.objectMode) return { chunk: given, encoding };
  if (typeof given === "string") {
    return state.decodeStrings ? { chunk: Buffer.from(given, encoding), encoding: "buffer" } : { chunk: given, encoding };
  }
  if (Buffer.isBuffer(given)) return { chunk: given, encoding: "buffer" };
  if (ArrayBuffer.isView(given)) return { chunk: Buffer.from(given.buffer, given.byteOffset, given.byteLength), encoding: "buffer" };
  throw invalidType("chunk", "of type string or an instance of Buffer, TypedArray, or DataView", given);
};

const methods = {
  write(given, encodingOrCallback, after) {
    const state = this._writableState;
    const callback = [encodingOrCallback, after].find((value) => typeof value === "function") ?? (() => undefined);
    const asked = typeof encodingOrCallback === "string" ? encodingOrCallback : state.defaultEncoding;
    if (given === null) throw coded(TypeError, "ERR_STREAM_NULL_VALUES", "May not write null values to stream");
    const { chunk, encoding } = toChunk(state, given, asked);
    if (state.ending) {
      fail(this, coded(Error, "ERR_STREAM_WRITE_AFTER_END", "write after end"), callback);
      return false;
    }
    if (state.destroyed) {
      tick(callback, coded(Error, "ERR_STREAM_DESTROYED", "Cannot call write after a stream was destroyed"));
      return false;
    }
    const size = state.objectMode ? 1 : chunk.length;
    state.length += size;
    state.queue.push({ chunk, encoding, size, callback });
    const hasRoom = state.length < state.highWaterMark;
    if (!hasRoom) state.needDrain = true;
    next(this);
    return hasRoom && !state.errored && !state.destroyed;
  },
  end(...args) {
    const state = this._writableState;
    const callback = args.find((value) => typeof value === "function");
    const [chunk, encoding] = args.filter((value) => typeof value !== "function");
    if (chunk !== undefined && chunk !== null) this.write(chunk, encoding);
    if (callback) {
      if (state.finished) tick(callback, coded(Error, "ERR_STREAM_ALREADY_FINISHED", "Cannot call end after a stream was finished"));
      else if (state.destroyed) tick(callback, coded(Error, "ERR_STREAM_DESTROYED", "Cannot call end after a stream was destroyed"));
      else state.onFinish.push(callback);
    }
    state.corked = 0;
    if (!state.ending) {
      state.ending = state.ended = true;
      next(this);
    }
    return this;
  },
  cork() {
    this._writableState.corked++;
  },
  uncork() {
    const state = this._writableState;
    if (state.corked > 0 && --state.corked === 0) next(this);
  },
  setDefaultEncoding(encoding) {
    this._writableState.defaultEncoding = require("internal/encodings").normalize(encoding);
    return this;
  },
  _write(chunk, encoding, done) {
    if (typeof this._writev === "function") this._writev([{ chunk, encoding }], done);
    else throw coded(Error, "ERR_METHOD_NOT_IMPLEMENTED", "The _write() method is not implemented");
  },
  _destroy(error, done) {
    done(error);
  },
  destroy(error, callback) {
    const state = this._writableState;
    if (!state.destroyed && (state.queue.length > 0 || state.onFinish.length > 0)) {
      const reason = error ?? coded(Error, "ERR_STREAM_DESTROYED", "Cannot call end after a stream was destroyed");
      const waiting = [...state.queue.splice(0).map((entry) => entry.callback), ...state.onFinish.splice(0)];
      tick(() => waiting.forEach((fn) => fn(reason)));
    }
    return destroy.call(this, error, callback);
  },
  pipe() {
    this.emit("error", coded(Error, "ERR_STREAM_CANNOT_PIPE", "Cannot pipe, not readable"));
  },
};
Object.assign(Writable.prototype, methods);

exports.getters = {
  writable() {
    const state = this._writableState;
    return Boolean(state) && !state.destroyed && !state.errored && !state.ending;
  },
  writableLength() { return this._writableState.length; },
  writableHighWaterMark() { return this._writableState.highWaterMark; },
  writableObjectMode() { return this._writableState.objectMode; },
  writableEnded() { return this._writableState.ending; },
  writableFinished() { return this._writableState.finished; },
  writableNeedDrain() { return this._writableState.needDrain && !this._writableState.destroyed && !this._writableState.ending; },
  writableCorked() { return this._writableState.corked; },
  writableAborted() { return (this._writableState.destroyed || this._writableState.errored !== null) && !this._writableState.finished; },
};
for (const [name, get] of Object.entries(exports.getters)) {
  Object.defineProperty(Writable.prototype, name, { configurable: true, get });
}
for (const name of ["destroyed", "closed", "errored"]) {
  Object.defineProperty(Writable.prototype, name, {
    configurable: true,
    get() { return this._writableState[name]; },
    set(value) { this._writableState[name] = value; },
  });
}
Writable.fromWeb = (web) => {
  const writer = web.getWriter();
  return new Writable({
    write: (chunk, _encoding, done) => void writer.write(chunk).then(() => done(), done),
    final: (done) => void writer.close().then(() => done(), done),
    destroy: (error, done) => void (error ? writer.abort(error) : Promise.resolve()).then(() => done(error), done),
  });
};
Writable.toWeb = (stream) =>
  new WritableStream({
    write: (chunk) => new Promise((resolve, reject) => stream.write(chunk, (error) => (error ? reject(error) : resolve()))),
    close: () => new Promise((resolve, reject) => stream.end((error) => (error ? reject(error) : resolve()))),
    abort: (reason) => void stream.destroy(reason),
  });
exports.methods = methods;
exports.Writable = Writable;
