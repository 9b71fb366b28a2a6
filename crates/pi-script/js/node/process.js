// process: the program as a script sees it. Its environment is the program's; what a script changes there is its own.
const EventEmitter = require("events");
const { coded, invalidType, unavailable } = require("internal/errors");

const process = Object.create(EventEmitter.prototype, {
  constructor: { value: function process() {}, writable: true, configurable: true },
  [Symbol.toStringTag]: { value: "process", configurable: true },
});
EventEmitter.call(process);
const lazy = (name, make) =>
  Object.defineProperty(process, name, {
    configurable: true,
    enumerable: true,
    get() {
      const value = make();
      Object.defineProperty(process, name, { value, writable: true, configurable: true, enumerable: true });
      return value;
    },
    set(value) {
      Object.defineProperty(process, name, { value, writable: true, configurable: true, enumerable: true });
    },
  });

// --- environment
function environment() {
  const changed = new Map();
  const get = (name) => {
    if (changed.has(name)) return changed.get(name);
    return host.sync("process.env_get", name);
  };
  const names = () => {
    const all = new Set(Object.keys(host.sync("process.env")));
    for (const [name, value] of changed) value === undefined ? all.delete(name) : all.add(name);
    return [...all];
  };
  return new Proxy({}, {
    get: (_, name) => (typeof name === "string" ? (get(name) ?? Object.prototype[name]) : undefined),
    has: (_, name) => typeof name === "string" && get(name) !== undefined,
    set(_, name, value) {
      if (typeof name === "symbol") throw new TypeError("Cannot convert a Symbol value to a string");
      changed.set(name, String(value));
      return true;
    },
    deleteProperty(_, name) {
      if (typeof name === "string") changed.set(name, undefined);
      return true;
    },
    ownKeys: names,
    getOwnPropertyDescriptor(_, name) {
      const value = typeof name === "string" ? get(name) : undefined;
      return value === undefined ? undefined : { value, writable: true, enumerable: true, configurable: true };
    },
    defineProperty(_, name, { value }) {
      changed.set(String(name), String(value));
      return true;
    },
  });
}
lazy("env", environment);

// --- facts
const program = () => host.sync("process.program");
const ids = () => host.sync("process.ids");
lazy("argv", () => [program().execPath, program().args[0] ?? "", ...program().args.slice(1)]);
lazy("execPath", () => program().execPath);
lazy("argv0", () => program().execPath.split("/").pop());
lazy("ppid", () => ids().ppid);
lazy("report", () => ({}));
lazy("features", () => ({ inspector: false, debug: false, ipv6: true, tls: true, typescript: "transform" }));
Object.assign(process, {
  title: "pi",
  version: "v22.0.0",
  versions: { node: "22.0.0", uv: "1.48.0", modules: "127" },
  release: { name: "node", lts: false },
  platform: host.platform,
  arch: host.arch,
  pid: host.pid,
  execArgv: [],
  exitCode: undefined,
  config: { variables: {}, target_defaults: {} },
  allowedNodeEnvironmentFlags: new Set(),
  cwd: () => host.cwd,
  chdir: unavailable("process.chdir()"),
  getuid: () => ids().uid,
  geteuid: () => ids().euid,
  getgid: () => ids().gid,
  getegid: () => ids().egid,
  getgroups: () => [ids().gid],
  umask(mask) {
    if (mask !== undefined) unavailable("Setting process.umask()")();
    return host.sync("process.umask");
  },
  uptime: () => host.uptime() / 1000,
  memoryUsage: Object.assign(() => ({ rss: host.sync("process.memory"), heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 }), {
    rss: () => host.sync("process.memory"),
  }),
  resourceUsage: () => ({ userCPUTime: 0, systemCPUTime: 0, maxRSS: Math.round(host.sync("process.memory") / 1024) }),
  cpuUsage: () => ({ user: Math.round(host.uptime() * 1000), system: 0 }),
  constrainedMemory: () => 0,
  availableMemory: () => host.sync("os.usage").free,
  getActiveResourcesInfo: () => [],
  hasUncaughtExceptionCaptureCallback: () => false,
  setUncaughtExceptionCaptureCallback() {},
  setSourceMapsEnabled() {},
  binding: unavailable("process.binding()"),
  dlopen: unavailable("process.dlopen()"),
  getBuiltinModule: (name) => {
    const isKnown = require("module").isBuiltin(name);
    return isKnown ? require("internal/require").builtin(String(name).replace(/^node:/, "")) : undefined;
  },
});

