// util.inspect: values as text for people, in Node's form. Layout of long values is in internal/inspect_layout.js.
const { quote, reduceToLines } = require("internal/inspect_layout");

const custom = Symbol.for("nodejs.util.inspect.custom");
const DEFAULTS = {
  showHidden: false, depth: 2, colors: false, customInspect: true, showProxy: false, maxArrayLength: 100,
  maxStringLength: 10000, breakLength: 80, compact: 3, sorted: false, getters: false, numericSeparator: false,
};
const STYLES = {
  special: "cyan", number: "yellow", bigint: "yellow", boolean: "yellow", undefined: "grey", null: "bold",
  string: "green", symbol: "green", date: "magenta", regexp: "red", module: "underline",
};

function inspect(value, options, ...old) {
  const given = typeof options === "boolean" ? { showHidden: options, depth: old[0], colors: old[1] } : (options ?? {});
  const chosen = Object.fromEntries(Object.entries(given).filter(([, set]) => set !== undefined));
  const ctx = { ...inspect.defaultOptions, ...chosen, seen: [], circular: new Map(), indentation: 0, currentDepth: 0 };
  if (ctx.depth === null) ctx.depth = Infinity;
  if (ctx.maxArrayLength === null) ctx.maxArrayLength = Infinity;
  if (ctx.maxStringLength === null) ctx.maxStringLength = Infinity;
  ctx.stylize = ctx.colors ? colored : (text) => text;
  return show(ctx, value, 0, true);
}
inspect.custom = custom;
inspect.defaultOptions = DEFAULTS;
inspect.styles = STYLES;
inspect.colors = require("internal/colors").colors;

const colored = (text, style) => {
  const code = inspect.colors[STYLES[style]];
  return code ? `\x1b[${code[0]}m${text}\x1b[${code[1]}m` : text;
};

function show(ctx, value, level, isTop = false) {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return primitive(ctx, value, isTop);
  const own = ctx.customInspect ? value[custom] : undefined;
  if (typeof own === "function" && own !== inspect && value.constructor?.prototype !== value) {
    const rest = { ...ctx, depth: ctx.depth - level };
    const result = own.call(value, ctx.depth - level, rest, inspect);
    if (result !== value) {
      if (typeof result === "string") return result.replaceAll("\n", `\n${" ".repeat(ctx.indentation)}`);
      return show(ctx, result, level);
    }
  }
  if (ctx.seen.includes(value)) {
    if (!ctx.circular.has(value)) ctx.circular.set(value, ctx.circular.size + 1);
    return ctx.stylize(`[Circular *${ctx.circular.get(value)}]`, "special");
  }
  return showObject(ctx, value, level);
}

function primitive(ctx, value, isTop) {
  if (typeof value === "string") return text(ctx, value, isTop);
  if (typeof value === "bigint") return ctx.stylize(`${value}n`, "bigint");
  if (value === null) return ctx.stylize("null", "null");
  if (typeof value === "number") return ctx.stylize(Object.is(value, -0) ? "-0" : String(value), "number");
  return ctx.stylize(String(value), typeof value);
}

function text(ctx, value, isTop) {
  let trailer = "";
  let shown = value;
  if (shown.length > ctx.maxStringLength) {
    const more = shown.length - ctx.maxStringLength;
    shown = shown.slice(0, ctx.maxStringLength);
    trailer = `... ${more} more character${more > 1 ? "s" : ""}`;
  }
  if (!isTop && shown.length > 16 && shown.length > ctx.breakLength - ctx.indentation - 4 && shown.includes("\n")) {
    const lines = shown.split(/(?<=\n)/).map((line) => ctx.stylize(quote(line), "string"));
    return lines.join(` +\n${" ".repeat(ctx.indentation + 2)}`) + trailer;
  }
  return ctx.stylize(quote(shown), "string") + trailer;
}

