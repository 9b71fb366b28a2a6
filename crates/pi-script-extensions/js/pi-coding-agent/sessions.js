// Sessions beside the one that runs, and functions of lists of entries.
import { SessionManager as Running, nested } from "pi:bridge/session_manager";

import { host } from "script:host";

const METHODS = [
  "isPersisted", "getCwd", "getSessionDir", "usesDefaultSessionDir", "getSessionId", "getSessionFile", "getSessionName", "getLeafId",
  "getLabel", "getHeader", "getLeafEntry", "getEntry", "getChildren", "getBranch", "getEntries", "buildSessionContext",
  "appendMessage", "appendThinkingLevelChange", "appendModelChange", "appendCompaction", "appendCustomEntry",
  "appendCustomMessageEntry", "appendSessionInfo", "appendLabelChange", "branch", "resetLeaf", "branchWithSummary",
  "createBranchedSession", "newSession", "setSessionFile",
];

const open = (kind, place) => Object.defineProperty(Object.create(SessionManager.prototype), "held", { value: host.sync("sessions.open", kind, place) });

// The manager of an agent that goes on with it, and that lives as long as this is held.
export function managerOf(agent, given, number) {
  const manager = given ?? Object.defineProperty(Object.create(SessionManager.prototype), "held", { value: number() });
  return Object.defineProperty(manager, "agent", { value: agent, configurable: true });
}

// A session in a file or in memory.
export class SessionManager {
  constructor() {
    throw new Error("Use SessionManager.create, open, continueRecent, inMemory or forkFrom");
  }
  static create = (cwd, dir, options) => open("create", { cwd, dir, ...options });
  static open = (path, dir, cwd) => open("open", { path, dir, cwd });
  static continueRecent = (cwd, dir) => open("continueRecent", { cwd, dir });
  static inMemory = (cwd) => open("inMemory", { cwd });
  static forkFrom = (path, cwd, dir, options) => open("forkFrom", { path, cwd, dir, ...options });
  static list = async (cwd, dir) => (await host.async("sessions.list", cwd, dir)).map(dated);
  static listAll = async (dir) => (await host.async("sessions.list", undefined, typeof dir === "string" ? dir : undefined)).map(dated);

  static [Symbol.hasInstance](value) {
    return Object.prototype.isPrototypeOf.call(SessionManager.prototype, value) || value instanceof Running;
  }

  getTree() {
    return nested(host.sync("sessions.call", this.held, "getTree", []));
  }
}

for (const name of METHODS) {
  SessionManager.prototype[name] = function (...args) {
    return host.sync("sessions.call", this.held, name, args);
  };
}

const dated = (info) => ({ ...info, created: new Date(info.created), modified: new Date(info.modified) });

export function buildSessionContext(entries, ...leaf) {
  const given = leaf.length > 0 && leaf[0] !== undefined ? [leaf[0]] : [];
  return host.sync("sessions.context", entries.filter(({ type }) => type !== "session"), ...given);
}

// Lines that are no JSON are left out.
export function parseSessionEntries(content) {
  return content.split("\n").flatMap((line) => {
    try {
      return line.trim() ? [JSON.parse(line)] : [];
    } catch {
      return [];
    }
  });
}

// Brings the entries of a file, header included, to the current version, in place.
export function migrateSessionEntries(entries) {
  const header = entries.find(({ type }) => type === "session");
  if (header && (header.version ?? 1) < 3) entries.splice(0, entries.length, ...host.sync("sessions.migrate", entries));
}

export const getLatestCompactionEntry = (entries) => entries.findLast(({ type }) => type === "compaction") ?? null;
