// Completions: commands after a slash, their arguments, paths.
import { host } from "script:host";
import { fuzzyFilter } from "pi:tui/fuzzy";

const node = (name) => host.builtin(name);
const nameOf = (command) => command.name ?? command.value;
const DELIMITERS = /[\s"'=]/;

export class CombinedAutocompleteProvider {
  constructor(commands = [], basePath = ".", fdPath = null) {
    this.commands = commands;
    this.basePath = basePath;
    this.fdPath = fdPath;
  }

  async getSuggestions(lines, cursorLine, cursorCol, { signal, force = false } = {}) {
    const before = (lines[cursorLine] ?? "").slice(0, cursorCol);
    const command = /^\/(\S*)(?:\s([^]*))?$/.exec(before);
    if (command && !force) return command[2] === undefined ? this.#names(before) : this.#arguments(command[1], command[2]);
    const prefix = lastToken(before);
    const isPath = /^(?:\.{0,2}\/|~\/|\.)/.test(prefix) || prefix.includes("/");
    if (signal?.aborted || !(force || isPath)) return null;
    const items = this.#files(prefix);
    return items.length > 0 ? { items, prefix } : null;
  }

  #names(before) {
    const items = fuzzyFilter(this.commands, before.slice(1), nameOf).map((command) => {
      const description = [command.argumentHint, command.description].filter(Boolean).join(" — ");
      return { value: nameOf(command), label: command.label ?? nameOf(command), ...(description && { description }) };
    });
    return items.length > 0 ? { items, prefix: before } : null;
  }

  async #arguments(name, prefix) {
    const command = this.commands.find((known) => nameOf(known) === name);
    const items = await command?.getArgumentCompletions?.(prefix);
    return Array.isArray(items) && items.length > 0 ? { items, prefix } : null;
  }

  // Directory entries that begin like the last part of a path, directories first.
  #files(prefix) {
    const path = node("path");
    const mark = prefix.startsWith("@") ? "@" : "";
    const written = prefix.slice(mark.length);
    const folder = written.slice(0, written.lastIndexOf("/") + 1);
    const start = written.slice(folder.length).toLowerCase();
    const home = folder.startsWith("~/") ? path.join(node("os").homedir(), folder.slice(2)) : folder;
    let entries;
    try {
      entries = node("fs").readdirSync(path.resolve(this.basePath, home || "."), { withFileTypes: true });
    } catch {
      return [];
    }
    return entries
      .filter((entry) => entry.name.toLowerCase().startsWith(start) && entry.name !== ".git")
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
      .sort((a, b) => b.isFolder - a.isFolder || (a.name < b.name ? -1 : 1))
      .map(({ name, isFolder }) => {
        const value = folder + name + (isFolder ? "/" : "");
        return { value: mark + (/\s/.test(value) ? `"${value}"` : value), label: name + (isFolder ? "/" : "") };
      });
  }

  applyCompletion(lines, cursorLine, cursorCol, item, prefix) {
    const line = lines[cursorLine] ?? "";
    const from = cursorCol - prefix.length;
    const before = line.slice(0, from);
    const isCommand = prefix.startsWith("/") && before.trim() === "" && !prefix.slice(1).includes("/") && !item.value.startsWith("/");
    const isMention = prefix.startsWith("@") && !item.value.endsWith("/");
    const text = isCommand ? `/${item.value} ` : item.value + (isMention ? " " : "");
    const result = [...lines];
    result[cursorLine] = before + text + line.slice(cursorCol);
    return { lines: result, cursorLine, cursorCol: from + text.length };
  }

  shouldTriggerFileCompletion(lines, cursorLine, cursorCol) {
    return !/^\s*\/\S*$/.test((lines[cursorLine] ?? "").slice(0, cursorCol));
  }
}

const lastToken = (text) => {
  let from = text.length;
  while (from > 0 && !DELIMITERS.test(text[from - 1])) from--;
  return text.slice(from);
};
