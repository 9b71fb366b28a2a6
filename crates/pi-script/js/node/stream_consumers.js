// stream/consumers: all that a stream has, at once.
const buffer = async (stream) => {
  const parts = [];
  for await (const part of stream) parts.push(typeof part === "string" ? Buffer.from(part) : part);
  return Buffer.concat(parts);
};
const text = async (stream) => new TextDecoder().decode(await buffer(stream));

exports.buffer = buffer;
exports.text = text;
exports.arrayBuffer = async (stream) => {
  const all = await buffer(stream);
  return all.buffer.slice(all.byteOffset, all.byteOffset + all.byteLength);
};
exports.json = async (stream) => JSON.parse(await text(stream));
exports.blob = async (stream) => new Blob([await buffer(stream)]);
