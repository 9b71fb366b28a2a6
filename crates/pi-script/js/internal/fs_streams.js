// fs: files as streams.
const { Readable, Writable } = require("stream");
const { calls, later } = require("internal/fs_calls");
const { toOptions, toPath } = require("internal/fs_paths");

// Opens the file when the stream is made, and closes it with the stream.
function opening(stream, file, options, flags) {
  const given = options.fd;
  stream.path = given === undefined ? toPath(file) : undefined;
  stream.fd = given === undefined ? null : typeof given === "object" ? given.fd : given;
  stream.flags = options.flags ?? flags;
  stream.bytesRead = stream.bytesWritten = 0;
  stream.pending = stream.fd === null;
  stream.ownsFile = options.autoClose !== false;
  stream.handle = typeof given === "object" ? given : undefined;
}
const construct = (stream, options, done) => {
  if (stream.fd !== null) return done();
  later(calls.open(stream.path, stream.flags, options.mode)).then(
    (fd) => {
      stream.fd = fd;
      stream.pending = false;
      done();
      stream.emit("open", fd);
      stream.emit("ready");
    },
    (error) => done(error),
  );
};
const destroy = (stream, error, done) => {
  if (stream.fd === null || !stream.ownsFile) return done(error);
  const { fd, handle } = stream;
  stream.fd = null;
  const closed = handle ? handle.close() : later(calls.close(fd));
  closed.then(
    () => done(error),
    (failure) => done(error ?? failure),
  );
};
const closing = {
  close: {
    value(callback) {
      if (callback) this.closed ? require("process").nextTick(callback) : this.once("close", callback);
      this.destroy();
    },
  },
};

class ReadStream extends Readable {
  constructor(file, given) {
    const options = toOptions(given);
    super({
      highWaterMark: options.highWaterMark ?? 65536,
      encoding: options.encoding,
      emitClose: options.emitClose,
      signal: options.signal,
      construct: (done) => construct(this, options, done),
    });
    opening(this, file, options, "r");
    this.start = options.start;
    this.end = options.end ?? Infinity;
    this.at = options.start;
  }
  _read(size) {
    const left = this.end === Infinity ? size : this.end + 1 - (this.start ?? 0) - this.bytesRead;
    const length = Math.min(size, left);
    if (length <= 0) return void this.push(null);
    const buffer = Buffer.alloc(length);
    later(calls.read(this.fd, buffer, 0, length, this.at)).then(
      (count) => {
        if (this.at !== undefined) this.at += count;
        this.bytesRead += count;
        this.push(count > 0 ? buffer.subarray(0, count) : null);
      },
      (error) => this.destroy(error),
    );
  }
  _destroy(error, done) {
    destroy(this, error, done);
  }
}

class WriteStream extends Writable {
  constructor(file, given) {
    const options = toOptions(given);
    super({
      highWaterMark: options.highWaterMark ?? 16384,
      emitClose: options.emitClose,
      signal: options.signal,
      defaultEncoding: options.encoding ?? "utf8",
      construct: (done) => construct(this, options, done),
    });
    opening(this, file, options, "w");
    this.at = options.start;
  }
  _write(chunk, encoding, done) {
    later(calls.write(this.fd, chunk, 0, chunk.length, this.at)).then(
      (count) => {
        if (this.at !== undefined) this.at += count;
        this.bytesWritten += count;
        done();
      },
      (error) => done(error),
    );
  }
  _destroy(error, done) {
    destroy(this, error, done);
  }
}
for (const Class of [ReadStream, WriteStream]) Object.defineProperties(Class.prototype, closing);

exports.ReadStream = ReadStream;
exports.WriteStream = WriteStream;
exports.createReadStream = (file, options) => new ReadStream(file, options);
exports.createWriteStream = (file, options) => new WriteStream(file, options);
