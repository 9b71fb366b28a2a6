// URL and URLSearchParams. What an address means, the program knows.
const { coded, invalidType } = require("internal/errors");
const { addPairs } = require("internal/pairs");

const PARTS = ["protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"];
const custom = Symbol.for("nodejs.util.inspect.custom");

const missing = (count, names) => {
  const quoted = names.map((name) => `"${name}"`).join(" and ");
  return coded(TypeError, "ERR_MISSING_ARGS", `The ${quoted} argument${count > 1 ? "s" : ""} must be specified`);
};

class URLSearchParams {
  #pairs = [];
  #owner = null;
  constructor(init = undefined) {
    if (init === undefined || init === null) return;
    if (typeof init === "object" || typeof init === "function") this.#pairs = pairsOf(init);
    else this.#read(String(init));
  }
  #read(query) {
    this.#pairs = host.sync("url.query_parse", query.startsWith("?") ? query.slice(1) : query);
  }
  #changed() {
    this.#owner?.(this.toString());
  }
  // For URL alone: tells it of changes, and is told of its own.
  static bind(params, owner) {
    params.#owner = owner;
  }
  static reread(params, query) {
    params.#read(query);
  }
  get size() {
    return this.#pairs.length;
  }
  append(name, value) {
    if (arguments.length < 2) throw missing(2, ["name", "value"]);
    this.#pairs.push([String(name), String(value)]);
    this.#changed();
  }
  delete(name, value) {
    this.#pairs = this.#pairs.filter(([key, held]) => key !== String(name) || (value !== undefined && held !== String(value)));
    this.#changed();
  }
  get(name) {
    return this.#pairs.find(([key]) => key === String(name))?.[1] ?? null;
  }
  getAll(name) {
    return this.#pairs.filter(([key]) => key === String(name)).map(([, value]) => value);
  }
  has(name, value) {
    return this.#pairs.some(([key, held]) => key === String(name) && (value === undefined || held === String(value)));
  }
  set(name, value) {
    if (arguments.length < 2) throw missing(2, ["name", "value"]);
    const at = this.#pairs.findIndex(([key]) => key === String(name));
    if (at === -1) this.#pairs.push([String(name), String(value)]);
    else {
      this.#pairs[at] = [String(name), String(value)];
      this.#pairs = this.#pairs.filter(([key], i) => i <= at || key !== String(name));
    }
    this.#changed();
  }
  sort() {
    this.#pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    this.#changed();
  }
  *#each() {
    for (let i = 0; i < this.#pairs.length; i++) yield [...this.#pairs[i]];
  }
  static {
    addPairs(this, (params) => params.#each());
  }
  toString() {
    return this.#pairs.length === 0 ? "" : host.sync("url.query_write", this.#pairs);
  }
  get [Symbol.toStringTag]() {
    return "URLSearchParams";
  }
  [custom](depth, options, inspect) {
    const shown = this.#pairs.map(([name, value]) => `${inspect(name, options)} => ${inspect(value, options)}`);
    return shown.length ? `URLSearchParams { ${shown.join(", ")} }` : "URLSearchParams {}";
  }
}

function pairsOf(init) {
  if (init[Symbol.iterator] === undefined) {
    return Reflect.ownKeys(init).filter((key) => Object.prototype.propertyIsEnumerable.call(init, key))
      .map((key) => [String(key), String(init[key])]);
  }
  if (typeof init[Symbol.iterator] !== "function") {
    throw coded(TypeError, "ERR_ARG_NOT_ITERABLE", "Query pairs must be iterable");
  }
  return Array.from(init, (pair) => {
    const items = typeof pair === "object" && pair !== null ? [...pair] : [];
    if (items.length === 2) return items.map(String);
    throw coded(TypeError, "ERR_INVALID_TUPLE", "Each query pair must be an iterable [name, value] tuple");
  });
}

const read = (input, base) => host.sync("url.parse", input, base);

class URL {
  #parts;
  #params = null;
  constructor(input, base = undefined) {
    if (arguments.length === 0) throw missing(1, ["url"]);
    const text = String(input);
    this.#parts = read(text, base === undefined ? undefined : String(base));
    if (this.#parts === undefined) {
      const error = Object.assign(coded(TypeError, "ERR_INVALID_URL", "Invalid URL"), { input: text });
      throw base === undefined ? error : Object.assign(error, { base: String(base) });
    }
  }
  static canParse(input, base = undefined) {
    return read(String(input), base === undefined ? undefined : String(base)) !== undefined;
  }
  static parse(input, base = undefined) {
    return URL.canParse(input, base) ? new URL(input, base) : null;
  }
  static createObjectURL() {
    require("internal/errors").unavailable("URL.createObjectURL")();
  }
  static revokeObjectURL() {}
  get href() {
    return this.#parts.href;
  }
  set href(value) {
    const parts = read(String(value));
    if (parts === undefined) throw Object.assign(coded(TypeError, "ERR_INVALID_URL", "Invalid URL"), { input: String(value) });
    this.#take(parts);
  }
  get origin() {
    return this.#parts.origin;
  }
  get searchParams() {
    if (this.#params === null) {
      this.#params = new URLSearchParams(this.search);
      URLSearchParams.bind(this.#params, (query) => {
        this.#parts = host.sync("url.set", this.href, "search", query);
      });
    }
    return this.#params;
  }
  #take(parts) {
    this.#parts = parts;
    if (this.#params !== null) URLSearchParams.reread(this.#params, parts.search);
  }
  static {
    for (const part of PARTS) {
      Object.defineProperty(URL.prototype, part, {
        configurable: true,
        enumerable: true,
        get() {
          return this.#parts[part];
        },
        set(value) {
          this.#take(host.sync("url.set", this.href, part, String(value)));
        },
      });
    }
  }
  toString() {
    return this.href;
  }
  toJSON() {
    return this.href;
  }
  get [Symbol.toStringTag]() {
    return "URL";
  }
  [custom](depth, options, inspect) {
    if (depth < 0) return this.href;
    const shown = {};
    for (const key of ["href", "origin", ...PARTS.slice(0, 8), "searchParams", "hash"]) shown[key] = this[key];
    return `URL ${inspect(shown, options)}`;
  }
}

exports.URL = URL;
exports.URLSearchParams = URLSearchParams;
exports.fileURLToPath = (url) => {
  const address = typeof url === "string" ? new URL(url) : url;
  if (!(typeof address === "object" && address?.href && address.protocol)) {
    throw invalidType("path", "of type string or an instance of URL", url);
  }
  if (address.protocol !== "file:") throw coded(TypeError, "ERR_INVALID_URL_SCHEME", "The URL must be of scheme file");
  if (address.hostname !== "") {
    const message = `File URL host must be "localhost" or empty on ${host.platform}`;
    throw coded(TypeError, "ERR_INVALID_FILE_URL_HOST", message);
  }
  if (/%2f/i.test(address.pathname)) {
    throw coded(TypeError, "ERR_INVALID_FILE_URL_PATH", "File URL path must not include encoded / characters");
  }
  return decodeURIComponent(address.pathname);
};
const UNSAFE = { "%": "%25", "\\": "%5C", "\n": "%0A", "\r": "%0D", "\t": "%09", "?": "%3F", "#": "%23" };
exports.pathToFileURL = (path) => {
  require("internal/errors").needsString("path", path);
  const end = path.endsWith("/") && !require("path").resolve(path).endsWith("/") ? "/" : "";
  const escaped = (require("path").resolve(path) + end).replace(/[%\\\n\r\t?#]/g, (character) => UNSAFE[character]);
  return new URL(`file://${escaped}`);
};
