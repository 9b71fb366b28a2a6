// What the wire formats and logins of extensions are called with.
import { host } from "script:host";

// Asks the extension's wire format, and says what it answers under the number of the answer.
export async function sayAll(streamSimple, model, context, options, signal, number) {
  const onPayload = (payload) => host.async("answer.payload", number, payload);
  const onResponse = (response) => host.async("answer.response", number, response);
  const events = await streamSimple(model, context, { ...options, signal, onPayload, onResponse });
  for await (const event of events) {
    const isHeard = host.sync("answer.say", number, plain(event));
    if (!isHeard || event.type === "done" || event.type === "error") return;
  }
  // A stream may just end, with a result.
  if (typeof events.result !== "function") return;
  const message = await events.result();
  const type = message.stopReason === "error" || message.stopReason === "aborted" ? "error" : "done";
  host.sync("answer.say", number, { type, reason: message.stopReason, message });
}

const BLOCK = /_(start|end)$/;

// An event without the message so far, of which only the block is needed that opens or closes.
function plain({ partial, toolCall, ...event }) {
  if (BLOCK.test(event.type)) event.block = toolCall ?? partial?.content?.[event.contentIndex];
  return event;
}

// What a login can ask of the user.
export const callbacksOf = (login, signal) => ({
  signal,
  onAuth: (page) => void host.sync("login.auth", login, page),
  onDeviceCode: (code) => void host.sync("login.deviceCode", login, code),
  onProgress: (text) => void host.sync("login.progress", login, String(text)),
  onPrompt: (prompt) => host.async("login.prompt", login, prompt),
  onSelect: (prompt) => host.async("login.select", login, prompt),
  onManualCodeInput: () => host.async("login.code", login),
});
