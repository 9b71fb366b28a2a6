// `performance`: time since the engine started, marks and measures.
const origin = Date.now() - host.uptime();
let entries = [];

class PerformanceEntry {
  constructor(name, entryType, startTime, duration, detail = null) {
    Object.assign(this, { name, entryType, startTime, duration, detail });
  }
  toJSON() {
    return { ...this };
  }
}

const timeOf = (mark, otherwise) => {
  if (mark === undefined) return otherwise;
  if (typeof mark === "number") return mark;
  const found = entries.findLast((entry) => entry.entryType === "mark" && entry.name === mark);
  if (found) return found.startTime;
  const { DOMException } = require("internal/abort");
  throw new DOMException(`The "${mark}" performance mark has not been set`, "SyntaxError");
};
const add = (entry) => {
  entries.push(entry);
  return entry;
};
const without = (type, name) => {
  entries = entries.filter((entry) => entry.entryType !== type || (name !== undefined && entry.name !== name));
};

exports.performance = {
  timeOrigin: origin,
  now: () => host.uptime(),
  mark: (name, options = {}) =>
    add(new PerformanceEntry(String(name), "mark", options.startTime ?? host.uptime(), 0, options.detail ?? null)),
  measure(name, start, end) {
    const options = typeof start === "object" && start !== null ? start : { start, end };
    const to = timeOf(options.end, host.uptime());
    const from = timeOf(options.start, 0);
    return add(new PerformanceEntry(String(name), "measure", from, to - from, options.detail ?? null));
  },
  getEntries: () => [...entries],
  getEntriesByName: (name, type) => entries.filter((entry) => entry.name === name && (!type || entry.entryType === type)),
  getEntriesByType: (type) => entries.filter((entry) => entry.entryType === type),
  clearMarks: (name) => without("mark", name),
  clearMeasures: (name) => without("measure", name),
  timerify: (fn) => fn,
  eventLoopUtilization: () => ({ idle: 0, active: 0, utilization: 0 }),
  toJSON: () => ({ timeOrigin: origin }),
};
exports.PerformanceEntry = PerformanceEntry;
