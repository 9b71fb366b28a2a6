//! How the answers of several handlers are put together.

use std::sync::Arc;

use pi_ai::{ContentBlock, Message, UserMessage};
use pi_coding_agent::extension::events::*;
use pi_coding_agent::extension::{ExtensionApi, HandlerError};
use pi_coding_agent::session::CustomMessageContent;
use serde_json::json;

use crate::support::{Log, Stage, calls, echo, extension, line, says, stage, text};

async fn with(activate: impl Fn(&ExtensionApi, &Log) + Send + Sync + 'static) -> (Stage, Log) {
    let log = Log::default();
    let own = log.clone();
    (stage(&[extension("ext", move |pi| activate(pi, &own))]).await, log)
}

#[tokio::test]
async fn input_is_handed_on_and_handled_ends_it() {
    let (stage, log) = with(|pi, log| {
        let seen = log.clone();
        pi.on(|event: InputEvent, _| async move {
            let text = format!("{}!", event.text);
            Ok(InputOutcome::Transform { text, images: None })
        });
        pi.on(|event: InputEvent, _| async move {
            Ok(if event.text.starts_with("stop") { InputOutcome::Handled } else { InputOutcome::Continue })
        });
        pi.on(move |event: InputEvent, _| {
            seen.say(event.text);
            async { Ok(InputOutcome::Continue) }
        });
    })
    .await;
    stage.script([says("hi")]);
    stage.prompt("stop").await;
    assert_eq!((log.take(), stage.messages(), stage.provider.call_count()), (vec![], vec![], 0));
    stage.prompt("go").await;
    assert_eq!(log.take(), ["go!"]);
    assert_eq!(stage.messages(), ["user: go!", "assistant: hi"]);
}

#[tokio::test]
async fn before_a_run_all_messages_are_taken_and_the_prompt_is_handed_on() {
    let (stage, log) = with(|pi, log| {
        let seen = log.clone();
        pi.on(|event: BeforeAgentStartEvent, _| async move {
            let is_first = event.prompt == "one";
            Ok(BeforeAgentStartOutcome {
                message: is_first.then(|| CustomMessageContent::text("note", "first")),
                system_prompt: is_first.then(|| "PROMPT".to_owned()),
            })
        });
        pi.on(move |event: BeforeAgentStartEvent, ctx| {
            let is_known = ctx.system_prompt().is_ok_and(|prompt| prompt == event.system_prompt);
            let is_first = event.prompt == "one";
            seen.say(format!("{} {is_known} {}", event.prompt, &*event.system_prompt == "PROMPT"));
            async move {
                Ok(BeforeAgentStartOutcome {
                    message: is_first.then(|| CustomMessageContent::text("note", "second")),
                    system_prompt: is_first.then(|| format!("{} and more", event.system_prompt)),
                })
            }
        });
        // An empty prompt is none.
        pi.on(|_: BeforeAgentStartEvent, _| async {
            Ok(BeforeAgentStartOutcome { message: None, system_prompt: Some(String::new()) })
        });
    })
    .await;
    let base = stage.session.system_prompt();
    stage.script([says("a"), says("b")]);
    stage.prompt("one").await;
    assert_eq!(&*stage.session.system_prompt(), "PROMPT and more");
    let expected = ["user: one", "custom: first", "custom: second", "assistant: a"];
    assert_eq!(stage.messages(), expected);
    stage.prompt("two").await;
    assert_eq!(stage.session.system_prompt(), base, "the prompt counts for one run");
    assert_eq!(log.take(), ["one true true", "two true false"]);
    assert_eq!(stage.in_file()[..4], expected);
}

#[tokio::test]
async fn context_is_changed_for_the_model_only() {
    let (stage, log) = with(|pi, log| {
        pi.on(|event: ContextEvent, _| async move {
            let mut messages = event.messages;
            messages.push(Arc::new(UserMessage::blocks(vec![ContentBlock::text("psst")], 0).into()));
            Ok(ContextOutcome { messages: Some(messages) })
        });
        let seen = log.clone();
        pi.on(move |event: ContextEvent, _| {
            seen.say(event.messages.iter().map(|message| text(message)).collect::<Vec<_>>().join(","));
            async { Ok(ContextOutcome::default()) }
        });
    })
    .await;
    let asked = Log::default();
    let noted = asked.clone();
    stage.provider.set_steps([pi_ai::scripted::ScriptedStep::new(move |call| {
        call.context.messages.iter().for_each(|message| noted.say(line(message)));
        Ok(says("hi"))
    })]);
    stage.prompt("go").await;
    assert_eq!(asked.take(), ["user: go", "user: psst"]);
    assert_eq!(log.take(), ["go,psst"]);
    assert_eq!(stage.messages(), ["user: go", "assistant: hi"]);
    assert_eq!(stage.in_file(), stage.messages());
}

