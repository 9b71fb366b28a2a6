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

const failure = ({ scope, message }) => ({ scope, error: new Error(message) });

export class SettingsManager {
  // What could not be saved, until somebody asks.
  #unsaved = [];

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

  getGlobalSettings() {
    return host.sync("settings.scope", this[HANDLE], "global");
  }
  getProjectSettings() {
    return host.sync("settings.scope", this[HANDLE], "project");
  }
  setProjectTrusted(isTrusted) {
    host.sync("settings.trust", this[HANDLE], Boolean(isTrusted));
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
    await host.async("settings.reload", this[HANDLE]);
  }
  // Setters save at once; what could not be saved is tried again.
  async flush() {
    const message = await host.async("settings.flush", this[HANDLE]);
    if (message === undefined) this.#unsaved = [];
  }
  drainErrors() {
    const errors = [...host.sync("settings.drainErrors", this[HANDLE]), ...this.#unsaved];
    this.#unsaved = [];
    return errors.map(failure);
  }

  #set(name, ...values) {
    const { scope, error } = host.sync("settings.set", this[HANDLE], name, ...values);
    if (error) this.#unsaved.push({ scope, message: error });
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
