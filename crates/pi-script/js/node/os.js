// os: the machine and its user.
const names = () => host.sync("os.names");
const usage = () => host.sync("os.usage");
const env = (name) => require("process").env[name];

const SIGNALS =
  host.platform === "darwin"
    ? "HUP INT QUIT ILL TRAP ABRT EMT FPE KILL BUS SEGV SYS PIPE ALRM TERM URG STOP TSTP CONT CHLD TTIN TTOU IO XCPU XFSZ VTALRM PROF WINCH INFO USR1 USR2"
    : "HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS";
const signals = Object.fromEntries(SIGNALS.split(" ").map((name, i) => [`SIG${name}`, i + 1]));
signals.SIGIOT = signals.SIGABRT;
if (host.platform !== "darwin") signals.SIGPOLL = signals.SIGIO;
const PRIORITY = {
  PRIORITY_LOW: 19, PRIORITY_BELOW_NORMAL: 10, PRIORITY_NORMAL: 0, PRIORITY_ABOVE_NORMAL: -7, PRIORITY_HIGH: -14,
  PRIORITY_HIGHEST: -20,
};
const constants = { UV_UDP_REUSEADDR: 4, signals, priority: PRIORITY, dlopen: {} };
Object.defineProperty(constants, "errno", { enumerable: true, get: () => host.sync("os.errno") });

module.exports = {
  EOL: "\n",
  devNull: "/dev/null",
  constants,
  arch: () => host.arch,
  platform: () => host.platform,
  endianness: () => (new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? "LE" : "BE"),
  hostname: () => names().hostname,
  type: () => names().type,
  release: () => names().release,
  version: () => names().version,
  machine: () => names().machine,
  homedir: () => env("HOME") || host.sync("os.user").homedir,
  tmpdir() {
    const found = env("TMPDIR") || env("TMP") || env("TEMP") || "/tmp";
    return found.length > 1 && found.endsWith("/") ? found.slice(0, -1) : found;
  },
  userInfo: () => host.sync("os.user"),
  cpus: () => host.sync("os.cpus"),
  availableParallelism: () => usage().parallelism,
  totalmem: () => usage().total,
  freemem: () => usage().free,
  uptime: () => usage().uptime,
  loadavg: () => usage().load,
  // Not told: nothing in this program lists them.
  networkInterfaces: () => ({}),
  getPriority: () => 0,
  setPriority: require("internal/errors").unavailable("os.setPriority"),
};
