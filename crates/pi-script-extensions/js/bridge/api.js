// `pi`: what an extension is given to register what it brings and to act on its session.
import { bus } from "pi:bridge/bus";
import { own } from "pi:bridge/callbacks";
import { commandContextOf, contextOf } from "pi:bridge/context";
import { settled } from "pi:bridge/events";
import { flagName, subscribe } from "pi:bridge/older";
import { registerProvider } from "pi:bridge/models";
import { withSignal } from "pi:bridge/signals";
import { refreshTheme, theme } from "pi:bridge/theme";
import { isBuilt } from "pi:typebox/kind";

import { host } from "script:host";

export function createApi(context) {
  const now = (name, ...args) => host.sync(`pi.${name}`, context, ...args);
  const api = {
    on: (event, handler) => subscribe(context, String(event), handler),
    registerTool: (tool) => registerTool(context, tool),
    registerCommand: (name, command) => registerCommand(context, name, command),
    registerShortcut: (key, { description, handler }) => {
      const call = () => settled(handler(contextOf(context)), nothing);
      now("registerShortcut", key, description, own(context, call));
    },
    registerMcpServer: (name, config) => now("registerMcpServer", String(name), config),
    registerFlag: (name, options) => now("registerFlag", flagName(name), options),
    registerMessageRenderer: (customType, renderer) => {
      now("registerMessageRenderer", customType, own(context, drawing(renderer, { outputPad: 1 })));
    },
    registerEntryRenderer: (customType, renderer) => {
      now("registerEntryRenderer", customType, own(context, drawing(renderer, {})));
    },
    registerMarkdownTransformer: (transform) => {
      now("registerMarkdownTransformer", own(context, (text, about) => transform(text, about)));
    },
    getFlag: (name) => now("getFlag", flagName(name)),
    sendMessage: (message, options) => now("sendMessage", message, options),
    sendUserMessage: (content, options) => now("sendUserMessage", content, options),
    appendEntry: (customType, data) => now("appendEntry", customType, data),
    setSessionName: (name) => now("setSessionName", String(name)),
    getSessionName: () => now("getSessionName"),
    setLabel: (entry, label) => now("setLabel", entry, label),
    exec: (command, args, options) =>
      withSignal(options?.signal, (token) =>
        host.async("pi.exec", context, command, args, options && { timeout: options.timeout, cwd: options.cwd }, token),
      ),
    getActiveTools: () => now("getActiveTools"),
    getAllTools: () => now("getAllTools"),
    setActiveTools: (names) => now("setActiveTools", names),
    getCommands: () => now("getCommands"),
    setModel: (model) => host.async("pi.setModel", context, model),
    getThinkingLevel: () => now("getThinkingLevel"),
    setThinkingLevel: (level) => now("setThinkingLevel", level),
    registerProvider: (name, config) => registerProvider(context, name, config),
    unregisterProvider: (name) => now("unregisterProvider", name),
    events: bus(context),
  };
  return api;
}

// The lines of a message or of an entry. The theme may have changed since the last time.
const drawing = (renderer, options) => (what, { width, expanded }) => {
  refreshTheme(true);
  return renderer(what, { expanded, ...options }, theme())?.render(width);
};

function registerTool(context, tool) {
  if (typeof tool?.execute !== "function") throw new TypeError(`Tool "${tool?.name}" has no execute function`);
  const execute = (id, params, signal, updates) => {
    const onUpdate = (partial) => host.sync("tool.update", updates, outcome(partial));
    return settled(tool.execute(id, params, signal, onUpdate, contextOf(context)), outcome);
  };
  const prepare = tool.prepareArguments && own(context, (raw) => tool.prepareArguments(raw));
  const isDrawn = tool.renderCall || tool.renderResult;
  const rows = new Map();
  const draw = isDrawn && own(context, (what, options) => drawn(context, tool, rows, what, options));
  host.sync("pi.registerTool", context, said(tool), own(context, execute), prepare, draw);
}

// What the program is told of a tool.
export function said({ name, label, description, parameters, promptSnippet, promptGuidelines, executionMode, renderShell }) {
  const isBuiltHere = isBuilt(parameters);
  return { name, label, description, parameters, promptSnippet, promptGuidelines, executionMode, renderShell, isBuilt: isBuiltHere };
}

// What a tool said of its result. Fields that mean nothing to the program need not be JSON; what is written in the place of
// a text is one.
export function outcome(result) {
  if (result === null || typeof result !== "object") return result;
  const { content, details, terminate, ...others } = result;
  const extra = Object.entries(others).filter(([, value]) => isJson(value));
  return { content: Array.isArray(content) ? content.map(block) : content, details, terminate, ...Object.fromEntries(extra) };
}

function isJson(value) {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}

const block = (block) =>
  block?.type === "text" && typeof block.text !== "string" ? { ...block, text: String(block.text ?? "") } : block;

function registerCommand(context, name, command) {
  if (typeof command?.handler !== "function") throw new TypeError(`Command "${name}" has no handler`);
  const handler = (args) => settled(command.handler(args, commandContextOf(context)), nothing);
  const complete = command.getArgumentCompletions;
  const completions = complete && own(context, (prefix) => complete.call(command, prefix));
  host.sync("pi.registerCommand", context, name, command.description, own(context, handler), completions);
}

// For functions whose result means nothing, and need not be JSON.
function nothing() {}

// How many calls keep what their renderers remember.
const MOST_ROWS = 200;

// What the renderers of a call share, and the components that they returned last; the oldest call is forgotten first.
function rowOf(rows, id) {
  let row = rows.get(id);
  if (!row) {
    row = { state: {}, last: {} };
    rows.set(id, row);
    if (rows.size > MOST_ROWS) rows.delete(rows.keys().next().value);
  }
  return row;
}

// The lines of a call of a tool, or of its result.
function drawn(context, tool, rows, { slot, id, args, argsComplete, executionStarted, result, isError }, options) {
  const { width, expanded, isPartial } = options;
  const row = rowOf(rows, id);
  refreshTheme(true);
  const about = {
    args: args ?? {},
    toolCallId: id,
    invalidate: () => host.sync("ui.redrawCall", context, id),
    lastComponent: row.last[slot],
    state: row.state,
    cwd: contextOf(context).cwd,
    executionStarted,
    argsComplete,
    isPartial,
    expanded,
    showImages: false,
    isError,
  };
  const component =
    slot === "call"
      ? tool.renderCall?.(about.args, theme(), about)
      : tool.renderResult?.(result, { expanded, isPartial }, theme(), about);
  row.last[slot] = component;
  return component?.render(width);
}
