// CompressionStream and DecompressionStream: they take everything in before they give anything out.
const FORMATS = { gzip: ["gzip", "gunzip"], deflate: ["deflate", "inflate"], "deflate-raw": ["deflateRaw", "inflateRaw"] };

const work = (format, direction) => {
  const names = FORMATS[format];
  if (!names) throw require("internal/errors").invalidValue("format", format, "must be one of: 'deflate', 'deflate-raw', 'gzip'");
  const parts = [];
  return new TransformStream({
    transform(chunk) {
      const bytes = ArrayBuffer.isView(chunk) ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength) : Buffer.from(chunk);
      parts.push(Buffer.from(bytes));
    },
    async flush(controller) {
      const { promisify } = require("util");
      const result = await promisify(require("zlib")[names[direction]])(Buffer.concat(parts)).catch((cause) => {
        throw new TypeError(cause.message, { cause });
      });
      controller.enqueue(new Uint8Array(result));
    },
  });
};

const pair = (direction, name) => {
  const Class = class {
    constructor(format) {
      const { readable, writable } = work(format, direction);
      Object.assign(this, { readable, writable });
    }
  };
  Object.defineProperty(Class, "name", { value: name });
  return Class;
};

exports.CompressionStream = pair(0, "CompressionStream");
exports.DecompressionStream = pair(1, "DecompressionStream");
