// What Node has and this program does not: it exists, for many packages mention it and use it never or only on the side, and
// fails by name when it is used.
const { coded, unavailable } = require("internal/errors");

const refuse = (name) => {
  throw coded(Error, "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM", `${name} is not available in this program`);
};

const lackingClass = (name) => {
  // Can be called without `new`, too: some of Node's classes can.
  const Class = function () {
    refuse(name);
  };
  Object.defineProperty(Class, "name", { value: name.slice(name.lastIndexOf(".") + 1) });
  return Class;
};

// What asks whether it is a promise, or shows it, uses nothing of it.
const isHarmless = (key) => typeof key === "symbol" || key === "then" || key === "toJSON" || key === "__esModule";
const lackingObject = (name) => new Proxy({}, { get: (own, key) => (isHarmless(key) || key in own ? own[key] : refuse(`${name}.${key}`)) });

const words = (text) => text.split(" ").filter(Boolean);
const makers = {
  class: lackingClass,
  function: unavailable,
  object: lackingObject,
  symbol: Symbol,
  undefined: () => undefined,
  null: () => null,
};

// Adds to what a module exports the names that Node's module has besides.
exports.complete = (bare, target) => {
  const said = host.nodeNames(bare);
  if (said === undefined || !Object.isExtensible(target)) return target;
  const { constant = {}, ...kinds } = JSON.parse(said);
  // What is inherited is none of its exports.
  const add = (name, make) => {
    if (!Object.hasOwn(target, name)) target[name] = name in target ? target[name] : make();
  };
  for (const [name, value] of Object.entries(constant)) add(name, () => value);
  for (const [kind, names] of Object.entries(kinds)) {
    for (const name of words(names)) add(name, () => makers[kind](`${bare}.${name}`));
  }
  return target;
};

// The names of http2's constants: HTTP2_HEADER_CONTENT_TYPE is "content-type".
const constant = (prefix, name) => `${prefix}_${name.replace(/^:/, "").replaceAll("-", "_").toUpperCase()}`;
const http2Constants = () => {
  const headers = words(
    ":status :method :authority :scheme :path :protocol accept accept-encoding accept-language accept-ranges access-control-allow-credentials " +
      "access-control-allow-headers access-control-allow-methods access-control-allow-origin access-control-expose-headers age allow authorization " +
      "cache-control connection content-disposition content-encoding content-language content-length content-location content-range content-type " +
      "cookie date etag expect expires forwarded from host http2-settings if-match if-modified-since if-none-match if-range if-unmodified-since " +
      "keep-alive last-modified link location max-forwards origin pragma prefer proxy-authenticate proxy-authorization proxy-connection range " +
      "referer refresh retry-after server set-cookie strict-transport-security te trailer transfer-encoding upgrade user-agent vary via warning www-authenticate",
  );
  const errors = words(
    "NO_ERROR PROTOCOL_ERROR INTERNAL_ERROR FLOW_CONTROL_ERROR SETTINGS_TIMEOUT STREAM_CLOSED FRAME_SIZE_ERROR REFUSED_STREAM CANCEL " +
      "COMPRESSION_ERROR CONNECT_ERROR ENHANCE_YOUR_CALM INADEQUATE_SECURITY HTTP_1_1_REQUIRED",
  );
  const methods = words("CONNECT DELETE GET HEAD OPTIONS PATCH POST PUT TRACE");
  return {
    ...Object.fromEntries(headers.map((name) => [constant("HTTP2_HEADER", name), name])),
    ...Object.fromEntries(errors.map((name, code) => [constant("NGHTTP2", name), code])),
    ...Object.fromEntries(methods.map((name) => [constant("HTTP2_METHOD", name), name])),
  };
};

// What can be said without doing the work.
const given = {
  cluster: () => ({ isPrimary: true, isMaster: true, isWorker: false, workers: {}, settings: {} }),
  domain: () => ({ active: null }),
  http2: () => ({ constants: http2Constants(), sensitiveHeaders: Symbol("nodejs.http2.sensitiveHeaders") }),
  inspector: () => ({ url: () => undefined, close() {}, console }),
  repl: () => ({ builtinModules: [] }),
  test: () => unavailable("test"),
  trace_events: () => ({ getEnabledCategories: () => undefined }),
};
exports.given = (name) => given[name]();
