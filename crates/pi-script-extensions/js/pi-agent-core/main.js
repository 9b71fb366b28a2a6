// What extensions import as `pi-agent-core`: its types are what they use; what else it exports mostly runs an agent.
import { absent, absentClass } from "pi:bridge/lazy";

export { DEFAULT_COMPACTION_SETTINGS, DEFAULT_MAX_BYTES, DEFAULT_MAX_LINES } from "pi:coding-agent/facts";
export {
  calculateContextTokens, collectEntriesForBranchSummary, compact, convertToLlm, estimateTokens, findCutPoint, findTurnStartIndex,
  generateBranchSummary, generateSummary, getLastAssistantUsage, prepareBranchEntries, serializeConversation, shouldCompact,
} from "pi:coding-agent/compaction";
export {
  BRANCH_SUMMARY_PREFIX, BRANCH_SUMMARY_SUFFIX, COMPACTION_SUMMARY_PREFIX, COMPACTION_SUMMARY_SUFFIX,
} from "pi:agent-core/summaries";
export { buildSessionContext } from "pi:coding-agent/sessions";
export { formatSize, truncateHead, truncateLine, truncateTail } from "pi:coding-agent/texts";

export const GREP_MAX_LINE_LENGTH = 500;

// --- results that are values
export const ok = (value) => ({ ok: true, value });
export const err = (error) => ({ ok: false, error });
export const toError = (value) => (value instanceof Error ? value : new Error(String(value)));
export const getOrUndefined = (result) => (result.ok ? result.value : undefined);
export function getOrThrow(result) {
  if (result.ok) return result.value;
  throw result.error;
}

// --- what runs an agent
export const Agent = absentClass("Agent");
export const AgentHarness = absentClass("AgentHarness");
export const AgentHarnessError = absentClass("AgentHarnessError");
export const BranchSummaryError = absentClass("BranchSummaryError");
export const CompactionError = absentClass("CompactionError");
export const ExecutionError = absentClass("ExecutionError");
export const FileError = absentClass("FileError");
export const InMemorySessionRepo = absentClass("InMemorySessionRepo");
export const JsonlSessionRepo = absentClass("JsonlSessionRepo");
export const Session = absentClass("Session");
export const SessionError = absentClass("SessionError");
export const agentLoop = absent("agentLoop");
export const agentLoopContinue = absent("agentLoopContinue");
export const bashExecutionToText = absent("bashExecutionToText");
export const createBranchSummaryMessage = absent("createBranchSummaryMessage");
export const createCompactionSummaryMessage = absent("createCompactionSummaryMessage");
export const createCustomMessage = absent("createCustomMessage");
export const createSessionId = absent("createSessionId");
export const createTimestamp = absent("createTimestamp");
export const estimateContextTokens = absent("estimateContextTokens");
export const executeShellWithCapture = absent("executeShellWithCapture");
export const formatPromptTemplateInvocation = absent("formatPromptTemplateInvocation");
export const formatSkillInvocation = absent("formatSkillInvocation");
export const formatSkillsForSystemPrompt = absent("formatSkillsForSystemPrompt");
export const getEntriesToFork = absent("getEntriesToFork");
export const getFileSystemResultOrThrow = absent("getFileSystemResultOrThrow");
export const loadPromptTemplates = absent("loadPromptTemplates");
export const loadSkills = absent("loadSkills");
export const loadSourcedPromptTemplates = absent("loadSourcedPromptTemplates");
export const loadSourcedSkills = absent("loadSourcedSkills");
export const parseCommandArgs = absent("parseCommandArgs");
export const prepareCompaction = absent("prepareCompaction");
export const runAgentLoop = absent("runAgentLoop");
export const runAgentLoopContinue = absent("runAgentLoopContinue");
export const sanitizeBinaryOutput = absent("sanitizeBinaryOutput");
export const streamProxy = absent("streamProxy");
export const substituteArgs = absent("substituteArgs");
export const toSession = absent("toSession");
export const uuidv7 = absent("uuidv7");
