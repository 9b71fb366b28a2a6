// perf_hooks: `performance`, and observers that see nothing.
const { performance, PerformanceEntry } = require("internal/performance");

class PerformanceObserver {
  static supportedEntryTypes = [];
  observe() {}
  disconnect() {}
  takeRecords() {
    return [];
  }
}
module.exports = {
  performance,
  PerformanceEntry,
  PerformanceObserver,
  constants: {},
  monitorEventLoopDelay: require("internal/errors").unavailable("perf_hooks.monitorEventLoopDelay()"),
  createHistogram: require("internal/errors").unavailable("perf_hooks.createHistogram()"),
};
