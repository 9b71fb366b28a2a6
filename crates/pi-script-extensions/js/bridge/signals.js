// Abort signals of scripts, for the program: a number stands for a token that follows the signal.
import { host } from "script:host";

// Runs `work` with the number of `signal`, or with undefined where there is none.
export async function withSignal(signal, work) {
  if (!signal) return work(undefined);
  const token = host.sync("token.new");
  const cancel = () => host.sync("token.cancel", token);
  if (signal.aborted) cancel();
  else signal.addEventListener("abort", cancel, { once: true });
  try {
    return await work(token);
  } finally {
    signal.removeEventListener("abort", cancel);
    host.sync("token.drop", token);
  }
}
