// What a login of the program asks of a script that began it.
import { withSignal } from "pi:bridge/signals";

import { host } from "script:host";

// Runs `work` with the numbers of the functions, as long as it lasts, and of the signal. What an answer throws is what the
// login fails with.
export async function asked(callbacks, work) {
  const numbers = {};
  let thrown;
  const number = (name, call) => (numbers[name] = host.callback(call));
  const answer = (name) =>
    number(name, async (question) => {
      try {
        return await callbacks[name](question);
      } catch (error) {
        thrown = { error };
        throw error;
      }
    });
  number("onAuth", (page) => callbacks.onAuth?.(page));
  number("onDeviceCode", (code) => callbacks.onDeviceCode?.(code));
  number("onProgress", (text) => callbacks.onProgress?.(text));
  answer("onPrompt");
  answer("onSelect");
  if (callbacks.onManualCodeInput) number("onManualCodeInput", () => callbacks.onManualCodeInput());
  try {
    return await withSignal(callbacks.signal, (token) => work(numbers, token));
  } catch (error) {
    throw thrown ? thrown.error : error;
  } finally {
    for (const each of Object.values(numbers)) host.forget(each);
  }
}
