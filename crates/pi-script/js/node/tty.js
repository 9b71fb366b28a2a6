// tty: no stream of a script is a terminal.
const { unavailable } = require("internal/errors");
module.exports = {
  isatty: () => false,
  ReadStream: class ReadStream { constructor() { unavailable("tty.ReadStream")(); } },
  WriteStream: class WriteStream { constructor() { unavailable("tty.WriteStream")(); } },
};
