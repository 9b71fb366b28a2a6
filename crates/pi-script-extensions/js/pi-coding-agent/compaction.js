// Sizes, cuts and summaries of conversations.
import { withSignal } from "pi:bridge/signals";

import { host } from "script:host";

export const convertToLlm = (messages) => host.sync("summaries.convertToLlm", messages);
export const serializeConversation = (messages) => host.sync("summaries.serialize", messages);
export const estimateTokens = (message) => host.sync("summaries.estimateTokens", message);
export const calculateContextTokens = (usage) => host.sync("summaries.contextTokens", usage);
export const shouldCompact = (tokens, contextWindow, settings) => host.sync("summaries.shouldCompact", tokens, contextWindow, settings);
export function findCutPoint(entries, start, end, keepRecentTokens) {
  const cut = host.sync("summaries.cutPoint", entries, start, end, keepRecentTokens);
  if (cut.firstKeptEntryIndex < end) return cut;
  // Nothing would be kept. Callers look at the entry: for them everything from the first one on that can begin a context is.
  const begins = ({ type, message }) => (type === "message" ? message.role !== "toolResult" : type === "branch_summary" || type === "custom_message");
  const first = Math.max(start, entries.findIndex((entry, i) => i >= start && i < end && begins(entry)));
  const isTurn = entries[first]?.type !== "message" || entries[first].message.role === "user";
  const turnStartIndex = isTurn ? -1 : findTurnStartIndex(entries, first, start);
  return { firstKeptEntryIndex: first, turnStartIndex, isSplitTurn: !isTurn && turnStartIndex !== -1 };
}

// Where the turn began that an entry belongs to; -1 when it began before `start`.
export function findTurnStartIndex(entries, index, start) {
  for (let at = index; at >= start; at--) {
    const { type, message } = entries[at];
    if (type === "branch_summary" || type === "custom_message") return at;
    if (type === "message" && (message.role === "user" || message.role === "bashExecution")) return at;
  }
  return -1;
}

// What the last answer that was neither aborted nor failed reported.
export function getLastAssistantUsage(entries) {
  const counts = ({ type, message }) =>
    type === "message" && message.role === "assistant" && message.usage && message.stopReason !== "aborted" && message.stopReason !== "error";
  return entries.findLast(counts)?.message.usage;
}

const listed = ({ read = [], written = [], edited = [] } = {}) => ({ read: [...read], written: [...written], edited: [...edited] });

export function compact(preparation, model, apiKey, headers, customInstructions, signal, thinkingLevel, _stream, env) {
  const prepared = { ...preparation, fileOps: listed(preparation.fileOps) };
  const request = { model, apiKey, headers, customInstructions, thinkingLevel, env };
  return withSignal(signal, (token) => host.async("summaries.compact", prepared, request, token));
}

export async function generateSummary(
  messages, model, reserveTokens, apiKey, headers, signal, customInstructions, previousSummary, thinkingLevel, _stream, env,
) {
  const settings = { reserveTokens };
  const prepared = { messagesToSummarize: messages, turnPrefixMessages: [], tokensBefore: 0, previousSummary, settings };
  return (await compact(prepared, model, apiKey, headers, customInstructions, signal, thinkingLevel, undefined, env)).summary;
}

// What is left behind on the way from one entry to another.
export function collectEntriesForBranchSummary(session, oldLeafId, targetId) {
  if (!oldLeafId) return { entries: [], commonAncestorId: null };
  const old = session.getBranch(oldLeafId);
  const target = new Set(session.getBranch(targetId).map(({ id }) => id));
  const common = old.findLastIndex(({ id }) => target.has(id));
  return { entries: old.slice(common + 1), commonAncestorId: old[common]?.id ?? null };
}

export function prepareBranchEntries(entries, tokenBudget) {
  const { fileOps, ...prepared } = host.sync("summaries.prepareBranch", entries, tokenBudget);
  const sets = Object.fromEntries(Object.entries(fileOps).map(([kind, paths]) => [kind, new Set(paths)]));
  return { ...prepared, fileOps: sets };
}

export function generateBranchSummary(entries, { signal, streamFn: _stream, ...request }) {
  return withSignal(signal, (token) => host.async("summaries.branch", entries, request, token));
}
