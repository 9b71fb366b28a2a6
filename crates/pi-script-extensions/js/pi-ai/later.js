// What `pi-ai` has since 0.80: the models and providers of the catalogue as objects, wire formats by name, small helpers.
import { complete, completeSimple, stream, streamOf, streamSimple } from "pi:ai/calls";
import { getEnvApiKey, getModel, getModels, getProviders } from "pi:ai/models";
import { getOAuthProvider } from "pi:ai/oauth";

import { host } from "script:host";

export const contentText = (content) =>
  typeof content === "string" ? content : content.filter(({ type }) => type === "text").map(({ text }) => text).join("\n");
export const getSystemMessageText = ({ content }) => contentText(content);
export const toToolDeclaration = ({ name, description, parameters }) => ({ name, description, parameters });
export const hasApi = (model, api) => model.api === api;
export const isRetryableAssistantError = ({ stopReason, errorMessage }) => stopReason === "error" && host.sync("ai.isRetryableText", errorMessage ?? "");

// A UUID of version 7: by time, then by chance.
export function uuidv7() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  let time = Date.now();
  for (let at = 5; at >= 0; at--, time = Math.floor(time / 256)) bytes[at] = time % 256;
  bytes[6] = (bytes[6] & 0x0f) | 0x70;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

// --- wire formats: each with the stream functions of its own
const api = (name) => () => ({ stream: streamOf(name), streamSimple: streamOf(name) });
export const anthropicMessagesApi = api("anthropic-messages");
export const azureOpenAIResponsesApi = api("azure-openai-responses");
export const bedrockConverseStreamApi = api("bedrock-converse-stream");
export const googleGenerativeAIApi = api("google-generative-ai");
export const googleVertexApi = api("google-vertex");
export const mistralConversationsApi = api("mistral-conversations");
export const openAICodexResponsesApi = api("openai-codex-responses");
export const openAICompletionsApi = api("openai-completions");
export const openAIResponsesApi = api("openai-responses");
export const piMessagesApi = api("pi-messages");
export const streamBedrock = streamOf("bedrock-converse-stream");
export const streamSimpleBedrock = streamBedrock;
// Formats of the program are there without being registered.
export const register = () => {};

// --- the catalogue
export const getBuiltinModel = getModel;
export const getBuiltinModels = getModels;
export const getBuiltinProviders = getProviders;
export const builtinProviders = () => getProviders().map(builtinProvider);
export const builtinImagesProviders = () => [];

export function builtinProvider(id) {
  const models = getModels(id);
  return {
    id,
    name: getOAuthProvider(id)?.name ?? id,
    baseUrl: models[0]?.baseUrl,
    auth: { apiKey: { name: `${id} API key`, resolve: async () => ({ apiKey: getEnvApiKey(id) }) } },
    getModels: () => getModels(id),
    stream,
    streamSimple,
  };
}

export function builtinModels() {
  const providers = () => builtinProviders();
  return {
    getProviders: providers,
    getProvider: (id) => providers().find((provider) => provider.id === id),
    getModels: (id) => (id === undefined ? getProviders().flatMap(getModels) : getModels(id)),
    getModel,
    stream,
    streamSimple,
    complete,
    completeSimple,
  };
}
