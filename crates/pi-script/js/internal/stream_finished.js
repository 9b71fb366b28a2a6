// finished and pipeline: when streams are done, and streams that end together.
const { AbortError, coded, invalidType } = require("internal/errors");
const { once, tick } = require("internal/stream_base");

const premature = () => coded(Error, "ERR_STREAM_PREMATURE_CLOSE", "Premature close");

exports.finished = (stream, given, last) => {
  const options = typeof given === "function" ? {} : (given ?? {});
  const callback = once(typeof given === "function" ? given : last);
  const readable = stream._readableState;
  const writable = stream._writableState;
  if (!readable && !writable && typeof stream.on !== "function") throw invalidType("stream", "an instance of Stream", stream);
  const waits = { end: Boolean(readable) && options.readable !== false, finish: Boolean(writable) && options.writable !== false };
  const isDone = () => (!waits.end || readable.endEmitted) && (!waits.finish || writable.finished);
  const check = () => isDone() && callback.call(stream);
  const onError = (error) => callback.call(stream, error);
  const onClose = () => {
    const error = readable?.errored ?? writable?.errored;
    if (error) callback.call(stream, error);
    else callback.call(stream, isDone() ? undefined : premature());
  };
  const listeners = { end: check, finish: check, error: onError, close: onClose };
  for (const [name, fn] of Object.entries(listeners)) stream.on(name, fn);
  const stop = () => {
    for (const [name, fn] of Object.entries(listeners)) stream.removeListener(name, fn);
  };
  const { signal } = options;
  const onAbort = () => {
    stop();
    callback.call(stream, new AbortError(undefined, { cause: signal.reason }));
  };
  if (signal?.aborted) tick(onAbort);
  else signal?.addEventListener("abort", onAbort, { once: true });
  if (stream.closed || (readable ?? writable)?.closeEmitted) tick(onClose);
  else if (isDone()) tick(check);
  return stop;
};

const isStream = (value) => typeof value?.pipe === "function" && typeof value.on === "function";

// Functions and iterables become streams.
function toStream(part, previous, isLast) {
  const { Readable } = require("internal/stream_readable");
  if (isStream(part) || part?._writableState) return part;
  if (typeof part === "function") {
    const result = part(previous);
    if (result?.[Symbol.asyncIterator] || result?.[Symbol.iterator]) return Readable.from(result);
    if (isLast && typeof result?.then === "function") return { promise: result };
    throw invalidType("return value", "an instance of AsyncIterable", result);
  }
  if (part?.[Symbol.asyncIterator] || part?.[Symbol.iterator]) return Readable.from(part);
  throw invalidType("stream", "an instance of Stream, Iterable, or AsyncIterable", part);
}

exports.pipeline = (...given) => {
  const callback = once(given.pop());
  const isOptions = (value) => value && typeof value === "object" && !isStream(value) && !value[Symbol.iterator] && !value[Symbol.asyncIterator] && !value._writableState;
  const options = isOptions(given.at(-1)) ? given.pop() : {};
  const parts = given.length === 1 && Array.isArray(given[0]) ? given[0] : given;
  if (parts.length < 2) throw coded(TypeError, "ERR_MISSING_ARGS", 'The "streams" argument must be specified');
  const streams = [];
  let failure;
  let left = 0;
  let value;
  const settle = (error) => {
    if (error && (!failure || failure.code === "ERR_STREAM_PREMATURE_CLOSE")) failure = error;
    if (error) for (const stream of streams) stream.destroy?.(error);
    if (--left === 0 || error) tick(() => callback(failure, value));
  };
  const { signal } = options;
  const onAbort = () => settle(new AbortError(undefined, { cause: signal.reason }));
  signal?.addEventListener("abort", onAbort, { once: true });
  parts.forEach((part, i) => {
    const previous = streams.at(-1);
    const isLast = i === parts.length - 1;
    const stream = toStream(part, previous, isLast);
    left++;
    if (stream.promise) {
      stream.promise.then((result) => {
        value = result;
        settle();
      }, settle);
      return;
    }
    streams.push(stream);
    // Failures are told here.
    stream.on("error", () => undefined);
    exports.finished(stream, { readable: !isLast, writable: i > 0 && typeof part !== "function" }, settle);
    if (previous && typeof part !== "function") previous.pipe(stream, { end: options.end !== false || !isLast });
  });
  if (signal?.aborted) tick(onAbort);
  return streams.at(-1);
};
