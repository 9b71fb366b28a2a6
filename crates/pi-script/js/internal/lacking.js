// Modules of Node whose work this program cannot do. They can be imported, for many packages mention them and use them never
// or only on the side; whatever is called in them fails by name.
const { coded, unavailable } = require("internal/errors");

const lackingClass = (module, name) => {
  const Class = class {
    constructor() {
      throw coded(Error, "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM", `${module}.${name} is not available in this program`);
    }
  };
  Object.defineProperty(Class, "name", { value: name });
  return Class;
};

const words = (text) => text.split(" ").filter(Boolean);
const lacking = (module, functions, classes, values = {}) => ({
  ...Object.fromEntries(words(functions).map((name) => [name, unavailable(`${module}.${name}`)])),
  ...Object.fromEntries(words(classes).map((name) => [name, lackingClass(module, name)])),
  ...values,
});

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

const make = {
  cluster: () => lacking("cluster", "fork setupPrimary setupMaster disconnect", "Worker", { isPrimary: true, isMaster: true, isWorker: false, workers: {}, settings: {} }),
  dgram: () => lacking("dgram", "createSocket", "Socket"),
  domain: () => lacking("domain", "create createDomain", "Domain", { active: null }),
  http2: () =>
    lacking("http2", "connect createServer createSecureServer getDefaultSettings getPackedSettings getUnpackedSettings performServerHandshake", "Http2ServerRequest Http2ServerResponse", {
      constants: http2Constants(),
      sensitiveHeaders: Symbol("nodejs.http2.sensitiveHeaders"),
    }),
  inspector: () => lacking("inspector", "open waitForDebugger", "Session", { url: () => undefined, close() {}, console }),
  repl: () => lacking("repl", "start", "REPLServer Recoverable", { builtinModules: [] }),
  trace_events: () => ({ createTracing: unavailable("trace_events.createTracing"), getEnabledCategories: () => undefined }),
  wasi: () => lacking("wasi", "", "WASI"),
};

module.exports = (name) => make[name]();
