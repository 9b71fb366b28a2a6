// fetch, Request and Response. Connections are the program's: `net.fetch`.

const { Headers, pairs } = require("internal/fetch_headers");
const { FormData } = require("internal/form_data");
const { Body, cloneBody, inner } = require("internal/fetch_body");
const { ReadableStream } = require("internal/web_streams");

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 20;
const EMPTY = new Set([101, 204, 205, 304]);
const STANDARD = /^(delete|get|head|options|post|put|patch)$/i;

class Request extends Body {
  constructor(input, init = {}) {
    const from = input instanceof Request ? input : null;
    const method = String(init.method ?? from?.method ?? "GET");
    const isStandard = STANDARD.test(method) && !/^patch$/i.test(method);
    const value = init.body ?? (from && init.body === undefined && from.method === (init.method ?? from.method) ? taken(from) : null);
    if (value !== null && /^(get|head)$/i.test(method)) throw new TypeError("Request with GET/HEAD method cannot have body.");
    super(value);
    this.method = isStandard ? method.toUpperCase() : method;
    this.url = from ? from.url : parsed(input);
    this.headers = new Headers(init.headers ?? from?.headers);
    this.signal = init.signal ?? from?.signal ?? new AbortController().signal;
    this.redirect = init.redirect ?? from?.redirect ?? "follow";
    this.duplex = "half";
    for (const key of ["cache", "credentials", "integrity", "keepalive", "mode", "referrer", "referrerPolicy"]) {
      this[key] = init[key] ?? from?.[key] ?? defaults[key];
    }
    const { type } = inner(this);
    if (type && !this.headers.has("content-type")) this.headers.set("content-type", type);
  }
  clone() {
    return new Request(this.url, { ...this, headers: this.headers, body: cloneBody(this) ?? undefined });
  }
  get [Symbol.toStringTag]() {
    return "Request";
  }
}
const defaults = {
  cache: "default",
  credentials: "same-origin",
  integrity: "",
  keepalive: false,
  mode: "cors",
  referrer: "about:client",
  referrerPolicy: "",
};

const taken = (request) => {
  if (request.bodyUsed) throw new TypeError("Cannot construct a Request with a Request object that has already been used.");
  const content = inner(request);
  const value = content.stream ?? content.bytes ?? null;
  if (value) content.isUsed = true;
  return value;
};

const parsed = (input) => {
  let url;
  try {
    url = new URL(String(input));
  } catch (cause) {
    throw new TypeError(`Failed to parse URL from ${input}`, { cause });
  }
  if (url.username || url.password) throw new TypeError(`Request cannot be constructed from a URL that includes credentials: ${url}`);
  return url.href;
};

class Response extends Body {
  constructor(value = null, init = {}) {
    const status = init.status ?? 200;
    if (!Number.isInteger(status) || status < 200 || status > 599) {
      throw new RangeError('init["status"] must be in the range of 200 to 599, inclusive.');
    }
    if (value !== null && EMPTY.has(status)) throw new TypeError(`Response constructor: Invalid response status code ${status}`);
    super(value);
    set(this, { status, statusText: String(init.statusText ?? ""), headers: new Headers(init.headers), url: "" });
    const { type } = inner(this);
    if (type && !this.headers.has("content-type")) this.headers.set("content-type", type);
  }
  get ok() {
    return this.status >= 200 && this.status < 300;
  }
  clone() {
    const copy = new Response(null, { headers: this.headers });
    Object.assign(inner(copy), bodyOf(cloneBody(this)));
    return set(copy, { status: this.status, statusText: this.statusText, url: this.url, redirected: this.redirected });
  }
  static json(value, init = {}) {
    const text = JSON.stringify(value);
    if (text === undefined) throw new TypeError("Value is not JSON serializable");
    const headers = new Headers(init.headers);
    if (!headers.has("content-type")) headers.set("content-type", "application/json");
    return new Response(text, { ...init, headers });
  }
  static error() {
    return set(new Response(), { type: "error", status: 0 });
  }
  static redirect(url, status = 302) {
    if (!REDIRECTS.has(status)) throw new RangeError(`Invalid status code ${status}`);
    return new Response(null, { status, headers: { location: parsed(url) } });
  }
  get [Symbol.toStringTag]() {
    return "Response";
  }
}
const set = (response, values) => {
  for (const [key, value] of Object.entries({ redirected: false, type: "default", ...values })) {
    Object.defineProperty(response, key, { value, enumerable: true, configurable: true });
  }
  return response;
};
const bodyOf = (value) => (value instanceof ReadableStream ? { stream: value } : { bytes: value });

