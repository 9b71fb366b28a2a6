// What a session of a script is told besides the conversation: `DefaultResourceLoader`.
import { HANDLE } from "pi:bridge/handle";
import { createExtensionRuntime } from "pi:coding-agent/agent_session";

import { host } from "script:host";

const SAID = ["cwd", "agentDir", "noSkills", "noPromptTemplates", "noContextFiles", "systemPrompt", "appendSystemPrompt"];
const paths = (list) => (list ?? []).map(({ path }) => path);

export class DefaultResourceLoader {
  #options;
  #more = { skills: [], prompts: [] };
  #read;
  #skills = { skills: [], diagnostics: [] };
  #prompts = { prompts: [], diagnostics: [] };
  #themes = { themes: [], diagnostics: [] };
  #agentsFiles = [];
  #systemPrompt;
  #appendSystemPrompt = [];
  #extensions = { extensions: [], errors: [], runtime: createExtensionRuntime() };

  constructor(options = {}) {
    if (options.additionalExtensionPaths?.length > 0) {
      throw new Error("DefaultResourceLoader: additionalExtensionPaths is not available to extensions; give extensionFactories");
    }
    this.#options = options;
  }

  getExtensions() {
    return this.#extensions;
  }
  getSkills() {
    return this.#skills;
  }
  getPrompts() {
    return this.#prompts;
  }
  getThemes() {
    return this.#themes;
  }
  getAgentsFiles() {
    return { agentsFiles: this.#agentsFiles };
  }
  getSystemPrompt() {
    return this.#systemPrompt;
  }
  getAppendSystemPrompt() {
    return this.#appendSystemPrompt;
  }
  extendResources({ skillPaths, promptPaths } = {}) {
    this.#more.skills.push(...paths(skillPaths));
    this.#more.prompts.push(...paths(promptPaths));
    this.#load();
    this.#listed();
  }

  async reload() {
    this.#load();
    this.#listed();
    const { options, read } = { options: this.#options, read: this.#read };
    const changed = (name, base) => (options[name] ? options[name](base) : base);
    this.#themes = changed("themesOverride", { themes: [], diagnostics: [] });
    this.#agentsFiles = changed("agentsFilesOverride", { agentsFiles: read.agentsFiles }).agentsFiles;
    this.#systemPrompt = changed("systemPromptOverride", read.systemPrompt ?? undefined);
    this.#appendSystemPrompt = changed("appendSystemPromptOverride", read.appendSystemPrompt);
    const factories = options.extensionFactories ?? [];
    const extensions = factories.map((factory, place) => ({ path: `<inline:${place + 1}>`, factory }));
    this.#extensions = changed("extensionsOverride", { extensions, errors: [], runtime: this.#extensions.runtime });
  }

  #load() {
    const wanted = Object.fromEntries(SAID.map((name) => [name, this.#options[name]]));
    wanted.settingsManager = this.#options.settingsManager?.[HANDLE];
    wanted.skillPaths = [...(this.#options.additionalSkillPaths ?? []), ...this.#more.skills];
    wanted.promptPaths = [...(this.#options.additionalPromptTemplatePaths ?? []), ...this.#more.prompts];
    this.#read = host.sync("resources.load", wanted);
  }

  #listed() {
    const { skillsOverride, promptsOverride } = this.#options;
    const { skills, prompts } = this.#read;
    this.#skills = skillsOverride ? skillsOverride(skills) : skills;
    this.#prompts = promptsOverride ? promptsOverride(prompts) : prompts;
  }
}
