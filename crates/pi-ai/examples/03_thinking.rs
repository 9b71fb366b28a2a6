//! A model that thinks: the level is one word, whatever the provider calls it.
#![allow(clippy::print_stdout, reason = "examples print")]

mod support;

use std::error::Error;
use std::sync::Arc;

use futures::StreamExt;
use pi_ai::thinking::{clamp_level, supported_levels};
use pi_ai::{AssistantMessageEvent as Event, Context, StreamOptions, ThinkingLevel, scripted};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let (apis, model) = support::model([scripted::message([
        scripted::thinking("17 has no divisor but 1 and itself."),
        scripted::text("Yes, 17 is prime."),
    ])])?;
    let levels: Vec<&str> = supported_levels(&model).into_iter().map(ThinkingLevel::as_str).collect();
    println!("levels: {}", levels.join(", "));

    // Not every model has every level; the next one that it has is taken.
    let options = StreamOptions { reasoning: clamp_level(&model, ThinkingLevel::Xhigh), ..StreamOptions::default() };
    println!("asked for xhigh, using {}", options.reasoning.as_str());
    let mut stream = apis.stream(Arc::clone(&model), Context::prompt("Is 17 prime?"), options)?;
    while let Some(event) = stream.next().await {
        match event {
            Event::ThinkingStart { .. } => print!("(thinks: "),
            Event::ThinkingDelta { delta, .. } | Event::TextDelta { delta, .. } => print!("{delta}"),
            Event::ThinkingEnd { .. } => println!(")"),
            _ => {}
        }
    }
    println!();
    Ok(())
}
