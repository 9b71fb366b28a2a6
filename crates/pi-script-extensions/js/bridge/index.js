// What the program calls: load an extension, and activate it for a session.
import { createApi } from "pi:bridge/api";
import { release } from "pi:bridge/callbacks";
import { forgetContexts } from "pi:bridge/context";

let factory;

export async function load(path) {
  const namespace = await import(path);
  let found = namespace.default;
  // CommonJS that was an ES module once.
  if (typeof found !== "function" && typeof found?.default === "function") found = found.default;
  if (typeof found !== "function") {
    throw new Error(`Extension does not export a valid factory function: ${path}`);
  }
  factory = found;
}

// `gone` are the contexts of sessions that were replaced.
export async function activate(context, gone) {
  release(gone);
  forgetContexts(gone);
  await factory(createApi(context));
}
