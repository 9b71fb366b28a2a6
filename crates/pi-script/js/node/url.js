// url: URL of the standard, and the older functions `parse`, `format` and `resolve`.
const { URL, URLSearchParams, fileURLToPath, pathToFileURL } = require("internal/url");

const SLASHED = new Set(["http:", "https:", "ftp:", "file:", "gopher:", "ws:", "wss:"]);

class Url {
  protocol = null;
  slashes = null;
  auth = null;
  host = null;
  port = null;
  hostname = null;
  hash = null;
  search = null;
  query = null;
  pathname = null;
  path = null;
  href = "";
  format() {
    return formatLegacy(this);
  }
  resolve(to) {
    return resolve(this.href, to);
  }
}

function parse(text, withQuery = false, slashesDenoteHost = false) {
  if (text instanceof Url) return text;
  require("internal/errors").needsString("url", text);
  const found = new Url();
  let rest = text.trim();
  const cut = (pattern) => {
    const match = pattern.exec(rest);
    if (match) rest = rest.slice(0, match.index) + rest.slice(match.index + match[0].length);
    return match;
  };
  found.hash = cut(/#.*$/s)?.[0] ?? null;
  found.search = cut(/\?.*$/s)?.[0] ?? null;
  found.protocol = cut(/^[a-z][a-z0-9.+-]*:/i)?.[0].toLowerCase() ?? null;
  if (rest.startsWith("//") && (found.protocol || slashesDenoteHost)) {
    found.slashes = true;
    const authority = /^\/\/([^/]*)/.exec(rest);
    rest = rest.slice(authority[0].length);
    const [, auth, hostname, port] = /^(?:(.*)@)?(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(authority[1]) ?? [];
    found.auth = auth === undefined ? null : decodeURIComponent(auth);
    found.port = port || null;
    found.hostname = (hostname ?? "").replace(/^\[|\]$/g, "").toLowerCase();
    found.host = (hostname ?? "").toLowerCase() + (port ? `:${port}` : "");
  }
  found.pathname = rest || (SLASHED.has(found.protocol) && found.host ? "/" : null);
  found.query = found.search === null ? null : found.search.slice(1);
  if (withQuery) {
    found.query = require("querystring").parse(found.query ?? "");
    found.search ??= "";
  }
  if (found.pathname !== null || found.search) found.path = (found.pathname ?? "") + (found.search ?? "");
  found.href = formatLegacy(found);
  return found;
}

function formatLegacy(parts) {
  const protocol = parts.protocol && !parts.protocol.endsWith(":") ? `${parts.protocol}:` : (parts.protocol ?? "");
  const auth = parts.auth ? `${encodeURIComponent(parts.auth).replace(/%3A/i, ":")}@` : "";
  const hostname = parts.hostname?.includes(":") ? `[${parts.hostname}]` : parts.hostname;
  const host = parts.host ? auth + parts.host : hostname ? auth + hostname + (parts.port ? `:${parts.port}` : "") : null;
  const isSlashed = parts.slashes || (SLASHED.has(protocol) && host !== null);
  let pathname = (parts.pathname ?? "").replace(/[?#]/g, encodeURIComponent);
  if (isSlashed && pathname && !pathname.startsWith("/")) pathname = `/${pathname}`;
  const asked = parts.query && typeof parts.query === "object" ? require("querystring").stringify(parts.query) : "";
  const search = parts.search || (asked ? `?${asked}` : "");
  const lead = (text, mark) => (text && !text.startsWith(mark) ? mark + text : (text ?? ""));
  return protocol + (isSlashed ? `//${host ?? ""}` : (host ?? "")) + pathname + lead(search, "?") + lead(parts.hash, "#");
}

function format(url, options = {}) {
  if (typeof url === "string") return formatLegacy(parse(url));
  if (!(url instanceof URL)) return formatLegacy(url);
  const copy = new URL(url.href);
  if (options.fragment === false) copy.hash = "";
  if (options.search === false) copy.search = "";
  if (options.auth === false) copy.username = copy.password = "";
  return copy.href;
}

function resolve(from, to) {
  const base = new URL(from, "resolve://");
  const found = new URL(to, base);
  if (found.protocol !== "resolve:") return found.href;
  const path = found.pathname + found.search + found.hash;
  return from.startsWith("/") || to.startsWith("/") ? path : path.replace(/^\//, "");
}

module.exports = {
  URL, URLSearchParams, fileURLToPath, pathToFileURL, Url, parse, format, resolve,
  domainToASCII: (domain) => host.sync("url.domain_to_ascii", domain),
  domainToUnicode: (domain) => host.sync("url.domain_to_unicode", domain),
  fileURLToPathBuffer: (url) => Buffer.from(fileURLToPath(url)),
  urlToHttpOptions(url) {
    const options = {
      protocol: url.protocol, hostname: url.hostname.replace(/^\[|\]$/g, ""), hash: url.hash, search: url.search,
      pathname: url.pathname, path: url.pathname + url.search, href: url.href,
    };
    if (url.port !== "") options.port = Number(url.port);
    if (url.username || url.password) {
      options.auth = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    }
    return options;
  },
};
