// Sessions that a script runs beside the one that its extension serves: `createAgentSession`.
import { createApi, outcome, said as describe } from "pi:bridge/api";
import { keep, release } from "pi:bridge/callbacks";
import { contextOf, forgetContexts } from "pi:bridge/context";
import { settled } from "pi:bridge/events";
import { HANDLE } from "pi:bridge/handle";
import { ModelRegistry } from "pi:bridge/models";
import { bashFunction } from "pi:bridge/operations";
import { Listeners } from "pi:coding-agent/agent_events";
import { SessionManager, managerOf } from "pi:coding-agent/sessions";

import { host } from "script:host";

// What a script let go of ends.
const abandoned = new FinalizationRegistry(({ number, context }) => {
  host.sync("agents.drop", number);
  release([context]);
  forgetContexts([context]);
});

const MAKING = Symbol("making");

export async function createAgentSession(options = {}) {
  const held = [];
  const about = {};
  let made;
  try {
    made = await host.async("agents.create", wanted(options, held, about));
  } catch (error) {
    for (const id of held) host.forget(id);
    throw error;
  }
  release(made.gone);
  forgetContexts(made.gone);
  about.context = made.context;
  keep(made.context, held);
  const session = new AgentSession(MAKING, made, options);
  const { extensions, errors, ...rest } = options.resourceLoader?.getExtensions?.() ?? { extensions: [], errors: [], runtime: createExtensionRuntime() };
  const extensionsResult = { ...rest, extensions, errors: [...errors, ...made.errors] };
  return { session, extensionsResult, modelFallbackMessage: made.fallback ?? undefined };
}

function wanted(options, held, about) {
  const { cwd, agentDir, model, thinkingLevel, scopedModels, tools, excludeTools, noTools, sessionManager } = options;
  return {
    cwd, agentDir, model, thinkingLevel, scopedModels, tools, excludeTools, noTools,
    customTools: options.customTools?.map((tool) => customTool(tool, held, about)),
    sessionManager: sessionManager && heldBy(sessionManager),
    resources: options.resourceLoader && resources(options.resourceLoader),
    factories: factories(options.resourceLoader).map((factory) => activation(factory, held)),
    modelRegistry: numberOf(options, "modelRegistry") ?? numberOf(options, "modelRuntime"),
    authStorage: numberOf(options, "authStorage"),
    settingsManager: numberOf(options, "settingsManager"),
  };
}

function heldBy(sessionManager) {
  if (sessionManager.held !== undefined) return sessionManager.held;
  throw new TypeError("createAgentSession: sessionManager must come from SessionManager.inMemory, create, open, continueRecent or forkFrom");
}

// What a loader has read.
const resources = (loader) => ({
  skills: loader.getSkills().skills,
  prompts: loader.getPrompts().prompts,
  agentsFiles: loader.getAgentsFiles().agentsFiles,
  systemPrompt: loader.getSystemPrompt(),
  appendSystemPrompt: loader.getAppendSystemPrompt(),
});

// Extensions that are functions.
const factories = (loader) => (loader?.getExtensions?.().extensions ?? []).map(({ factory }) => factory).filter(Boolean);

function activation(factory, held) {
  held.push(
    host.callback((context, gone) => {
      release(gone);
      forgetContexts(gone);
      return settled(factory(createApi(context)), () => {});
    }),
  );
  return held.at(-1);
}

// The number of something that the program keeps.
function numberOf(options, name) {
  const given = options[name];
  if (!given) return undefined;
  if (typeof given[HANDLE] === "number") return given[HANDLE];
  throw new TypeError(`createAgentSession: ${name} must come from the class of that name`);
}

// Its functions have the context of the session that they are made for, which has its number later.
function customTool(tool, held, about) {
  if (typeof tool?.execute !== "function") throw new TypeError(`Tool "${tool?.name}" has no execute function`);
  const hold = (fn) => (held.push(host.callback(fn)), held.at(-1));
  const execute = (id, params, signal, updates) => {
    const onUpdate = (partial) => host.sync("tool.update", updates, outcome(partial));
    return settled(tool.execute(id, params, signal, onUpdate, contextOf(about.context)), outcome);
  };
  const prepare = tool.prepareArguments && hold((raw) => tool.prepareArguments(raw));
  return { said: describe(tool), execute: hold(execute), prepare };
}

