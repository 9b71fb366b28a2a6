// The methods of Buffer that read and write numbers, made from a table.
const { coded, invalidType, outOfRange } = require("internal/errors");

const methods = {};
const KINDS = [
  // name, method of DataView, width, least, greatest
  ["UInt8", "Uint8", 1, 0, 255],
  ["Int8", "Int8", 1, -128, 127],
  ["UInt16", "Uint16", 2, 0, 65535],
  ["Int16", "Int16", 2, -32768, 32767],
  ["UInt32", "Uint32", 4, 0, 4294967295],
  ["Int32", "Int32", 4, -2147483648, 2147483647],
  ["BigUInt64", "BigUint64", 8, 0n, 18446744073709551615n],
  ["BigInt64", "BigInt64", 8, -9223372036854775808n, 9223372036854775807n],
  ["Float", "Float32", 4, -Infinity, Infinity],
  ["Double", "Float64", 8, -Infinity, Infinity],
];

const check = (buffer, offset, width) => {
  if (typeof offset !== "number") throw invalidType("offset", "of type number", offset);
  if (!Number.isInteger(offset)) throw outOfRange("offset", "an integer", offset);
  const last = buffer.length - width;
  if (last < 0) throw coded(RangeError, "ERR_BUFFER_OUT_OF_BOUNDS", "Attempt to access memory outside buffer bounds");
  if (offset < 0 || offset > last) throw outOfRange("offset", `>= 0 and <= ${last}`, offset);
};
const inRange = (value, least, greatest) => {
  if (value < least || value > greatest) throw outOfRange("value", `>= ${least} and <= ${greatest}`, value);
};
const view = (buffer) => new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);

for (const [name, method, width, least, greatest] of KINDS) {
  for (const order of width === 1 ? [""] : ["LE", "BE"]) {
    methods[`read${name}${order}`] = function (offset = 0) {
      check(this, offset, width);
      return view(this)[`get${method}`](offset, order === "LE");
    };
    methods[`write${name}${order}`] = function (value, offset = 0) {
      const number = typeof least === "bigint" ? value : Number(value);
      inRange(number, least, greatest);
      check(this, offset, width);
      view(this)[`set${method}`](offset, number, order === "LE");
      return offset + width;
    };
  }
}

const widthOf = (width) => {
  if (!(Number.isInteger(width) && width >= 1 && width <= 6)) throw outOfRange("byteLength", ">= 1 and <= 6", width);
};
for (const order of ["LE", "BE"]) {
  const placeOf = (offset, width, i) => (order === "LE" ? offset + i : offset + width - 1 - i);
  const readUnsigned = (buffer, offset, width) => {
    widthOf(width);
    check(buffer, offset, width);
    let value = 0;
    for (let i = 0; i < width; i++) value += buffer[placeOf(offset, width, i)] * 256 ** i;
    return value;
  };
  const write = (buffer, value, offset, width) => {
    check(buffer, offset, width);
    let rest = value < 0 ? value + 256 ** width : value;
    for (let i = 0; i < width; i++, rest = Math.floor(rest / 256)) buffer[placeOf(offset, width, i)] = rest % 256;
    return offset + width;
  };
  methods[`readUInt${order}`] = function (offset, width) {
    return readUnsigned(this, offset, width);
  };
  methods[`readInt${order}`] = function (offset, width) {
    const value = readUnsigned(this, offset, width);
    return value >= 2 ** (width * 8 - 1) ? value - 256 ** width : value;
  };
  methods[`writeUInt${order}`] = function (value, offset, width) {
    widthOf(width);
    inRange(value, 0, 256 ** width - 1);
    return write(this, value, offset, width);
  };
  methods[`writeInt${order}`] = function (value, offset, width) {
    widthOf(width);
    inRange(value, -(2 ** (width * 8 - 1)), 2 ** (width * 8 - 1) - 1);
    return write(this, value, offset, width);
  };
}
// The other spelling.
for (const name of Object.keys(methods)) {
  if (name.includes("UInt")) methods[name.replace("UInt", "Uint")] = methods[name];
}
exports.methods = methods;
