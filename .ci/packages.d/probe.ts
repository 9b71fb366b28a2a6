// Loads one extension and writes down, a line each, what it registers. ENTRY and LOG are filled in.
import { appendFileSync } from "node:fs";
import entry from "ENTRY";

const NAMED: Record<string, string> = {
  on: "event", registerCommand: "command", registerFlag: "flag", registerShortcut: "shortcut", registerProvider: "provider",
  registerMessageRenderer: "message renderer", registerEntryRenderer: "entry renderer",
};

function note(method: string, [first]: any[]) {
  const kind = method === "registerTool" ? "tool" : NAMED[method];
  if (kind) appendFileSync("LOG", `${JSON.stringify([kind, kind === "tool" ? first?.name : String(first)])}\n`);
}

export default function (pi: any) {
  const watched = (target: any, key: string) => {
    const value = target[key];
    if (typeof value !== "function") return value;
    return (...args: any[]) => (note(key, args), value.apply(target, args));
  };
  const activate: any = typeof entry === "function" ? entry : (entry as any).default;
  return activate(new Proxy(pi, { get: watched }));
}
