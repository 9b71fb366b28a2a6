// `pi acp`, through the official SDK of the Agent Client Protocol: sessions, an answer, a tool call, a prompt that is
// cancelled and one after it, options, the list, a session that is loaded. editor.mjs PROGRAM; it stands beside the SDK.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import { client, methods, ndJsonStream, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";

const { agent } = methods;
const cwd = process.env.CLIENT_CWD;
const updates = [];
let seen = () => {};

/** Runs `work` with a program of its own. */
async function withAgent(work) {
  const program = spawn(process.argv[2], ["acp"], { stdio: ["pipe", "pipe", "inherit"], cwd });
  const ended = new Promise((resolve) => program.on("exit", resolve));
  const editor = client({ name: "check" })
    .onNotification(methods.client.session.update, ({ params }) => { updates.push(params.update); seen(params.update); })
    .onRequest(methods.client.session.requestPermission, ({ params }) => ({ outcome: { outcome: "selected", optionId: params.options[0].optionId } }));
  await editor.connectWith(ndJsonStream(Writable.toWeb(program.stdin), Readable.toWeb(program.stdout)), async (context) => {
    const said = await context.request(agent.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} });
    assert.equal(said.protocolVersion, 1);
    assert.equal(said.agentInfo.name, "pi");
    await work(context);
  });
  program.stdin.end();
  assert.equal(await ended, 0);
}

const text = () => updates.filter((update) => update.sessionUpdate === "agent_message_chunk").map((update) => update.content.text).join("");
const say = (context, sessionId, words) => {
  updates.length = 0;
  return context.request(agent.session.prompt, { sessionId, prompt: [{ type: "text", text: words }] });
};

let stored;
await withAgent(async (context) => {
  const { sessionId, configOptions } = await context.request(agent.session.new, { cwd, mcpServers: [] });
  stored = sessionId;
  assert.equal((await say(context, sessionId, "hello")).stopReason, "end_turn");
  assert.match(text(), /first answer/);
  assert.equal((await say(context, sessionId, "use a tool")).stopReason, "end_turn");
  const states = updates.filter((update) => update.sessionUpdate === "tool_call_update").map((update) => update.status).filter(Boolean);
  assert.deepEqual(states, ["in_progress", "completed"]);
  assert.match(text(), /tool done/);
  const begun = new Promise((resolve) => { seen = (update) => update.sessionUpdate === "agent_message_chunk" && resolve(); });
  const cancelled = say(context, sessionId, "endless prompt");
  await begun;
  const start = performance.now();
  await context.notify(agent.session.cancel, { sessionId });
  assert.equal((await cancelled).stopReason, "cancelled");
  console.log(`editor: cancelled after ${Math.round(performance.now() - start)} ms`);
  assert.equal((await say(context, sessionId, "/session")).stopReason, "end_turn");
  const thinking = configOptions.find((option) => option.category === "thought_level");
  const value = thinking.options.at(-1).value;
  const changed = await context.request(agent.session.setConfigOption, { sessionId, configId: thinking.id, value });
  assert.equal(changed.configOptions.find((option) => option.id === thinking.id).currentValue, value);
  const other = await context.request(agent.session.new, { cwd, mcpServers: [] });
  assert.notEqual(other.sessionId, sessionId);
  await assert.rejects(context.request(agent.session.new, { cwd: "relative", mcpServers: [] }));
});
await withAgent(async (context) => {
  const { sessions } = await context.request(agent.session.list, { cwd });
  assert.ok(sessions.some((session) => session.sessionId === stored));
  updates.length = 0;
  await context.request(agent.session.load, { sessionId: stored, cwd, mcpServers: [] });
  assert.match(text(), /first answer.*tool done/s);
  await context.request(agent.session.close, { sessionId: stored });
  await context.request(agent.session.delete, { sessionId: stored });
  const left = await context.request(agent.session.list, { cwd });
  assert.ok(left.sessions.every((session) => session.sessionId !== stored));
});
console.log("editor: all passed");
