// `pi`: what an extension is given to register what it brings and to act on its session.
import { CommandContext, Context } from "pi:bridge/context";
import { settled, subscribe } from "pi:bridge/events";
import { registerProvider } from "pi:bridge/models";
import { withSignal } from "pi:bridge/signals";
import { theme } from "pi:bridge/theme";

const { host } = globalThis.__pi_script;

export function createApi(context) {
  const now = (name, ...args) => host.sync(`pi.${name}`, context, ...args);
  // For what goes on in the background: what can be said at once is said now, the rest is reported.
  const background = (name, ...args) => {
    now("check");
    host.async(`pi.${name}`, context, ...args).catch(host.uncaught);
  };
  const api = {
    on: (event, handler) => subscribe(context, String(event), handler),
    registerTool: (tool) => registerTool(context, tool),
    registerCommand: (name, command) => registerCommand(context, name, command),
    registerShortcut: (key, { description, handler }) =>
      now("registerShortcut", key, description, host.callback(() => handler(new Context(context)))),
    registerFlag: (name, options) => now("registerFlag", name, options),
    registerMessageRenderer: (customType, renderer) =>
      now("registerMessageRenderer", customType, host.callback((message, options) => drawn(renderer, message, options))),
    getFlag: (name) => now("getFlag", name),
    sendMessage: (message, options) => background("sendMessage", message, options),
    sendUserMessage: (content, options) => now("sendUserMessage", content, options),
    appendEntry: (customType, data) => now("appendEntry", customType, data),
    setSessionName: (name) => background("setSessionName", String(name)),
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
    setThinkingLevel: (level) => background("setThinkingLevel", level),
    registerProvider: (name, config) => registerProvider(context, name, config),
    unregisterProvider: (name) => now("unregisterProvider", name),
    events: bus(context),
  };
  return api;
}

function registerTool(context, tool) {
  if (typeof tool?.execute !== "function") throw new TypeError(`Tool "${tool?.name}" has no execute function`);
  const { name, label, description, parameters, promptSnippet, promptGuidelines, executionMode } = tool;
  const execute = (id, params, signal, updates) => {
    const onUpdate = (partial) => host.sync("tool.update", updates, partial);
    return tool.execute(id, params, signal, onUpdate, new Context(context));
  };
  const prepare = tool.prepareArguments && ((raw) => tool.prepareArguments(raw));
  const said = { name, label, description, parameters, promptSnippet, promptGuidelines, executionMode };
  host.sync("pi.registerTool", context, said, host.callback(execute), prepare && host.callback(prepare));
}

function registerCommand(context, name, command) {
  if (typeof command?.handler !== "function") throw new TypeError(`Command "${name}" has no handler`);
  // What a handler returns means nothing, and need not be JSON.
  const handler = (args) => settled(command.handler(args, new CommandContext(context)), () => undefined);
  const complete = command.getArgumentCompletions;
  const completions = complete && host.callback((prefix) => complete.call(command, prefix));
  host.sync("pi.registerCommand", context, name, command.description, host.callback(handler), completions);
}

// The lines of a component, which is drawn once.
function drawn(renderer, message, { width, expanded }) {
  return renderer(message, { expanded }, theme())?.render(width);
}

function bus(context) {
  return {
    emit: (channel, data) => host.sync("bus.emit", context, channel, data),
    on: (channel, handler) => {
      const listener = async (data) => {
        try {
          await handler(data);
        } catch (error) {
          console.error(`Event handler error (${channel}):`, error);
        }
      };
      const place = host.sync("bus.on", context, channel, host.callback(listener));
      return () => host.sync("bus.off", place);
    },
  };
}
