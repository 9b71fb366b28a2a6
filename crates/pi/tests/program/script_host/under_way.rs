//! Work of a script that is under way while extensions are reloaded comes to its end.

use serde_json::{Value, json};

use crate::script_host::stage::{Stage, call, failures, notices, tool_result};
use pi_test_kit::{Live, answer, tool_call};

/// Each piece of work waits until it is told to go on, by a file that a second extension writes after the reload.
const WORKER: &str = "import { createReadTool, createBashTool, createFindTool } from '@earendil-works/pi-coding-agent';
import fs from 'node:fs';
const GO = 'ROOT/go';
const told = async () => { while (!fs.existsSync(GO)) await new Promise((next) => setTimeout(next, 5)); };
const begin = (pi: any, what: string) => pi.events.emit('begun', what);
export default function (pi: any) {
  const plain = { type: 'object', properties: {} };
  const tool = (name: string, execute: any) =>
    pi.registerTool({ name, label: name, description: name, parameters: plain, execute });
  tool('reading', (id: string, _: any, signal: any, update: any) => createReadTool('/far', { operations: {
    access: async () => update({ content: [{ type: 'text', text: 'begun' }] }),
    readFile: async () => { await told(); return Buffer.from('read from afar'); },
  } }).execute(id, { path: 'x.txt' }, signal, undefined));
  tool('running', (id: string, _: any, signal: any, update: any) => createBashTool('/', { operations: {
    exec: async (command: string, cwd: string, { onData }: any) => {
      update({ content: [{ type: 'text', text: 'begun' }] });
      await told();
      onData(`ran ${command}`);
      return { exitCode: 0 };
    },
  } }).execute(id, { command: 'far' }, signal, undefined));
  tool('hooked', (id: string, _: any, signal: any, update: any) => createBashTool('/', {
    spawnHook: async (spawn: any) => {
      update({ content: [{ type: 'text', text: 'begun' }] });
      await told();
      return { ...spawn, command: 'echo hooked' };
    },
  }).execute(id, { command: 'far' }, signal, undefined));
  pi.registerProvider('own', { name: 'Own', baseUrl: 'http://own.invalid', apiKey: 'key', api: 'own-format',
    models: [{ id: 'slow', name: 'Slow', reasoning: false, input: ['text'], contextWindow: 1000, maxTokens: 100,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } }],
    streamSimple: (model: any) => (async function* () {
      const message: any = { role: 'assistant', content: [], api: model.api, provider: model.provider, model: model.id,
        usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 } },
        stopReason: 'stop', timestamp: 1 };
      yield { type: 'start', partial: message };
      message.content.push({ type: 'text', text: 'first' });
      yield { type: 'text_start', contentIndex: 0, partial: message };
      yield { type: 'text_delta', contentIndex: 0, delta: 'first', partial: message };
      await told();
      message.content[0].text += ' and last';
      yield { type: 'text_delta', contentIndex: 0, delta: ' and last', partial: message };
      yield { type: 'text_end', contentIndex: 0, content: message.content[0].text, partial: message };
      yield { type: 'done', reason: 'stop', message };
    })(),
  });
}";

/// Reloads, and then lets go on what waits.
const RELOADER: &str = "import fs from 'node:fs';
import { streamSimple } from '@earendil-works/pi-ai';
export default function (pi: any) {
  pi.registerCommand('reload', { handler: async (_: string, ctx: any) => {
    await ctx.reload();
    fs.writeFileSync('ROOT/go', '');
    ctx.ui.notify('reloaded');
  } });
  pi.registerCommand('ask', { handler: async (_: string, ctx: any) => {
    const ask = { messages: [{ role: 'user', content: 'hello', timestamp: 0 }] };
    for await (const event of streamSimple(ctx.modelRegistry.find('own', 'slow'), ask, { apiKey: 'key' })) {
      if (event.type === 'text_delta' && !fs.existsSync('ROOT/go')) {
        await ctx.reload();
        fs.writeFileSync('ROOT/go', '');
      }
      if (event.type === 'done') console.error(`heard: ${event.message.content[0].text}`);
      if (event.type === 'error') console.error(`failed: ${event.error.errorMessage}`);
    }
  } });
}";

async fn stage(replies: impl IntoIterator<Item = pi_test_kit::Reply>) -> Stage {
    let stage = Stage::new(&[("worker.ts", ""), ("reloader.ts", "")], replies).await;
    let root = stage.world.root().to_str().unwrap().to_owned();
    for (name, source) in [("worker.ts", WORKER), ("reloader.ts", RELOADER)] {
        stage.world.write(name, &source.replace("ROOT", &root));
    }
    stage
}

/// Begins a run, reloads when `is_under_way`, and takes the lines up to the end of the run.
async fn reload_during(pi: &mut Live, is_under_way: impl Fn(&Value) -> bool) -> Vec<Value> {
    pi.send(&format!("{}\n", json!({"type": "prompt", "message": "work"}))).await;
    pi.until(is_under_way).await;
    pi.send(&format!("{}\n", json!({"type": "prompt", "message": "/reload"}))).await;
    pi.until(|line| line["type"] == "agent_end").await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_with_operations_in_script_survives_a_reload() {
    for (tool, expected) in [("reading", "read from afar"), ("running", "ran far"), ("hooked", "hooked\n")] {
        let stage = stage([tool_call("c1", tool, &json!({})), answer("done")]).await;
        let mut pi = stage.serve();
        let lines = reload_during(&mut pi, |line| line["type"] == "tool_execution_update").await;
        assert_eq!(failures(&lines), [""; 0], "{tool}");
        let (is_error, text) = tool_result(&lines);
        assert_eq!((is_error, text.as_str()), (false, expected), "{tool}");
        assert_eq!(pi.end().await.0, 0, "{tool}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_of_a_script_survives_a_reload() {
    let stage = stage([]).await;
    let mut pi = stage.world.pi(&stage.arguments(&["--mode", "rpc", "--model", "own/slow"])).start();
    let is_delta = |line: &Value| line["assistantMessageEvent"]["type"] == "text_delta";
    let lines = reload_during(&mut pi, is_delta).await;
    assert_eq!((failures(&lines), notices(&lines)), (vec![], vec!["reloaded"]));
    let end = lines.last().unwrap();
    let message = end["messages"].as_array().unwrap().last().unwrap();
    assert_eq!(
        (message["stopReason"].as_str(), message["content"][0]["text"].as_str()),
        (Some("stop"), Some("first and last")),
        "{end}"
    );
    assert_eq!(pi.end().await.0, 0);
}

/// No run holds the extension whose wire format answers: only the answer itself does.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_outside_of_a_run_survives_a_reload() {
    let stage = stage([]).await;
    let mut pi = stage.serve();
    assert_eq!(failures(&call(&mut pi, "/ask").await), [""; 0]);
    let (code, complaints) = pi.end().await;
    assert_eq!(code, 0);
    assert!(complaints.contains("heard: first and last"), "{complaints}");
}