// The name of the class, and the tag if it says more.
function className(value) {
  for (let at = value; at !== null; at = Object.getPrototypeOf(at)) {
    const described = Object.getOwnPropertyDescriptor(at, "constructor");
    if (typeof described?.value === "function" && described.value.name !== "") {
      return described.value.name;
    }
  }
  return null;
}
function prefix(name, tag, fallback, size = "") {
  const shown = name === null ? `[${fallback}${size}: null prototype] ` : `${name}${size} `;
  return tag !== "" && tag !== name ? `${shown}[${tag}] ` : shown;
}
function tagOf(value) {
  // An own one is shown as a property.
  const tag = Object.hasOwn(value, Symbol.toStringTag) ? "" : value[Symbol.toStringTag];
  return typeof tag === "string" ? tag : "";
}

function keysOf(ctx, value, isList) {
  const names = ctx.showHidden ? Object.getOwnPropertyNames(value) : Object.keys(value);
  const kept = isList ? names.filter((name) => !/^(0|[1-9]\d*)$/.test(name)) : names;
  const visible = (symbol) => ctx.showHidden || Object.prototype.propertyIsEnumerable.call(value, symbol);
  return [...kept, ...Object.getOwnPropertySymbols(value).filter(visible)];
}

const isTyped = (value) => ArrayBuffer.isView(value) && !(value instanceof DataView);

// What an object is: how it begins and ends, and what comes before its own properties.
function formOf(ctx, value) {
  const name = className(value);
  const tag = tagOf(value);
  if (Array.isArray(value)) {
    const start = name !== "Array" || tag !== "" ? prefix(name, tag, "Array", `(${value.length})`) : "";
    return { braces: [`${start}[`, "]"], isList: true, entries: arrayEntries };
  }
  if (value instanceof Set) return { braces: [`${prefix(name, tag, "Set", `(${value.size})`)}{`, "}"], entries: setEntries };
  if (value instanceof Map) return { braces: [`${prefix(name, tag, "Map", `(${value.size})`)}{`, "}"], entries: mapEntries };
  if (isTyped(value)) {
    return { braces: [`${prefix(name, tag, "TypedArray", `(${value.length})`)}[`, "]"], isList: true, entries: typedEntries };
  }
  return otherForm(ctx, value, name, tag);
}

function otherForm(ctx, value, name, tag) {
  const { types } = require("internal/types");
  const braces = [name === "Object" && tag === "" ? "{" : `${prefix(name, tag, "Object")}{`, "}"];
  if (types.isArgumentsObject(value)) return { braces: ["[Arguments] {", "}"] };
  if (typeof value === "function") return { base: functionBase(ctx, value, name), style: "special" };
  if (value instanceof RegExp) return { base: RegExp.prototype.toString.call(value), style: "regexp" };
  if (value instanceof Date) {
    return { base: Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString(), style: "date" };
  }
  if (value instanceof Error) return { base: errorBase(ctx, value), isError: true };
  if (value instanceof ArrayBuffer) return { braces: [`${prefix(name, tag, "ArrayBuffer")}{`, "}"], entries: bufferEntries };
  if (value instanceof DataView) return { braces: [`${prefix(name, tag, "DataView")}{`, "}"], entries: viewEntries };
  if (value instanceof Promise) return { braces, entries: (c) => [c.stylize("<pending>", "special")] };
  if (value instanceof WeakMap || value instanceof WeakSet) {
    return { braces, entries: (c) => [c.stylize("<items unknown>", "special")] };
  }
  if (types.isBoxedPrimitive(value)) {
    const inner = value.valueOf();
    const type = Object.prototype.toString.call(value).slice(8, -1);
    const kind = { Number: "number", String: "string", Boolean: "boolean" }[type] ?? typeof inner;
    return { base: `[${type}: ${primitive({ ...ctx, stylize: (t) => t }, inner)}]`, style: kind, isList: kind === "string" };
  }
  if (typeof value.next === "function" && tag.endsWith("Iterator")) return { braces: [`[${tag}] {`, "}"] };
  if (tag === "Generator" || tag === "AsyncGenerator") return { braces: [`Object [${tag}] {`, "}"] };
  return { braces };
}

