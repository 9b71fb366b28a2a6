// Node's punycode: names of hosts in characters that the DNS takes (RFC 3492).
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const DOTS = /[\u3002\uFF0E\uFF61]/g;

const fail = (why) => {
  throw new RangeError(why);
};

const adapt = (delta, count, isFirst) => {
  let rest = isFirst ? Math.floor(delta / 700) : delta >> 1;
  rest += Math.floor(rest / count);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) >> 1; k += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return Math.floor(k + ((BASE - T_MIN + 1) * rest) / (rest + 38));
};
const threshold = (k, bias) => Math.min(Math.max(k - bias, T_MIN), T_MAX);
const digitOf = (code) => (code >= 48 && code < 58 ? code - 22 : code >= 65 && code < 91 ? code - 65 : code >= 97 && code < 123 ? code - 97 : BASE);
const letterOf = (digit) => String.fromCharCode(digit < 26 ? digit + 97 : digit + 22);

const ucs2 = {
  // Unpaired surrogates stand for themselves.
  decode: (text) => [...text].map((char) => char.codePointAt(0)),
  encode: (points) => String.fromCodePoint(...points),
};

function decode(input) {
  const end = Math.max(input.lastIndexOf("-"), 0);
  const output = Array.from(input.slice(0, end), (char) => (char.charCodeAt(0) < 128 ? char.charCodeAt(0) : fail("Illegal input >= 0x80 (not a basic code point)")));
  let [point, bias, i] = [128, 72, 0];
  for (let at = end > 0 ? end + 1 : 0; at < input.length; ) {
    const before = i;
    for (let weight = 1, k = BASE; ; k += BASE) {
      const digit = at < input.length ? digitOf(input.charCodeAt(at++)) : BASE;
      if (digit >= BASE) fail("Invalid input");
      i += digit * weight;
      if (i > 0x7fffffff) fail("Overflow: input needs wider integers to process");
      const t = threshold(k, bias);
      if (digit < t) break;
      weight *= BASE - t;
    }
    const count = output.length + 1;
    bias = adapt(i - before, count, before === 0);
    point += Math.floor(i / count);
    i %= count;
    output.splice(i++, 0, point);
  }
  return String.fromCodePoint(...output);
}

function encode(input) {
  const points = ucs2.decode(input);
  const basic = points.filter((point) => point < 128);
  let output = String.fromCharCode(...basic) + (basic.length ? "-" : "");
  let [point, delta, bias, done] = [128, 0, 72, basic.length];
  while (done < points.length) {
    const next = Math.min(...points.filter((one) => one >= point));
    delta += (next - point) * (done + 1);
    if (delta > 0x7fffffff) fail("Overflow: input needs wider integers to process");
    point = next;
    for (const one of points) {
      if (one < point) delta++;
      if (one !== point) continue;
      let rest = delta;
      for (let k = BASE; ; k += BASE) {
        const t = threshold(k, bias);
        if (rest < t) break;
        output += letterOf(t + ((rest - t) % (BASE - t)));
        rest = Math.floor((rest - t) / (BASE - t));
      }
      output += letterOf(rest);
      bias = adapt(delta, done + 1, done === basic.length);
      delta = 0;
      done++;
    }
    delta++;
    point++;
  }
  return output;
}

// An address keeps what stands before its @.
const inParts = (input, part) => {
  const [local, domain] = input.includes("@") ? [`${input.split("@")[0]}@`, input.split("@")[1]] : ["", input];
  return local + domain.replace(DOTS, ".").split(".").map(part).join(".");
};

module.exports = {
  version: "2.1.0",
  ucs2,
  decode,
  encode,
  toASCII: (input) => inParts(input, (part) => (/[^\0-\x7F]/.test(part) ? `xn--${encode(part)}` : part)),
  toUnicode: (input) => inParts(input, (part) => (part.startsWith("xn--") ? decode(part.slice(4).toLowerCase()) : part)),
};
