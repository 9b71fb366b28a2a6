// module: `require` for ES modules, and which built-in modules there are.
const { createRequire } = require("internal/require");

const builtinModules = host.nodeModules();
const bare = new Set(builtinModules.map((name) => name.replace(/^node:/, "")));
const isBuiltin = (name) => builtinModules.includes(String(name)) || (String(name).startsWith("node:") && bare.has(String(name).slice(5)));

function Module(id) {
  this.id = id;
  this.exports = {};
}
module.exports = Object.assign(Module, {
  Module,
  builtinModules,
  isBuiltin,
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
