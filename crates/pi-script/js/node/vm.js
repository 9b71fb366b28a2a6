// Node's vm: code of a text, in the one world that there is; worlds of their own are not here.
const { unavailable } = require("internal/errors");

const nameOf = (options) => (typeof options === "string" ? options : (options?.filename ?? "evalmachine.<anonymous>"));
exports.runInThisContext = (code, options) => host.evaluateText(String(code), nameOf(options));
exports.Script = class Script {
  #code;
  #name;
  constructor(code, options) {
    this.#code = String(code);
    this.#name = nameOf(options);
  }
  runInThisContext() {
    return host.evaluateText(this.#code, this.#name);
  }
  runInContext() {
    return exports.runInContext();
  }
  runInNewContext() {
    return exports.runInNewContext();
  }
};
exports.isContext = () => false;
for (const name of ["createContext", "runInContext", "runInNewContext", "compileFunction", "SourceTextModule"]) {
  exports[name] = unavailable(`vm.${name}`);
}
