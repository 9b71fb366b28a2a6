// Functions of texts, events and resources. Whatever the program has a meaning for is asked of it.
import { host } from "script:host";

export const truncateHead = (text, options) => host.sync("text.truncateHead", text, options);
export const truncateTail = (text, options) => host.sync("text.truncateTail", text, options);
export const truncateLine = (line, maxChars = 500) => host.sync("text.truncateLine", line, maxChars);
export const formatSize = (bytes) => host.sync("text.formatSize", bytes);
export const generateUnifiedPatch = (path, before, after) => host.sync("text.patch", path, before, after);
export function generateDiffString(before, after, contextLines) {
  const { diff, firstChangedLine } = host.sync("text.diff", before, after, contextLines);
  return { diff, firstChangedLine: firstChangedLine ?? undefined };
}

export const parseFrontmatter = (text) => host.sync("text.frontmatter", text);
export const stripFrontmatter = (text) => parseFrontmatter(text).body;
export const parseSkillBlock = (text) => host.sync("text.skillBlock", text);
export const loadSkills = (options) => host.sync("skills.load", options);
export function loadSkillsFromDir({ dir, source }) {
  const { skills, diagnostics } = host.sync("skills.load", { skillPaths: [dir], includeDefaults: false });
  const scope = source === "user" || source === "project" ? source : "temporary";
  const named = source === "path" || scope !== "temporary" ? "local" : source;
  const placed = (skill) => ({ ...skill, sourceInfo: { ...skill.sourceInfo, source: named, scope, baseDir: skill.baseDir } });
  return { skills: skills.map(placed), diagnostics };
}
export const formatSkillsForPrompt = (skills) => host.sync("skills.format", skills);
export const loadProjectContextFiles = (options) => host.sync("contextFiles.load", options);
export const createSyntheticSourceInfo = (path, { source, scope = "temporary", origin = "top-level", baseDir }) => ({ path, source, scope, origin, baseDir });

// --- which tool an event is about
export const isToolCallEventType = (name, event) => event.toolName === name;
const resultOf = (name) => (event) => event.toolName === name;
export const isBashToolResult = resultOf("bash");
export const isReadToolResult = resultOf("read");
export const isEditToolResult = resultOf("edit");
export const isWriteToolResult = resultOf("write");
export const isGrepToolResult = resultOf("grep");
export const isFindToolResult = resultOf("find");
export const isLsToolResult = resultOf("ls");

// A bus of one's own; that of the session is `pi.events`.
export function createEventBus() {
  const listeners = new Map();
  const tell = async (channel, handler, data) => {
    try {
      await handler(data);
    } catch (error) {
      console.error(`Event handler error (${channel}):`, error);
    }
  };
  return {
    emit: (channel, data) => [...(listeners.get(channel) ?? [])].forEach((handler) => void tell(channel, handler, data)),
    on: (channel, handler) => {
      if (!listeners.has(channel)) listeners.set(channel, new Set());
      listeners.get(channel).add(handler);
      return () => void listeners.get(channel)?.delete(handler);
    },
    clear: () => listeners.clear(),
  };
}

export const formatDimensionNote = ({ wasResized, originalWidth, originalHeight, width, height } = {}) => {
  if (!wasResized) return undefined;
  const scale = (originalWidth / width).toFixed(2);
  return `[Image: original ${originalWidth}x${originalHeight}, displayed at ${width}x${height}. Multiply coordinates by ${scale} to map to original image.]`;
};
