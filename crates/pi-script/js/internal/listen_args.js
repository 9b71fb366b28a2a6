// The forms of `listen`: (port, host, backlog, callback), each optional, or ({port, host}, callback).
const { coded, outOfRange } = require("internal/errors");

exports.listenArgs = (args) => {
  const callback = typeof args.at(-1) === "function" ? args.pop() : undefined;
  const [first, second] = args;
  const options = first !== null && typeof first === "object" ? first : { port: first, host: typeof second === "string" ? second : undefined };
  if (options.path !== undefined || (typeof first === "string" && !/^\d+$/.test(first))) {
    throw coded(Error, "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM", "Listening on a path is not available in this program");
  }
  const port = Number(options.port ?? 0);
  if (!(Number.isInteger(port) && port >= 0 && port < 65536)) {
    throw Object.assign(outOfRange("options.port", ">= 0 and < 65536", options.port), { code: "ERR_SOCKET_BAD_PORT" });
  }
  return { port, address: options.host ?? "127.0.0.1", callback };
};
