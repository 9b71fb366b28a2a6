//! A tool: the model calls it, the program runs it, the model gets the result. `pi-agent-core` has this loop in full.
#![allow(clippy::print_stdout, reason = "examples print")]

mod support;

use std::error::Error;
use std::sync::Arc;

use pi_ai::{CoercionMode, Context, StreamOptions, ToolDefinition, ToolResultMessage, ToolValidator, scripted};
use serde_json::json;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let (apis, model) = support::model([
        scripted::tool_use([scripted::tool_call("call-1", "add", json!({"a": "2", "b": 3}))]),
        scripted::message([scripted::text("2 + 3 is 5.")]),
    ])?;
    let add = ToolDefinition {
        name: "add".into(),
        description: "Adds two numbers.".into(),
        parameters: json!({
            "type": "object",
            "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
            "required": ["a", "b"],
        }),
    };
    let validator = ToolValidator::new(&add, CoercionMode::Plain)?;
    let mut context = Context::prompt("How much is 2 + 3? Use the tool.").with_tool(add);

    loop {
        let answer = apis.stream(Arc::clone(&model), context.clone(), StreamOptions::default())?.result().await;
        context = context.with_message((*answer).clone());
        if answer.tool_calls().count() == 0 {
            println!("{}", answer.text());
            return Ok(());
        }
        for call in answer.tool_calls() {
            // Models send "2" where a number is wanted; what cannot be repaired becomes an error for the model to read.
            let (text, is_error) = match validator.validate(&call.arguments) {
                Ok(arguments) => {
                    let number = |name: &str| arguments[name].as_f64().unwrap_or_default();
                    ((number("a") + number("b")).to_string(), false)
                }
                Err(error) => (error.to_string(), true),
            };
            println!("{} {} → {text}", call.name, call.arguments);
            let result = ToolResultMessage { is_error, ..ToolResultMessage::text(call, text, 0) };
            context = context.with_message(result);
        }
    }
}
