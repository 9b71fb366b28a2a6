//! Hooks: what they see, what they change, and what their failures do.

use std::sync::{Arc, Mutex};

use futures::FutureExt;
use futures::future::ready;
use pi_agent_core::{
    AgentEvent, FnTool, Hooks, NextTurn, RunFailure, Tool, ToolCallVerdict, ToolExecutionMode, ToolOutput,
    ToolResultPatch, ToolSet,
};
use pi_ai::{ContentBlock, Extra, Message, Model, PayloadHook, ThinkingLevel, ToolDefinition, UserMessage};
use serde_json::json;

use crate::agent::support::{Act, Bench, Reply, roles, tool};

/// A call of `echo` with `{"n": "5"}`, then an answer.
fn with_call() -> Bench {
    let replies = [Reply::Calls(vec![("a", "echo", json!({"n": "5"}))]), Reply::Text("done")];
    Bench::new(replies, [tool("echo", Act::Echo)])
}

fn user(text: &str) -> Arc<Message> {
    Arc::new(UserMessage::text(text, 0).into())
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn add(&self, line: impl Into<String>) {
        self.0.lock().unwrap().push(line.into());
    }

    fn lines(&self) -> String {
        self.0.lock().unwrap().join("\n")
    }
}

#[tokio::test]
async fn the_transcript_is_transformed_then_converted_for_one_call_only() {
    let log = Log::default();
    let seen = log.clone();
    let hooks = Hooks::default()
        .with_transform_context(|mut messages, _| async move {
            messages.insert(0, user("remember"));
            Ok(messages)
        })
        .with_convert_to_llm(move |messages| {
            seen.add(roles(messages));
            Ok(messages.iter().filter(|message| message.role() != "assistant").cloned().collect())
        });
    let bench = with_call().hooked(hooks);
    bench.run("go").await;
    assert_eq!(log.lines(), "uu\nuuar");
    assert_eq!(bench.script.roles(), ["uu", "uur"]);
    assert_eq!(roles(&bench.agent.state().messages), "uara");
}

#[tokio::test]
async fn keys_are_asked_for_with_every_call() {
    let log = Log::default();
    let seen = log.clone();
    let hooks = Hooks::default().with_get_api_key(move |provider| {
        seen.add(provider);
        let key = ["", "second"][seen.0.lock().unwrap().len() - 1].to_owned();
        async move { Ok(Some(key)) }
    });
    let bench = with_call().hooked(hooks);
    bench.agent.edit_stream_options(|options| options.api_key = Some("from the options".into()));
    bench.run("go").await;
    assert_eq!(log.lines(), "unknown\nunknown");
    let keys: Vec<_> = bench.script.options.lock().unwrap().iter().map(|o| o.api_key.clone().unwrap()).collect();
    assert_eq!(keys, ["from the options", "second"], "a blank key is no key");
}

