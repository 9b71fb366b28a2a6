// Node's child_process. Children end with the script unless they are detached. What they write to an inherited standard
// output goes to the program's standard error: its own output is a protocol. Those that the script waits for may get its terminal.
const EventEmitter = require("events");
const { Readable, Writable } = require("stream");
const { coded, AbortError, unavailable } = require("internal/errors");
const { spawnSync, execFileSync, execSync } = require("internal/child_sync");
const { normalize, forShell } = require("internal/child_options");
const { promisify } = require("util");

class ChildProcess extends EventEmitter {
  constructor() {
    super();
    this.pid = undefined;
    this.exitCode = null;
    this.signalCode = null;
    this.killed = false;
    this.connected = false;
    this.stdin = this.stdout = this.stderr = null;
    this.stdio = [null, null, null];
    Object.defineProperty(this, "handle", { value: null, writable: true });
  }
  kill(signal = "SIGTERM") {
    if (this.handle === null || this.exitCode !== null || this.signalCode !== null) return false;
    if (signal === 0) return true;
    const isSent = host.sync("child.signal", this.handle, String(signal));
    if (isSent && signal !== 0) this.killed = true;
    return isSent;
  }
  ref() {}
  unref() {}
  disconnect() {}
  send() {
    throw coded(Error, "ERR_IPC_CHANNEL_CLOSED", "Channels between processes (IPC) are not available in this program");
  }
  [Symbol.dispose ?? Symbol("dispose")]() {
    this.kill();
  }
}

// What a child writes, piece by piece, as fast as it is read.
const output = (handle, number) =>
  new Readable({
    read() {
      host.async("child.read", handle, number).then(
        (piece) => this.push(piece === undefined ? null : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)),
        (error) => this.destroy(error),
      );
    },
  });

const input = (handle) =>
  new Writable({
    decodeStrings: true,
    write(chunk, encoding, done) {
      host.async("child.write", handle, chunk).then(() => done(), done);
    },
    final(done) {
      host.async("child.end", handle).then(() => done(), done);
    },
    destroy(error, done) {
      host.async("child.end", handle).then(() => done(error), () => done(error));
    },
  });

function spawn(file, args, options) {
  const { spec, settings } = normalize(file, args, options);
  const child = new ChildProcess();
  child.spawnfile = spec.file;
  child.spawnargs = [spec.argv0 ?? spec.file, ...spec.args];
  if (settings.signal?.aborted) {
    process.nextTick(() => child.emit("error", abortError(settings.signal)));
    return child;
  }
  try {
    const { id, pid } = host.sync("child.spawn", spec);
    child.handle = id;
    child.pid = pid;
  } catch (error) {
    if (error.code === "ERR_ACCESS_DENIED" || error instanceof TypeError) throw error;
    connect(child, spec, null);
    process.nextTick(() => {
      child.exitCode = error.errno ?? -1;
      child.stdin?.destroy();
      child.emit("error", error);
      for (const stream of [child.stdout, child.stderr]) stream?.destroy();
      child.emit("close", child.exitCode, null);
    });
    return child;
  }
  connect(child, spec, child.handle);
  watch(child, settings);
  process.nextTick(() => child.emit("spawn"));
  return child;
}

function connect(child, spec, handle) {
  const [stdin, stdout, stderr] = spec.stdio;
  const missing = () => new Readable({ read() { this.push(null); } });
  if (stdin === "pipe") child.stdin = handle === null ? new Writable({ write: (chunk, encoding, done) => done() }) : input(handle);
  if (stdout === "pipe") child.stdout = handle === null ? missing() : output(handle, 1);
  if (stderr === "pipe") child.stderr = handle === null ? missing() : output(handle, 2);
  child.stdio = [child.stdin, child.stdout, child.stderr];
  // A child that reads no more is no reason to stop a script that nobody told of it.
  child.stdin?.on("error", (error) => error.code !== "EPIPE" && child.emit("error", error));
}

const abortError = (signal) => new AbortError("The operation was aborted", { cause: signal.reason });

