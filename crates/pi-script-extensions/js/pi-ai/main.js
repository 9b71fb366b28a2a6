// What extensions import as `pi-ai`: models, calls, streams, tool arguments.
import { absent, lazy } from "pi:bridge/lazy";
import { streamOf } from "pi:ai/calls";

export {
  clearApiProviders, complete, completeSimple, getApiProvider, getApiProviders, registerApiProvider, registerBuiltInApiProviders,
  resetApiProviders, stream, streamSimple, unregisterApiProviders,
} from "pi:ai/calls";
export { AssistantMessageEventStream, EventStream, createAssistantMessageEventStream } from "pi:ai/event_stream";
export * from "pi:ai/models";

export const Type = lazy("typebox", "Type");

export const streamAnthropic = streamOf("anthropic-messages");
export const streamSimpleAnthropic = streamAnthropic;
export const streamAzureOpenAIResponses = streamOf("azure-openai-responses");
export const streamSimpleAzureOpenAIResponses = streamAzureOpenAIResponses;
export const streamGoogle = streamOf("google-generative-ai");
export const streamSimpleGoogle = streamGoogle;
export const streamGoogleVertex = streamOf("google-vertex");
export const streamSimpleGoogleVertex = streamGoogleVertex;
export const streamMistral = streamOf("mistral-conversations");
export const streamSimpleMistral = streamMistral;
export const streamOpenAICodexResponses = streamOf("openai-codex-responses");
export const streamSimpleOpenAICodexResponses = streamOpenAICodexResponses;
export const streamOpenAICompletions = streamOf("openai-completions");
export const streamSimpleOpenAICompletions = streamOpenAICompletions;
export const streamOpenAIResponses = streamOf("openai-responses");
export const streamSimpleOpenAIResponses = streamOpenAIResponses;

// Nothing here makes images, and the provider for tests is the program's own.
export const clearImagesApiProviders = absent("clearImagesApiProviders");
export const generateImages = absent("generateImages");
export const generateImagesOpenRouter = absent("generateImagesOpenRouter");
export const getImageModel = () => undefined;
export const getImageModels = () => [];
export const getImageProviders = () => [];
export const getImagesApiProvider = () => undefined;
export const registerBuiltInImagesApiProviders = () => {};
export const registerImagesApiProvider = absent("registerImagesApiProvider");
export const registerFauxProvider = absent("registerFauxProvider");
export const setBedrockProviderModule = absent("setBedrockProviderModule");
