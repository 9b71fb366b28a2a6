// assert/strict: assert without loose comparisons.
module.exports = require("assert").strict;
