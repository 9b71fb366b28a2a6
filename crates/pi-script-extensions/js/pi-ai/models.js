// Models, prices, keys, tool arguments, and small helpers around messages. What they mean is the program's to say.
import { isBuilt } from "pi:typebox/kind";
import { host } from "script:host";

export const getProviders = () => host.sync("ai.getProviders");
export const getModels = (provider) => host.sync("ai.getModels", provider);
export const getModel = (provider, id) => host.sync("ai.getModel", provider, id);
export const modelsAreEqual = (a, b) => Boolean(a && b) && a.id === b.id && a.provider === b.provider;
export const getSupportedThinkingLevels = (model) => host.sync("ai.supportedThinkingLevels", model);
export const clampThinkingLevel = (model, level) => host.sync("ai.clampThinkingLevel", model, level);
export const findEnvKeys = (provider, env) => host.sync("ai.findEnvKeys", provider, env);
export const getEnvApiKey = (provider, env) => host.sync("ai.getEnvApiKey", provider, env);

// Writes the cost into the usage, and returns it.
export function calculateCost(model, usage) {
  usage.cost = Object.assign(usage.cost ?? {}, host.sync("ai.calculateCost", model, usage));
  return usage.cost;
}

// A choice of texts in the form that every provider takes.
export function StringEnum(values, options) {
  const schema = { type: "string", enum: [...values] };
  if (options?.description) schema.description = options.description;
  if (options?.default) schema.default = options.default;
  return schema;
}

export function validateToolArguments({ name, description, parameters }, toolCall) {
  return host.sync("ai.validate", { name, description: description ?? "", parameters }, toolCall.arguments, isBuilt(parameters));
}
export function validateToolCall(tools, toolCall) {
  const tool = tools.find(({ name }) => name === toolCall.name);
  if (!tool) throw new Error(`Tool "${toolCall.name}" not found`);
  return validateToolArguments(tool, toolCall);
}

export const isContextOverflow = (message, contextWindow) => host.sync("ai.isContextOverflow", message, contextWindow);
export const getOverflowPatterns = () => host.sync("ai.overflowPatterns").map((source) => new RegExp(source.replace(/^\(\?i\)/, ""), "i"));
export const parseStreamingJson = (text) => host.sync("ai.parseStreamingJson", text);
export const repairJson = (text) => host.sync("ai.repairJson", text);
export function parseJsonWithRepair(text) {
  try {
    return JSON.parse(text);
  } catch {
    return JSON.parse(repairJson(text));
  }
}

const cleanups = new Set();
export function registerSessionResourceCleanup(cleanup) {
  cleanups.add(cleanup);
  return () => cleanups.delete(cleanup);
}
export const cleanupSessionResources = (sessionId) => cleanups.forEach((cleanup) => cleanup(sessionId));

export const formatThrownValue = (value) => (value instanceof Error ? value.message : typeof value === "string" ? value : JSON.stringify(value) ?? String(value));
export function extractDiagnosticError(error) {
  if (!(error instanceof Error)) return { message: formatThrownValue(error) };
  const { name, message, stack, code } = error;
  return { name, message, stack, code };
}
export const createAssistantMessageDiagnostic = (type, error, details) => ({ type, timestamp: Date.now(), error: extractDiagnosticError(error), details });
export const appendAssistantMessageDiagnostic = (message, diagnostic) => void (message.diagnostics ??= []).push(diagnostic);

// Messages for tests.
export const fauxText = (text) => ({ type: "text", text });
export const fauxThinking = (thinking) => ({ type: "thinking", thinking });
export const fauxToolCall = (name, args, options = {}) => ({ type: "toolCall", id: options.id ?? `call_${Math.random().toString(36).slice(2)}`, name, arguments: args });
export function fauxAssistantMessage(content, options = {}) {
  const blocks = typeof content === "string" ? [fauxText(content)] : [content].flat();
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost };
  const about = { api: "faux", provider: "faux", model: "faux", stopReason: "stop", timestamp: Date.now() };
  return { role: "assistant", content: blocks, usage, ...about, ...options };
}
