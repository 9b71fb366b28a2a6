// Commands that a script runs in its own way, for the program: what they print goes to the output of that number.
import { host } from "script:host";

export const bashFunction = (operations) => async (command, cwd, output, signal, timeout, env) => {
  const onData = (data) => host.sync("tools.output", output, asBytes(data));
  const result = await operations.exec(command, cwd, { onData, signal, timeout: timeout ?? undefined, env });
  return { exitCode: result?.exitCode ?? null };
};

// Texts count as UTF-8; other views of bytes as the bytes that they show.
export function asBytes(data) {
  if (typeof data === "string" || data instanceof Uint8Array) return data;
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : String(data);
}

// What Node's functions give where the program has bytes.
export const asBuffer = (bytes) => (globalThis.Buffer ? globalThis.Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) : bytes);
