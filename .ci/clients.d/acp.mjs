// pi-acp, through the official SDK of the Agent Client Protocol: a session, an answer, a tool call, a prompt that is
// cancelled and one after it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import * as acp from "@agentclientprotocol/sdk";

const here = dirname(fileURLToPath(import.meta.url));
const adapter = spawn(process.execPath, [join(here, "node_modules/pi-acp/dist/index.js")], { stdio: ["pipe", "pipe", "inherit"], cwd: process.env.CLIENT_CWD });
const updates = [];
let seen = () => {};
const client = () => ({
  sessionUpdate: async ({ update }) => { updates.push(update); seen(update); },
  requestPermission: async ({ options }) => ({ outcome: { outcome: "selected", optionId: options[0].optionId } }),
  readTextFile: async () => ({ content: "" }),
  writeTextFile: async () => ({}),
});
const stream = acp.ndJsonStream(Writable.toWeb(adapter.stdin), Readable.toWeb(adapter.stdout));
const connection = new acp.ClientSideConnection(client, stream);
const text = () => updates.filter((update) => update.sessionUpdate === "agent_message_chunk").map((update) => update.content.text).join("");

await connection.initialize({ protocolVersion: acp.PROTOCOL_VERSION, clientCapabilities: {} });
const { sessionId } = await connection.newSession({ cwd: process.env.CLIENT_CWD, mcpServers: [] });
const say = (words) => { updates.length = 0; return connection.prompt({ sessionId, prompt: [{ type: "text", text: words }] }); };

assert.equal((await say("hello")).stopReason, "end_turn");
assert.match(text(), /first answer/);
assert.equal((await say("use a tool")).stopReason, "end_turn");
assert.ok(updates.some((update) => update.sessionUpdate === "tool_call"), "no tool call");
assert.match(text(), /tool done/);
const begun = new Promise((resolve) => { seen = (update) => update.sessionUpdate === "agent_message_chunk" && resolve(); });
const cancelled = say("endless prompt");
await begun;
await connection.cancel({ sessionId });
assert.equal((await cancelled).stopReason, "cancelled");
console.log("acp: all passed");
adapter.kill();
process.exit(0);
