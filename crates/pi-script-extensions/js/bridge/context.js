// `ctx`: the session, for handlers, tools and commands. Everything is asked when it is needed. The members are the
// object's own and need no `this`: scripts spread contexts and take them apart.
import { ModelRegistry } from "pi:bridge/models";
import { runSignal, wasAborted } from "pi:bridge/run_signal";
import { SessionManager } from "pi:bridge/session_manager";
import { createUi } from "pi:bridge/ui";

import { host } from "script:host";

// The contexts of activations, by number: all events of a session get the same ones.
const contexts = new Map();
const commandContexts = new Map();

export const contextOf = (number) => kept(contexts, number, context);
export const commandContextOf = (number) => kept(commandContexts, number, commandContext);

function kept(known, number, make) {
  let found = known.get(number);
  if (!found) known.set(number, (found = make(number)));
  return found;
}

// Forgets the contexts of activations whose session was replaced.
export function forgetContexts(numbers) {
  for (const number of numbers) {
    contexts.delete(number);
    commandContexts.delete(number);
  }
}

function context(number) {
  const ask = (name, ...args) => host.sync(`ctx.${name}`, number, ...args);
  let ui, sessionManager, modelRegistry;
  return {
    get ui() {
      ask("hasUI");
      return (ui ??= createUi(number));
    },
    get mode() {
      return ask("mode");
    },
    get hasUI() {
      return ask("hasUI");
    },
    get cwd() {
      return ask("cwd");
    },
    get sessionManager() {
      ask("hasUI");
      return (sessionManager ??= new SessionManager(number));
    },
    get modelRegistry() {
      ask("hasUI");
      return (modelRegistry ??= new ModelRegistry(number));
    },
    get model() {
      return ask("model");
    },
    get scopedModels() {
      return ask("scopedModels");
    },
    get thinkingLevel() {
      return ask("thinkingLevel");
    },
    // Of the run that is in progress.
    get signal() {
      return runSignal(number);
    },
    isIdle: () => ask("isIdle"),
    isProjectTrusted: () => ask("isProjectTrusted"),
    abort: () => wasAborted(number, ask("abort")),
    hasPendingMessages: () => ask("hasPendingMessages"),
    shutdown: () => ask("shutdown"),
    getContextUsage: () => ask("getContextUsage"),
    compact: (options) => {
      const done = host.callback((isOk, outcome) => {
        host.forget(done);
        return isOk ? options?.onComplete?.(outcome) : options?.onError?.(new Error(outcome));
      });
      ask("compact", options?.customInstructions, done);
    },
    getSystemPrompt: () => ask("getSystemPrompt"),
  };
}

const fork = (number, entry, options) =>
  replaced(options, (next) => host.async("ctx.fork", number, entry, options?.position, next));

// What commands can do besides.
const commandContext = (number) =>
  extended(context(number), {
    getSystemPromptOptions: () => host.sync("ctx.getSystemPromptOptions", number),
    waitForIdle: async () => void (await host.async("ctx.waitForIdle", number)),
    newSession: (options) =>
      replaced(options, (next) => host.async("ctx.newSession", number, options?.parentSession, next, setUp(options))),
    fork: (entry, options) => fork(number, entry, options),
    // As it was called once.
    branch: (entry) => fork(number, entry),
    navigateTree: (target, options) => host.async("ctx.navigateTree", number, target, options),
    switchSession: (path, options) => replaced(options, (next) => host.async("ctx.switchSession", number, path, next)),
    reload: async () => void (await host.async("ctx.reload", number)),
  });

// The context of a session that took the place of another one.
const replacedContext = (number) =>
  extended(commandContext(number), {
    sendMessage: async (message, options) => void (await host.async("ctx.sendMessage", number, message, options)),
    sendUserMessage: async (content, options) => void (await host.async("ctx.sendUserMessage", number, content, options)),
  });

// Copies no values: most of them are asked for.
const extended = (base, more) => Object.defineProperties(base, Object.getOwnPropertyDescriptors(more));

// Leaves the session, calls `withSession` in the one that took its place, and fails if that fails.
async function replaced(options, leave) {
  const withSession = options?.withSession;
  if (!withSession) return leave(undefined);
  let failure;
  const call = host.callback(async (number) => {
    host.forget(call);
    try {
      await withSession(replacedContext(number));
    } catch (error) {
      failure = { error };
    }
  });
  const outcome = await leave(call);
  if (failure) throw failure.error;
  return outcome;
}

// Writes the first entries of a new session, with a manager that can be written to.
function setUp(options) {
  const setup = options?.setup;
  if (!setup) return undefined;
  const call = host.callback(async (writer) => {
    host.forget(call);
    await setup(SessionManager.writable(writer));
  });
  return call;
}

// For `project_trust`: there is no session yet.
export function trustContext(number, { cwd, mode, hasUI }) {
  const { select, confirm, input, notify } = createUi(number);
  return { cwd, mode, hasUI, ui: { select, confirm, input, notify } };
}