// Extensions of such a session are not made in this way: what acts on it says so.
export function createExtensionRuntime() {
  const early = () => {
    throw new Error("Extension runtime not initialized. Action methods cannot be called during extension loading.");
  };
  const runtime = { flagValues: new Map(), pendingProviderRegistrations: [] };
  for (const name of ["sendMessage", "sendUserMessage", "appendEntry", "setSessionName", "getSessionName", "setLabel", "getActiveTools", "getAllTools", "setActiveTools", "getCommands", "setModel", "getThinkingLevel", "setThinkingLevel"]) runtime[name] = early;
  return runtime;
}

export class AgentSession {
  #number;
  #context;
  #listeners;
  #manager;
  #given;
  #agent;

  constructor(making, made, given) {
    if (making !== MAKING) throw new Error("AgentSession is made by createAgentSession");
    this.#number = made.number;
    this.#context = made.context;
    this.#given = given;
    this.#listeners = new Listeners(made.number, made.context);
    // Who holds on to a manager holds on to the session that has its entries.
    if (given.sessionManager) managerOf(this, given.sessionManager);
    abandoned.register(this, made);
  }

  #get(name, ...args) {
    return host.sync("agents.get", this.#number, name, ...args);
  }
  #act(name, ...args) {
    host.sync(`agents.${name}`, this.#number, ...args);
  }
  // The session lives until this has come to its end.
  async #run(name, ...args) {
    try {
      return await host.async(`agents.${name}`, this.#number, ...args);
    } finally {
      void this.#number;
    }
  }

