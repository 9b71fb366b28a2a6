// FormData, to and from multipart/form-data.

const { Blob, File, concat, bytesOf } = require("internal/blob");
const { addPairs } = require("internal/pairs");

class FormData {
  #list = [];
  append(name, value, filename) {
    this.#list.push([String(name), entry(value, filename)]);
  }
  set(name, value, filename) {
    const at = this.#list.findIndex(([known]) => known === String(name));
    this.delete(name);
    const pair = [String(name), entry(value, filename)];
    if (at < 0) this.#list.push(pair);
    else this.#list.splice(at, 0, pair);
  }
  get(name) {
    return this.#list.find(([known]) => known === String(name))?.[1] ?? null;
  }
  getAll(name) {
    return this.#list.filter(([known]) => known === String(name)).map(([, value]) => value);
  }
  has(name) {
    return this.#list.some(([known]) => known === String(name));
  }
  delete(name) {
    this.#list = this.#list.filter(([known]) => known !== String(name));
  }
  *#each() {
    for (const [name, value] of this.#list) yield [name, value];
  }
  static {
    addPairs(this, (form) => form.#each());
  }
  get [Symbol.toStringTag]() {
    return "FormData";
  }
}

const entry = (value, filename) => {
  if (!(value instanceof Blob)) return String(value);
  if (value instanceof File && filename === undefined) return value;
  return new File([value], filename ?? "blob", { type: value.type });
};

const escaped = (name) => name.replace(/\r\n|\r|\n/g, "%0D%0A").replace(/"/g, "%22");

// A body and its content type.
exports.encode = (form) => {
  const boundary = `----formdata-${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}`;
  const encoder = new TextEncoder();
  const parts = [];
  for (const [name, value] of form) {
    const isFile = typeof value !== "string";
    const file = isFile ? `; filename="${escaped(value.name)}"\r\nContent-Type: ${value.type || "application/octet-stream"}` : "";
    parts.push(encoder.encode(`--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"${file}\r\n\r\n`));
    parts.push(isFile ? bytesOf(value) : encoder.encode(value.replace(/\r?\n|\r/g, "\r\n")), encoder.encode("\r\n"));
  }
  parts.push(encoder.encode(`--${boundary}--\r\n`));
  return { bytes: concat(parts), type: `multipart/form-data; boundary=${boundary}` };
};

// A form of a body.
exports.decode = (bytes, type) => {
  const form = new FormData();
  if (/^application\/x-www-form-urlencoded/i.test(type)) {
    for (const [name, value] of new URLSearchParams(new TextDecoder().decode(bytes))) form.append(name, value);
    return form;
  }
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)/i.exec(type)?.[1];
  if (!boundary) throw new TypeError("The body is not a form: its content type says neither multipart/form-data nor urlencoded");
  // One character per byte, so that places in the text are places in the bytes.
  const text = new TextDecoder("latin1").decode(bytes);
  const utf8 = new TextDecoder();
  let at = text.indexOf(`--${boundary}`);
  while (at >= 0) {
    const begin = at + boundary.length + 2;
    const next = text.indexOf(`\r\n--${boundary}`, begin);
    const gap = text.indexOf("\r\n\r\n", begin);
    if (next < 0 || gap < 0 || gap > next) break;
    const head = utf8.decode(bytes.subarray(begin, gap));
    const name = /name="([^"]*)"/i.exec(head)?.[1] ?? "";
    const filename = /filename="([^"]*)"/i.exec(head)?.[1];
    const content = bytes.subarray(gap + 4, next);
    const fileType = /content-type:\s*([^\r\n]+)/i.exec(head)?.[1] ?? "text/plain";
    form.append(name, filename === undefined ? utf8.decode(content) : new File([content], filename, { type: fileType }));
    at = next + 2;
  }
  return form;
};

exports.FormData = FormData;
