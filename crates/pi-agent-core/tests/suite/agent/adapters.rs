//! What saves a program from writing types of its own: tools and listeners from closures, streams from a registry.

use std::sync::{Arc, Mutex};

use pi_agent_core::{Agent, AgentOptions, AgentState, FnTool, Tool, ToolError, ToolOutput, ToolSet, api_stream_fn};
use pi_ai::scripted::{self, ScriptedProvider};
use pi_ai::{ApiRegistry, Message, Model, ToolDefinition};
use serde_json::json;

use crate::agent::support::{Act, Bench, Reply, tool};

fn half() -> FnTool {
    let parameters =
        json!({ "type": "object", "properties": { "number": { "type": "integer" } }, "required": ["number"] });
    let definition = ToolDefinition { name: "half".into(), description: "Halves a number.".into(), parameters };
    FnTool::new(definition, |call| async move {
        match call.arguments["number"].as_i64() {
            Some(number) if number % 2 == 0 => Ok(ToolOutput::text((number / 2).to_string())),
            _ => Err(ToolError::new("Only even numbers can be halved.")),
        }
    })
}

#[tokio::test]
async fn a_closure_answers_fails_and_is_shielded_from_bad_arguments() {
    let calls = [json!({"number": 4}), json!({"number": "6"}), json!({"number": 5}), json!({})];
    let ids = ["a", "b", "c", "d"];
    let calls = ids.into_iter().zip(calls).map(|(id, arguments)| (id, "half", arguments)).collect();
    let bench = Bench::new([Reply::Calls(calls), Reply::Text("done")], [Arc::new(half()) as Arc<dyn Tool>]);
    bench.agent.prompt("go").await.unwrap();
    let transcript = bench.agent.state().messages;
    let results: Vec<(bool, String)> = transcript
        .iter()
        .filter_map(|message| match &**message {
            Message::ToolResult(result) => Some((result.is_error, result.content[0].as_text()?.to_owned())),
            _ => None,
        })
        .collect();
    assert_eq!(results[0], (false, "2".to_owned()));
    assert_eq!(results[1], (false, "3".to_owned()), "arguments are coerced first");
    assert_eq!(results[2], (true, "Only even numbers can be halved.".to_owned()));
    assert!(results[3].0 && results[3].1.contains("number"), "{:?}", results[3]);
}

#[tokio::test]
async fn a_sequential_closure_makes_the_whole_batch_sequential() {
    let calls = vec![("a", "echo", json!({})), ("b", "half", json!({"number": 2}))];
    let tools = [tool("echo", Act::Echo), Arc::new(half().sequential())];
    let bench = Bench::new([Reply::Calls(calls), Reply::Text("done")], tools);
    bench.agent.prompt("go").await.unwrap();
    let trace = bench.trace();
    assert!(trace.contains("xs(a) xe(a) S(a) E(a) xs(b) xe(b)"), "{trace}");
}

#[tokio::test]
async fn a_registry_is_a_source_of_streams() {
    let provider = ScriptedProvider::playing([scripted::message([scripted::text("hello")])]);
    let apis = ApiRegistry::empty();
    apis.register(Arc::new(provider.clone()));
    let state = AgentState { model: provider.model(), tools: ToolSet::default(), ..AgentState::default() };
    let agent = Agent::new(AgentOptions::builder().stream(api_stream_fn(Arc::new(apis))).initial_state(state).build());

    let roles = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&roles);
    let subscription = agent.on_event(move |event| {
        if let pi_agent_core::AgentEvent::MessageEnd { message } = event {
            seen.lock().unwrap().push(message.role().to_owned());
        }
    });
    agent.prompt("hi").await.unwrap();
    assert_eq!(*roles.lock().unwrap(), ["user", "assistant"]);

    subscription.cancel();
    agent.set_model(Arc::new(Model { api: "nobody's".to_owned(), ..Model::default() }));
    agent.prompt("and now?").await.unwrap();
    assert_eq!(roles.lock().unwrap().len(), 2, "a cancelled listener hears nothing");
    let error = agent.state().error_message.unwrap();
    assert!(error.contains("nobody's"), "{error}");
}