function watch(child, { signal, timeout, killSignal }) {
  let open = 1;
  const over = () => {
    if (--open > 0) return;
    host.sync("child.drop", child.handle);
    child.emit("close", child.exitCode, child.signalCode);
  };
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    open++;
    stream.once("close", over);
  }
  const onAbort = () => {
    if (child.kill(killSignal)) child.emit("error", abortError(signal));
  };
  signal?.addEventListener("abort", onAbort, { once: true });
  const timer = timeout > 0 ? setTimeout(() => child.kill(killSignal), timeout) : undefined;
  host.async("child.wait", child.handle).then((end) => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    child.exitCode = end.signal === null ? end.code : null;
    child.signalCode = end.signal;
    child.stdin?.destroy();
    child.emit("exit", child.exitCode, child.signalCode);
    // Output that nobody reads must not keep the child from being closed.
    process.nextTick(() => {
      for (const stream of [child.stdout, child.stderr]) {
        if (stream && stream.readableFlowing === null && stream.listenerCount("readable") === 0) stream.resume();
      }
    });
    over();
  }).catch(host.uncaught);
}

// --- exec and execFile: everything at once

function exec(command, options, callback) {
  if (typeof options === "function") [options, callback] = [undefined, options];
  const { file, args, settings } = forShell(command, { ...options, shell: options?.shell ?? true });
  return collect(spawn(file, args, { ...settings, timeout: 0 }), { ...options }, command, callback);
}

function execFile(file, args, options, callback) {
  if (typeof args === "function") [args, options, callback] = [[], undefined, args];
  else if (args && !Array.isArray(args)) [args, options, callback] = [[], args, options];
  if (typeof options === "function") [options, callback] = [undefined, options];
  const child = spawn(file, args ?? [], { ...options, timeout: 0 });
  return collect(child, { ...options }, [file, ...(args ?? [])].join(" "), callback);
}

function collect(child, options, command, callback) {
  const { encoding = "utf8", maxBuffer = 1024 * 1024 } = options;
  const isText = encoding !== "buffer" && encoding !== null && Buffer.isEncoding(encoding);
  const parts = { stdout: [], stderr: [] };
  let failure = null;
  let isDone = false;
  // What the child started may hold its outputs open: they are not waited for.
  const stop = () => {
    child.kill(options.killSignal);
    child.stdout?.destroy();
    child.stderr?.destroy();
  };
  const timer = options.timeout > 0 ? setTimeout(stop, options.timeout) : undefined;
  for (const name of ["stdout", "stderr"]) {
    let size = 0;
    child[name]?.on("data", (chunk) => {
      if (size >= maxBuffer) return;
      const room = maxBuffer - size;
      size += chunk.length;
      parts[name].push(chunk.length > room ? chunk.subarray(0, room) : chunk);
      if (chunk.length <= room) return;
      failure = coded(RangeError, "ERR_CHILD_PROCESS_STDIO_MAXBUFFER", `${name} maxBuffer length exceeded`);
      stop();
    });
  }
  const done = (error) => {
    if (isDone) return;
    isDone = true;
    clearTimeout(timer);
    const all = (name) => (isText ? Buffer.concat(parts[name]).toString(encoding) : Buffer.concat(parts[name]));
    const [stdout, stderr] = [all("stdout"), all("stderr")];
    if (error) Object.assign(error, { cmd: command });
    callback?.(error, stdout, stderr);
  };
  child.on("error", (error) => (failure = error) && child.pid === undefined && done(error));
  child.on("close", (code, signal) => {
    if (failure) return done(failure);
    if (code === 0 && signal === null) return done(null);
    const stderr = isText ? Buffer.concat(parts.stderr).toString(encoding) : "";
    const error = new Error(`Command failed: ${command}\n${stderr}`);
    done(Object.assign(error, { code, killed: child.killed, signal }));
  });
  return child;
}

// `promisify` gives both outputs, and errors carry them.
const promised = (fn) => (...args) => {
  let child;
  const promise = new Promise((resolve, reject) => {
    child = fn(...args, (error, stdout, stderr) => {
      if (error) reject(Object.assign(error, { stdout, stderr }));
      else resolve({ stdout, stderr });
    });
  });
  promise.child = child;
  return promise;
};
for (const fn of [exec, execFile]) Object.defineProperty(fn, promisify.custom, { value: promised(fn) });

module.exports = { ChildProcess, spawn, exec, execFile, fork: unavailable("child_process.fork"), spawnSync, execFileSync, execSync };
