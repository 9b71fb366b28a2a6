// Settings beside those of the session, in files or in memory.
import { HANDLE, hold } from "pi:bridge/handle";

import { host } from "script:host";

const GETTERS = [
  "isProjectTrusted", "getLastChangelogVersion", "getSessionDir", "getDefaultProvider", "getDefaultModel", "getSteeringMode",
  "getFollowUpMode", "getThemeSetting", "getTheme", "getDefaultThinkingLevel", "getTransport", "getCompactionEnabled",
  "getCompactionReserveTokens", "getCompactionKeepRecentTokens", "getCompactionSettings", "getBranchSummarySettings",
  "getBranchSummarySkipPrompt", "getRetryEnabled", "getRetrySettings", "getHttpIdleTimeoutMs", "getProviderRetrySettings",
  "getWebSocketConnectTimeoutMs", "getHideThinkingBlock", "getShellPath", "getQuietStartup", "getDefaultProjectTrust",
  "getShellCommandPrefix", "getNpmCommand", "getCollapseChangelog", "getEnableInstallTelemetry", "getEnableAnalytics",
  "getTrackingId", "getPackages", "getExtensionPaths", "getSkillPaths", "getPromptTemplatePaths", "getThemePaths",
  "getEnableSkillCommands", "getThinkingBudgets", "getShowImages", "getImageWidthCells", "getClearOnShrink",
  "getShowTerminalProgress", "getImageAutoResize", "getBlockImages", "getEnabledModels", "getDoubleEscapeAction",
  "getTreeFilterMode", "getShowHardwareCursor", "getEditorPaddingX", "getAutocompleteMaxVisible", "getCodeBlockIndent",
  "getWarnings",
];
const SETTERS = [
  "setLastChangelogVersion", "setDefaultProvider", "setDefaultModel", "setDefaultModelAndProvider", "setSteeringMode",
  "setFollowUpMode", "setTheme", "setDefaultThinkingLevel", "setTransport", "setCompactionEnabled", "setRetryEnabled",
  "setHttpIdleTimeoutMs", "setHideThinkingBlock", "setShellPath", "setQuietStartup", "setDefaultProjectTrust",
  "setShellCommandPrefix", "setNpmCommand", "setCollapseChangelog", "setEnableInstallTelemetry", "setPackages",
  "setProjectPackages", "setExtensionPaths", "setProjectExtensionPaths", "setSkillPaths", "setProjectSkillPaths",
  "setPromptTemplatePaths", "setProjectPromptTemplatePaths", "setThemePaths", "setProjectThemePaths", "setEnableSkillCommands",
  "setShowImages", "setImageWidthCells", "setClearOnShrink", "setShowTerminalProgress", "setImageAutoResize",
  "setBlockImages", "setEnabledModels", "setDoubleEscapeAction", "setTreeFilterMode", "setShowHardwareCursor",
  "setEditorPaddingX", "setAutocompleteMaxVisible", "setWarnings",
];

const parsed = (text) => (text ? JSON.parse(text) : {});

const failure = ({ scope, message }) => ({ scope, error: new Error(message) });

export class SettingsManager {
  // What went wrong, until somebody asks.
  #problems = [];
  // Where a script keeps them itself; the program then has a copy.
  #storage;

  constructor(number) {
    if (typeof number !== "number") throw new Error("Use SettingsManager.create or SettingsManager.inMemory");
    hold(this, "settings", number);
  }
  static create(cwd, agentDir, options) {
    return new SettingsManager(host.sync("settings.create", cwd, agentDir, options?.projectTrusted));
  }
  static inMemory(settings) {
    return new SettingsManager(host.sync("settings.inMemory", settings));
  }
  static fromStorage(storage, options) {
    const manager = SettingsManager.inMemory();
    manager.#storage = storage;
    manager.setProjectTrusted(options?.projectTrusted ?? true);
    manager.#read("global");
    return manager;
  }

  getGlobalSettings() {
    return host.sync("settings.scope", this[HANDLE], "global");
  }
  getProjectSettings() {
    return host.sync("settings.scope", this[HANDLE], "project");
  }
  setProjectTrusted(isTrusted) {
    host.sync("settings.trust", this[HANDLE], Boolean(isTrusted));
    if (this.#storage) this.#read("project");
  }
  // The id that goes with it is made with the first yes.
  setEnableAnalytics(isEnabled) {
    const id = isEnabled && !this.getTrackingId() ? host.builtin("crypto").randomUUID() : undefined;
    this.#set("setEnableAnalytics", isEnabled, id);
  }
  applyOverrides(overrides) {
    host.sync("settings.override", this[HANDLE], overrides);
  }
  async reload() {
    if (!this.#storage) return void (await host.async("settings.reload", this[HANDLE]));
    this.#read("global");
    this.#read("project");
  }
  // Setters save at once; what could not be saved is tried again.
  async flush() {
    const message = await host.async("settings.flush", this[HANDLE]);
    if (message === undefined) this.#problems = [];
  }
  drainErrors() {
    const errors = [...host.sync("settings.drainErrors", this[HANDLE]), ...this.#problems];
    this.#problems = [];
    return errors.map(failure);
  }

  #set(name, ...values) {
    const { scope, keys, error } = host.sync("settings.set", this[HANDLE], name, ...values);
    if (error) this.#problems.push({ scope, message: error });
    if (this.#storage) this.#tried(scope, () => this.#storage.withLock(scope, (text) => this.#changed(scope, keys, text)));
  }
  // The text of a scope with these keys as they are now; what else is in there stays.
  #changed(scope, keys, text) {
    const all = parsed(text);
    const now = scope === "project" ? this.getProjectSettings() : this.getGlobalSettings();
    for (const [key, inner] of keys) all[key] = inner ? { ...all[key], [inner]: now[key]?.[inner] } : now[key];
    return JSON.stringify(all, null, 2);
  }
  #read(scope) {
    const counts = scope === "global" || this.isProjectTrusted();
    this.#tried(scope, () => {
      let text;
      if (counts) this.#storage.withLock(scope, (current) => void (text = current));
      host.sync("settings.replace", this[HANDLE], scope, parsed(text));
    });
  }
  #tried(scope, work) {
    try {
      work();
    } catch ({ message }) {
      this.#problems.push({ scope, message });
    }
  }
  static {
    for (const name of GETTERS) {
      SettingsManager.prototype[name] = function () {
        return host.sync("settings.get", this[HANDLE], name);
      };
    }
    for (const name of SETTERS) {
      SettingsManager.prototype[name] = function (...values) {
        this.#set(name, ...values);
      };
    }
  }
}
