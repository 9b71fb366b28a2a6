// `pi-ai/oauth`: logins of the built-in providers, and the polling that own logins need.

import { asked } from "pi:bridge/logins";

import { host } from "script:host";

export const OPENAI_CODEX_BROWSER_LOGIN_METHOD = "browser";
export const OPENAI_CODEX_DEVICE_CODE_LOGIN_METHOD = "device_code";

const login = (id) => (callbacks) =>
  asked(callbacks, (said, token) => host.async("oauth.login", id, said, token));
const refresh = (id) => (credentials) => host.async("oauth.refresh", id, credentials);
const builtIn = ({ id, name, usesCallbackServer }) => ({
  id,
  name,
  usesCallbackServer,
  login: login(id),
  refreshToken: refresh(id),
  getApiKey: (credentials) => host.sync("oauth.apiKey", id, credentials),
});

export const getOAuthProviders = () => host.sync("oauth.providers").map(builtIn);
export const getOAuthProvider = (id) => getOAuthProviders().find((provider) => provider.id === id);
export const getOAuthProviderInfoList = () => getOAuthProviders().map(({ id, name }) => ({ id, name, available: true }));
export const refreshOAuthToken = (id, credentials) => host.async("oauth.refresh", id, credentials);
export async function getOAuthApiKey(id, credentials) {
  const provider = getOAuthProvider(id);
  if (!provider) throw new Error(`Unknown OAuth provider: ${id}`);
  const stored = credentials[id];
  if (!stored) return null;
  const newCredentials = Date.now() < stored.expires ? stored : { ...stored, ...(await provider.refreshToken(stored)) };
  return { newCredentials, apiKey: provider.getApiKey(newCredentials) };
}

const named = (id, name) => builtIn({ id, name, usesCallbackServer: id !== "github-copilot" });
export const anthropicOAuthProvider = named("anthropic", "Anthropic (Claude Pro/Max)");
export const githubCopilotOAuthProvider = named("github-copilot", "GitHub Copilot");
export const openaiCodexOAuthProvider = named("openai-codex", "ChatGPT Plus/Pro (Codex Subscription)");

const renew = (id) => async (refreshToken) => host.async("oauth.refresh", id, { refresh: refreshToken, access: "", expires: 0 });
export const refreshAnthropicToken = renew("anthropic");
export const refreshGitHubCopilotToken = renew("github-copilot");
export const refreshOpenAICodexToken = renew("openai-codex");
export const loginAnthropic = login("anthropic");
export const loginGitHubCopilot = login("github-copilot");
const loginCodex = (method) => (callbacks) => login("openai-codex")({ ...callbacks, onSelect: () => method });
export const loginOpenAICodex = loginCodex(OPENAI_CODEX_BROWSER_LOGIN_METHOD);
export const loginOpenAICodexDeviceCode = loginCodex(OPENAI_CODEX_DEVICE_CODE_LOGIN_METHOD);

// Logins of extensions belong to a provider.
const byProvider = (name) => () => {
  throw new Error(`${name} is not available here: use pi.registerProvider(name, { oauth }) and pi.unregisterProvider(name)`);
};
export const registerOAuthProvider = byProvider("registerOAuthProvider");
export const unregisterOAuthProvider = byProvider("unregisterOAuthProvider");
export const resetOAuthProviders = byProvider("resetOAuthProviders");

// The host name in what a user typed, or null.
export function normalizeDomain(input) {
  const [, domain] = /^\s*(?:https?:\/\/)?([^/\s:?#]+)/i.exec(input) ?? [];
  return domain?.includes(".") ? domain.toLowerCase() : null;
}
export const getGitHubCopilotBaseUrl = (token, enterpriseDomain) => {
  const [, proxy] = /proxy-ep=([^;]+)/.exec(token ?? "") ?? [];
  if (proxy) return `https://${proxy.replace(/^proxy\./, "api.")}`;
  return enterpriseDomain ? `https://copilot-api.${enterpriseDomain}` : "https://api.individual.githubcopilot.com";
};

// Asks again and again whether the user has typed the code in.
export async function pollOAuthDeviceCodeFlow({ intervalSeconds = 5, expiresInSeconds, poll, signal }) {
  const end = expiresInSeconds ? Date.now() + expiresInSeconds * 1000 : Infinity;
  let interval = Math.max(1, intervalSeconds) * 1000;
  while (Date.now() < end) {
    if (signal?.aborted) throw new Error("Login cancelled");
    const said = await poll();
    if (said.status === "complete") return said.value;
    if (said.status === "failed") throw new Error(said.message);
    if (said.status === "slow_down") interval += 5000;
    await pause(Math.min(interval, end - Date.now()), signal);
  }
  throw new Error("Device flow timed out");
}

const pause = (ms, signal) =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(new Error("Login cancelled"));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
