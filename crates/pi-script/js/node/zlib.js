// Node's zlib: gzip and deflate of whole values; the streams take everything in before they give anything out.
const { Transform } = require("stream");
const { invalidType, unavailable } = require("internal/errors");

const bytesOf = (data) => {
  if (typeof data === "string") return Buffer.from(data);
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  throw invalidType("buffer", "of type string or an instance of Buffer, TypedArray, DataView, or ArrayBuffer", data);
};
const buffer = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const methods = {
  gzip: ["pack", "gzip", "Gzip"],
  deflate: ["pack", "deflate", "Deflate"],
  deflateRaw: ["pack", "raw", "DeflateRaw"],
  gunzip: ["unpack", "gunzip", "Gunzip"],
  inflate: ["unpack", "inflate", "Inflate"],
  inflateRaw: ["unpack", "raw", "InflateRaw"],
  unzip: ["unpack", "unzip", "Unzip"],
};
for (const [name, [operation, format, className]] of Object.entries(methods)) {
  const later = (data, options) => host.async(`zlib.${operation}_later`, format, bytesOf(data), options?.level).then(buffer);
  exports[`${name}Sync`] = (data, options) => buffer(host.sync(`zlib.${operation}`, format, bytesOf(data), options?.level));
  exports[name] = (data, options, callback) => {
    if (typeof options === "function") [options, callback] = [undefined, options];
    later(data, options).then((result) => callback(null, result), callback);
  };
  exports[className] = class extends Transform {
    #parts = [];
    #options;
    constructor(options) {
      super(options);
      this.#options = options;
    }
    _transform(chunk, encoding, done) {
      this.#parts.push(chunk);
      done();
    }
    _flush(done) {
      later(Buffer.concat(this.#parts), this.#options).then((result) => {
        this.push(result);
        done();
      }, done);
    }
  };
  Object.defineProperty(exports[className], "name", { value: className });
  exports[`create${className}`] = (options) => new exports[className](options);
}
for (const name of ["brotliCompress", "brotliDecompress", "zstdCompress", "zstdDecompress"]) {
  exports[name] = exports[`${name}Sync`] = unavailable(`zlib.${name}`);
  exports[`create${name[0].toUpperCase()}${name.slice(1)}`] = unavailable(`zlib.${name}`);
}

const TABLE = Array.from({ length: 256 }, (_, n) => {
  for (let bit = 0; bit < 8; bit++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n >>> 0;
});
exports.crc32 = (data, value = 0) => {
  let sum = ~value;
  for (const byte of bytesOf(data)) sum = TABLE[(sum ^ byte) & 255] ^ (sum >>> 8);
  return ~sum >>> 0;
};
exports.constants = {
  Z_NO_COMPRESSION: 0, Z_BEST_SPEED: 1, Z_BEST_COMPRESSION: 9, Z_DEFAULT_COMPRESSION: -1, Z_NO_FLUSH: 0, Z_SYNC_FLUSH: 2,
  Z_FULL_FLUSH: 3, Z_FINISH: 4, Z_OK: 0, Z_STREAM_END: 1, Z_DATA_ERROR: -3, Z_BUF_ERROR: -5,
};
