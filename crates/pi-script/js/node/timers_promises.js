// timers/promises: waiting with `await`.
const { AbortError } = require("internal/errors");

const wait = (start, stop, value, options) =>
  new Promise((resolve, reject) => {
    const signal = options?.signal;
    const abort = () => new AbortError(undefined, { cause: signal.reason });
    if (signal?.aborted) return reject(abort());
    const onAbort = () => {
      stop(timer);
      reject(abort());
    };
    const timer = start(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve(value);
    });
    signal?.addEventListener("abort", onAbort, { once: true });
  });

const setTimeout = (delay, value, options) => wait((done) => globalThis.setTimeout(done, delay), globalThis.clearTimeout, value, options);
const setImmediate = (value, options) => wait((done) => globalThis.setImmediate(done), globalThis.clearImmediate, value, options);
async function* setInterval(delay, value, options) {
  for (;;) yield await setTimeout(delay, value, options);
}

module.exports = {
  setTimeout,
  setImmediate,
  setInterval,
  scheduler: { wait: (delay, options) => setTimeout(delay, undefined, options), yield: () => setImmediate() },
};
