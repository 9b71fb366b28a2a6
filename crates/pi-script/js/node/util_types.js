// util/types: what kind of built-in object a value is.
module.exports = require("internal/types").types;
