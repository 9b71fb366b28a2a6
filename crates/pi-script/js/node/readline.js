// readline: a stream by lines, and questions. Keys are not edited: the terminal is the program's.
const EventEmitter = require("events");
const { StringDecoder } = require("string_decoder");
const { AbortError, coded } = require("internal/errors");

class Interface extends EventEmitter {
  #decoder = new StringDecoder("utf8");
  #rest = "";
  #sawReturn = false;
  #asked = null;
  #onData;
  #onEnd;
  constructor(input, output, completer, terminal) {
    super();
    const options = input && typeof input.on === "function" ? { input, output, completer, terminal } : input;
    Object.assign(this, { input: options.input, output: options.output, terminal: Boolean(options.terminal), line: "", cursor: 0 });
    this.history = [];
    this.closed = false;
    this.crlfDelay = options.crlfDelay ?? 100;
    this.setPrompt(options.prompt ?? "> ");
    this.#onData = (chunk) => this.#take(typeof chunk === "string" ? chunk : this.#decoder.write(chunk));
    this.#onEnd = () => {
      const last = this.#rest + this.#decoder.end();
      this.#rest = "";
      if (last !== "") this.#line(last);
      this.close();
    };
    this.input?.on("data", this.#onData);
    this.input?.on("end", this.#onEnd);
    this.input?.resume?.();
    options.signal?.addEventListener("abort", () => this.close(), { once: true });
    if (options.signal?.aborted) queueMicrotask(() => this.close());
  }
  #take(given) {
    let text = this.#rest + given;
    if (this.#sawReturn && given.startsWith("\n") && this.#rest === "") text = text.slice(1);
    this.#sawReturn = given.endsWith("\r");
    const lines = text.split(/\r\n|\n|\r|\u2028|\u2029/);
    this.#rest = lines.pop();
    for (const line of lines) this.#line(line);
  }
  #line(line) {
    if (this.closed && this.#asked === null && this.listenerCount("line") === 0) return;
    const asked = this.#asked;
    this.#asked = null;
    if (asked) asked(line);
    else this.emit("line", line);
  }
  setPrompt(prompt) {
    this.promptText = String(prompt);
  }
  getPrompt() {
    return this.promptText;
  }
  prompt() {
    this.output?.write(this.promptText);
  }
  question(query, options, callback) {
    const answered = typeof options === "function" ? options : callback;
    if (this.closed) throw coded(Error, "ERR_USE_AFTER_CLOSE", "readline was closed");
    if (options?.signal?.aborted) return;
    this.output?.write(query);
    this.#asked = answered;
    options?.signal?.addEventListener("abort", () => (this.#asked = null), { once: true });
  }
  write(data) {
    if (data !== null && data !== undefined) this.#take(String(data));
  }
  pause() {
    this.input?.pause?.();
    this.emit("pause");
    return this;
  }
  resume() {
    this.input?.resume?.();
    this.emit("resume");
    return this;
  }
  close() {
    if (this.closed) return;
    this.closed = true;
    this.input?.removeListener("data", this.#onData);
    this.input?.removeListener("end", this.#onEnd);
    this.input?.pause?.();
    this.emit("close");
  }
  getCursorPos() {
    return { rows: 0, cols: 0 };
  }
  [Symbol.dispose ?? Symbol.for("nodejs.dispose")]() {
    this.close();
  }
  [Symbol.asyncIterator]() {
    const lines = EventEmitter.on(this, "line", { close: ["close"] });
    return {
      next: async () => {
        const { value, done } = await lines.next();
        return { value: value?.[0], done };
      },
      return: async () => {
        this.close();
        return { value: undefined, done: true };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }
}
Object.defineProperty(Interface.prototype.question, Symbol.for("nodejs.util.promisify.custom"), {
  value(query, options) {
    return ask(this, query, options);
  },
});
const ask = (lines, query, options = {}) =>
  new Promise((resolve, reject) => {
    const abort = () => reject(new AbortError(undefined, { cause: options.signal.reason }));
    if (options.signal?.aborted) return abort();
    options.signal?.addEventListener("abort", abort, { once: true });
    lines.question(query, options, resolve);
  });

const write = (stream, text, callback) => {
  const done = stream === null || stream === undefined ? true : stream.write(text, callback);
  return done;
};
module.exports = {
  Interface,
  ask,
  createInterface: (...args) => new Interface(...args),
  clearLine: (stream, direction, callback) => write(stream, direction < 0 ? "\x1b[1K" : direction > 0 ? "\x1b[0K" : "\x1b[2K", callback),
  clearScreenDown: (stream, callback) => write(stream, "\x1b[0J", callback),
  cursorTo: (stream, x, y, callback) => write(stream, typeof y === "number" ? `\x1b[${y + 1};${x + 1}H` : `\x1b[${x + 1}G`, callback),
  moveCursor(stream, x, y, callback) {
    const part = (count, more, less) => (count === 0 ? "" : `\x1b[${Math.abs(count)}${count > 0 ? more : less}`);
    return write(stream, part(x, "C", "D") + part(y, "B", "A"), callback);
  },
  emitKeypressEvents() {},
};
Object.defineProperty(module.exports, "promises", { enumerable: true, get: () => require("readline/promises") });