#[tokio::test]
async fn a_tool_call_is_changed_blocked_or_refused() {
    let (stage, log) = with(|pi, log| {
        pi.register_tool(echo(false));
        let seen = log.clone();
        pi.on(|event: ToolCallEvent, _| async move {
            match event.input["word"].as_str().unwrap() {
                "change" => Ok(ToolCallOutcome::with_input(json!({"word": "changed"}))),
                // Nobody validates it again.
                "odd" => Ok(ToolCallOutcome::with_input(json!({"word": 7}))),
                "block" => Ok(ToolCallOutcome::block("Not that.")),
                "mute" => Ok(ToolCallOutcome { block: true, ..ToolCallOutcome::default() }),
                "fail" => Err(HandlerError::new("It failed")),
                "panic" => panic!("oh no"),
                _ => Ok(ToolCallOutcome::allow()),
            }
        });
        pi.on(move |event: ToolCallEvent, _| {
            seen.say(event.input["word"].to_string());
            async { Ok(ToolCallOutcome::default()) }
        });
    })
    .await;
    stage.script([calls(&["fine", "change", "odd", "block", "mute", "fail", "panic"]), says("done")]);
    stage.prompt("go").await;
    insta::assert_snapshot!(stage.messages()[2..].join("\n"), @r"
    toolResult: fine
    toolResult: changed
    toolResult: nothing
    toolResult: Not that.
    toolResult: Tool execution was blocked
    toolResult: It failed
    toolResult: It panicked: oh no
    assistant: done
    ");
    // Later handlers see what earlier ones made of it, and nothing of what is blocked.
    assert_eq!(log.take(), ["\"fine\"", "\"changed\"", "7"]);
    assert_eq!(stage.errors.take(), [""; 0], "who fails closed is not reported");
    let calls = serde_json::to_value(&stage.session.messages()[1]).unwrap();
    assert_eq!(calls["content"][1]["arguments"], json!({"word": "change"}), "the session keeps what the model wrote");
}

#[tokio::test]
async fn a_result_is_changed_field_by_field() {
    let (stage, log) = with(|pi, log| {
        pi.register_tool(echo(false));
        pi.on(|_: ToolResultEvent, _| async {
            Ok(ToolResultOutcome { content: Some(vec![ContentBlock::text("other")]), ..ToolResultOutcome::default() })
        });
        pi.on(|_: ToolResultEvent, _| async { Err(HandlerError::new("no")) });
        pi.on(|event: ToolResultEvent, _| async move {
            let details = json!({"before": event.output.details, "text": event.output.content[0].as_text()});
            Ok(ToolResultOutcome { details: Some(details), is_error: Some(true), ..ToolResultOutcome::default() })
        });
        let seen = log.clone();
        pi.on(move |event: ToolExecutionEndEvent, _| {
            seen.say(format!("{} {:?}", event.is_error, event.result.content[0].as_text()));
            async { Ok(()) }
        });
    })
    .await;
    stage.script([calls(&["a"]), says("done")]);
    stage.prompt("go").await;
    assert_eq!(log.take(), ["true Some(\"other\")"]);
    assert_eq!(stage.errors.take(), ["ext tool_result: no"]);
    let result = serde_json::to_value(&stage.session.messages()[2]).unwrap();
    assert_eq!(result["details"], json!({"before": {"seen": {"word": "a"}}, "text": "other"}));
    assert_eq!((stage.messages()[2].as_str(), &result["isError"]), ("toolResult: other", &json!(true)));
}

#[tokio::test]
async fn calls_that_never_ran_have_no_result_event() {
    let (stage, log) = with(|pi, log| {
        pi.register_tool(echo(false));
        let seen = log.clone();
        pi.on(|event: ToolCallEvent, _| async move {
            Ok(if event.tool_call_id == "block" { ToolCallOutcome::block("no") } else { ToolCallOutcome::allow() })
        });
        pi.on(move |event: ToolResultEvent, _| {
            seen.say(event.tool_call_id);
            async { Ok(ToolResultOutcome::default()) }
        });
    })
    .await;
    let call = pi_ai::scripted::tool_call;
    let calls = [
        call("block", "echo", json!({"word": "x"})),
        call("unknown", "nobody", json!({})),
        call("invalid", "echo", json!({})),
        call("fine", "echo", json!({"word": "x"})),
    ];
    stage.script([pi_ai::scripted::tool_use(calls), says("done")]);
    stage.prompt("go").await;
    assert_eq!(log.take(), ["fine"]);
}

#[tokio::test]
async fn a_finished_message_is_replaced_everywhere_but_keeps_its_role() {
    let (stage, log) = with(|pi, log| {
        pi.on(|event: MessageEndEvent, _| async move {
            let message = match &*event.message {
                Message::Assistant(answer) => {
                    let content = vec![ContentBlock::text("better")];
                    Some(pi_ai::AssistantMessage { content, ..(**answer).clone() }.into())
                }
                _ => None,
            };
            Ok(MessageEndOutcome { message: message.map(Arc::new) })
        });
        pi.on(|event: MessageEndEvent, _| async move {
            let is_answer = event.message.as_assistant().is_some();
            let other = || Arc::new(UserMessage::blocks(vec![ContentBlock::text("me")], 0).into());
            Ok(MessageEndOutcome { message: is_answer.then(other) })
        });
        let seen = log.clone();
        pi.on(move |event: MessageEndEvent, _| {
            seen.say(line(&event.message));
            async { Ok(MessageEndOutcome::default()) }
        });
    })
    .await;
    stage.script([says("good")]);
    stage.prompt("go").await;
    let expected = ["user: go", "assistant: better"];
    assert_eq!(log.take(), expected);
    assert_eq!(
        (stage.messages(), stage.told.take(), stage.in_file()),
        (
            expected.map(str::to_owned).to_vec(),
            expected.map(str::to_owned).to_vec(),
            expected.map(str::to_owned).to_vec(),
        )
    );
    let errors = stage.errors.take();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(
        errors[0].ends_with("message_end: message_end handlers must return a message with the same role"),
        "{errors:?}"
    );
}
