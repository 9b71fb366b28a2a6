// stream/promises: finished and pipeline, to be awaited.
const callbacks = require("internal/stream_finished");

exports.finished = (stream, options) =>
  new Promise((resolve, reject) => {
    const stop = callbacks.finished(stream, options ?? {}, (error) => {
      if (options?.cleanup) stop();
      if (error) reject(error);
      else resolve();
    });
  });
exports.pipeline = (...streams) =>
  new Promise((resolve, reject) => {
    callbacks.pipeline(...streams, (error, value) => (error ? reject(error) : resolve(value)));
  });
