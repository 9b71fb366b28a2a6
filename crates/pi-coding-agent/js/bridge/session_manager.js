// `ctx.sessionManager`: the session's entries.
import { host } from "script:host";

const QUESTIONS = [
  "getCwd",
  "getSessionDir",
  "getSessionId",
  "getSessionFile",
  "getLeafId",
  "getLeafEntry",
  "getEntry",
  "getLabel",
  "getBranch",
  "getHeader",
  "getEntries",
  "getChildren",
  "getSessionName",
  "isPersisted",
];
// What the manager of a session can do that does not run yet.
const CHANGES = [
  "appendMessage",
  "appendThinkingLevelChange",
  "appendModelChange",
  "appendCompaction",
  "appendCustomEntry",
  "appendCustomMessageEntry",
  "appendSessionInfo",
  "appendLabelChange",
];

export class SessionManager {
  constructor(number) {
    Object.defineProperty(this, "number", { value: number });
  }

  getTree() {
    return nested(host.sync("sm.getTree", this.number));
  }

  // The manager of a session that is being made; it is asked and written to through the number of a writer.
  static writable(writer) {
    const manager = {};
    for (const name of [...QUESTIONS, ...CHANGES]) {
      manager[name] = (...args) => host.sync("setup.call", writer, name, args);
    }
    manager.getTree = () => nested(host.sync("setup.call", writer, "getTree", []));
    return manager;
  }
}

for (const name of QUESTIONS) {
  SessionManager.prototype[name] = function (...args) {
    return host.sync(`sm.${name}`, this.number, ...args);
  };
}

// From a list with numbers of parents to nodes with children.
export function nested(list) {
  const nodes = list.map(({ parent, ...node }) => ({ ...node, children: [] }));
  const roots = [];
  list.forEach(({ parent }, place) => {
    if (parent === undefined || parent === null) roots.push(nodes[place]);
    else nodes[parent].children.push(nodes[place]);
  });
  return roots;
}
