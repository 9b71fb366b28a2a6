// Node's dns, with callbacks.
const promises = require("dns/promises");

for (const [name, fn] of Object.entries(promises)) {
  if (typeof fn !== "function" || name === "Resolver" || /^[gs]et/.test(name)) {
    exports[name] = fn;
    continue;
  }
  exports[name] = (...args) => {
    const callback = args.pop();
    const done = (result) => (name === "lookup" && !Array.isArray(result) ? callback(null, result.address, result.family) : callback(null, result));
    fn(...args).then(done, callback);
  };
}
// The same questions with callbacks.
exports.Resolver = class Resolver extends promises.Resolver {};
for (const name of Object.getOwnPropertyNames(promises.Resolver.prototype)) {
  if (typeof exports[name] === "function") exports.Resolver.prototype[name] = (...args) => exports[name](...args);
}
exports.promises = promises;
Object.assign(exports, { ADDRCONFIG: 32, V4MAPPED: 8, ALL: 16 });
