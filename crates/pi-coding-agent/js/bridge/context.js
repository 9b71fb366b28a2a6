// `ctx`: the session, for handlers, tools and commands. Everything is asked when it is needed.
import { ModelRegistry } from "pi:bridge/models";
import { SessionManager } from "pi:bridge/session_manager";
import { Ui } from "pi:bridge/ui";

import { host } from "script:host";

export class Context {
  constructor(number) {
    Object.defineProperty(this, "number", { value: number });
  }

  get ui() {
    host.sync("ctx.hasUI", this.number);
    return new Ui(this.number);
  }
  get mode() {
    return host.sync("ctx.mode", this.number);
  }
  get hasUI() {
    return host.sync("ctx.hasUI", this.number);
  }
  get cwd() {
    return host.sync("ctx.cwd", this.number);
  }
  get sessionManager() {
    host.sync("ctx.hasUI", this.number);
    return new SessionManager(this.number);
  }
  get modelRegistry() {
    host.sync("ctx.hasUI", this.number);
    return new ModelRegistry(this.number);
  }
  get model() {
    return host.sync("ctx.model", this.number);
  }
  // Of the run that is in progress.
  get signal() {
    const controller = new AbortController();
    const abort = host.callback(() => controller.abort());
    if (host.sync("ctx.watch", this.number, abort)) return controller.signal;
    host.forget(abort);
    return undefined;
  }
  isIdle() {
    return host.sync("ctx.isIdle", this.number);
  }
  isProjectTrusted() {
    return host.sync("ctx.isProjectTrusted", this.number);
  }
  abort() {
    host.sync("ctx.abort", this.number);
  }
  hasPendingMessages() {
    return host.sync("ctx.hasPendingMessages", this.number);
  }
  shutdown() {
    host.sync("ctx.shutdown", this.number);
  }
  getContextUsage() {
    return host.sync("ctx.getContextUsage", this.number);
  }
  compact(options) {
    const done = host.callback((isOk, outcome) => {
      host.forget(done);
      return isOk ? options?.onComplete?.(outcome) : options?.onError?.(new Error(outcome));
    });
    host.sync("ctx.compact", this.number, options?.customInstructions, done);
  }
  getSystemPrompt() {
    return host.sync("ctx.getSystemPrompt", this.number);
  }
}

// What commands can do besides.
export class CommandContext extends Context {
  getSystemPromptOptions() {
    return host.sync("ctx.getSystemPromptOptions", this.number);
  }
  async waitForIdle() {
    await host.async("ctx.waitForIdle", this.number);
  }
  newSession(options) {
    return host.async("ctx.newSession", this.number, options?.parentSession, goOn(options), setUp(options));
  }
  fork(entry, options) {
    return host.async("ctx.fork", this.number, entry, options?.position, goOn(options));
  }
  navigateTree(target, options) {
    return host.async("ctx.navigateTree", this.number, target, options);
  }
  switchSession(path, options) {
    return host.async("ctx.switchSession", this.number, path, goOn(options));
  }
  async reload() {
    await host.async("ctx.reload", this.number);
  }
}

// The context of a session that took the place of another one.
class ReplacedContext extends CommandContext {
  async sendMessage(message, options) {
    await host.async("ctx.sendMessage", this.number, message, options);
  }
  async sendUserMessage(content, options) {
    await host.async("ctx.sendUserMessage", this.number, content, options);
  }
}

// What is called in the new session.
function goOn(options) {
  const withSession = options?.withSession;
  if (!withSession) return undefined;
  const call = host.callback(async (number) => {
    host.forget(call);
    await withSession(new ReplacedContext(number));
  });
  return call;
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
export class TrustContext {
  constructor(number, { cwd, mode, hasUI }) {
    const { select, confirm, input, notify } = Ui.prototype;
    const ui = new Ui(number);
    this.cwd = cwd;
    this.mode = mode;
    this.hasUI = hasUI;
    this.ui = {
      select: select.bind(ui),
      confirm: confirm.bind(ui),
      input: input.bind(ui),
      notify: notify.bind(ui),
    };
  }
}
