// What a login of the program asks of a script that began it.
import { withSignal } from "pi:bridge/signals";

import { host } from "script:host";

// Runs `work` with the numbers of the functions, as long as it lasts, and of the signal.
export async function asked(callbacks, work) {
  const numbers = {};
  const number = (name, call) => (numbers[name] = host.callback(call));
  number("onAuth", (page) => callbacks.onAuth?.(page));
  number("onDeviceCode", (code) => callbacks.onDeviceCode?.(code));
  number("onProgress", (text) => callbacks.onProgress?.(text));
  number("onPrompt", (prompt) => callbacks.onPrompt(prompt));
  number("onSelect", (prompt) => callbacks.onSelect(prompt));
  if (callbacks.onManualCodeInput) number("onManualCodeInput", () => callbacks.onManualCodeInput());
  try {
    return await withSignal(callbacks.signal, (token) => work(numbers, token));
  } finally {
    for (const each of Object.values(numbers)) host.forget(each);
  }
}