// Bodies that nobody reads to their end hold a connection until their stream is collected.
const abandoned = new FinalizationRegistry((number) => host.sync("net.fetch.drop", number));

// The body of an answer as a stream that asks for the next piece when somebody wants it.
const incoming = (number, signal) => {
  let controller;
  const onAbort = () => {
    host.sync("net.fetch.drop", number);
    controller.error(signal.reason);
  };
  const over = () => signal.removeEventListener("abort", onAbort);
  const stream = new ReadableStream(
    {
      start: (given) => void (controller = given),
      async pull() {
        try {
          const piece = await host.cancellable(signal, "net.fetch.read", number);
          if (piece !== undefined) return controller.enqueue(piece);
          over();
          controller.close();
        } catch (error) {
          over();
          controller.error(signal.aborted ? signal.reason : failed("terminated", error));
        }
      },
      cancel() {
        over();
        host.sync("net.fetch.drop", number);
      },
    },
    { highWaterMark: 0 },
  );
  signal.addEventListener("abort", onAbort, { once: true });
  abandoned.register(stream, number);
  return stream;
};

const failed = (message, cause) => new TypeError(message, { cause });

async function fetch(input, init) {
  const request = new Request(input, init);
  const { signal } = request;
  if (signal.aborted) throw signal.reason;
  let { url, method } = request;
  if (url.startsWith("data:")) return dataUrl(url);
  let bytes = request.body === null ? undefined : await request.bytes();
  const headers = new Headers(request.headers);
  for (const [name, value] of [["accept", "*/*"], ["accept-language", "*"], ["user-agent", "node"]]) {
    if (!headers.has(name)) headers.set(name, value);
  }
  headers.delete("host");
  headers.delete("content-length");
  for (let count = 0; ; count++) {
    const head = await send({ method, url, headers: pairs(headers) }, bytes, signal);
    const location = REDIRECTS.has(head.status) ? head.headers.find(([name]) => name === "location")?.[1] : undefined;
    if (location === undefined || request.redirect === "manual") return answer(head, { url, method, signal, count });
    host.sync("net.fetch.drop", head.body);
    if (request.redirect === "error") throw failed("fetch failed", new Error("unexpected redirect"));
    if (count === MAX_REDIRECTS) throw failed("fetch failed", new Error("redirect count exceeded"));
    const next = new URL(location, url);
    if (!/^https?:$/.test(next.protocol)) throw failed("fetch failed", new Error("URL scheme must be a HTTP(S) scheme"));
    if ((head.status === 303 && method !== "HEAD") || (head.status < 303 && method === "POST")) {
      method = method === "HEAD" ? "HEAD" : "GET";
      bytes = undefined;
      for (const name of ["content-type", "content-encoding", "content-language", "content-location"]) headers.delete(name);
    }
    if (next.origin !== new URL(url).origin) {
      for (const name of ["authorization", "proxy-authorization", "cookie"]) headers.delete(name);
    }
    url = next.href;
  }
}

async function send(head, bytes, signal) {
  if (!/^https?:/.test(head.url)) throw failed("fetch failed", new Error(`${head.url.split(":")[0]}: is not a scheme that fetch knows; use http: or https:`));
  try {
    return await host.cancellable(signal, "net.fetch", head, bytes);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error.code === "ERR_ACCESS_DENIED" ? error : failed("fetch failed", error);
  }
}

function answer(head, { url, method, signal, count }) {
  const hasBody = method !== "HEAD" && !EMPTY.has(head.status);
  if (!hasBody) host.sync("net.fetch.drop", head.body);
  const response = new Response(hasBody ? incoming(head.body, signal) : null, { headers: head.headers });
  const shown = new URL(url);
  shown.hash = "";
  return set(response, { status: head.status, statusText: head.statusText, url: shown.href, redirected: count > 0, type: "basic" });
}

function dataUrl(url) {
  const [, meta, data] = /^data:([^,]*),(.*)$/s.exec(url.replace(/#.*$/s, "")) ?? [];
  if (data === undefined) throw failed("fetch failed", new Error("invalid data URL"));
  const isBase64 = /;\s*base64\s*$/i.test(meta);
  const text = decodeURIComponent(data);
  const bytes = isBase64 ? Uint8Array.from(atob(text), (char) => char.charCodeAt(0)) : text;
  return new Response(bytes, { headers: { "content-type": meta.replace(/;\s*base64\s*$/i, "") || "text/plain;charset=US-ASCII" } });
}

Object.assign(exports, { fetch, Headers, Request, Response, FormData });
