//! An image in a prompt. A model that cannot see is told that there was one.
#![allow(clippy::print_stdout, reason = "examples print")]

mod support;

use std::error::Error;

use pi_ai::{ContentBlock, Context, InputKind, StreamOptions, UserMessage, scripted};

/// A picture of one red pixel, PNG in base64.
const RED: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let (apis, model) = support::model([scripted::message([scripted::text("A single red pixel.")])])?;
    println!("sees images: {}", model.input.contains(&InputKind::Image));

    let blocks = vec![ContentBlock::text("What is this?"), ContentBlock::image(RED, "image/png")];
    let context = Context::default().with_message(UserMessage::blocks(blocks, 0));
    let answer = apis.stream(model, context, StreamOptions::default())?.result().await;
    println!("{}", answer.error_message.as_deref().unwrap_or(&answer.text()));
    Ok(())
}
