// Node's dns/promises: the system's own lookup; questions to name servers are not here.
const { unavailable } = require("internal/errors");

exports.lookup = async (hostname, options) => {
  const { family = 0, all = false } = typeof options === "number" ? { family: options } : (options ?? {});
  const wanted = Number(String(family).replace("IPv", ""));
  const found = (await host.async("net.lookup", String(hostname))).filter((entry) => wanted === 0 || entry.family === wanted);
  if (found.length === 0) {
    const error = new Error(`getaddrinfo ENOTFOUND ${hostname}`);
    throw Object.assign(error, { errno: -3008, code: "ENOTFOUND", syscall: "getaddrinfo", hostname });
  }
  return all ? found : found[0];
};
exports.resolve4 = async (hostname) => (await exports.lookup(hostname, { family: 4, all: true })).map(({ address }) => address);
exports.resolve6 = async (hostname) => (await exports.lookup(hostname, { family: 6, all: true })).map(({ address }) => address);
exports.resolve = (hostname, type = "A") => {
  if (type === "A") return exports.resolve4(hostname);
  return type === "AAAA" ? exports.resolve6(hostname) : unavailable(`dns.resolve of ${type}`)();
};
const LACKING = "resolveTxt resolveMx resolveSrv resolveNs resolveCname resolveAny resolveCaa resolveNaptr resolvePtr resolveSoa resolveTlsa reverse lookupService";
for (const name of LACKING.split(" ")) exports[name] = unavailable(`dns.${name}`);
exports.getServers = () => [];
exports.setServers = () => {};
exports.getDefaultResultOrder = () => "verbatim";
exports.setDefaultResultOrder = () => {};

class Resolver {
  cancel() {}
  getServers() {
    return [];
  }
  setServers() {}
  setLocalAddress() {}
}
for (const name of ["resolve", "resolve4", "resolve6", ...LACKING.split(" ").filter((one) => one !== "lookupService")]) {
  Resolver.prototype[name] = (...args) => exports[name](...args);
}
exports.Resolver = Resolver;

const CODES = "NODATA FORMERR SERVFAIL NOTFOUND NOTIMP REFUSED BADQUERY BADNAME BADFAMILY BADRESP CONNREFUSED TIMEOUT EOF FILE NOMEM " +
  "DESTRUCTION BADSTR BADFLAGS NONAME BADHINTS NOTINITIALIZED LOADIPHLPAPI ADDRGETNETWORKPARAMS CANCELLED";
for (const code of CODES.split(" ")) exports[code] = `E${code}`;
