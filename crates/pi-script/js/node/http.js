// Node's http.
const EventEmitter = require("events");
const { coded } = require("internal/errors");
const { IncomingMessage, OutgoingMessage } = require("internal/http_message");
const { CloseEvent, MessageEvent } = require("internal/message_channel");
const { Server, ServerResponse } = require("internal/http_server");
const { ClientRequest, request, get } = require("internal/http_client")("http");

// Connections are the program's; an agent is only a place for options.
class Agent extends EventEmitter {
  constructor(options = {}) {
    super();
    this.options = { ...options };
    this.defaultPort = 80;
    this.protocol = "http:";
    this.maxSockets = options.maxSockets ?? Infinity;
    this.maxFreeSockets = options.maxFreeSockets ?? 256;
    this.maxTotalSockets = options.maxTotalSockets ?? Infinity;
    this.keepAlive = options.keepAlive ?? false;
    this.keepAliveMsecs = options.keepAliveMsecs ?? 1000;
    Object.assign(this, { requests: {}, sockets: {}, freeSockets: {} });
  }
  getName(options = {}) {
    return `${options.host ?? "localhost"}:${options.port ?? ""}:${options.localAddress ?? ""}`;
  }
  createConnection(...args) {
    return require("net").connect(...args);
  }
  destroy() {}
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const validateHeaderName = (name, label = "Header name") => {
  if (typeof name === "string" && TOKEN.test(name)) return;
  throw coded(TypeError, "ERR_INVALID_HTTP_TOKEN", `${label} must be a valid HTTP token ["${name}"]`);
};
const validateHeaderValue = (name, value) => {
  if (value === undefined) throw coded(TypeError, "ERR_HTTP_INVALID_HEADER_VALUE", `Invalid value "${value}" for header "${name}"`);
  if (/[^\t\x20-\x7e\x80-\xff]/.test(String(value))) throw coded(TypeError, "ERR_INVALID_CHAR", `Invalid character in header content ["${name}"]`);
};

const STATUS_CODES = {
  100: "Continue", 101: "Switching Protocols", 200: "OK", 201: "Created", 202: "Accepted", 203: "Non-Authoritative Information",
  204: "No Content", 205: "Reset Content", 206: "Partial Content", 300: "Multiple Choices", 301: "Moved Permanently", 302: "Found",
  303: "See Other", 304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request",
  401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
  406: "Not Acceptable", 407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict", 410: "Gone",
  411: "Length Required", 412: "Precondition Failed", 413: "Payload Too Large", 414: "URI Too Long", 415: "Unsupported Media Type",
  416: "Range Not Satisfiable", 417: "Expectation Failed", 418: "I'm a Teapot", 422: "Unprocessable Entity", 423: "Locked",
  425: "Too Early", 426: "Upgrade Required", 428: "Precondition Required", 429: "Too Many Requests",
  431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons", 500: "Internal Server Error",
  501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout", 505: "HTTP Version Not Supported",
};

module.exports = {
  Agent,
  globalAgent: new Agent(),
  ClientRequest,
  IncomingMessage,
  METHODS: ["CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE"],
  OutgoingMessage,
  STATUS_CODES,
  Server,
  ServerResponse,
  createServer: (options, listener) => new Server(options, listener),
  get,
  maxHeaderSize: 16384,
  request,
  validateHeaderName,
  validateHeaderValue,
  setMaxIdleHTTPParsers() {},
  CloseEvent,
  MessageEvent,
};
Object.defineProperty(module.exports, "WebSocket", { enumerable: true, get: () => WebSocket });
