// path: names of files with "/". There is no other kind here: `win32` is the same.
const { needsString } = require("internal/errors");

// Without ".", "..", and doubled slashes.
function clean(path, isAbsolute) {
  const out = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") out.push(part);
    else if (out.length > 0 && out.at(-1) !== "..") out.pop();
    else if (!isAbsolute) out.push("..");
  }
  return out.join("/");
}

function normalize(path) {
  needsString("path", path);
  if (path === "") return ".";
  const isAbsolute = path.startsWith("/");
  const cleaned = clean(path, isAbsolute);
  const end = path.endsWith("/") && (cleaned !== "" || !isAbsolute) ? "/" : "";
  if (cleaned === "" && !isAbsolute) return end ? "./" : ".";
  return (isAbsolute ? "/" : "") + cleaned + end;
}

function join(...parts) {
  for (const part of parts) needsString("path", part);
  const joined = parts.filter((part) => part !== "").join("/");
  return joined === "" ? "." : normalize(joined);
}

function resolve(...parts) {
  let path = "";
  for (let i = parts.length - 1; i >= -1 && !path.startsWith("/"); i--) {
    const part = i >= 0 ? parts[i] : host.cwd;
    needsString(`paths[${i}]`, part);
    if (part !== "") path = path === "" ? part : `${part}/${path}`;
  }
  return `/${clean(path, true)}`;
}

function relative(from, to) {
  needsString("from", from);
  needsString("to", to);
  const start = resolve(from).split("/").filter(Boolean);
  const end = resolve(to).split("/").filter(Boolean);
  let shared = 0;
  while (shared < start.length && shared < end.length && start[shared] === end[shared]) shared++;
  return [...start.slice(shared).map(() => ".."), ...end.slice(shared)].join("/");
}

const trimmed = (path) => (path.length > 1 ? path.replace(/(?<=.)\/+$/s, "") : path);

function dirname(path) {
  needsString("path", path);
  const rest = trimmed(path);
  const at = rest.lastIndexOf("/");
  if (at === -1) return ".";
  if (rest === "/" || at === 0) return path.startsWith("//") && at > 0 ? "//" : "/";
  return rest.slice(0, at);
}

function basename(path, suffix) {
  needsString("path", path);
  if (suffix !== undefined) needsString("suffix", suffix);
  if (suffix !== undefined && suffix === path) return "";
  const rest = trimmed(path);
  const name = rest === "/" ? "" : rest.slice(rest.lastIndexOf("/") + 1);
  return suffix && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
}

function extname(path) {
  const name = basename(path);
  const at = name.lastIndexOf(".");
  return at <= 0 || name === ".." ? "" : name.slice(at);
}

function parse(path) {
  needsString("path", path);
  const base = basename(path);
  const ext = extname(path);
  const root = path.startsWith("/") ? "/" : "";
  const directory = dirname(path);
  const dir = base === "" && root === "" ? "" : directory === "." && !trimmed(path).includes("/") ? "" : directory;
  return { root, dir: path === "" ? "" : dir, base, ext, name: ext ? base.slice(0, -ext.length) : base };
}

function format(parts) {
  if (parts === null || typeof parts !== "object") {
    throw require("internal/errors").invalidType("pathObject", "of type object", parts);
  }
  const dir = parts.dir || parts.root;
  const ext = parts.ext ? `${parts.ext.startsWith(".") ? "" : "."}${parts.ext}` : "";
  const base = parts.base || `${parts.name ?? ""}${ext}`;
  if (!dir) return base;
  return dir === parts.root ? `${dir}${base}` : `${dir}/${base}`;
}

// Stars within a name, ** over directories.
function matchesGlob(path, pattern) {
  const source = pattern.replace(/\*\*\/|\*\*|\*|\?|[.+^${}()|[\]\\]/g, (part) => {
    if (part === "**/") return "(?:.*/)?";
    if (part === "**") return ".*";
    if (part === "*") return "[^/]*";
    return part === "?" ? "[^/]" : `\\${part}`;
  });
  return new RegExp(`^${source}$`).test(path);
}

const path = {
  resolve, normalize, join, relative, dirname, basename, extname, parse, format, matchesGlob,
  isAbsolute(name) {
    needsString("path", name);
    return name.startsWith("/");
  },
  toNamespacedPath: (name) => name,
  sep: "/",
  delimiter: ":",
};
path.posix = path;
path.win32 = path;
module.exports = path;
