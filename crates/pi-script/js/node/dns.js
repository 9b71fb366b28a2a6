// Node's dns, with callbacks.
const promises = require("dns/promises");

for (const [name, fn] of Object.entries(promises)) {
  exports[name] = (...args) => {
    const callback = args.pop();
    const done = (result) => (name === "lookup" && !Array.isArray(result) ? callback(null, result.address, result.family) : callback(null, result));
    fn(...args).then(done, callback);
  };
}
exports.promises = promises;
exports.setDefaultResultOrder = () => {};
exports.getDefaultResultOrder = () => "verbatim";
