// `console`: everything goes to the program's log, never to its output.
const counts = new Map();
const starts = new Map();
let indentation = "";

const say = (level, args) => {
  const { format } = require("internal/format");
  const text = format(...args);
  host.log(level, indentation ? indentation + text.replaceAll("\n", `\n${indentation}`) : text);
};

const elapsed = (label) => {
  const began = starts.get(label);
  if (began === undefined) {
    say("warn", [`Warning: No such label '${label}' for console.time()`]);
    return undefined;
  }
  const spent = host.uptime() - began;
  return spent >= 1000 ? `${(spent / 1000).toFixed(3)}s` : `${Number(spent.toFixed(3))}ms`;
};

const console = {
  log: (...args) => say("log", args),
  info: (...args) => say("info", args),
  warn: (...args) => say("warn", args),
  error: (...args) => say("error", args),
  debug: (...args) => say("debug", args),
  dir: (value, options) => say("log", [require("internal/inspect").inspect(value, { customInspect: false, ...options })]),
  dirxml: (...args) => say("log", args),
  trace(...args) {
    const { format } = require("internal/format");
    const stack = String(new Error().stack).split("\n").slice(1).join("\n");
    say("error", [`Trace${args.length ? `: ${format(...args)}` : ""}\n${stack}`]);
  },
  assert(condition, ...args) {
    if (condition) return;
    if (typeof args[0] === "string") args[0] = `Assertion failed: ${args[0]}`;
    else args.unshift("Assertion failed");
    say("warn", args);
  },
  count(label = "default") {
    counts.set(`${label}`, (counts.get(`${label}`) ?? 0) + 1);
    say("log", [`${label}: ${counts.get(`${label}`)}`]);
  },
  countReset(label = "default") {
    counts.delete(`${label}`);
  },
  time(label = "default") {
    starts.set(`${label}`, host.uptime());
  },
  timeLog(label = "default", ...args) {
    const spent = elapsed(`${label}`);
    if (spent !== undefined) say("log", [`${label}: ${spent}`, ...args]);
  },
  timeEnd(label = "default") {
    const spent = elapsed(`${label}`);
    if (spent !== undefined) say("log", [`${label}: ${spent}`]);
    starts.delete(`${label}`);
  },
  group(...args) {
    if (args.length) say("log", args);
    indentation += "  ";
  },
  groupEnd() {
    indentation = indentation.slice(2);
  },
  table: (data, columns) => say("log", [require("internal/table").table(data, columns)]),
};
console.groupCollapsed = console.group;
console.Console = function Console() {
  return console;
};
exports.console = console;
