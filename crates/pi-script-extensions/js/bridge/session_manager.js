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
  "usesDefaultSessionDir",
  "buildSessionContext",
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
  // The methods are the object's own and need no `this`.
  constructor(number) {
    for (const name of QUESTIONS) this[name] = (...args) => host.sync(`sm.${name}`, number, ...args);
    this.getTree = () => nested(host.sync("sm.getTree", number));
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
