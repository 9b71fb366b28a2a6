// The size of a picture from its first bytes.
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const SIGNATURES = [
  ["image/png", (data) => data[0] === 0x89 && ascii(data, 1, 3) === "PNG"],
  ["image/jpeg", (data) => data[0] === 0xff && data[1] === 0xd8],
  ["image/gif", (data) => /^GIF8[79]a$/.test(ascii(data, 0, 6))],
  ["image/webp", (data) => ascii(data, 0, 4) === "RIFF" && ascii(data, 8, 4) === "WEBP"],
];
// JPEG keeps its size behind previews of any length.
const HEAD_CHARACTERS = 64;
const READERS = { "image/png": png, "image/jpeg": jpeg, "image/gif": gif, "image/webp": webp };

const ascii = (data, from, length) => String.fromCharCode(...data.subarray(from, from + length));
const big = (data, at, size) => data.subarray(at, at + size).reduce((value, byte) => value * 256 + byte, 0);
const little = (data, at, size) => data.subarray(at, at + size).reduceRight((value, byte) => value * 256 + byte, 0);

const decoded = (base64) => {
  const bytes = new Uint8Array(Math.floor((base64.length * 3) / 4));
  let length = 0;
  let bits = 0;
  let count = 0;
  for (const char of base64) {
    const value = ALPHABET.indexOf(char);
    if (value < 0) continue;
    bits = ((bits << 6) | value) & 0xffffff;
    count += 6;
    if (count >= 8) bytes[length++] = (bits >> (count -= 8)) & 0xff;
  }
  return bytes.subarray(0, length);
};

/** The type of a picture in Base64, or undefined. */
export const typeOf = (base64) => {
  const head = decoded(base64.slice(0, HEAD_CHARACTERS));
  return SIGNATURES.find(([, fits]) => fits(head))?.[0];
};

/** Its size in pixels, or null. */
export const sizeOf = (base64) => {
  const type = typeOf(base64);
  if (!type) return null;
  const size = READERS[type](decoded(type === "image/jpeg" ? base64 : base64.slice(0, HEAD_CHARACTERS)));
  return size && size[0] > 0 && size[1] > 0 ? { widthPx: size[0], heightPx: size[1] } : null;
};

function png(data) {
  return data.length >= 24 ? [big(data, 16, 4), big(data, 20, 4)] : null;
}

function gif(data) {
  return data.length >= 10 ? [little(data, 6, 2), little(data, 8, 2)] : null;
}

function jpeg(data) {
  for (let at = 2; at + 9 < data.length; ) {
    if (data[at] !== 0xff) at++;
    else if (isFrame(data[at + 1])) return [big(data, at + 7, 2), big(data, at + 5, 2)];
    else at += 2 + big(data, at + 2, 2);
  }
  return null;
}
// Start of frame, except the tables that have numbers among them.
const isFrame = (marker) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function webp(data) {
  switch (data.length >= 30 && ascii(data, 12, 4)) {
    case "VP8 ":
      return [little(data, 26, 2) & 0x3fff, little(data, 28, 2) & 0x3fff];
    case "VP8L":
      return [(little(data, 21, 4) & 0x3fff) + 1, ((little(data, 21, 4) >>> 14) & 0x3fff) + 1];
    case "VP8X":
      return [little(data, 24, 3) + 1, little(data, 27, 3) + 1];
    default:
      return null;
  }
}
