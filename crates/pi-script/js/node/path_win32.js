// path/win32: the same as path, for this program has no other paths.
module.exports = require("path");
