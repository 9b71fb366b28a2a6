//! A whole run on a cassette: recorded with its tools, then repeated to the byte without network, key and tools.
//!
//! `cargo run -p pi-coding-agent --example 15_replay`. The network of this example is a script, so that it runs anywhere.
#![allow(clippy::disallowed_methods, reason = "a program makes clock, ids and environment")]
#![allow(clippy::print_stdout, reason = "examples print")]

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use futures::FutureExt;
use futures::future::BoxFuture;
use futures::stream::{self, StreamExt};
use pi_ai::transport::{HttpRequest, HttpResponse, HttpTransport};
use pi_coding_agent::agent_session::PromptOptions;
use pi_coding_agent::env::Env;
use pi_coding_agent::paths::Paths;
use pi_coding_agent::prompt::local_date;
use pi_coding_agent::replay::RunCassette;
use pi_coding_agent::sdk::{CreateAgentSessionOptions, create_agent_session};
use pi_coding_agent::session::{NewSession, SessionHost, SessionManager};
use serde_json::{Value, json};
use time::UtcOffset;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let place = tempfile::tempdir()?;
    let cassette = place.path().join("run.jsonl");
    let network = Arc::new(Script::default());
    let run = RunCassette::record(&cassette, network, &SessionHost::new(Env::process()), UtcOffset::UTC)?;
    let recorded = conversation(&run, place.path(), "recorded").await?;
    std::fs::remove_file(place.path().join("made-by-bash"))?;

    // The same answers, the same results of tools, the same time and ids: the same session file. Nothing is run.
    for name in ["first", "second"] {
        let run = RunCassette::replay(&cassette)?;
        let replayed = conversation(&run, place.path(), name).await?;
        println!("{name} replay: {}", if replayed == recorded { "byte for byte the same" } else { "differs" });
        run.left_over().into_iter().for_each(|left_over| println!("{left_over}"));
    }
    println!("the command ran again: {}", place.path().join("made-by-bash").exists());

    // Whoever asks for something else is told where that begins.
    let run = RunCassette::replay(&cassette)?;
    session(&run, place.path(), "other", "Make something else.").await?;
    println!("{}", run.divergence().unwrap_or_default());
    Ok(())
}

/// The session file of one conversation.
async fn conversation(run: &RunCassette, cwd: &Path, name: &str) -> Result<String, Box<dyn Error>> {
    session(run, cwd, name, "Make a file.").await
}

async fn session(run: &RunCassette, cwd: &Path, name: &str, prompt: &str) -> Result<String, Box<dyn Error>> {
    let model = pi_ai::get_model("anthropic", "claude-sonnet-4-5").ok_or("no such model")?;
    let paths = Paths::new(Env::process(), cwd);
    // Time and ids of the session are those of the run.
    let host = SessionHost { paths, clock: run.clock(), ids: run.ids() };
    let files = NewSession { dir: Some(cwd.join(name)), ..NewSession::default() };
    let options = CreateAgentSessionOptions {
        session_manager: Some(SessionManager::create(host, cwd, &files)?),
        date: Some(local_date(&*run.clock(), run.utc_offset())),
        http: Some(run.transport()),
        clock: run.clock(),
        wrap_tool: run.wrap_tool(),
        ..CreateAgentSessionOptions::in_memory(cwd, model, "not a real key")
    };
    let session = create_agent_session(options)?.session;
    session.prompt(prompt, PromptOptions::default()).await?;
    session.dispose().await;
    let file = session.session_file().ok_or("the session has no file")?;
    Ok(std::fs::read_to_string(file)?)
}

/// A network that answers with a call of bash first, then with a sentence.
#[derive(Debug, Default)]
struct Script(AtomicUsize);

impl HttpTransport for Script {
    fn send(&self, _request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, pi_ai::Error>> {
        let call = json!({"type": "tool_use", "id": "call_1", "name": "bash", "input": {}});
        let arguments = json!({"command": "date > made-by-bash; cat made-by-bash"}).to_string();
        let body = match self.0.fetch_add(1, Ordering::Relaxed) {
            0 => answer(&call, &json!({"type": "input_json_delta", "partial_json": arguments}), "tool_use"),
            _ => answer(
                &json!({"type": "text", "text": ""}),
                &json!({"type": "text_delta", "text": "Done."}),
                "end_turn",
            ),
        };
        let body = stream::iter([Ok(Bytes::from(body))]).boxed();
        async move { Ok(HttpResponse { status: 200, headers: Default::default(), body }) }.boxed()
    }
}

/// An answer in Anthropic's wire format.
fn answer(block: &Value, delta: &Value, stop_reason: &str) -> String {
    let message = json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [],
        "usage": {"input_tokens": 7, "output_tokens": 1}});
    let events = [
        json!({"type": "message_start", "message": message}),
        json!({"type": "content_block_start", "index": 0, "content_block": block}),
        json!({"type": "content_block_delta", "index": 0, "delta": delta}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": stop_reason}, "usage": {"output_tokens": 5}}),
        json!({"type": "message_stop"}),
    ];
    events
        .iter()
        .map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default()))
        .collect()
}
