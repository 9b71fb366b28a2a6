// Node's v8: there is no V8 here; what can be said at all is said.
const { unavailable } = require("internal/errors");

exports.getHeapStatistics = () => {
  const used = process.memoryUsage().rss;
  return { total_heap_size: used, used_heap_size: used, heap_size_limit: used, total_available_size: 0, total_physical_size: used };
};
exports.setFlagsFromString = () => {};
for (const name of ["serialize", "deserialize", "writeHeapSnapshot", "getHeapSnapshot", "startupSnapshot"]) exports[name] = unavailable(`v8.${name}`);
