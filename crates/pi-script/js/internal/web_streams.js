// The streams of the web: ReadableStream, WritableStream, TransformStream and the two for text. Enough for bodies and for
// what extensions build of them; byte streams read into buffers of the caller are not there.

const deferred = () => {
  const result = {};
  result.promise = new Promise((resolve, reject) => Object.assign(result, { resolve, reject }));
  result.promise.catch(() => {});
  return result;
};
const state = Symbol("state");

class ReadableStreamDefaultController {
  constructor(inner) {
    this[state] = inner;
  }
  get desiredSize() {
    const inner = this[state];
    if (inner.status === "errored") return null;
    return inner.status === "closed" ? 0 : inner.highWaterMark - inner.size;
  }
  get byobRequest() {
    return null;
  }
  enqueue(chunk) {
    const inner = this[state];
    if (inner.status !== "readable" || inner.isClosing) throw new TypeError("Invalid state: Controller is already closed");
    const waiting = inner.waiting.shift();
    if (waiting) waiting.resolve({ value: chunk, done: false });
    else {
      const size = inner.measure(chunk);
      inner.queue.push([chunk, size]);
      inner.size += size;
    }
    fill(inner);
  }
  close() {
    const inner = this[state];
    if (inner.status !== "readable" || inner.isClosing) throw new TypeError("Invalid state: Controller is already closed");
    inner.isClosing = true;
    if (inner.queue.length === 0) finish(inner);
  }
  error(reason) {
    fail(this[state], reason);
  }
}

function finish(inner) {
  inner.status = "closed";
  for (const waiting of inner.waiting.splice(0)) waiting.resolve({ value: undefined, done: true });
  inner.closed.resolve();
}

function fail(inner, reason) {
  if (inner.status !== "readable") return;
  inner.status = "errored";
  inner.reason = reason;
  inner.queue = [];
  for (const waiting of inner.waiting.splice(0)) waiting.reject(reason);
  inner.closed.reject(reason);
}

// Asks the source for more while somebody waits or there is room.
function fill(inner) {
  if (inner.status !== "readable" || inner.isClosing || !inner.isStarted || !inner.source.pull) return;
  if (inner.waiting.length === 0 && inner.size >= inner.highWaterMark) return;
  if (inner.isPulling) {
    inner.pullsAgain = true;
    return;
  }
  inner.isPulling = true;
  const pulled = () => {
    inner.isPulling = false;
    if (!inner.pullsAgain) return;
    inner.pullsAgain = false;
    fill(inner);
  };
  attempt(() => inner.source.pull(inner.controller)).then(pulled, (error) => fail(inner, error));
}

async function attempt(work) {
  return work();
}

function take(inner) {
  if (inner.queue.length > 0) {
    const [value, size] = inner.queue.shift();
    inner.size -= size;
    if (inner.isClosing && inner.queue.length === 0) finish(inner);
    else fill(inner);
    return Promise.resolve({ value, done: false });
  }
  if (inner.status === "closed") return Promise.resolve({ value: undefined, done: true });
  if (inner.status === "errored") return Promise.reject(inner.reason);
  const waiting = deferred();
  inner.waiting.push(waiting);
  fill(inner);
  return waiting.promise;
}

async function cancel(inner, reason) {
  inner.isDisturbed = true;
  if (inner.status === "errored") throw inner.reason;
  if (inner.status === "closed") return;
  inner.queue = [];
  finish(inner);
  await inner.source.cancel?.(reason);
}

