// Node's worker_threads: the script is the main thread, and there are no others.
const { coded } = require("internal/errors");

exports.isMainThread = true;
exports.parentPort = null;
exports.workerData = null;
exports.threadId = 0;
exports.resourceLimits = {};
exports.SHARE_ENV = Symbol.for("nodejs.worker_threads.SHARE_ENV");
const lacking = (name) => {
  const Class = class {
    constructor() {
      throw coded(Error, "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM", `worker_threads.${name} is not available in this program; start a program with child_process instead`);
    }
  };
  Object.defineProperty(Class, "name", { value: name });
  return Class;
};
for (const name of ["Worker", "MessageChannel", "MessagePort", "BroadcastChannel"]) exports[name] = lacking(name);
exports.getEnvironmentData = () => undefined;
exports.setEnvironmentData = () => {};
