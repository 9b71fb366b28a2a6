//! Another `pi`, driven over RPC: the recorded tour of this repository, without key and network.
//!
//! `cargo run -p pi-coding-agent --example 14_rpc_client [PROGRAM]`; without an argument the `pi` beside this example, else
//! the one in `PATH`.
#![allow(clippy::print_stdout, reason = "examples print")]

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pi_coding_agent::rpc::{EventDetail, RpcClient, RpcClientOptions};

/// Recorded answers; see `docs/cassettes.md`.
const CASSETTE: &str = "fixtures/cassettes/tour.jsonl";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let args = ["--no-session", "--replay", CASSETTE].map(String::from);
    let options = RpcClientOptions::builder().program(program()?).args(args).cwd(repository).build();
    let pi = RpcClient::start(options)?;

    // Nothing here looks at the message so far, so it need not be sent with every word.
    pi.set_event_detail(EventDetail::Delta).await?;
    let mut events = pi.subscribe();
    pi.prompt("What is this repository, and where do I start?").await?;
    while let Some(event) = events.next().await {
        if let Some(text) = event.text_delta() {
            print!("{text}");
            std::io::stdout().flush()?;
        }
        if event.kind() == "tool_execution_start" {
            println!("\n[{}]", event.value()["toolName"].as_str().unwrap_or_default());
        }
        if event.is_settled() {
            break;
        }
    }
    println!();

    let stats = pi.get_session_stats().await?;
    println!("[{} messages, {} tool calls]", stats.totals.total_messages, stats.totals.tool_calls);
    let exit = pi.stop(Duration::from_secs(5)).await;
    println!("[pi {exit}]");
    Ok(())
}

/// The program to drive.
fn program() -> Result<PathBuf, std::io::Error> {
    if let Some(program) = std::env::args_os().nth(1) {
        return Ok(program.into());
    }
    let this = std::env::current_exe()?;
    let built = this.ancestors().skip(1).take(2).map(|dir| dir.join("pi")).find(|path| path.is_file());
    Ok(built.unwrap_or_else(|| "pi".into()))
}
