// Themes for components, and texts as the program shows them.
import { theme } from "pi:bridge/theme";

import { host } from "script:host";
const tui = () => host.importNow("pi:tui/main");

export { Theme } from "pi:bridge/theme";
export const initTheme = () => void theme();

const paint = (colour) => (text) => theme().fg(colour, text);

export function getMarkdownTheme() {
  const style = (method) => (text) => theme()[method](text);
  return {
    heading: paint("mdHeading"),
    link: paint("mdLink"),
    linkUrl: paint("mdLinkUrl"),
    code: paint("mdCode"),
    codeBlock: paint("mdCodeBlock"),
    codeBlockBorder: paint("mdCodeBlockBorder"),
    quote: paint("mdQuote"),
    quoteBorder: paint("mdQuoteBorder"),
    hr: paint("mdHr"),
    listBullet: paint("mdListBullet"),
    bold: style("bold"),
    italic: style("italic"),
    underline: style("underline"),
    strikethrough: style("strikethrough"),
    highlightCode,
  };
}

export const getSelectListTheme = () => ({
  selectedPrefix: paint("accent"),
  selectedText: paint("accent"),
  description: paint("muted"),
  scrollInfo: paint("muted"),
  noMatch: paint("muted"),
});

export const getSettingsListTheme = () => ({
  label: (text, isSelected) => (isSelected ? theme().fg("accent", text) : text),
  value: (text, isSelected) => theme().fg(isSelected ? "accent" : "muted", text),
  description: paint("dim"),
  cursor: theme().fg("accent", "→ "),
  hint: paint("dim"),
});

// Code in lines. There are no grammars here: all of it has the colour of code.
export const highlightCode = (code) => code.split("\n").map(paint("mdCodeBlock"));

const LANGUAGES = {
  ts: "typescript", tsx: "typescript", mts: "typescript", cts: "typescript", js: "javascript", jsx: "javascript", mjs: "javascript",
  cjs: "javascript", py: "python", rb: "ruby", rs: "rust", go: "go", java: "java", kt: "kotlin", swift: "swift", c: "c", h: "c",
  cpp: "cpp", cc: "cpp", cxx: "cpp", hpp: "cpp", cs: "csharp", php: "php", sh: "bash", bash: "bash", zsh: "bash", fish: "fish",
  ps1: "powershell", sql: "sql", html: "html", htm: "html", css: "css", scss: "scss", sass: "sass", less: "less", json: "json",
  yaml: "yaml", yml: "yaml", toml: "toml", xml: "xml", md: "markdown", markdown: "markdown", dockerfile: "dockerfile",
  makefile: "makefile", cmake: "cmake", lua: "lua", perl: "perl", r: "r", scala: "scala", clj: "clojure", ex: "elixir", exs: "elixir",
  erl: "erlang", hs: "haskell", ml: "ocaml", vim: "vim", graphql: "graphql", proto: "protobuf", tf: "hcl", hcl: "hcl",
};
export const getLanguageFromPath = (path) => {
  const name = path.split("/").at(-1).toLowerCase();
  return LANGUAGES[name.split(".").at(-1)];
};

const SIGNS = { "+": "toolDiffAdded", "-": "toolDiffRemoved" };
export const renderDiff = (diff) => diff.split("\n").map((line) => theme().fg(SIGNS[line[0]] ?? "toolDiffContext", line.replaceAll("\t", "   "))).join("\n");

// --- keys
export const keyText = (keybinding) => tui().getKeybindings().getKeys(keybinding).join("/");
export const rawKeyHint = (key, description) => theme().fg("dim", key) + theme().fg("muted", ` ${description}`);
export const keyHint = (keybinding, description) => rawKeyHint(keyText(keybinding), description);

// The last lines of a text, as they are on the screen.
export function truncateToVisualLines(text, maxVisualLines, width, paddingX = 0) {
  if (!text) return { visualLines: [], skippedCount: 0 };
  const lines = new (tui().Text)(text, paddingX, 0).render(width);
  const skippedCount = Math.max(0, lines.length - maxVisualLines);
  return { visualLines: lines.slice(skippedCount), skippedCount };
}
