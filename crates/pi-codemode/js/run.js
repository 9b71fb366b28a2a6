// Runs a script of the model: the body of an async function that is given the tools.
import { host } from "script:host";

const AsyncFunction = (async () => {}).constructor;

// Calls a tool. What fails, fails where the script made the call.
function caller(name) {
  return (args) => {
    const place = new Error();
    return host.async("codemode.call", name, args ?? {}).catch((error) => {
      error.name = `tools.${name}`;
      error.stack = place.stack;
      throw error;
    });
  };
}

// A function for each tool. A wrong name is an error at once, not "undefined is not a function".
function toolsOf(names) {
  const tools = Object.create(null);
  for (const name of names) tools[name] = caller(name);
  return new Proxy(Object.freeze(tools), {
    get(target, name) {
      // Whoever awaits `tools` itself looks for `then`.
      if (name in target || typeof name === "symbol" || name === "then") return target[name];
      throw new TypeError(`There is no tool ${name}. There are: ${host.sync("codemode.near", name)}`);
    },
  });
}

function text(value) {
  if (value === undefined) return undefined;
  if (typeof value === "string") return value;
  // Compact: the model reads it.
  return JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? String(inner) : inner));
}

export async function run(source, names) {
  // On one line with the beginning, so that lines count as the model wrote them.
  const script = new AsyncFunction("tools", `"use strict";${source}`);
  return text(await script(toolsOf(names)));
}
