// Duplex, Transform and PassThrough: streams with two sides.
const { Stream, construct } = require("internal/stream_base");
const { Readable } = require("internal/stream_readable");
const { Writable, getters, methods } = require("internal/stream_writable");
const { coded } = require("internal/errors");

function Duplex(options) {
  if (!(this instanceof Duplex)) return new Duplex(options);
  Stream.call(this, options);
  Readable.init(this, options, true);
  Writable.init(this, options, true);
  this.allowHalfOpen = options?.allowHalfOpen !== false;
  if (options?.readable === false) Object.assign(this._readableState, { ended: true, endEmitted: true });
  if (options?.writable === false) Object.assign(this._writableState, { ending: true, ended: true, finished: true });
  construct(this, () => {
    // Both sides begin.
    this._writableState.corked++;
    this.uncork();
    this._readableState.wasRead ? this.read(0) : undefined;
  });
}
Object.setPrototypeOf(Duplex.prototype, Readable.prototype);
Object.setPrototypeOf(Duplex, Readable);
for (const [name, value] of Object.entries(methods)) {
  if (!["pipe", "_destroy"].includes(name)) Duplex.prototype[name] = value;
}
for (const [name, get] of Object.entries(getters)) Object.defineProperty(Duplex.prototype, name, { configurable: true, get });
Duplex.from = (source) => {
  if (source && (source.readable || source.writable) && typeof source !== "function") {
    const { readable, writable } = source;
    const joint = new Duplex({
      objectMode: true,
      read() {},
      write: (chunk, encoding, done) => void writable.write(chunk, encoding, done),
      final: (done) => void writable.end(done),
    });
    readable?.on("data", (chunk) => joint.push(chunk)).on("end", () => joint.push(null)).on("error", (error) => joint.destroy(error));
    return joint;
  }
  return Readable.from(source);
};

function Transform(options) {
  if (!(this instanceof Transform)) return new Transform(options);
  Duplex.call(this, options);
  for (const name of ["transform", "flush"]) if (typeof options?.[name] === "function") this[`_${name}`] = options[name];
  this._waiting = null;
  Object.defineProperty(this, "_waiting", { enumerable: false, writable: true });
}
Object.setPrototypeOf(Transform.prototype, Duplex.prototype);
Object.setPrototypeOf(Transform, Duplex);
Object.assign(Transform.prototype, {
  _transform() {
    throw coded(Error, "ERR_METHOD_NOT_IMPLEMENTED", "The _transform() method is not implemented");
  },
  _write(chunk, encoding, done) {
    this._transform(chunk, encoding, (error, value) => {
      if (error) return done(error);
      if (value !== undefined && value !== null) this.push(value);
      const state = this._readableState;
      // Whoever reads too slowly holds up the writing side.
      if (state.length < state.highWaterMark || state.ended) done();
      else this._waiting = done;
    });
  },
  _final(done) {
    if (typeof this._flush !== "function") {
      this.push(null);
      return done();
    }
    this._flush((error, value) => {
      if (error) return done(error);
      if (value !== undefined && value !== null) this.push(value);
      this.push(null);
      done();
    });
  },
  _read() {
    const done = this._waiting;
    this._waiting = null;
    done?.();
  },
});

function PassThrough(options) {
  if (!(this instanceof PassThrough)) return new PassThrough(options);
  Transform.call(this, options);
}
Object.setPrototypeOf(PassThrough.prototype, Transform.prototype);
Object.setPrototypeOf(PassThrough, Transform);
PassThrough.prototype._transform = (chunk, _encoding, done) => done(null, chunk);

Object.assign(exports, { Duplex, Transform, PassThrough });
