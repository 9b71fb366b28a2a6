//! What becomes of answers in JSON: changes in place, answers that mean nothing, answers that cannot be meant.

use std::sync::Arc;

use futures::FutureExt;
use pi_coding_agent::agent_session::NavigateOptions;
use pi_coding_agent::extension::HandlerError;
use pi_coding_agent::extension::json::{JsonHandler, JsonReply, subscribe};
use serde_json::{Value, json};

use crate::loopback::{Provider, answer};
use crate::support::{Log, Stage, calls, echo, extension, line, says, stage, stage_with};

/// How a handler of a test answers: with the event to change, and what it returns.
type Answer = Arc<dyn Fn(&mut Value) -> Result<Option<Value>, HandlerError> + Send + Sync>;

fn does(answer: impl Fn(&mut Value) -> Result<Option<Value>, HandlerError> + Send + Sync + 'static) -> Answer {
    Arc::new(answer)
}

fn returns(value: Value) -> Answer {
    does(move |_| Ok(Some(value.clone())))
}

fn handler(answer: Answer) -> Arc<JsonHandler> {
    Arc::new(move |event, _| {
        let mut object: Value = serde_json::from_str(&event.json().unwrap()).unwrap();
        let result = answer(&mut object);
        async move { Ok(JsonReply { result: result?, event: Some(object), operations: None }) }.boxed()
    })
}

