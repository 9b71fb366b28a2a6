// Node's worker_threads: the script is the main thread, and there are no others.
const { coded } = require("internal/errors");
const { MessageChannel, MessagePort, BroadcastChannel, receiveMessageOnPort } = require("internal/message_channel");

class Worker {
  constructor() {
    throw coded(Error, "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM", "worker_threads.Worker is not available in this program; start a program with child_process instead");
  }
}
Object.assign(exports, { Worker, MessageChannel, MessagePort, BroadcastChannel, receiveMessageOnPort });
exports.isMainThread = true;
exports.isInternalThread = false;
exports.parentPort = null;
exports.workerData = null;
exports.threadId = 0;
exports.threadName = "";
exports.resourceLimits = {};
exports.SHARE_ENV = Symbol.for("nodejs.worker_threads.SHARE_ENV");
const data = new Map();
exports.getEnvironmentData = (key) => data.get(key);
exports.setEnvironmentData = (key, value) => void (value === undefined ? data.delete(key) : data.set(key, value));
exports.markAsUntransferable = exports.markAsUncloneable = () => {};
exports.isMarkedAsUntransferable = () => false;