class ReadableStream {
  constructor(source = {}, strategy = {}) {
    const inner = {
      source: source ?? {},
      queue: [],
      size: 0,
      waiting: [],
      status: "readable",
      isClosing: false,
      isStarted: false,
      isPulling: false,
      isDisturbed: false,
      highWaterMark: strategy?.highWaterMark ?? (source?.type === "bytes" ? 0 : 1),
      measure: strategy?.size ? (chunk) => strategy.size(chunk) : () => 1,
      closed: deferred(),
      reader: null,
    };
    inner.controller = new ReadableStreamDefaultController(inner);
    this[state] = inner;
    const begun = inner.source.start?.(inner.controller);
    const started = () => {
      inner.isStarted = true;
      fill(inner);
    };
    Promise.resolve(begun).then(started, (error) => fail(inner, error));
  }
  static from(iterable) {
    const iterator = iterable[Symbol.asyncIterator]?.() ?? iterable[Symbol.iterator]();
    return new ReadableStream(
      {
        async pull(controller) {
          const { value, done } = await iterator.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: (reason) => iterator.return?.(reason),
      },
      { highWaterMark: 0 },
    );
  }
  get locked() {
    return this[state].reader !== null;
  }
  getReader(options) {
    if (options?.mode === "byob") throw new TypeError("Readers into buffers (mode: byob) are not available in this program");
    return new ReadableStreamDefaultReader(this);
  }
  cancel(reason) {
    if (this.locked) return Promise.reject(new TypeError("Invalid state: ReadableStream is locked"));
    return cancel(this[state], reason);
  }
  async *values({ preventCancel = false } = {}) {
    const reader = this.getReader();
    let isDone = false;
    try {
      for (;;) {
        const { value, done } = await reader.read().catch((error) => {
          isDone = true;
          throw error;
        });
        if (done) {
          isDone = true;
          return;
        }
        yield value;
      }
    } finally {
      if (!isDone && !preventCancel) await reader.cancel();
      reader.releaseLock();
    }
  }
  [Symbol.asyncIterator](options) {
    return this.values(options);
  }
  pipeThrough(pair, options) {
    this.pipeTo(pair.writable, options).catch(() => {});
    return pair.readable;
  }
  async pipeTo(target, { preventClose, preventAbort, preventCancel, signal } = {}) {
    const reader = this.getReader();
    const writer = target.getWriter();
    const give = deferred();
    const onAbort = () => give.reject(signal.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted) onAbort();
    try {
      for (;;) {
        await Promise.race([writer.ready, give.promise]);
        const { value, done } = await Promise.race([reader.read(), give.promise]);
        if (done) break;
        writer.write(value).catch(() => {});
      }
      if (!preventClose) await writer.close();
    } catch (error) {
      if (this[state].status !== "errored" && !preventCancel) await reader.cancel(error).catch(() => {});
      if (target[state].status !== "errored" && !preventAbort) await writer.abort(error).catch(() => {});
      throw error;
    } finally {
      signal?.removeEventListener("abort", onAbort);
      reader.releaseLock();
      writer.releaseLock();
    }
  }
  tee() {
    const reader = this.getReader();
    const controllers = [];
    const cancelled = [];
    let reading = null;
    const pull = () => {
      reading ??= reader.read().then(
        ({ value, done }) => {
          reading = null;
          controllers.forEach((controller, i) => {
            if (cancelled[i]) return;
            if (done) controller.close();
            else controller.enqueue(value);
          });
        },
        (error) => controllers.forEach((controller) => controller.error(error)),
      );
      return reading;
    };
    const branch = (i) =>
      new ReadableStream({
        start: (controller) => void (controllers[i] = controller),
        pull,
        cancel(reason) {
          cancelled[i] = true;
          if (cancelled[1 - i]) return reader.cancel(reason);
        },
      }, { highWaterMark: 0 });
    return [branch(0), branch(1)];
  }
}

class ReadableStreamDefaultReader {
  constructor(stream) {
    const inner = stream[state];
    if (inner.reader) throw new TypeError("Invalid state: ReadableStream is locked");
    inner.reader = this;
    this[state] = inner;
  }
  get closed() {
    return this[state]?.closed.promise ?? Promise.reject(new TypeError("Invalid state: The reader is released"));
  }
  read() {
    const inner = this[state];
    if (!inner) return Promise.reject(new TypeError("Invalid state: The reader is released"));
    inner.isDisturbed = true;
    return take(inner);
  }
  cancel(reason) {
    return this[state] ? cancel(this[state], reason) : Promise.reject(new TypeError("Invalid state: The reader is released"));
  }
  releaseLock() {
    const inner = this[state];
    if (!inner) return;
    inner.reader = null;
    this[state] = null;
    for (const waiting of inner.waiting.splice(0)) waiting.reject(new TypeError("Invalid state: The reader is released"));
  }
}

class WritableStreamDefaultController {
  constructor(inner) {
    this[state] = inner;
    this.abortController = new AbortController();
  }
  get signal() {
    return this.abortController.signal;
  }
  error(reason) {
    failWriting(this[state], reason);
  }
}

function failWriting(inner, reason) {
  if (inner.status !== "writable") return;
  inner.status = "errored";
  inner.reason = reason;
  inner.closed.reject(reason);
  inner.ready.reject(reason);
  inner.ready = deferred();
  inner.ready.reject(reason);
}

// Runs `work` after everything that was asked before.
function queue(inner, work) {
  const result = inner.last.then(() => {
    if (inner.status === "errored") throw inner.reason;
    return work();
  });
  inner.last = result.catch((error) => failWriting(inner, error));
  return result;
}

class WritableStream {
  constructor(sink = {}, strategy = {}) {
    const inner = {
      sink: sink ?? {},
      status: "writable",
      size: 0,
      highWaterMark: strategy?.highWaterMark ?? 1,
      measure: strategy?.size ? (chunk) => strategy.size(chunk) : () => 1,
      closed: deferred(),
      ready: deferred(),
      writer: null,
    };
    inner.ready.resolve();
    inner.controller = new WritableStreamDefaultController(inner);
    this[state] = inner;
    inner.last = Promise.resolve(inner.sink.start?.(inner.controller)).catch((error) => failWriting(inner, error));
  }
  get locked() {
    return this[state].writer !== null;
  }
  getWriter() {
    return new WritableStreamDefaultWriter(this);
  }
  abort(reason) {
    return abort(this[state], reason);
  }
  close() {
    return close(this[state]);
  }
}

function write(inner, chunk) {
  if (inner.status === "errored") return Promise.reject(inner.reason);
  if (inner.status !== "writable") return Promise.reject(new TypeError("Invalid state: WritableStream is closed"));
  const size = inner.measure(chunk);
  inner.size += size;
  if (inner.size >= inner.highWaterMark && !inner.isFull) {
    inner.isFull = true;
    inner.ready = deferred();
  }
  const result = queue(inner, () => inner.sink.write?.(chunk, inner.controller));
  const written = () => {
    inner.size -= size;
    if (inner.isFull && inner.size < inner.highWaterMark) {
      inner.isFull = false;
      inner.ready.resolve();
    }
  };
  result.then(written, () => {});
  return result.then(() => {});
}

function close(inner) {
  if (inner.status === "errored") return Promise.reject(inner.reason);
  if (inner.status !== "writable") return Promise.reject(new TypeError("Invalid state: WritableStream is closed"));
  inner.status = "closing";
  const result = inner.last.then(() => {
    if (inner.status === "errored") throw inner.reason;
    return inner.sink.close?.();
  });
  const closed = () => {
    inner.status = "closed";
    inner.closed.resolve();
  };
  const failed = (error) => {
    if (inner.status !== "errored") inner.status = "writable";
    failWriting(inner, error);
    throw error;
  };
  return result.then(closed, failed);
}

async function abort(inner, reason) {
  if (inner.status !== "writable") return;
  inner.controller.abortController.abort(reason);
  failWriting(inner, reason);
  await inner.sink.abort?.(reason);
}

class WritableStreamDefaultWriter {
  constructor(stream) {
    const inner = stream[state];
    if (inner.writer) throw new TypeError("Invalid state: WritableStream is locked");
    inner.writer = this;
    this[state] = inner;
  }
  get closed() {
    return this[state].closed.promise;
  }
  get ready() {
    return this[state].ready.promise;
  }
  get desiredSize() {
    const inner = this[state];
    return inner.status === "errored" ? null : inner.highWaterMark - inner.size;
  }
  write(chunk) {
    return write(this[state], chunk);
  }
  close() {
    return close(this[state]);
  }
  abort(reason) {
    return abort(this[state], reason);
  }
  releaseLock() {
    if (this[state].writer === this) this[state].writer = null;
  }
}

class TransformStream {
  constructor(transformer = {}, writableStrategy = {}, readableStrategy = { highWaterMark: 0 }) {
    let output;
    let room = deferred();
    const controller = {
      get desiredSize() {
        return output.desiredSize;
      },
      enqueue: (chunk) => output.enqueue(chunk),
      error: (reason) => {
        output.error(reason);
        this.writable[state].controller.error(reason);
      },
      terminate: () => {
        output.close();
        this.writable[state].controller.error(new TypeError("Invalid state: TransformStream is terminated"));
      },
    };
    this.readable = new ReadableStream(
      {
        start: (readable) => void (output = readable),
        pull: () => room.resolve(),
        cancel: async (reason) => {
          room.resolve();
          this.writable[state].controller.error(reason);
          await transformer.cancel?.(reason);
        },
      },
      readableStrategy,
    );
    const transform = transformer.transform ?? ((chunk) => output.enqueue(chunk));
    const guarded = async (work) => {
      try {
        await work();
      } catch (error) {
        output.error(error);
        throw error;
      }
    };
    this.writable = new WritableStream(
      {
        start: () => transformer.start?.(controller),
        write: (chunk) =>
          guarded(async () => {
            // Nothing goes in before somebody wants something out.
            if (output.desiredSize <= 0 && this.readable[state].waiting.length === 0) {
              room = deferred();
              await room.promise;
            }
            await transform.call(transformer, chunk, controller);
          }),
        close: () =>
          guarded(async () => {
            await transformer.flush?.(controller);
            if (this.readable[state].status === "readable" && !this.readable[state].isClosing) output.close();
          }),
        abort: (reason) => output.error(reason),
      },
      writableStrategy,
    );
  }
}

class TextDecoderStream extends TransformStream {
  constructor(label, options) {
    const decoder = new TextDecoder(label, options);
    const put = (text, controller) => text && controller.enqueue(text);
    super({
      transform: (chunk, controller) => put(decoder.decode(chunk, { stream: true }), controller),
      flush: (controller) => put(decoder.decode(), controller),
    });
    this.encoding = decoder.encoding;
  }
}

class TextEncoderStream extends TransformStream {
  constructor() {
    const encoder = new TextEncoder();
    super({ transform: (chunk, controller) => controller.enqueue(encoder.encode(String(chunk))) });
    this.encoding = "utf-8";
  }
}

class CountQueuingStrategy {
  constructor({ highWaterMark }) {
    this.highWaterMark = highWaterMark;
  }
  size() {
    return 1;
  }
}

class ByteLengthQueuingStrategy extends CountQueuingStrategy {
  size(chunk) {
    return chunk.byteLength;
  }
}

Object.assign(exports, {
  ReadableStream,
  ReadableStreamDefaultReader,
  ReadableStreamDefaultController,
  WritableStream,
  WritableStreamDefaultWriter,
  WritableStreamDefaultController,
  TransformStream,
  TextDecoderStream,
  TextEncoderStream,
  CountQueuingStrategy,
  ByteLengthQueuingStrategy,
});
// Whether something of a stream has been read: bodies can be read once.
Object.defineProperty(exports, "isDisturbed", { value: (stream) => stream[state].isDisturbed });
