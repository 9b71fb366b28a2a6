// stream/web: the streams of the web, which are globals as well.
module.exports = { ...require("internal/web_streams"), ...require("internal/compression_streams") };
