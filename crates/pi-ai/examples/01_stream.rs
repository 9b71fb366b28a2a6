//! A call, its text as it arrives, and the complete message at the end.
#![allow(clippy::print_stdout, reason = "examples print")]

mod support;

use std::error::Error;

use futures::StreamExt;
use pi_ai::{AssistantMessageEvent, Context, StreamOptions, scripted};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let (apis, model) = support::model([scripted::message([scripted::text("Because air scatters blue light most.")])])?;

    let context = Context::prompt("Why is the sky blue?").with_system_prompt("Answer in one sentence.");
    let mut stream = apis.stream(model, context, StreamOptions::default())?;
    while let Some(event) = stream.next().await {
        if let AssistantMessageEvent::TextDelta { delta, .. } = event {
            print!("{delta}");
        }
    }
    println!();

    // A failed call is no `Err`: it ends in a message, too, with everything that arrived before.
    let answer = stream.result().await;
    println!("[{}] {} tokens", answer.stop_reason.as_str(), answer.usage.output);
    if let Some(error) = &answer.error_message {
        println!("failed: {error}");
    }
    Ok(())
}
