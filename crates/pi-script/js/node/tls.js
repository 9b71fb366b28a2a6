// Node's tls: encrypted connections are made by fetch and https; bare ones are not here.
const { PassThrough } = require("stream");
const { Socket } = require("net");
const { unavailable } = require("internal/errors");

for (const name of ["connect", "createServer", "createSecureContext", "createSecurePair", "checkServerIdentity"]) exports[name] = unavailable(`tls.${name}`);

// To be asked whether a connection is one, and for the class of sockets over streams, which some packages look for there.
class JSStreamSocket extends Socket {}
class TLSSocket extends Socket {
  constructor(socket, options) {
    super(options);
    this.encrypted = true;
    this.authorized = false;
    Object.defineProperty(this, "_handle", { value: { _parentWrap: new JSStreamSocket() }, enumerable: false });
    if (socket && !(socket instanceof PassThrough)) unavailable("tls.TLSSocket over a connection")();
  }
}
exports.TLSSocket = TLSSocket;
exports.rootCertificates = [];
exports.getCiphers = () => [];
exports.DEFAULT_CIPHERS = "";
exports.DEFAULT_ECDH_CURVE = "auto";
exports.DEFAULT_MIN_VERSION = "TLSv1.2";
exports.DEFAULT_MAX_VERSION = "TLSv1.3";
