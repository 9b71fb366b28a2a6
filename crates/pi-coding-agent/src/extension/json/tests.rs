//! What each answer means, by itself.

use std::sync::Arc;

use pi_agent_core::ToolOutput;
use pi_ai::{Message, UserMessage};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::answer::HandlerAnswer;
use super::codec::{JsonForm, Listen, ToJson};
use super::{JsonReply, event_table, subscribe};
use crate::compaction::{FileOps, Preparation};
use crate::events::CompactionReason;
use crate::extension::events::*;
use crate::extension::{ExtensionContext, LoadOptions, extension_fn, load_extensions};

/// What an answer to an event means, or why it means nothing.
fn meaning<E: JsonForm>(event: &E, reply: JsonReply) -> String
where
    E::Outcome: std::fmt::Debug,
{
    match event.outcome(HandlerAnswer::new(E::NAME, reply)) {
        Ok(outcome) => format!("{outcome:?}"),
        Err(error) => format!("error: {error}"),
    }
}

/// The same for all of these results, one line each.
fn meanings<E: JsonForm>(event: &E, results: &[Value]) -> String
where
    E::Outcome: std::fmt::Debug,
{
    let line = |result: &Value| format!("{result} -> {}", meaning(event, JsonReply::with(result.clone())));
    results.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn user_bash() -> UserBashEvent {
    UserBashEvent { command: "ls".to_owned(), exclude_from_context: true, cwd: "/project".into() }
}

fn tool_result() -> ToolResultEvent {
    ToolResultEvent {
        tool_call_id: "1".to_owned(),
        tool_name: "bash".to_owned(),
        parent_tool_call_id: None,
        input: Arc::new(json!({"command": "ls"})),
        output: Arc::new(ToolOutput { terminate: true, ..ToolOutput::text("out") }),
        is_error: false,
    }
}

fn before_compact() -> SessionBeforeCompactEvent {
    let preparation = Preparation {
        first_kept_entry_id: None,
        messages_to_summarize: Vec::new(),
        turn_prefix_messages: vec![Arc::new(UserMessage::text("hi", 1).into())],
        cut_results: Vec::new(),
        pinned: Vec::new(),
        tokens_before: 7,
        replaced_tokens: 3,
        previous_summary: Some("before".to_owned()),
        file_ops: FileOps { read: ["b".to_owned(), "a".to_owned()].into(), ..FileOps::default() },
        settings: crate::config::settings::CompactionSettings::default(),
    };
    SessionBeforeCompactEvent {
        preparation: Arc::new(preparation),
        branch_entries: Arc::new([]),
        custom_instructions: None,
        reason: CompactionReason::Overflow,
        will_retry: true,
        cancel: CancellationToken::new(),
    }
}

#[test]
fn results_without_fields_change_nothing() {
    for result in [None, Some(json!(null)), Some(json!(false)), Some(json!(0)), Some(json!("x")), Some(json!([1]))] {
        let reply = || JsonReply { result: result.clone(), ..JsonReply::default() };
        assert_eq!(meaning(&user_bash(), reply()), "Usual");
        assert_eq!(meaning(&tool_result(), reply()), format!("{:?}", ToolResultOutcome::default()));
        assert_eq!(meaning(&before_compact(), reply()), format!("{:?}", BeforeCompactOutcome::default()));
    }
}

#[test]
fn events_that_no_run_brings_about_have_their_form() {
    insta::assert_snapshot!(user_bash().to_json().unwrap(), @r#"{"type":"user_bash","command":"ls","excludeFromContext":true,"cwd":"/project"}"#);
    insta::assert_snapshot!(tool_result().to_json().unwrap());
    insta::assert_snapshot!(before_compact().to_json().unwrap());
}

#[test]
fn the_users_commands() {
    insta::assert_snapshot!(meanings(
        &user_bash(),
        &[
            json!({"result": {"output": "hi", "exitCode": 0, "cancelled": false, "truncated": false}}),
            json!({"result": {"output": "hi", "exitCode": 1.0, "cancelled": 1, "fullOutputPath": "/tmp/x"}}),
            json!({"result": {"output": "hi", "exitCode": null}}),
            json!({"result": {"exitCode": 0}}),
            json!({"result": {"output": "hi", "exitCode": "0"}}),
            json!({"result": "hi"}),
            json!({"result": null}),
        ]
    ));
    let operations: Arc<dyn crate::tools::BashOperations> = Arc::new(crate::tools::LocalBash::default());
    let reply = JsonReply { operations: Some(operations), ..JsonReply::with(json!({"result": {}})) };
    assert!(meaning(&user_bash(), reply).starts_with("Operations("));
}

#[test]
fn compactions_and_journeys() {
    insta::assert_snapshot!(meanings(
        &before_compact(),
        &[
            json!({"cancel": true, "compaction": 7}),
            json!({"compaction": {"summary": "s", "firstKeptEntryId": "e", "tokensBefore": 7, "details": {"a": 1}}}),
            json!({"compaction": {"summary": "s", "firstKeptEntryId": "e"}}),
            json!({"compaction": {"summary": "s"}}),
            json!({"compaction": {"summary": 7, "firstKeptEntryId": "e"}}),
            json!({"compaction": {"summary": "s", "firstKeptEntryId": "e", "tokensBefore": "7"}}),
            json!({"compaction": "s"}),
        ]
    ));
    let preparation = TreePreparation {
        target_id: "t".to_owned(),
        old_leaf_id: None,
        common_ancestor_id: None,
        entries_to_summarize: Arc::new([]),
        user_wants_summary: false,
        custom_instructions: None,
        replace_instructions: false,
        label: None,
    };
    let event = SessionBeforeTreeEvent { preparation: Arc::new(preparation), cancel: CancellationToken::new() };
    insta::assert_snapshot!(meanings(
        &event,
        &[
            json!({"cancel": true}),
            json!({"summary": {"summary": "s", "details": 1}, "label": "l", "replaceInstructions": true}),
            json!({"replaceInstructions": false, "customInstructions": "c"}),
            json!({"summary": "s"}),
            json!({"summary": {"details": 1}}),
            json!({"label": 7}),
        ]
    ));
}

#[test]
fn what_is_returned_goes_before_what_was_changed() {
    let left = json!({"content": [{"type": "text", "text": "left"}], "details": {"left": 1}, "isError": true});
    let reply = |result: Value| JsonReply { event: Some(left.clone()), ..JsonReply::with(result) };
    let event = tool_result();
    insta::assert_snapshot!(
        [json!(null), json!({"content": [], "isError": false, "details": null}), json!({"content": "x"}),]
            .map(|result| format!("{result} -> {}", meaning(&event, reply(result.clone()))))
            .join("\n")
    );
    let same: Value = serde_json::from_str(&event.to_json().unwrap()).unwrap();
    let unchanged = JsonReply { event: Some(same), ..JsonReply::default() };
    assert_eq!(meaning(&event, unchanged), format!("{:?}", ToolResultOutcome::default()));
}

#[test]
fn messages_that_stay_are_the_same_ones() {
    let old: Vec<Arc<Message>> = ["one", "two"].map(|text| Arc::new(UserMessage::text(text, 1).into())).to_vec();
    let event = ContextEvent { messages: old.clone() };
    let mut left: Value = serde_json::from_str(&event.to_json().unwrap()).unwrap();
    let outcome = |left: &Value| {
        let reply = JsonReply { event: Some(left.clone()), ..JsonReply::default() };
        event.outcome(HandlerAnswer::new(ContextEvent::NAME, reply)).unwrap().messages
    };
    assert!(outcome(&left).is_none());
    left["messages"][1] = json!({"role": "custom", "customType": "x", "content": "c", "display": true, "timestamp": 1});
    let new = outcome(&left).unwrap();
    assert!(Arc::ptr_eq(&new[0], &old[0]));
    assert_eq!(new[1].role(), "custom");
}

#[test]
fn names_are_those_of_the_events() {
    assert!(EVENTS.iter().map(|event| event.name).skip(1).eq(NAMES.iter().copied()));
    assert!(AgentStartEvent.to_json().unwrap() == r#"{"type":"agent_start"}"#);
}

/// Compares what every event declares with the types of its answers.
macro_rules! check_answers {
    (
        before_session { $($early:tt)* }
        session { $($event:ident = $name:literal => $outcome:ty { $($declared:tt)* })* }
    ) => {
        #[test]
        fn events_whose_handlers_are_asked_say_what() {
            $(
                let is_told = std::any::TypeId::of::<$outcome>() == std::any::TypeId::of::<()>();
                assert_eq!(EventInfo::of($name).map(EventInfo::is_asked), Some(!is_told), "{}", $name);
            )*
        }
    };
}

event_table!(check_answers);

/// An event that counts how often it is serialised.
#[derive(Clone, Default)]
struct Counted(Arc<std::sync::atomic::AtomicUsize>);

impl serde::Serialize for Counted {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        std::collections::BTreeMap::<(), ()>::new().serialize(serializer)
    }
}

impl Event for Counted {
    const NAME: &'static str = "counted";
    type Outcome = ();
    type Context = ExtensionContext;
}

super::codec::told!(Counted);

#[tokio::test]
async fn what_nobody_listens_to_is_not_serialised() {
    let deaf = extension_fn("deaf", |pi| async move {
        assert!(subscribe(&pi, "turn_end", Arc::new(|_, _| Box::pin(async { Ok(JsonReply::default()) }))).is_some());
        Ok(())
    });
    let keen = extension_fn("keen", |pi| async move {
        Counted::listen(&pi, Arc::new(|_, _| Box::pin(async { Ok(JsonReply::default()) })));
        Ok(())
    });
    for (extensions, expected) in [(vec![], 0), (vec![Arc::clone(&deaf)], 0), (vec![deaf, keen], 3)] {
        let event = Counted::default();
        let report = load_extensions(&extensions, LoadOptions::default()).await;
        for _ in 0..3 {
            report.runner.notify(event.clone(), None).await;
        }
        assert_eq!(event.0.load(std::sync::atomic::Ordering::Relaxed), expected, "{} extensions", extensions.len());
    }
}
