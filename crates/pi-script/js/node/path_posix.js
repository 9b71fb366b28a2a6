// path/posix: the only kind of path there is here.
module.exports = require("path");