#[tokio::test]
async fn a_call_and_its_result_are_shown_with_all_that_is_known() {
    let log = Log::default();
    let (before, after) = (log.clone(), log.clone());
    let hooks = Hooks::default()
        .with_before_tool_call(move |call| {
            let context = roles(&call.context.messages);
            let asked = call.message.as_assistant().unwrap().tool_calls().count();
            before.add(format!("{} {} → {} | {context} {asked}", call.call.id, call.call.arguments, call.arguments));
            async { Ok(ToolCallVerdict::AllowWith(json!({"n": "not a number"}))) }
        })
        .with_after_tool_call(move |call| {
            let text = call.output.content[0].as_text().unwrap().to_owned();
            let context = roles(&call.context.messages);
            after.add(format!("{} {} = {text} {} | {context}", call.call.arguments, call.arguments, call.is_error));
            async { Ok(ToolResultPatch::keep()) }
        });
    let bench = with_call().hooked(hooks);
    bench.run("go").await;
    insta::assert_snapshot!(log.lines(), @r#"
    a {"n":"5"} → {"n":5} | ua 1
    {"n":"5"} {"n":"not a number"} = {"n":"not a number"} false | ua
    "#);
    insta::assert_snapshot!(bench.transcript(), @r#"
    user: go
    assistant toolUse:  [a]
    result a: {"n":"not a number"}
    assistant stop: done
    "#);
}

#[tokio::test]
async fn a_blocked_call_is_a_result_and_the_loop_goes_on() {
    let verdicts = [
        (Ok(ToolCallVerdict::block("Not here.")), "Not here."),
        (Ok(ToolCallVerdict::block("")), "Tool execution was blocked"),
        (Ok(ToolCallVerdict::Block(None)), "Tool execution was blocked"),
        (Err(RunFailure::new("the guard is ill")), "the guard is ill"),
    ];
    for (verdict, text) in verdicts {
        let log = Log::default();
        let after = log.clone();
        let hooks =
            Hooks::default().with_before_tool_call(move |_| ready(verdict.clone())).with_after_tool_call(move |_| {
                after.add("called");
                async { Ok(ToolResultPatch::keep()) }
            });
        let bench = with_call().hooked(hooks);
        let trace = bench.run("go").await;
        insta::allow_duplicates! {
            insta::assert_snapshot!(trace, @"agent_start turn_start S(go) E(go) S(asst) U E(asst toolUse) xs(a) xe(a!) S(a) E(a) turn_end(1) turn_start S(asst) U E(asst) turn_end(0) agent_end(4)");
        }
        assert!(bench.transcript().contains(&format!("result a!: {text}\n")), "{}", bench.transcript());
        let result = serde_json::to_value(&*bench.agent.state().messages[2]).unwrap();
        assert_eq!(result["details"], json!({}));
        assert_eq!(log.lines(), "", "refused calls bypass after_tool_call");
    }
}

#[tokio::test]
async fn unknown_and_invalid_calls_bypass_both_hooks() {
    let calls = vec![("a", "nope", json!({})), ("b", "echo", json!({"n": "many"}))];
    let log = Log::default();
    let (before, after) = (log.clone(), log.clone());
    let hooks = Hooks::default()
        .with_before_tool_call(move |_| {
            before.add("before");
            async { Ok(ToolCallVerdict::Allow) }
        })
        .with_after_tool_call(move |_| {
            after.add("after");
            async { Ok(ToolResultPatch::keep()) }
        });
    let bench = Bench::new([Reply::Calls(calls), Reply::Text("done")], [tool("echo", Act::Echo)]).hooked(hooks);
    bench.run("go").await;
    assert_eq!(log.lines(), "");
}

#[tokio::test]
async fn a_result_is_replaced_field_by_field() {
    let patches = [
        ToolResultPatch::keep(),
        ToolResultPatch::text("other words"),
        ToolResultPatch { details: Some(json!({"n": 1})), ..ToolResultPatch::default() },
        ToolResultPatch { is_error: Some(true), ..ToolResultPatch::default() },
        ToolResultPatch { terminate: Some(true), ..ToolResultPatch::default() },
    ];
    let mut lines = Vec::new();
    for patch in patches {
        let hooks = Hooks::default().with_after_tool_call(move |_| ready(Ok(patch.clone())));
        let bench = with_call().hooked(hooks);
        let goes_on = bench.run("go").await.contains("turn_end(1) turn_start");
        let Message::ToolResult(result) = &*bench.agent.state().messages[2] else { panic!("no result") };
        let text = result.content[0].as_text().unwrap();
        lines.push(format!("{text} details={:?} error={} goes_on={goes_on}", result.details, result.is_error));
    }
    insta::assert_snapshot!(lines.join("\n"), @r#"
    {"n":5} details=None error=false goes_on=true
    other words details=None error=false goes_on=true
    {"n":5} details=Some(Object {"n": Number(1)}) error=false goes_on=true
    {"n":5} details=None error=true goes_on=true
    {"n":5} details=None error=false goes_on=false
    "#);
}

/// What a tool says of its own result besides is for listeners, and says nothing of a result that replaces it.
#[tokio::test]
async fn what_else_a_tool_says_reaches_listeners_as_long_as_its_result_does() {
    for (patch, expected) in [
        (ToolResultPatch::keep(), json!({"content": [{"type": "text", "text": "done"}], "share": 0.5})),
        (
            ToolResultPatch { is_error: Some(true), ..ToolResultPatch::default() },
            json!({"content": [{"type": "text", "text": "done"}], "share": 0.5}),
        ),
        (ToolResultPatch::text("other words"), json!({"content": [{"type": "text", "text": "other words"}]})),
    ] {
        let extra = Extra::from_iter([("share".to_owned(), json!(0.5))]);
        let output = ToolOutput { extra, ..ToolOutput::text("done") };
        let definition = ToolDefinition { name: "echo".to_owned(), description: String::new(), parameters: json!({}) };
        let talks = FnTool::new(definition, move |_| ready(Ok(output.clone())));
        let hooks = Hooks::default().with_after_tool_call(move |_| ready(Ok(patch.clone())));
        let replies = [Reply::Calls(vec![("a", "echo", json!({}))]), Reply::Text("done")];
        let bench = Bench::new(replies, [Arc::new(talks) as Arc<dyn Tool>]).hooked(hooks);
        let told = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&told);
        bench.on(move |event| {
            if let AgentEvent::ToolExecutionEnd { result, .. } = event {
                log.lock().unwrap().push(serde_json::to_value(result).unwrap());
            }
        });
        bench.run("go").await;
        assert_eq!(*told.lock().unwrap(), [expected]);
        let Message::ToolResult(result) = &*bench.agent.state().messages[2] else { panic!("no result") };
        assert!(result.extra.is_empty());
    }
}

#[tokio::test]
async fn failed_results_can_be_mended_and_a_broken_hook_is_an_error() {
    let failing = || {
        let replies = [Reply::Calls(vec![("a", "fails", json!({}))]), Reply::Text("done")];
        Bench::new(replies, [tool("fails", Act::Fail("no luck"))])
    };
    let mend = Hooks::default().with_after_tool_call(|call| async move {
        assert!(call.is_error);
        Ok(ToolResultPatch { is_error: Some(false), ..ToolResultPatch::text("luck after all") })
    });
    let bench = failing().hooked(mend);
    bench.run("go").await;
    assert!(bench.transcript().contains("result a: luck after all"), "{}", bench.transcript());
    let broken = Hooks::default().with_after_tool_call(|_| async { Err("cannot judge".into()) });
    let bench = with_call().hooked(broken);
    bench.run("go").await;
    assert!(bench.transcript().contains("result a!: cannot judge"), "{}", bench.transcript());
}

#[tokio::test]
async fn calls_are_checked_one_by_one_also_when_they_run_together() {
    let log = Log::default();
    let (before, after) = (log.clone(), log.clone());
    let hooks = Hooks::default()
        .with_before_tool_call(move |call| {
            let log = before.clone();
            async move {
                log.add(format!("before {}", call.call.id));
                tokio::task::yield_now().await;
                log.add(format!("decided {}", call.call.id));
                Ok(ToolCallVerdict::Allow)
            }
        })
        .with_after_tool_call(move |call| {
            after.add(format!("after {} sees {}", call.call.id, roles(&call.context.messages)));
            async { Ok(ToolResultPatch::keep()) }
        });
    let calls = || Reply::Calls(vec![("a", "echo", json!({})), ("b", "echo", json!({}))]);
    let bench = Bench::new([calls(), Reply::Text("done")], [tool("echo", Act::Echo)]).hooked(hooks.clone());
    bench.run("go").await;
    insta::assert_snapshot!(log.lines(), @"
    before a
    decided a
    before b
    decided b
    after a sees ua
    after b sees ua
    ");
    log.0.lock().unwrap().clear();
    let bench =
        Bench::with_mode([calls(), Reply::Text("done")], [tool("echo", Act::Echo)], ToolExecutionMode::Sequential);
    bench.hooked(hooks).run("go").await;
    insta::assert_snapshot!(log.lines(), @"
    before a
    decided a
    after a sees ua
    before b
    decided b
    after b sees ua
    ");
}

#[tokio::test]
async fn the_next_turn_can_work_with_something_else() {
    let log = Log::default();
    let seen = log.clone();
    let hooks = Hooks::default()
        .with_prepare_next_turn(|_| async move {
            Ok(NextTurn {
                system_prompt: Some("be brief".into()),
                messages: Some(vec![user("summary")]),
                tools: Some(ToolSet::default()),
                model: Some(Arc::new(Model { id: "other".into(), ..Model::default() })),
                thinking_level: Some(ThinkingLevel::High),
            })
        })
        .with_should_stop_after_turn(move |turn| {
            let (context, new) = (roles(&turn.context.messages), roles(&turn.new_messages));
            seen.add(format!("{context} {new} {}", turn.tool_results.len()));
            async { Ok(false) }
        });
    let bench = with_call().hooked(hooks);
    bench.run("go").await;
    assert_eq!(log.lines(), "u uar 1\nu uara 0", "the second hook sees what the first one made");
    let (requests, options) = (bench.script.requests.lock().unwrap(), bench.script.options.lock().unwrap());
    assert_eq!(requests[1].system_prompt.as_deref(), Some("be brief"));
    assert_eq!((roles(&requests[1].messages), requests[1].tools.len()), ("u".into(), 0));
    assert_eq!(options[1].reasoning, ThinkingLevel::High);
    assert_eq!(*bench.script.models.lock().unwrap(), ["unknown", "other"]);
    let state = bench.agent.state();
    assert_eq!(
        (roles(&state.messages), state.model.id.as_str()),
        ("uara".into(), "unknown"),
        "the agent keeps its own"
    );
}

#[tokio::test]
async fn tools_that_come_while_the_transcript_is_transformed_count_from_that_call_on() {
    let log = Log::default();
    let (transformed, asked) = (log.clone(), log.clone());
    let hooks = Hooks::default()
        .with_transform_context(move |messages, _| {
            transformed.add("transformed");
            async { Ok(messages) }
        })
        .with_update_tools(move |tools| {
            asked.add(format!("{} tools", tools.iter().count()));
            Some(ToolSet::default())
        });
    let bench = with_call().hooked(hooks);
    bench.run("go").await;
    assert_eq!(log.lines(), "transformed\n1 tools\ntransformed\n0 tools");
    assert!(bench.script.requests.lock().unwrap().iter().all(|request| request.tools.is_empty()));
}

#[tokio::test]
async fn stopping_after_a_turn_leaves_the_queues_alone() {
    let hooks = Hooks::default().with_should_stop_after_turn(|turn| async move { Ok(turn.tool_results.len() == 1) });
    let bench = with_call().hooked(hooks);
    bench.agent.follow_up(UserMessage::text("f1", 0));
    insta::assert_snapshot!(bench.run("go").await, @"agent_start turn_start S(go) E(go) S(asst) U E(asst toolUse) xs(a) xe(a) S(a) E(a) turn_end(1) agent_end(3)");
    assert_eq!(bench.agent.queued_count(), 1);
}

#[tokio::test]
async fn a_failing_hook_breaks_the_run_off_in_order() {
    let fail = |name: &'static str| move || ready(Err(RunFailure::new(name)));
    let (transform, key) = (fail("transform"), fail("key"));
    let cases = [
        (
            "transform",
            Hooks::default().with_transform_context(move |_, _| transform().map(|r: Result<(), _>| r.map(|()| vec![]))),
        ),
        ("convert", Hooks::default().with_convert_to_llm(|_| Err("convert".into()))),
        ("key", Hooks::default().with_get_api_key(move |_| key().map(|r: Result<(), _>| r.map(|()| None)))),
        ("prepare", Hooks::default().with_prepare_next_turn(|_| async { Err("prepare".into()) })),
        ("stop", Hooks::default().with_should_stop_after_turn(|_| async { Err("stop".into()) })),
    ];
    let mut traces = Vec::new();
    for (name, hooks) in cases {
        let bench = Bench::new([Reply::Text("hi")], []).hooked(hooks);
        traces.push(format!("{name}: {}", bench.run("go").await));
        assert_eq!(bench.agent.state().error_message.as_deref(), Some(name));
    }
    insta::assert_snapshot!(traces.join("\n"), @"
    transform: agent_start turn_start S(go) E(go) S(asst) E(asst error) turn_end(0) agent_end(1)
    convert: agent_start turn_start S(go) E(go) S(asst) E(asst error) turn_end(0) agent_end(1)
    key: agent_start turn_start S(go) E(go) S(asst) E(asst error) turn_end(0) agent_end(1)
    prepare: agent_start turn_start S(go) E(go) S(asst) U E(asst) turn_end(0) S(asst) E(asst error) turn_end(0) agent_end(1)
    stop: agent_start turn_start S(go) E(go) S(asst) U E(asst) turn_end(0) S(asst) E(asst error) turn_end(0) agent_end(1)
    ");
}

/// A hook that never answers, set one at a time.
fn hanging() -> Vec<(&'static str, Hooks)> {
    let hooks = Hooks::default;
    vec![
        ("transform_context", hooks().with_transform_context(|_, _| futures::future::pending())),
        ("get_api_key", hooks().with_get_api_key(|_| futures::future::pending())),
        ("before_tool_call", hooks().with_before_tool_call(|_| futures::future::pending())),
        ("prepare_next_turn", hooks().with_prepare_next_turn(|_| futures::future::pending())),
        ("should_stop_after_turn", hooks().with_should_stop_after_turn(|_| futures::future::pending())),
        ("after_tool_call", hooks().with_after_tool_call(|_| futures::future::pending())),
    ]
}

#[tokio::test(start_paused = true)]
async fn an_abort_does_not_wait_for_a_hook() {
    let mut lines = Vec::new();
    for (name, hooks) in hanging() {
        let bench = with_call().hooked(hooks);
        let mark = match name {
            "transform_context" | "get_api_key" => "E(go)",
            "before_tool_call" | "after_tool_call" => "xs(a)",
            _ => "turn_end(1)",
        };
        let start = tokio::time::Instant::now();
        let trace = bench.abort_at(mark).await;
        let rest = trace.split_once(mark).unwrap().1;
        lines.push(format!("{name}: {} s,{rest}", start.elapsed().as_secs()));
    }
    insta::assert_snapshot!(lines.join("\n"), @"
    transform_context: 0 s, S(asst) E(asst aborted) turn_end(0) agent_end(2)
    get_api_key: 0 s, S(asst) E(asst aborted) turn_end(0) agent_end(2)
    before_tool_call: 0 s, xe(a!) S(a) E(a) turn_end(1) turn_start S(asst) E(asst aborted) turn_end(0) agent_end(4)
    prepare_next_turn: 5 s, turn_start S(asst) E(asst aborted) turn_end(0) agent_end(4)
    should_stop_after_turn: 0 s, turn_start S(asst) E(asst aborted) turn_end(0) agent_end(4)
    after_tool_call: 5 s, xe(a!) S(a) E(a) turn_end(1) turn_start S(asst) E(asst aborted) turn_end(0) agent_end(4)
    ");
}

/// A result that the hook has not seen is not shown to the model: the hook may be there to take something out.
#[tokio::test(start_paused = true)]
async fn an_unseen_result_is_not_used() {
    let bench = with_call().hooked(Hooks::default().with_after_tool_call(|_| futures::future::pending()));
    bench.abort_at("xs(a)").await;
    assert!(bench.transcript().contains("result a!: Operation aborted\n"), "{}", bench.transcript());
}

#[tokio::test]
async fn an_abort_during_the_check_of_a_call_refuses_it() {
    let bench = with_call();
    let agent = bench.agent.clone();
    let bench = bench.hooked(Hooks::default().with_before_tool_call(move |_| {
        agent.abort();
        async { Ok(ToolCallVerdict::block("too late")) }
    }));
    insta::assert_snapshot!(bench.run("go").await, @"agent_start turn_start S(go) E(go) S(asst) U E(asst toolUse) xs(a) xe(a!) S(a) E(a) turn_end(1) turn_start S(asst) E(asst aborted) turn_end(0) agent_end(4)");
    assert!(bench.transcript().contains("result a!: Operation aborted\n"), "{}", bench.transcript());
}

#[tokio::test]
async fn a_prompt_from_a_hook_is_refused() {
    let bench = with_call();
    let agent = bench.agent.clone();
    let bench = bench.hooked(Hooks::default().with_before_tool_call(move |_| {
        let agent = agent.clone();
        async move { Ok(ToolCallVerdict::block(agent.prompt("x").await.unwrap_err().to_string())) }
    }));
    bench.run("go").await;
    assert!(bench.transcript().contains("result a!: Agent is already processing"), "{}", bench.transcript());
}

#[tokio::test]
async fn observers_of_the_request_travel_in_the_stream_options() {
    let bench = Bench::new([Reply::Text("hi")], []);
    bench.agent.edit_stream_options(|options| {
        options.on_payload = Some(PayloadHook::new(|payload, _| async move { Ok(Some(json!([payload]))) }));
    });
    bench.run("go").await;
    let hook = bench.script.options.lock().unwrap()[0].on_payload.clone().unwrap();
    assert_eq!(hook.call(json!(1), Arc::default()).await, Ok(Some(json!([1]))));
}

#[test]
fn debug_shows_what_is_set() {
    let hooks = format!("{:?}", Hooks::default().with_convert_to_llm(|messages| Ok(messages.to_vec())));
    assert!(hooks.contains("convert_to_llm: true") && hooks.contains("get_api_key: false"), "{hooks}");
    assert_eq!(ToolResultPatch::text("x").content, Some(vec![ContentBlock::text("x")]));
}
