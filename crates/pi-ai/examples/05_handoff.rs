//! A conversation that one model began and another goes on with. Thinking, signatures and call ids that only the first
//! understands are converted when the request is built; the transcript itself stays as it was.
#![allow(clippy::print_stdout, reason = "examples print")]

mod support;

use std::error::Error;

use pi_ai::{ContentBlock, Context, StreamOptions, ThinkingContent, ToolResultMessage, UserMessage, scripted};
use serde_json::json;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let (apis, model) = support::model([scripted::message([scripted::text("The file says hello.")])])?;

    let signed = ThinkingContent {
        thinking: "I should read it.".into(),
        thinking_signature: Some("c2lnbmF0dXJl".into()),
        ..ThinkingContent::default()
    };
    let mut foreign = scripted::tool_use([
        ContentBlock::Thinking(signed),
        scripted::tool_call("call_9|fc_12", "read", json!({"path": "hello.txt"})),
    ]);
    (foreign.provider, foreign.api, foreign.model) = ("openai".into(), "openai-responses".into(), "gpt-5".into());
    let results: Vec<_> = foreign.tool_calls().map(|call| ToolResultMessage::text(call, "hello", 0)).collect();
    let mut context = Context::prompt("What does hello.txt say?").with_message(foreign);
    for result in results {
        context = context.with_message(result);
    }
    context = context.with_message(UserMessage::text("Go on.", 0));

    let answer = apis.stream(model, context, StreamOptions::default())?.result().await;
    println!("{}", answer.error_message.as_deref().unwrap_or(&answer.text()));
    Ok(())
}
