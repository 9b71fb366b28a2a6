//! What a long answer costs the process that serves an editor: memory per delta, which must not grow with the answer.
//!
//! A binary of its own: the crate that counts replaces the global allocator of whatever links it.
#![allow(clippy::disallowed_methods, reason = "no run of a test is replayed by its clock and ids")]
#![allow(clippy::unwrap_used, clippy::panic)] // helpers of a test

use std::io::{PipeWriter, Write};
use std::path::Path;
use std::sync::Arc;

use allocation_counter::{AllocationInfo, measure};
use pi_ai::ApiRegistry;
use pi_ai::scripted::{self, ScriptedOptions, ScriptedProvider};
use pi_coding_agent::acp::{AcpOptions, serve_acp};
use pi_coding_agent::auth_storage::AuthStorage;
use pi_coding_agent::env::Env;
use pi_coding_agent::gate::GateMode;
use pi_coding_agent::models::ModelRegistry;
use pi_coding_agent::rpc::Output;
use pi_coding_agent::session_pool::{PoolOptions, SessionPool};
use serde_json::{Map, Value, json};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// Bytes that a delta of four characters may allocate on its way from the provider to the output, and allocations.
const MOST_BYTES: u64 = 8 << 10;
const MOST_ALLOCATIONS: u64 = 30;

/// The end of the output: counts chunks, and hands on what answers a request.
struct Sink {
    line: Vec<u8>,
    chunks: usize,
    answers: mpsc::UnboundedSender<(Value, usize)>,
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        for byte in bytes {
            if *byte != b'\n' {
                self.line.push(*byte);
                continue;
            }
            let line: Value = serde_json::from_slice(&self.line).unwrap();
            self.line.clear();
            self.chunks += usize::from(line["params"]["update"]["sessionUpdate"] == "agent_message_chunk");
            if line.get("id").is_some() {
                // Who asked may be done.
                let _ = self.answers.send((line, self.chunks));
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Options for an agent whose model says a text in pieces of four characters.
fn options(dir: &Path, text: &str) -> AcpOptions {
    let pieces = ScriptedOptions { token_size: 1..=1, ..ScriptedOptions::default() };
    let provider = ScriptedProvider::new(pieces);
    provider.set_steps([scripted::message([scripted::text(text)])]);
    let apis = ApiRegistry::empty();
    apis.register(Arc::new(provider.clone()));
    let env = Env::fixed([("HOME", dir.to_str().unwrap())]);
    let auth = AuthStorage::in_memory(Map::new(), env.clone(), pi_ai::system_clock());
    auth.set_runtime_key(&provider.model().provider, "key");
    let models = ModelRegistry::new(Arc::new(auth), Arc::new(provider.models().to_vec()), None);
    let pool = PoolOptions::builder().env(env).apis(Arc::new(apis)).models(Arc::new(models)).build();
    AcpOptions {
        pool: Arc::new(SessionPool::new(pool)),
        prepare: Arc::new(|options, _| options),
        session_dir: None,
        asks_trust: false,
        asks: GateMode::Never,
        version: "0".to_owned(),
        open_page: Arc::new(|_, _| {}),
        tool_servers: None,
    }
}

/// Asks for an answer of so many deltas; returns how many chunks came.
async fn converse(dir: &Path, deltas: usize) -> usize {
    let options = options(dir, &"word".repeat(deltas));
    let (input, mut editor) = std::io::pipe().unwrap();
    let (answers, mut answered) = mpsc::unbounded_channel();
    let (output, _thread) = Output::start(Sink { line: Vec::new(), chunks: 0, answers }).unwrap();
    let stop = CancellationToken::new();
    let client = async move {
        let mut ask = async |method: &str, params: Value| -> (Value, usize) {
            send(&mut editor, method, &params);
            answered.recv().await.unwrap()
        };
        ask("initialize", json!({"protocolVersion": 1})).await;
        let (created, _) = ask("session/new", json!({"cwd": dir, "mcpServers": []})).await;
        let prompt = json!([{"type": "text", "text": "go"}]);
        let params = json!({"sessionId": created["result"]["sessionId"], "prompt": prompt});
        let (answer, chunks) = ask("session/prompt", params).await;
        assert_eq!(answer["result"]["stopReason"], "end_turn", "{answer}");
        chunks
    };
    let (served, chunks) = tokio::join!(serve_acp(options, input, output, &stop), client);
    served.unwrap();
    chunks
}

fn send(editor: &mut PipeWriter, method: &str, params: &Value) {
    let line = json!({"jsonrpc": "2.0", "id": method, "method": method, "params": params});
    writeln!(editor, "{line}").unwrap();
}

fn cost(deltas: usize) -> AllocationInfo {
    let dir = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    measure(|| assert_eq!(runtime.block_on(converse(dir.path(), deltas)), deltas))
}

#[test]
fn a_delta_of_a_long_answer_costs_what_one_of_a_short_answer_does() {
    let (few, many) = (5_000, 20_000);
    let (short, long) = (cost(few), cost(many));
    let more = (many - few) as u64;
    let (bytes, allocations) =
        ((long.bytes_total - short.bytes_total) / more, (long.count_total - short.count_total) / more);
    assert!(bytes <= MOST_BYTES && allocations <= MOST_ALLOCATIONS, "{bytes} bytes, {allocations} allocations each");
    // A cost that grew with the answer would be sixteen times as high. Lines that wait for the output are spare buffers later:
    // how many there are depends on the threads.
    let is_linear = |long: u64, short: u64| long <= 5 * short;
    assert!(is_linear(long.bytes_total, short.bytes_total), "{long:?} for {many} deltas, {short:?} for {few}");
    assert!(is_linear(long.count_total, short.count_total), "{long:?} for {many} deltas, {short:?} for {few}");
}