async fn with(handlers: &[(&'static str, Answer)]) -> Stage {
    let handlers = handlers.to_vec();
    stage(&[extension("ext", move |pi| {
        pi.register_tool(echo(false));
        for (name, answer) in &handlers {
            assert!(subscribe(pi, name, handler(Arc::clone(answer))).is_some(), "{name}");
        }
    })])
    .await
}

#[tokio::test]
async fn a_call_is_changed_in_place_blocked_or_fails_closed() {
    let gate = does(|event| {
        Ok(match event["input"]["word"].as_str().unwrap() {
            "change" => {
                event["input"]["word"] = "changed".into();
                None
            }
            "block" => Some(json!({"block": true, "reason": "Not that."})),
            "mute" => Some(json!({"block": 1})),
            "odd" => Some(json!({"block": false, "reason": 7})),
            "number" => Some(json!(7)),
            "fail" => return Err(HandlerError::new("It failed")),
            _ => None,
        })
    });
    let seen = Log::default();
    let log = seen.clone();
    let second = does(move |event| {
        log.say(event["input"]["word"].as_str().unwrap());
        Ok(Some(json!({"input": {"word": "not read"}})))
    });
    let stage = with(&[("tool_call", gate), ("tool_call", second)]).await;
    stage.script([calls(&["fine", "change", "block", "mute", "odd", "number", "fail"]), says("done")]);
    stage.prompt("go").await;
    insta::assert_snapshot!(stage.messages()[2..].join("\n"), @r"
    toolResult: fine
    toolResult: changed
    toolResult: Not that.
    toolResult: Tool execution was blocked
    toolResult: The handler of tool_call answered with reason 7; it must be a string
    toolResult: number
    toolResult: It failed
    assistant: done
    ");
    assert_eq!(seen.take(), ["fine", "changed", "number"]);
    assert_eq!(stage.errors.take(), [""; 0], "who fails closed is not reported");
}

#[tokio::test]
async fn messages_are_changed_in_place() {
    let context = does(|event| {
        event["messages"].as_array_mut().unwrap().push(json!({"role": "user", "content": "psst", "timestamp": 1}));
        Ok(None)
    });
    let ends = does(|event| {
        if event["message"]["role"] == "assistant" {
            event["message"]["content"][0]["text"] = "better".into();
        }
        Ok(None)
    });
    let result = does(|event| {
        event["content"][0]["text"] = "other".into();
        event["isError"] = true.into();
        Ok(None)
    });
    let stage = with(&[("context", context), ("tool_result", result), ("message_end", ends)]).await;
    let asked = Log::default();
    let noted = asked.clone();
    let last = pi_ai::scripted::ScriptedStep::new(move |call| {
        call.context.messages.iter().for_each(|message| noted.say(line(message)));
        Ok(says("done"))
    });
    stage.provider.set_steps([pi_ai::scripted::ScriptedStep::new(|_| Ok(calls(&["a"]))), last]);
    stage.prompt("go").await;
    assert_eq!(stage.errors.take(), [""; 0]);
    assert_eq!(stage.messages()[2..], ["toolResult: other", "assistant: better"]);
    assert_eq!(serde_json::to_value(&stage.session.messages()[2]).unwrap()["isError"], true);
    assert_eq!(asked.take().last().unwrap(), "user: psst");
    assert_eq!(stage.in_file(), stage.messages());
}

#[tokio::test]
async fn a_request_is_changed_in_place_or_replaced() {
    let provider = Provider::start([answer("hi")]).await;
    let in_place = does(|event| {
        event["payload"]["metadata"] = json!({"user_id": "one"});
        Ok(None)
    });
    let replaced = does(|event| {
        let mut payload = event["payload"].clone();
        payload["metadata"]["more"] = json!(1);
        Ok(Some(payload))
    });
    let handlers = [in_place, returns(json!("no body")), returns(Value::Null), replaced];
    let extension = extension("ext", move |pi| {
        for answer in &handlers {
            subscribe(pi, "before_provider_request", handler(Arc::clone(answer)));
        }
    });
    let model = pi_ai::Model {
        api: "anthropic-messages".into(),
        provider: "faux".into(),
        base_url: provider.url(),
        ..pi_ai::scripted::model("m1")
    };
    let stage = stage_with(&[extension], pi_coding_agent::extension::LoadOptions::default(), |options| {
        pi_coding_agent::sdk::CreateAgentSessionOptions { model: Some(model.into()), ..options }
    })
    .await;
    stage.prompt("go").await;
    assert_eq!(provider.requests()[0].body["metadata"], json!({"user_id": "one", "more": 1}));
    insta::assert_snapshot!(stage.errors.take().join("\n"), @r#"
    ext before_provider_request: The handler of before_provider_request answered with "no body"; it must be the request body, an object, or nothing
    ext before_provider_request: The handler of before_provider_request answered with null; it must be the request body, an object, or nothing
    "#);
}

#[tokio::test]
async fn wrong_answers_are_reported_and_the_session_goes_on() {
    let wrong = [
        ("resources_discover", json!({"skillPaths": "one"})),
        ("input", json!({"action": "x"})),
        ("input", json!({"action": "transform"})),
        ("before_agent_start", json!({"message": {"customType": "x"}})),
        ("before_agent_start", json!({"systemPrompt": ["x"]})),
        ("context", json!({"messages": [{"role": "assistant"}]})),
        ("context", json!({"messages": {}})),
        ("message_end", json!({"message": {"role": "user"}})),
        ("message_end", json!({"message": "x"})),
        ("tool_result", json!({"content": "x"})),
        ("tool_result", json!({"content": [{"type": "text"}]})),
        // These mean nothing, and are not wrong.
        ("input", json!(3)),
        ("input", json!("handled")),
        ("context", json!([])),
        ("agent_start", json!({"cancel": true})),
        ("turn_end", json!("x")),
        ("tool_result", json!(true)),
    ];
    let handlers: Vec<_> = wrong.into_iter().map(|(name, value)| (name, returns(value))).collect();
    let stage = with(&handlers).await;
    stage.script([calls(&["a"]), says("done")]);
    stage.prompt("go").await;
    assert_eq!(stage.messages(), ["user: go", "assistant: echo", "toolResult: a", "assistant: done"]);
    let mut errors = stage.errors.take();
    errors.dedup();
    let mut seen = std::collections::HashSet::new();
    errors.retain(|error| seen.insert(error.clone()));
    insta::assert_snapshot!(errors.join("\n"));
}

#[tokio::test]
async fn who_says_nothing_takes_nothing_back() {
    let named = returns(json!({"label": "kept", "customInstructions": "heed"}));
    let stage = with(&[("session_before_tree", named), ("session_before_tree", does(|_| Ok(None)))]).await;
    stage.script([says("one"), says("two")]);
    stage.prompt("go").await;
    let first = stage.session.tree().fork_messages().await.unwrap()[0].entry_id.clone();
    stage.prompt("on").await;
    stage.session.tree().navigate(&first, NavigateOptions::default()).await.unwrap();
    let label = stage.session.store().read(|manager| manager.entries().label(&first).unwrap().map(ToOwned::to_owned));
    assert_eq!(label.as_deref(), Some("kept"));
}

#[tokio::test]
async fn a_compaction_and_a_journey_are_called_off_or_supplied() {
    let cancelled = with(&[("session_before_tree", returns(json!({"cancel": true})))]).await;
    cancelled.script([says("one"), says("two")]);
    cancelled.prompt("go").await;
    let first = cancelled.session.tree().fork_messages().await.unwrap()[0].entry_id.clone();
    assert!(cancelled.session.tree().navigate(&first, NavigateOptions::default()).await.unwrap().cancelled);

    let summary = returns(json!({"summary": {"summary": "so far", "details": {"n": 1}}}));
    let stage = with(&[("session_before_tree", summary)]).await;
    stage.script([says("one"), says("two")]);
    stage.prompt("go").await;
    stage.prompt("on").await;
    let first = stage.session.tree().fork_messages().await.unwrap()[0].entry_id.clone();
    let options = NavigateOptions { summarize: true, ..NavigateOptions::default() };
    let moved = stage.session.tree().navigate(&first, options).await.unwrap();
    let entry = moved.summary_entry.unwrap();
    assert!(entry.summary.contains("so far"), "{}", entry.summary);
    assert_eq!((entry.details, entry.from_hook), (Some(json!({"n": 1})), Some(true)));
}
