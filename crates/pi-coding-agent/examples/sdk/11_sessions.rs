//! Where conversations are kept: in memory, in files; going on with one, forking it, going back in its tree.
#![allow(clippy::print_stdout, reason = "examples print")]

#[path = "support/mod.rs"]
mod support;

use std::ops::ControlFlow;

use pi_coding_agent::agent_session::{ForkPosition, NavigateOptions};
use pi_coding_agent::runtime::AgentSessionRuntime;
use pi_coding_agent::sdk::CreateAgentSessionOptions;
use pi_coding_agent::session::{SessionHost, SessionManager, list_sessions};
use support::{Offline, ask, says};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let offline = Offline::answering(["Paris.", "About two million.", "Rome.", "A summary."].map(says))?;
    let (host, cwd) = (SessionHost::new(offline.env()), offline.home.path());
    let options = |manager| {
        let options = CreateAgentSessionOptions::builder().session_manager(manager).env(offline.env());
        options.apis(offline.apis()).models(offline.models()).build()
    };

    // The most recent session of the directory, else a new one.
    let manager = SessionManager::continue_recent(host.clone(), cwd, None)?;
    let runtime = AgentSessionRuntime::create(options(manager)).await?;
    let session = runtime.session();
    ask(session, "The capital of France?").await?;
    ask(session, "How many people?").await?;
    session.name().set("capitals").await?;
    for info in list_sessions(&host.paths, cwd, None, |_, _| ControlFlow::Continue(())) {
        println!(
            "{}: {} messages, began with {:?}",
            info.name.unwrap_or_default(),
            info.message_count,
            info.first_message
        );
    }

    // Back to the first question, which is to be asked anew; the other branch stays in the file.
    let first = session.tree().fork_messages().await?.remove(0);
    let outcome = runtime.navigate_tree(&first.entry_id, NavigateOptions::default()).await?;
    println!(
        "to be edited: {:?}, {} messages",
        outcome.editor_text.unwrap_or_default(),
        session.stats().message_count()
    );
    ask(session, "The capital of Italy?").await?;
    let said: Vec<_> = session.tree().fork_messages().await?.into_iter().map(|message| message.text).collect();
    println!("on all branches: {said:?}");

    // And once more, with a summary of what is left.
    let options_of_way = NavigateOptions { summarize: true, ..NavigateOptions::default() };
    let outcome = runtime.navigate_tree(&first.entry_id, options_of_way).await?;
    println!("summarised: {}", outcome.summary_entry.is_some());

    // A session of its own that ends in front of a question.
    let question = session.tree().fork_messages().await?.remove(1);
    let fork = runtime.fork(&question.entry_id, ForkPosition::Before).await?;
    println!(
        "forked before {:?}, {} messages",
        fork.selected_text.unwrap_or_default(),
        session.stats().message_count()
    );
    runtime.dispose().await;
    println!("in memory: {:?}", SessionManager::in_memory(host, cwd).session_file());
    Ok(())
}
