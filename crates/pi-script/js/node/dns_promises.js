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
for (const name of ["resolveTxt", "resolveMx", "resolveSrv", "resolveNs", "resolveCname", "reverse", "lookupService"]) {
  exports[name] = unavailable(`dns.${name}`);
}
