//! Calls in a wrong shape that a tool understood: listeners see what the model sent, the model sees the right shape.

use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;
use pi_agent_core::{AgentEvent, Tool, ToolError, ToolInvocation, ToolOutput};
use pi_ai::{Message, ToolDefinition};
use serde_json::{Value, json};

use crate::agent::support::{Act, Bench, Reply, tool};

/// Understands a number sent as `number`, and wants it remembered as `n`.
#[derive(Debug)]
struct Forgiving(Arc<dyn Tool>);

impl Tool for Forgiving {
    fn definition(&self) -> &Arc<ToolDefinition> {
        self.0.definition()
    }

    fn corrected_arguments(&self, arguments: &Value) -> Option<Value> {
        Some(json!({ "n": arguments.get("number")? }))
    }

    fn execute(&self, call: ToolInvocation) -> BoxFuture<'_, Result<ToolOutput, ToolError>> {
        self.0.execute(call)
    }
}

fn arguments(message: &Message) -> Vec<String> {
    let calls = message.as_assistant().map(|answer| answer.tool_calls().map(|call| call.arguments.to_string()));
    calls.into_iter().flatten().collect()
}

#[tokio::test]
async fn the_transcript_remembers_the_right_shape() {
    let calls = vec![("a", "forgiving", json!({"number": 1})), ("b", "forgiving", json!({"n": 2}))];
    let forgiving: Arc<dyn Tool> = Arc::new(Forgiving(tool("forgiving", Act::Echo)));
    let bench = Bench::new([Reply::Calls(calls), Reply::Text("done")], [forgiving]);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    bench.on(move |event| {
        let (name, message) = match event {
            AgentEvent::MessageEnd { message } => ("message_end", message),
            AgentEvent::TurnEnd { message, .. } => ("turn_end", message),
            AgentEvent::AgentEnd { messages } => ("agent_end", &messages[1]),
            _ => return,
        };
        let arguments = arguments(message);
        if !arguments.is_empty() {
            log.lock().unwrap().push(format!("{name} {}", arguments.join(" ")));
        }
    });
    bench.run("go").await;
    assert_eq!(
        *seen.lock().unwrap(),
        [r#"message_end {"number":1} {"n":2}"#, r#"turn_end {"n":1} {"n":2}"#, r#"agent_end {"n":1} {"n":2}"#,]
    );
    let asked = bench.script.requests.lock().unwrap()[1].messages.clone();
    assert_eq!(arguments(&asked[1]), [r#"{"n":1}"#, r#"{"n":2}"#]);
    assert_eq!(arguments(&bench.agent.state().messages[1]), [r#"{"n":1}"#, r#"{"n":2}"#]);
}

#[tokio::test]
async fn what_needs_no_correction_stays_the_same_message() {
    let calls = vec![("a", "forgiving", json!({"n": 2}))];
    let forgiving: Arc<dyn Tool> = Arc::new(Forgiving(tool("forgiving", Act::Echo)));
    let bench = Bench::new([Reply::Calls(calls), Reply::Text("done")], [forgiving]);
    let announced = Arc::new(Mutex::new(None));
    let slot = Arc::clone(&announced);
    bench.on(move |event| {
        if let AgentEvent::MessageEnd { message } = event
            && !arguments(message).is_empty()
        {
            *slot.lock().unwrap() = Some(Arc::clone(message));
        }
    });
    bench.run("go").await;
    let announced = announced.lock().unwrap().clone().unwrap();
    assert!(Arc::ptr_eq(&announced, &bench.agent.state().messages[1]));
}
