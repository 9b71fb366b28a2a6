// The Web's crypto: random values, digests, HMAC, AES-GCM. Other algorithms are refused by name.

const bytesOf = (data) => {
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  throw new TypeError("The argument must be an ArrayBuffer or a view of one");
};
const arrayBuffer = (bytes) => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
const refused = (what) => new DOMException(`${what} is not available in this program`, "NotSupportedError");
const nameOf = (algorithm) => String(typeof algorithm === "string" ? algorithm : algorithm?.name).toUpperCase();
const digestOf = (algorithm) => {
  const name = nameOf(algorithm);
  if (!/^SHA-(1|256|384|512)$/.test(name)) throw refused(`Digest ${name}`);
  return name.toLowerCase().replace("-", "");
};
const secret = Symbol("secret");

class CryptoKey {
  constructor(bytes, algorithm, extractable, usages) {
    Object.assign(this, { type: "secret", extractable, algorithm, usages: [...usages] });
    Object.defineProperty(this, secret, { value: bytes });
  }
}

const needs = (key, name, usage) => {
  if (key.algorithm.name !== name || !key.usages.includes(usage)) {
    throw new DOMException(`The key does not allow ${usage} with ${name}`, "InvalidAccessError");
  }
};

// GCM with its usual sizes, which are the only ones here.
const gcm = (direction, algorithm, key, data) => {
  if (nameOf(algorithm) !== "AES-GCM") throw refused(`Algorithm ${nameOf(algorithm)}`);
  needs(key, "AES-GCM", direction);
  if ((algorithm.tagLength ?? 128) !== 128) throw refused("A tag of other than 128 bits");
  const aad = algorithm.additionalData ? bytesOf(algorithm.additionalData) : new Uint8Array(0);
  const bits = key[secret].byteLength * 8;
  try {
    return arrayBuffer(host.sync(`crypto.${direction}`, bits, "gcm", key[secret], bytesOf(algorithm.iv), aad, bytesOf(data)));
  } catch (cause) {
    throw new DOMException("The operation failed for an operation-specific reason", { name: "OperationError", cause });
  }
};

const mac = (key, data) => host.sync("crypto.digest", digestOf(key.algorithm.hash), key[secret], bytesOf(data));

const subtle = {
  async digest(algorithm, data) {
    return arrayBuffer(host.sync("crypto.digest", digestOf(algorithm), undefined, bytesOf(data)));
  },
  async importKey(format, data, algorithm, extractable, usages) {
    const name = nameOf(algorithm);
    if (!["HMAC", "AES-GCM", "PBKDF2"].includes(name)) throw refused(`Algorithm ${name}`);
    let bytes;
    if (format === "raw") bytes = bytesOf(data).slice();
    else if (format === "jwk" && data.kty === "oct") bytes = new Uint8Array(Buffer.from(data.k, "base64url"));
    else throw refused(`Format ${format}`);
    const length = bytes.byteLength * 8;
    if (name === "AES-GCM" && ![128, 192, 256].includes(length)) throw new DOMException("Invalid key length", "DataError");
    const hash = name === "HMAC" ? { hash: { name: nameOf(algorithm.hash) } } : {};
    return new CryptoKey(bytes, { name, ...hash, ...(name === "PBKDF2" ? {} : { length }) }, extractable, usages);
  },
  async exportKey(format, key) {
    if (!key.extractable) throw new DOMException("key is not extractable", "InvalidAccessError");
    if (format === "raw") return arrayBuffer(key[secret]);
    if (format === "jwk") return { kty: "oct", k: Buffer.from(key[secret]).toString("base64url"), ext: true, key_ops: [...key.usages] };
    throw refused(`Format ${format}`);
  },
  async generateKey(algorithm, extractable, usages) {
    const name = nameOf(algorithm);
    if (name !== "HMAC" && name !== "AES-GCM") throw refused(`Algorithm ${name}`);
    const blocks = { sha1: 512, sha256: 512, sha384: 1024, sha512: 1024 };
    const length = algorithm.length ?? blocks[digestOf(algorithm.hash)];
    return subtle.importKey("raw", host.sync("crypto.random", length / 8), algorithm, extractable, usages);
  },
  async sign(algorithm, key, data) {
    if (nameOf(algorithm) !== "HMAC") throw refused(`Algorithm ${nameOf(algorithm)}`);
    needs(key, "HMAC", "sign");
    return arrayBuffer(mac(key, data));
  },
  async verify(algorithm, key, signature, data) {
    if (nameOf(algorithm) !== "HMAC") throw refused(`Algorithm ${nameOf(algorithm)}`);
    needs(key, "HMAC", "verify");
    return host.sync("crypto.equal", mac(key, data), bytesOf(signature));
  },
  async deriveBits(algorithm, key, length) {
    if (nameOf(algorithm) !== "PBKDF2") throw refused(`Algorithm ${nameOf(algorithm)}`);
    const { salt, iterations, hash } = algorithm;
    const derived = host.async("crypto.pbkdf2_later", digestOf(hash), key[secret], bytesOf(salt), iterations, length / 8);
    return arrayBuffer(await derived);
  },
  async deriveKey(algorithm, key, derived, extractable, usages) {
    const bits = await subtle.deriveBits(algorithm, key, derived.length ?? 256);
    return subtle.importKey("raw", bits, derived, extractable, usages);
  },
  encrypt: async (algorithm, key, data) => gcm("encrypt", algorithm, key, data),
  decrypt: async (algorithm, key, data) => gcm("decrypt", algorithm, key, data),
};

const crypto = {
  subtle,
  randomUUID: () => host.sync("crypto.uuid"),
  getRandomValues(array) {
    const isInteger = ArrayBuffer.isView(array) && !(array instanceof DataView) && !(array instanceof Float32Array) && !(array instanceof Float64Array);
    if (!isInteger) throw new DOMException("The data argument must be an integer-type TypedArray", "TypeMismatchError");
    if (array.byteLength > 65536) {
      throw new DOMException(`The requested length exceeds 65,536 bytes`, "QuotaExceededError");
    }
    bytesOf(array).set(host.sync("crypto.random", array.byteLength));
    return array;
  },
};

// Classes only to ask what something is an instance of.
class SubtleCrypto {}
class Crypto {}
Object.setPrototypeOf(subtle, SubtleCrypto.prototype);
Object.setPrototypeOf(crypto, Crypto.prototype);
Object.assign(exports, { crypto, Crypto, CryptoKey, SubtleCrypto });
