// module: `require` for ES modules, and which built-in modules there are.
const { createRequire } = require("internal/require");

const PUBLIC = (
  "assert assert/strict async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns dns/promises " +
  "domain events fs fs/promises http http2 https inspector module net os path path/posix path/win32 perf_hooks process " +
  "punycode querystring readline readline/promises repl stream stream/consumers stream/promises stream/web " +
  "string_decoder sys timers timers/promises tls trace_events tty url util util/types v8 vm wasi worker_threads zlib"
).split(" ");
const builtinModules = PUBLIC.filter((name) => host.has(name));

function Module(id) {
  this.id = id;
  this.exports = {};
}
module.exports = Object.assign(Module, {
  Module,
  builtinModules,
  isBuiltin: (name) => builtinModules.includes(String(name).replace(/^node:/, "")),
  createRequire(from) {
    const name = from instanceof URL || String(from).startsWith("file:") ? require("url").fileURLToPath(from) : String(from);
    if (name.startsWith("/")) return createRequire(name);
    throw require("internal/errors").invalidValue("filename", from, "must be a file URL object, file URL string, or absolute path string");
  },
  register: require("internal/errors").unavailable("module.register()"),
  findPackageJSON: require("internal/errors").unavailable("module.findPackageJSON()"),
  enableCompileCache() {},
  syncBuiltinESMExports() {},
});