  static {
    const facts = [
      "isStreaming", "isCompacting", "isRetrying", "isBashRunning", "hasPendingBashMessages", "autoRetryEnabled", "autoCompactionEnabled",
      "sessionId", "sessionFile", "sessionName", "systemPrompt", "messages", "retryAttempt", "pendingMessageCount", "model",
      "thinkingLevel", "steeringMode", "followUpMode", "scopedModels",
    ];
    for (const name of facts) Object.defineProperty(this.prototype, name, { get() { return this.#get(name); }, configurable: true });
    const questions = ["getLastAssistantText", "getActiveToolNames", "getAllTools", "getToolDefinition", "getAvailableThinkingLevels", "supportsThinking", "getSessionStats", "getContextUsage"];
    const acts = ["abortCompaction", "abortRetry", "abortBash", "setThinkingLevel", "setSessionName", "setScopedModels", "setActiveToolsByName", "setAutoCompactionEnabled", "setAutoRetryEnabled", "setSteeringMode", "setFollowUpMode"];
    const runs = ["prompt", "steer", "followUp", "sendUserMessage", "sendCustomMessage", "setModel", "cycleModel", "compact", "abort", "waitForIdle", "navigateTree", "exportToHtml"];
    const define = (name, value) => Object.defineProperty(this.prototype, name, { value, writable: true, configurable: true });
    for (const name of questions) define(name, function (...args) { return this.#get(name, ...args); });
    for (const name of acts) define(name, function (...args) { this.#act(name, ...args); });
    for (const name of runs) define(name, function (...args) { return this.#run(name, ...args); });
    for (const name of ["abortBranchSummary", "createReplacedSessionContext", "exportToJsonl", "extensionRunner", "recordBashResult", "reload"]) {
      const refuse = () => {
        throw new Error(`AgentSession.${name} is not available to extensions`);
      };
      Object.defineProperty(this.prototype, name, { get: name === "extensionRunner" ? refuse : () => refuse, configurable: true });
    }
  }

  subscribe(listener) {
    return this.#listeners.add(listener);
  }
  dispose() {
    this.#listeners.clear();
    this.#act("dispose");
  }
  get sessionManager() {
    return (this.#manager ??= managerOf(this, this.#given.sessionManager, () => host.sync("agents.manager", this.#number)));
  }
  get modelRegistry() {
    return this.#given.modelRegistry ?? new ModelRegistry(this.#context);
  }
  get settingsManager() {
    if (this.#given.settingsManager) return this.#given.settingsManager;
    throw new Error("AgentSession.settingsManager is not available to extensions unless createAgentSession was given one");
  }
  get resourceLoader() {
    if (this.#given.resourceLoader) return this.#given.resourceLoader;
    throw new Error("AgentSession.resourceLoader is not available to extensions unless createAgentSession was given one");
  }
  get state() {
    return this.agent.state;
  }
  get agent() {
    return (this.#agent ??= agentOf(this, (...args) => this.#get(...args), (...args) => this.#act(...args), this.#context));
  }
  get promptTemplates() {
    return this.#given.resourceLoader?.getPrompts?.().prompts ?? this.#get("promptTemplates");
  }
  getSteeringMessages() {
    return this.#get("queued").steering;
  }
  getFollowUpMessages() {
    return this.#get("queued").followUp;
  }
  clearQueue() {
    const queued = this.#get("queued");
    this.#act("clearQueue");
    return queued;
  }
  cycleThinkingLevel() {
    if (!this.supportsThinking()) return undefined;
    const levels = this.getAvailableThinkingLevels();
    const next = levels[(levels.indexOf(this.thinkingLevel) + 1) % levels.length];
    this.setThinkingLevel(next);
    return next;
  }
  getUserMessagesForForking() {
    const text = (content) => (typeof content === "string" ? content : content.filter(({ type }) => type === "text").map(({ text }) => text).join(""));
    return this.sessionManager
      .getEntries()
      .filter(({ type, message }) => type === "message" && message.role === "user")
      .map(({ id, message }) => ({ entryId: id, text: text(message.content) }))
      .filter(({ text }) => text);
  }
  async executeBash(command, onChunk, { excludeFromContext, operations } = {}) {
    const held = [];
    const hold = (fn) => (held.push(host.callback(fn)), held.at(-1));
    let shown = "";
    // The program says the output so far.
    const listener = onChunk && hold((output) => {
      if (output.startsWith(shown) && output !== shown) onChunk(output.slice(shown.length));
      shown = output;
    });
    try {
      return await this.#run("executeBash", command, excludeFromContext, listener, operations && hold(bashFunction(operations)));
    } finally {
      for (const id of held) host.forget(id);
    }
  }
  // There are none: nobody has to be told where they are shown.
  async bindExtensions() {}
  hasExtensionHandlers() {
    return false;
  }
}

// What an agent shows, and what of that can be set.
function fields(get, names, setters) {
  const object = {};
  for (const name of names) {
    Object.defineProperty(object, name, { get: () => get(name), set: setters[name], enumerable: true, configurable: true });
  }
  return object;
}

// The agent of a session: what it shows, and what can be changed in it past the session.
function agentOf(session, get, act, context) {
  const shown = ["systemPrompt", "messages", "model", "thinkingLevel", "isStreaming", "streamingMessage", "errorMessage"];
  const state = fields(get, shown, {
    systemPrompt: (text) => act("setSystemPrompt", String(text)),
    messages: (messages) => act("setMessages", messages),
    thinkingLevel: (level) => act("setThinkingLevel", level),
  });
  Object.defineProperties(state, {
    tools: { get: () => get("activeTools"), enumerable: true, configurable: true },
    pendingToolCalls: { get: () => new Set(get("pendingToolCalls")), enumerable: true, configurable: true },
  });
  const known = fields(get, ["sessionId", "steeringMode", "followUpMode"], {
    steeringMode: (mode) => act("setSteeringMode", mode),
    followUpMode: (mode) => act("setFollowUpMode", mode),
  });
  Object.defineProperty(known, "signal", { get: () => contextOf(context).signal, enumerable: true, configurable: true });
  Object.assign(known, {
    state,
    abort: () => act("requestAbort"),
    waitForIdle: () => session.waitForIdle(),
    subscribe: (listener) => session.subscribe((event) => AGENT_EVENTS.has(event.type) && listener(event, known.signal)),
    hasQueuedMessages: () => get("hasQueuedMessages"),
    clearAllQueues: () => void session.clearQueue(),
  });
  return new Proxy(known, {
    get: (own, key) => {
      if (key in own || typeof key === "symbol" || key === "then" || key === "toJSON") return own[key];
      throw new Error(`AgentSession.agent.${key} is not available to extensions`);
    },
  });
}

const AGENT_EVENTS = new Set([
  "agent_start", "agent_end", "turn_start", "turn_end", "message_start", "message_update", "message_end",
  "tool_execution_start", "tool_execution_update", "tool_execution_end",
]);
