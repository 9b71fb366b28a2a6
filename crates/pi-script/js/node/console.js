// console: the global one.
module.exports = require("internal/console").console;
