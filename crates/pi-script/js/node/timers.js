// timers: the functions of the global object.
const { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate } = globalThis;
module.exports = { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate };
Object.defineProperty(module.exports, "promises", { enumerable: true, get: () => require("timers/promises") });
