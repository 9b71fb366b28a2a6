// undici: what Node's fetch is made of, and a package that others ask for. Its own connections need WebAssembly; here they
// are those of `fetch`. Agents are places for options.
const EventEmitter = require("events");
const { Readable } = require("stream");
const { unavailable } = require("internal/errors");
const { CloseEvent, ErrorEvent, MessageEvent } = require("internal/message_channel");

class UndiciError extends Error {
  constructor(message, options) {
    super(message, options);
    this.name = this.constructor.name;
    this.code = "UND_ERR";
  }
}
const errors = { UndiciError };
const NAMES = {
  ConnectTimeoutError: "UND_ERR_CONNECT_TIMEOUT", HeadersTimeoutError: "UND_ERR_HEADERS_TIMEOUT", BodyTimeoutError: "UND_ERR_BODY_TIMEOUT",
  ResponseStatusCodeError: "UND_ERR_RESPONSE_STATUS_CODE", InvalidArgumentError: "UND_ERR_INVALID_ARG", InvalidReturnValueError: "UND_ERR_INVALID_RETURN_VALUE",
  RequestAbortedError: "UND_ERR_ABORTED", InformationalError: "UND_ERR_INFO", SocketError: "UND_ERR_SOCKET", NotSupportedError: "UND_ERR_NOT_SUPPORTED",
  ClientDestroyedError: "UND_ERR_DESTROYED", ClientClosedError: "UND_ERR_CLOSED", ResponseExceededMaxSizeError: "UND_ERR_RES_EXCEEDED_MAX_SIZE",
};
for (const [name, code] of Object.entries(NAMES)) {
  errors[name] = class extends UndiciError {
    constructor(message, options) {
      super(message, options);
      Object.assign(this, { name, code });
    }
  };
}

class Dispatcher extends EventEmitter {
  #isClosed = false;
  #isDestroyed = false;
  get closed() {
    return this.#isClosed;
  }
  get destroyed() {
    return this.#isDestroyed;
  }
  request(options, more) {
    return request(options, more);
  }
  compose() {
    return this;
  }
  async close() {
    this.#isClosed = true;
  }
  async destroy() {
    this.#isDestroyed = true;
  }
  dispatch() {
    unavailable("undici's dispatch()")();
  }
}
// For one server: paths are told.
class Client extends Dispatcher {
  #origin;
  constructor(origin) {
    super();
    this.#origin = origin;
  }
  request(options, more) {
    return request({ origin: this.#origin, ...options }, more);
  }
}
const kind = (name, Base) => {
  const Class = class extends Base {};
  Object.defineProperty(Class, "name", { value: name });
  return Class;
};

const target = (input) => {
  if (typeof input === "string" || input instanceof URL) return String(input);
  return String(input.href ?? new URL(input.path ?? input.pathname ?? "/", input.origin));
};

async function request(input, options = {}) {
  const settings = typeof input === "object" && !(input instanceof URL) ? { ...input, ...options } : options;
  const url = new URL(target(input));
  for (const [name, value] of Object.entries(settings.query ?? {})) url.searchParams.append(name, value);
  const { method = "GET", headers, body, signal } = settings;
  const stream = body && typeof body.pipe === "function" ? Readable.toWeb(body) : body;
  const pairs = Array.isArray(headers) && !Array.isArray(headers[0]) ? headers.flatMap((name, i) => (i % 2 ? [] : [[name, headers[i + 1]]])) : headers;
  const sent = { method, headers: pairs ?? undefined, body: stream ?? undefined, signal: signal ?? undefined, redirect: "manual", duplex: "half" };
  const answer = await fetch(url, sent).catch((error) => {
    throw error.cause instanceof Error ? error.cause : error;
  });
  const found = {};
  for (const [name, value] of answer.headers) {
    found[name] = name in found ? [found[name], value].flat() : value;
  }
  if (settings.throwOnError && answer.status >= 400) {
    throw new errors.ResponseStatusCodeError(`Response status code ${answer.status}`);
  }
  return { statusCode: answer.status, statusText: answer.statusText, headers: found, trailers: {}, opaque: settings.opaque ?? null, context: {}, body: bodyOf(answer) };
}

function bodyOf(answer) {
  const body = answer.body ? Readable.fromWeb(answer.body) : Readable.from([]);
  const all = async () => {
    const parts = [];
    for await (const part of body) parts.push(Buffer.from(part));
    return Buffer.concat(parts);
  };
  return Object.assign(body, {
    text: async () => (await all()).toString(),
    json: async () => JSON.parse((await all()).toString()),
    bytes: async () => new Uint8Array(await all()),
    arrayBuffer: async () => new Uint8Array(await all()).buffer,
    blob: async () => new Blob([await all()], { type: answer.headers.get("content-type") ?? "" }),
    dump: async () => void body.resume(),
  });
}

async function stream(input, options, factory) {
  const { body, ...about } = await request(input, options);
  const sink = factory({ ...about, opaque: options?.opaque });
  await require("stream/promises").pipeline(body, sink);
  return { opaque: options?.opaque, trailers: {} };
}

let dispatcher;
const Agent = kind("Agent", Dispatcher);
module.exports = {
  Dispatcher, Client, Agent, errors, request, stream, CloseEvent, ErrorEvent, MessageEvent,
  Pool: kind("Pool", Client),
  BalancedPool: kind("BalancedPool", Client),
  RoundRobinPool: kind("RoundRobinPool", Client),
  getGlobalDispatcher: () => (dispatcher ??= new Agent()),
  setGlobalDispatcher: (given) => void (dispatcher = given),
  getGlobalOrigin: () => undefined,
  setGlobalOrigin() {},
  install() {},
  interceptors: Object.fromEntries("redirect retry dump dns cache decompress responseError".split(" ").map((name) => [name, () => (dispatch) => dispatch])),
  cacheStores: {},
  util: { parseHeaders: (headers) => headers, headerNameToString: (name) => String(name).toLowerCase() },
};
for (const name of ["ProxyAgent", "Socks5ProxyAgent", "EnvHttpProxyAgent", "RetryAgent", "H2CClient"]) module.exports[name] = kind(name, Dispatcher);
const LACKING = "pipeline connect upgrade buildConnector ping deleteCookie getCookies getSetCookies setCookie parseCookie parseMIMEType serializeAMimeType " +
  "RetryHandler DecoratorHandler RedirectHandler MockClient MockCallHistory MockCallHistoryLog MockPool MockAgent SnapshotAgent mockErrors EventSource " +
  "WebSocketStream WebSocketError caches";
for (const name of LACKING.split(" ")) {
  module.exports[name] = function lacking() {
    unavailable(`undici.${name}`)();
  };
}
for (const name of ["fetch", "Headers", "Response", "Request", "FormData", "File", "WebSocket"]) {
  Object.defineProperty(module.exports, name, { enumerable: true, get: () => globalThis[name] });
}
