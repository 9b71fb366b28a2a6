// constants: those of os and fs in one object.
const { constants: os } = require("os");
module.exports = { ...os.errno, ...os.priority, ...os.signals, ...require("fs").constants };
