// Node's tls: encrypted connections are made by fetch and https; bare ones are not here.
const { unavailable } = require("internal/errors");

for (const name of ["connect", "createServer", "createSecureContext", "checkServerIdentity"]) exports[name] = unavailable(`tls.${name}`);
exports.rootCertificates = [];
exports.DEFAULT_MIN_VERSION = "TLSv1.2";
exports.DEFAULT_MAX_VERSION = "TLSv1.3";
