// CommonJS: `require`, and the ES face of modules that are not ES modules.
const cache = new Map();

// What a script is given of a module of Node: with the names of those that this program has no work for.
const completed = new Set();
function builtin(bare) {
  const value = host.builtin(bare);
  if (completed.has(bare)) return value;
  completed.add(bare);
  return host.builtin("internal/lacking").complete(bare, value);
}
exports.builtin = builtin;

// The functions that the engine calls while it loads modules. A face gets its value as `import.meta.value`.
exports.face = (name) => {
  const value = name.startsWith("node:") ? builtin(name.slice(5)) : load(name);
  const isObject = (typeof value === "object" || typeof value === "function") && value !== null;
  const names = isObject ? Object.keys(value).filter((key) => key !== "default" && isIdentifier(key)) : [];
  const main = isObject && value.__esModule && "default" in value ? "value.default" : "value";
  const lines = names.map((key, i) => `const e${i}=value[${JSON.stringify(key)}];export{e${i} as ${key}};`);
  return { value, code: `const{value}=import.meta;export default ${main};${lines.join("")}` };
};

exports.describe = (meta, name) => {
  const directory = name.slice(0, name.lastIndexOf("/")) || "/";
  meta.url = `file://${encodeURI(name).replace(/[?#]/g, encodeURIComponent)}`;
  meta.filename = name;
  meta.dirname = directory;
  meta.resolve = (specifier) => toUrl(host.resolve(name, specifier, "import"));
  Object.defineProperty(meta, "require", { get: () => createRequire(name) });
  // Called where the module ends, and then gone.
  Object.defineProperty(meta, "ran", { value: () => delete meta.ran && host.ran(name), configurable: true });
};

const toUrl = ({ kind, name }) => (kind === "file" ? `file://${encodeURI(name)}` : name);
const isIdentifier = (key) => /^[A-Za-z_$][\w$]*$/.test(key) && !reserved.has(key);
const reserved = new Set(
  ("break case catch class const continue debugger default delete do else enum export extends false finally for function if " +
    "implements import in instanceof interface let new null package private protected public return static super switch " +
    "this throw true try typeof var void while with yield await arguments eval").split(" "),
);

// Which endings there are, some look up; how such files are loaded is the program's affair.
const extensions = Object.create(null);
for (const ending of [".js", ".json", ".node"]) extensions[ending] = require("internal/errors").unavailable(`require.extensions["${ending}"]`);

// A `require` for the file `from`.
function createRequire(from) {
  const require = (specifier) => {
    const { kind, name } = host.resolve(from, String(specifier), "require");
    if (kind === "node") return builtin(name.slice(5));
    return kind === "file" ? load(name) : host.importNow(name);
  };
  require.resolve = (specifier) => host.resolve(from, String(specifier), "require").name;
  require.cache = Object.create(null);
  require.extensions = extensions;
  require.main = undefined;
  return require;
}
exports.createRequire = createRequire;

// What a file exports.
function load(name) {
  const known = cache.get(name);
  if (known) return known.exports;
  const { kind, code } = host.read(name);
  if (kind === "module") return host.importNow(name);
  const module = { exports: {}, id: name, filename: name, loaded: false, children: [], paths: [] };
  cache.set(name, module);
  try {
    if (kind === "json") module.exports = JSON.parse(code);
    else run(module, code);
  } catch (error) {
    cache.delete(name);
    throw error;
  }
  module.loaded = true;
  return module.exports;
}

function run(module, code) {
  const name = module.filename;
  const require = createRequire(name);
  module.require = require;
  const directory = name.slice(0, name.lastIndexOf("/")) || "/";
  host.evaluate(code, name).call(module.exports, module.exports, require, module, name, directory);
}