function functionBase(ctx, fn, name) {
  const source = Function.prototype.toString.call(fn);
  if (source.startsWith("class") && /^class[\s{]/.test(source)) {
    const parent = Object.getPrototypeOf(fn);
    const heir = parent?.name ? ` extends ${parent.name}` : "";
    return `[class ${fn.name === "" ? "(anonymous)" : fn.name}${heir}]`;
  }
  const kind = tagOf(fn) || "Function";
  void name;
  return fn.name === "" || typeof fn.name !== "string" ? `[${kind} (anonymous)]` : `[${kind}: ${fn.name}]`;
}

function errorBase(ctx, error) {
  const name = error.name !== undefined && error.name !== "" ? String(error.name) : "Error";
  const message = error.message === undefined ? "" : String(error.message);
  const head = message ? `${name}: ${message}` : name;
  const stack = typeof error.stack === "string" ? error.stack.trimEnd() : "";
  if (stack === "") return `[${head}]`;
  const isWhole = stack.startsWith(name) || !stack.trimStart().startsWith("at ");
  return (isWhole ? stack : `${head}\n${stack}`).replaceAll("\n", `\n${" ".repeat(ctx.indentation)}`);
}

const more = (count) => `... ${count} more item${count > 1 ? "s" : ""}`;

function arrayEntries(ctx, value, level) {
  const out = [];
  let at = 0;
  while (at < value.length && out.length < ctx.maxArrayLength) {
    if (Object.hasOwn(value, at)) {
      out.push(property(ctx, value, at++, level, true));
      continue;
    }
    let holes = 0;
    while (at < value.length && !Object.hasOwn(value, at)) {
      holes++;
      at++;
    }
    out.push(ctx.stylize(`<${holes} empty item${holes > 1 ? "s" : ""}>`, "undefined"));
  }
  if (at < value.length) out.push(more(value.length - at));
  return out;
}
function typedEntries(ctx, value) {
  const shown = Array.from(value.subarray(0, Math.min(value.length, ctx.maxArrayLength)), (item) => primitive(ctx, item));
  if (value.length > shown.length) shown.push(more(value.length - shown.length));
  return shown;
}
function collected(ctx, items, size, line) {
  ctx.indentation += 2;
  const out = [];
  for (const item of items) {
    if (out.length >= ctx.maxArrayLength) break;
    out.push(line(item));
  }
  if (size > out.length) out.push(more(size - out.length));
  ctx.indentation -= 2;
  return out;
}
const setEntries = (ctx, value, level) =>
  collected(ctx, Set.prototype.values.call(value), value.size, (item) => show(ctx, item, level));
const mapEntries = (ctx, value, level) =>
  collected(ctx, Map.prototype.entries.call(value), value.size, ([k, v]) => `${show(ctx, k, level)} => ${show(ctx, v, level)}`);
function bufferEntries(ctx, value) {
  const bytes = new Uint8Array(value, 0, Math.min(50, value.byteLength));
  const shown = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
  const rest = value.byteLength - bytes.length;
  const trailer = rest > 0 ? ` ... ${rest} more byte${rest > 1 ? "s" : ""}` : "";
  return [`${ctx.stylize("[Uint8Contents]", "special")}: <${shown}${trailer}>`, `byteLength: ${primitive(ctx, value.byteLength)}`];
}
function viewEntries(ctx, value, level) {
  const shown = (key) => `${key}: ${show(ctx, value[key], level)}`;
  return [shown("byteLength"), shown("byteOffset"), shown("buffer")];
}

function property(ctx, value, key, level, isItem = false) {
  const { get } = Object.getOwnPropertyDescriptor(value, key) ?? {};
  // Reading it makes it a plain value.
  if (get && host.transparent.has(get)) value[key];
  const described = Object.getOwnPropertyDescriptor(value, key) ?? { value: value[key], enumerable: true };
  let shown;
  if (described.value !== undefined || !(described.get || described.set)) {
    const diff = isItem || ctx.compact !== true ? 2 : 3;
    ctx.indentation += diff;
    shown = show(ctx, described.value, level);
    ctx.indentation -= diff;
  } else {
    shown = accessor(ctx, value, key, described, level);
  }
  if (isItem) return shown;
  return `${propertyName(ctx, key, described)}: ${shown}`;
}
function accessor(ctx, value, key, described, level) {
  if (!described.get) return ctx.stylize("[Setter]", "special");
  const label = described.set ? "[Getter/Setter" : "[Getter";
  if (!ctx.getters) return ctx.stylize(`${label}]`, "special");
  try {
    return `${ctx.stylize(`${label}:`, "special")} ${show(ctx, described.get.call(value), level)}${ctx.stylize("]", "special")}`;
  } catch (error) {
    return ctx.stylize(`${label}: <Inspection threw (${error.message})>]`, "special");
  }
}
function propertyName(ctx, key, described) {
  if (typeof key === "symbol") return `[${ctx.stylize(String(key), "symbol")}]`;
  if (key === "__proto__") return "['__proto__']";
  if (described.enumerable === false) return `[${key}]`;
  return /^[a-zA-Z_][a-zA-Z_0-9]*$/.test(key) ? ctx.stylize(key, "name") : ctx.stylize(quote(key), "string");
}

function ownKeys(ctx, value, form) {
  let keys = keysOf(ctx, value, form.isList);
  if (form.isError) {
    keys = keys.filter((key) => {
      if (key !== "name" && key !== "message" && key !== "stack") return true;
      return typeof value[key] !== "string" || !form.base.includes(value[key]);
    });
    for (const hidden of ["cause", "errors"]) {
      if (Object.hasOwn(value, hidden) && !keys.includes(hidden)) keys.push(hidden);
    }
  }
  if (typeof value === "function" && !ctx.showHidden) keys = keys.filter((key) => key !== "prototype");
  return ctx.sorted ? keys.sort(typeof ctx.sorted === "function" ? ctx.sorted : undefined) : keys;
}

function showObject(ctx, value, level) {
  const form = formOf(ctx, value);
  const keys = ownKeys(ctx, value, form);
  const styled = form.base === undefined ? "" : form.style ? ctx.stylize(form.base, form.style) : form.base;
  const isEmptyList = form.isList && form.entries && value.length === 0;
  if (keys.length === 0) {
    if (styled) return styled;
    if (!form.entries || isEmptyList || value.size === 0) return `${form.braces[0]}${form.braces[1]}`;
  }
  if (level > ctx.depth) {
    const name = Array.isArray(value) ? "Array" : prefix(className(value), tagOf(value), "Object").trim();
    return ctx.stylize(`[${name}]`, "special");
  }
  const braces = form.braces ?? ["{", "}"];
  ctx.seen.push(value);
  ctx.currentDepth = level;
  const out = form.entries ? form.entries(ctx, value, level + 1) : [];
  for (const key of keys) out.push(property(ctx, value, key, level + 1));
  ctx.seen.pop();
  let base = styled;
  const number = ctx.circular.get(value);
  if (number !== undefined) {
    const mark = ctx.stylize(`<ref *${number}>`, "special");
    if (ctx.compact !== true) base = base === "" ? mark : `${mark} ${base}`;
    else braces[0] = `${mark} ${braces[0]}`;
  }
  if (ctx.sorted && !form.isList) out.sort(typeof ctx.sorted === "function" ? ctx.sorted : undefined);
  return reduceToLines(ctx, out, base, braces, form.isList && form.entries, level, value);
}

exports.inspect = inspect;