// --- time
process.hrtime = (before) => {
  const now = host.uptime();
  const seconds = Math.floor(now / 1000);
  const rest = Math.round((now - seconds * 1000) * 1e6);
  if (!before) return [seconds, rest];
  const difference = [seconds - before[0], rest - before[1]];
  return difference[1] < 0 ? [difference[0] - 1, difference[1] + 1e9] : difference;
};
process.hrtime.bigint = () => BigInt(Math.round(host.uptime() * 1e6));

// --- what comes next: all that is in the queue runs before other callbacks
let queue = [];
const drain = () => {
  // Not one by one from the front: that is slow for long queues.
  for (let at = 0; at < queue.length; at++) {
    const { fn, args } = queue[at];
    try {
      fn(...args);
    } catch (error) {
      host.uncaught(error);
    }
  }
  queue = [];
};
process.nextTick = (fn, ...args) => {
  if (typeof fn !== "function") throw invalidType("callback", "of type function", fn);
  if (queue.push({ fn, args }) === 1) Promise.resolve().then(drain);
};

// --- the end of the script; the program goes on
let isExiting = false;
process.exit = (code = process.exitCode ?? 0) => {
  if (!isExiting) {
    isExiting = true;
    process.exitCode = Number(code);
    try {
      process.emit("exit", Number(code));
    } catch (error) {
      host.uncaught(error);
    }
  }
  host.exit(Number(code));
  // The engine interrupts this.
  for (;;);
};
process.reallyExit = process.exit;
process.abort = () => process.exit(134);
process.kill = (pid, signal = "SIGTERM") => {
  const { signals } = require("os").constants;
  if (typeof pid !== "number") throw invalidType("pid", "of type number", pid);
  const number = typeof signal === "number" ? signal : signals[signal];
  if (number === undefined) throw coded(TypeError, "ERR_UNKNOWN_SIGNAL", `Unknown signal: ${signal}`);
  try {
    return host.sync("child.kill", pid, number);
  } catch (error) {
    if (error.syscall === "kill") error.message = `kill ${error.code}`;
    throw error;
  }
};

process.emitWarning = (warning, type, code) => {
  const options = typeof type === "object" && type !== null ? type : { type, code };
  const error = warning instanceof Error ? warning : Object.assign(new Error(String(warning)), { name: options.type ?? "Warning" });
  if (options.code && !(warning instanceof Error)) error.code = options.code;
  host.log("warn", `${error.code ? `[${error.code}] ` : ""}${error.name}: ${error.message}`);
  process.nextTick(() => process.emit("warning", error));
};

// --- streams: the program's own output is not a script's to write to
for (const [name, fd, level] of [["stdout", 1, "log"], ["stderr", 2, "error"]]) {
  lazy(name, () => {
    const { Writable } = require("stream");
    let line = "";
    const say = (end, next) => {
      host.log(level, line.slice(0, end));
      line = line.slice(next);
    };
    // What has no end is said nevertheless, when the script has come to rest.
    const rest = () => line && say(undefined, line.length);
    const write = (text) => {
      line += text;
      const end = line.lastIndexOf("\n");
      if (end !== -1) say(end, end + 1);
      if (line) queueMicrotask(rest);
    };
    const stream = new Writable({
      decodeStrings: false,
      write(chunk, encoding, done) {
        write(typeof chunk === "string" ? chunk : Buffer.from(chunk).toString());
        done();
      },
      destroy(_error, done) {
        done(coded(Error, "ERR_SYSTEM_ERROR", `process.${name} cannot be closed`));
      },
    });
    return Object.assign(stream, { fd, isTTY: false, _isStdio: true, getColorDepth: () => 1, hasColors: () => false });
  });
}
lazy("stdin", () => {
  // What the user types is the program's: for a script it is always at its end.
  const { Readable } = require("stream");
  const stream = new Readable({ read() { this.push(null); } });
  return Object.assign(stream, { fd: 0, isTTY: false, isRaw: false, setRawMode: () => stream, ref: () => stream, unref: () => stream });
});

module.exports = process;
