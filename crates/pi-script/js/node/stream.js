// stream: readable, writable and two-sided streams. Their parts are in internal/stream_*.js.
const { Stream, defaults, withSignal } = require("internal/stream_base");
const { Readable } = require("internal/stream_readable");
const { Writable } = require("internal/stream_writable");
const { Duplex, PassThrough, Transform } = require("internal/stream_duplex");
const { finished, pipeline } = require("internal/stream_finished");

const custom = Symbol.for("nodejs.util.promisify.custom");
for (const [fn, name] of [[finished, "finished"], [pipeline, "pipeline"]]) {
  Object.defineProperty(fn, custom, { configurable: true, get: () => require("stream/promises")[name] });
}
Stream.prototype.pipe = Readable.prototype.pipe;
module.exports = Object.assign(Stream, {
  Stream, Readable, Writable, Duplex, Transform, PassThrough, finished, pipeline,
  addAbortSignal: withSignal,
  isReadable: (stream) => stream?.readable ?? null,
  isWritable: (stream) => stream?.writable ?? null,
  isErrored: (stream) => Boolean(stream?.errored),
  isDisturbed: (stream) => Boolean(stream?.readableDidRead),
  getDefaultHighWaterMark: (isObject) => (isObject ? defaults.objects : defaults.bytes),
  setDefaultHighWaterMark(isObject, value) {
    defaults[isObject ? "objects" : "bytes"] = value;
  },
  destroy: (stream, error) => stream.destroy(error),
});
Object.defineProperty(Stream, "promises", { configurable: true, enumerable: true, get: () => require("stream/promises") });
