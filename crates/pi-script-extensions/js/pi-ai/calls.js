// Model calls, and wire formats that scripts bring for their own calls.
import { withSignal } from "pi:bridge/signals";
import { AssistantMessageEventStream } from "pi:ai/event_stream";
import { Follower } from "pi:ai/follow";

import { host } from "script:host";

const own = new Map();

export const registerApiProvider = (provider, sourceId) => void own.set(provider.api, { ...provider, sourceId });
export const getApiProvider = (api) => own.get(api) ?? (host.sync("ai.hasApi", api) ? builtIn(api) : undefined);
export const getApiProviders = () => [...APIS.filter((api) => !own.has(api)).map(builtIn), ...own.values()];
export const clearApiProviders = () => own.clear();
export const resetApiProviders = () => own.clear();
export const registerBuiltInApiProviders = () => {};
export function unregisterApiProviders(sourceId) {
  for (const [api, provider] of own) if (provider.sourceId === sourceId) own.delete(api);
}

const APIS = [
  "anthropic-messages", "openai-completions", "openai-responses", "azure-openai-responses", "openai-codex-responses",
  "google-generative-ai", "google-vertex", "mistral-conversations", "bedrock-converse-stream",
];
const builtIn = (api) => ({ api, stream: call, streamSimple: call });

export function stream(model, context, options) {
  const provider = own.get(model.api);
  return provider ? provider.stream(model, context, options) : call(model, context, options);
}
export function streamSimple(model, context, options) {
  const provider = own.get(model.api);
  return provider ? provider.streamSimple(model, context, options) : call(model, context, options);
}
export const complete = async (model, context, options) => stream(model, context, options).result();
export const completeSimple = async (model, context, options) => streamSimple(model, context, options).result();

// The function of one wire format; models of another one are refused.
export const streamOf = (api) => (model, context, options) => {
  if (model.api !== api) throw new Error(`Mismatched api: ${model.api} expected ${api}`);
  return call(model, context, options);
};

function call(model, context, options = {}) {
  if (!host.sync("ai.hasApi", model.api)) throw new Error(`No API provider registered for api: ${model.api}`);
  const answer = new AssistantMessageEventStream();
  run(answer, model, context, options ?? {});
  return answer;
}

// A call with the key and the headers that a registry has for the model.
export function streamWith(registry, method, model, context, options = {}) {
  const answer = new AssistantMessageEventStream();
  const pass = async () => {
    const auth = await registry.getApiKeyAndHeaders(model);
    if (!auth.ok) throw new Error(auth.error);
    const headers = { ...auth.headers, ...options.headers };
    const how = { ...options, apiKey: options.apiKey ?? auth.apiKey, headers, env: { ...auth.env, ...options.env } };
    const call = method === "stream" ? stream : streamSimple;
    for await (const event of call(model, context, how)) answer.push(event);
  };
  pass().catch((error) => {
    const reason = options.signal?.aborted ? "aborted" : "error";
    answer.push({ type: "error", reason, error: failure(model, reason, error) });
  });
  return answer;
}

async function run(answer, model, context, { signal, onPayload, onResponse, ...wanted }) {
  const follower = new Follower();
  const held = [];
  const hold = (fn) => fn && (held.push(host.callback(fn)), held.at(-1));
  const listener = hold((event) => answer.push(follower.follow(event)));
  const hooks = [hold(onPayload && ((payload) => onPayload(payload, model))), hold(onResponse && ((response) => onResponse(response, model)))];
  const told = { systemPrompt: context.systemPrompt, messages: context.messages ?? [], tools: context.tools?.map(definition) };
  try {
    await withSignal(signal, (token) => host.async("ai.stream", model, told, wanted, listener, token, ...hooks));
  } catch (error) {
    const reason = signal?.aborted ? "aborted" : "error";
    answer.push({ type: "error", reason, error: failure(model, reason, error, follower.message) });
  } finally {
    for (const number of held) host.forget(number);
  }
}

const definition = ({ name, description, parameters }) => ({ name, description: description ?? "", parameters: parameters ?? {} });

const NOTHING = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 };

function failure(model, stopReason, error, partial) {
  const { api, provider, id } = model;
  const usage = { ...NOTHING, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 } };
  const errorMessage = error?.message ?? String(error);
  const empty = { role: "assistant", content: [], api, provider, model: id, usage, timestamp: Date.now() };
  return { ...empty, ...partial, stopReason, errorMessage };
}
