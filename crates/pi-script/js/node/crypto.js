// Node's crypto: digests, random values, AES, keys from passwords. Signatures, key pairs and certificates are not here.
const { Transform } = require("stream");
const { coded, invalidType, outOfRange, unavailable } = require("internal/errors");

const bytesOf = (data, encoding = "utf8") => {
  if (typeof data === "string") return Buffer.from(data, encoding);
  if (data instanceof KeyObject) return data.export();
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  throw invalidType("data", "of type string or an instance of Buffer, TypedArray, or DataView", data);
};
const buffer = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const encoded = (bytes, encoding) => (encoding && encoding !== "buffer" ? buffer(bytes).toString(encoding) : buffer(bytes));
const digestName = (name) => String(name).toLowerCase().replace(/^(rsa-)?sha-?(\d)/, "sha$2");

// What begins small is kept here and done at once; only what grows is begun there.
const AT_ONCE = 64 * 1024;
const abandoned = new FinalizationRegistry((number) => host.sync("crypto.drop", number));

class Digest extends Transform {
  #name;
  #key;
  #parts = [];
  #size = 0;
  #open;
  #isDone = false;
  constructor(name, key, copied) {
    super();
    this.#name = digestName(name);
    this.#key = key;
    if (copied === undefined) host.sync("crypto.digest", this.#name, key, "");
    else if (typeof copied === "number") this.#begin(copied);
    else this.#parts = [...copied];
  }
  #begin(number) {
    this.#open = number;
    abandoned.register(this, number, this);
  }
  #joined() {
    return this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts);
  }
  update(data, encoding) {
    if (this.#isDone) throw coded(Error, "ERR_CRYPTO_HASH_FINALIZED", "Digest already called");
    const bytes = bytesOf(data, encoding);
    // The caller may change the bytes before they are used.
    this.#parts.push(typeof data === "string" ? bytes : bytes.slice());
    this.#size += bytes.byteLength;
    if (this.#size < AT_ONCE) return this;
    if (this.#open === undefined) this.#begin(host.sync("crypto.begin", this.#name, this.#key));
    host.sync("crypto.update", this.#open, this.#joined());
    this.#parts = [];
    this.#size = 0;
    return this;
  }
  digest(encoding) {
    if (this.#isDone) throw coded(Error, "ERR_CRYPTO_HASH_FINALIZED", "Digest already called");
    this.#isDone = true;
    if (this.#open === undefined) return encoded(host.sync("crypto.digest", this.#name, this.#key, this.#joined()), encoding);
    abandoned.unregister(this);
    if (this.#size > 0) host.sync("crypto.update", this.#open, this.#joined());
    return encoded(host.sync("crypto.finish", this.#open), encoding);
  }
  copy() {
    if (this.#isDone) throw coded(Error, "ERR_CRYPTO_HASH_FINALIZED", "Digest already called");
    if (this.#open === undefined) return new this.constructor(this.#name, this.#key, this.#parts);
    if (this.#size > 0) host.sync("crypto.update", this.#open, this.#joined());
    [this.#parts, this.#size] = [[], 0];
    return new this.constructor(this.#name, this.#key, host.sync("crypto.copy", this.#open));
  }
  _transform(chunk, encoding, done) {
    this.update(chunk, encoding);
    done();
  }
  _flush(done) {
    this.push(this.digest());
    done();
  }
}
class Hash extends Digest {}
class Hmac extends Digest {}

const createHash = (name) => new Hash(name);
const createHmac = (name, key) => new Hmac(name, bytesOf(key).slice());
const hash = (name, data, encoding = "hex") => createHash(name).update(data).digest(encoding);

// --- random values

function randomBytes(size, callback) {
  if (typeof size !== "number") throw invalidType("size", "of type number", size);
  if (!(size >= 0 && size <= 2147483647)) throw outOfRange("size", ">= 0 && <= 2147483647", size);
  const bytes = buffer(host.sync("crypto.random", Math.trunc(size)));
  if (!callback) return bytes;
  process.nextTick(callback, null, bytes);
}

function randomInt(low, high, callback) {
  if (high === undefined || typeof high === "function") [low, high, callback] = [0, low, high];
  for (const [name, value] of [["min", low], ["max", high]]) {
    if (!Number.isSafeInteger(value)) throw invalidType(name, "a safe integer", value);
  }
  const range = high - low;
  if (range <= 0) throw outOfRange("max", `greater than the value of "min" (${low})`, high);
  if (range > 2 ** 48 - 1) throw outOfRange("max - min", "<= 281474976710655", range);
  // Values beyond the last whole range would make some results likelier.
  const limit = 2 ** 48 - (2 ** 48 % range);
  let value;
  do value = randomBytes(6).readUIntBE(0, 6);
  while (value >= limit);
  const result = (value % range) + low;
  if (!callback) return result;
  process.nextTick(callback, null, result);
}

function randomFillSync(target, offset = 0, size) {
  const view = target instanceof ArrayBuffer ? new Uint8Array(target) : new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
  const unit = target.BYTES_PER_ELEMENT ?? 1;
  const start = offset * unit;
  const length = size === undefined ? view.byteLength - start : size * unit;
  view.set(host.sync("crypto.random", length), start);
  return target;
}

function randomFill(target, ...rest) {
  const callback = rest.pop();
  randomFillSync(target, ...rest);
  process.nextTick(callback, null, target);
}

const randomUUID = () => host.sync("crypto.uuid");

function timingSafeEqual(one, other) {
  const [a, b] = [bytesOf(one), bytesOf(other)];
  if (a.byteLength !== b.byteLength) {
    throw coded(RangeError, "ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH", "Input buffers must have the same byte length");
  }
  return host.sync("crypto.equal", a, b);
}

// --- keys

class KeyObject {
  #bytes;
  constructor(bytes) {
    this.type = "secret";
    this.#bytes = bytes;
  }
  get symmetricKeySize() {
    return this.#bytes.byteLength;
  }
  export({ format } = {}) {
    if (format === "jwk") return { kty: "oct", k: buffer(this.#bytes).toString("base64url") };
    return buffer(this.#bytes.slice());
  }
  equals(other) {
    return buffer(this.#bytes).equals(other.export());
  }
}
const createSecretKey = (key, encoding) => new KeyObject(bytesOf(key, encoding).slice());

const pbkdf2Args = (password, salt, iterations, length, digest) => {
  if (typeof digest !== "string") throw invalidType("digest", "of type string", digest);
  if (!(Number.isInteger(iterations) && iterations >= 1)) throw outOfRange("iterations", ">= 1 && <= 2147483647", iterations);
  return [digestName(digest), bytesOf(password), bytesOf(salt), iterations, length];
};
const pbkdf2Sync = (...args) => buffer(host.sync("crypto.pbkdf2", ...pbkdf2Args(...args)));
function pbkdf2(...args) {
  const callback = args.pop();
  host.async("crypto.pbkdf2_later", ...pbkdf2Args(...args)).then((key) => callback(null, buffer(key)), callback);
}

// --- ciphers

const CIPHER = /^(?:aes-?|id-aes)(128|192|256)-(gcm|cbc)$/i;
const cipherOf = (name) => {
  const [, bits, mode] = CIPHER.exec(name) ?? [];
  if (!bits) throw coded(Error, "ERR_CRYPTO_UNKNOWN_CIPHER", `Unknown cipher ${name}: this program has aes-128, -192 and -256 in modes gcm and cbc`);
  return { bits: Number(bits), mode: mode.toLowerCase() };
};

// Everything happens at the end: `update` takes, `final` gives. What both give in a row is what Node gives, and nothing of
// a message is given out before it is known to be genuine.
class Cipher extends Transform {
  #spec;
  #parts = [];
  #aad = [];
  #tag;
  #isDone = false;
  constructor(direction, name, key, iv) {
    super();
    this.#spec = { direction, ...cipherOf(name), key: bytesOf(key).slice(), iv: bytesOf(iv ?? "").slice() };
  }
  update(data, inputEncoding, outputEncoding) {
    if (this.#isDone) throw coded(Error, "ERR_CRYPTO_INVALID_STATE", "Unsupported state");
    this.#parts.push(bytesOf(data, inputEncoding).slice());
    return encoded(new Uint8Array(0), outputEncoding);
  }
  final(outputEncoding) {
    if (this.#isDone) throw coded(Error, "ERR_CRYPTO_INVALID_STATE", "Unsupported state");
    this.#isDone = true;
    const { direction, bits, mode, key, iv } = this.#spec;
    const isGcm = mode === "gcm";
    const parts = direction === "decrypt" && isGcm ? [...this.#parts, this.#tag ?? new Uint8Array(0)] : this.#parts;
    const result = host.sync(`crypto.${direction}`, bits, mode, key, iv, Buffer.concat(this.#aad), Buffer.concat(parts));
    if (direction === "decrypt" || !isGcm) return encoded(result, outputEncoding);
    this.#tag = result.slice(-16);
    return encoded(result.slice(0, -16), outputEncoding);
  }
  setAAD(data) {
    this.#aad.push(bytesOf(data).slice());
    return this;
  }
  getAuthTag() {
    if (this.#tag === undefined) throw coded(Error, "ERR_CRYPTO_INVALID_STATE", "Invalid state for operation getAuthTag");
    return buffer(this.#tag);
  }
  setAuthTag(tag, encoding) {
    this.#tag = bytesOf(tag, encoding).slice();
    if (this.#tag.byteLength !== 16) throw coded(TypeError, "ERR_CRYPTO_INVALID_AUTH_TAG", `Invalid authentication tag length: ${this.#tag.byteLength}`);
    return this;
  }
  setAutoPadding(isPadded = true) {
    if (!isPadded) throw coded(Error, "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM", "Ciphers without padding are not available in this program");
    return this;
  }
  _transform(chunk, encoding, done) {
    this.update(chunk, encoding);
    done();
  }
  _flush(done) {
    try {
      this.push(this.final());
      done();
    } catch (error) {
      done(error);
    }
  }
}

const missing = ["createSign", "createVerify", "sign", "verify", "createPrivateKey", "createPublicKey", "generateKeyPair",
  "generateKeyPairSync", "publicEncrypt", "privateDecrypt", "createDiffieHellman", "createECDH", "scrypt", "scryptSync", "hkdf",
  "hkdfSync"];

module.exports = {
  createHash,
  createHmac,
  hash,
  Hash,
  Hmac,
  randomBytes,
  randomInt,
  randomFill,
  randomFillSync,
  randomUUID,
  timingSafeEqual,
  KeyObject,
  createSecretKey,
  pbkdf2,
  pbkdf2Sync,
  createCipheriv: (name, key, iv) => new Cipher("encrypt", name, key, iv),
  createDecipheriv: (name, key, iv) => new Cipher("decrypt", name, key, iv),
  getHashes: () => ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"],
  getCiphers: () => ["aes-128-cbc", "aes-128-gcm", "aes-192-cbc", "aes-192-gcm", "aes-256-cbc", "aes-256-gcm"],
  getRandomValues: (array) => require("internal/web_crypto").crypto.getRandomValues(array),
  constants: {},
};
for (const name of missing) module.exports[name] = unavailable(`crypto.${name}`);
Object.defineProperty(module.exports, "webcrypto", { enumerable: true, get: () => require("internal/web_crypto").crypto });
Object.defineProperty(module.exports, "subtle", { enumerable: true, get: () => require("internal/web_crypto").crypto.subtle });
