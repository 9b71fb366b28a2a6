//! What holds for every compaction of a session, whatever was said in it and however long the summary gets.

use std::path::Path;
use std::sync::Arc;

use pi_ai::{AssistantMessage, ContentBlock, Message};
use pi_coding_agent::compaction::*;
use pi_coding_agent::env::Env;
use pi_coding_agent::ids::SequentialIds;
use pi_coding_agent::messages::{AppMessage, convert_to_llm};
use pi_coding_agent::paths::Paths;
use pi_coding_agent::session::{BranchSummary, CustomMessageContent, SessionHost, SessionManager};
use proptest::prelude::*;
use serde_json::json;

use crate::support::*;

/// One step of a session.
#[derive(Debug, Clone)]
enum Step {
    User(usize),
    Answer(usize),
    /// Calls tools; a result per size follows, the last of them may be missing.
    Tools(Vec<usize>, bool),
    Bash(usize, bool),
    Custom(usize),
    BranchSummary(usize),
    Setting,
    /// Pins the entry that is so far back.
    Pin(usize),
    /// Compacts with a summary of so many tokens.
    Compact(usize),
}

fn any_step() -> impl Strategy<Value = Step> {
    let size = || prop_oneof![8 => 1_usize..300, 1 => 300_usize..4000];
    prop_oneof![
        4 => size().prop_map(Step::User),
        4 => size().prop_map(Step::Answer),
        5 => (prop::collection::vec(size(), 1..4), prop::bool::weighted(0.9)).prop_map(|(sizes, all)| Step::Tools(sizes, all)),
        1 => (size(), any::<bool>()).prop_map(|(size, hidden)| Step::Bash(size, hidden)),
        1 => size().prop_map(Step::Custom),
        1 => size().prop_map(Step::BranchSummary),
        2 => Just(Step::Setting),
        1 => (0_usize..6).prop_map(Step::Pin),
        2 => (1_usize..200).prop_map(Step::Compact),
    ]
}

fn host() -> SessionHost {
    let dir = Path::new("/nowhere");
    SessionHost {
        paths: Paths::new(Env::fixed([("HOME", "/nowhere")]), dir),
        clock: Arc::new(pi_ai::SystemClock),
        ids: SequentialIds::shared(),
    }
}

/// Text of so many tokens that occurs nowhere else.
fn unique(counter: &mut usize, tokens: usize) -> String {
    *counter += 1;
    format!("<{counter}>{}", words(tokens))
}

fn take(session: &mut SessionManager, step: &Step, n: &mut usize) {
    match step {
        Step::User(size) => drop(session.append_message(user(unique(n, *size)))),
        Step::Answer(size) => drop(session.append_message(says(unique(n, *size)))),
        Step::Tools(sizes, all) => {
            let ids: Vec<String> = sizes.iter().map(|_| unique(n, 0)).collect();
            let calls = ids.iter().map(|id| call(id, "read", json!({ "path": id })));
            session.append_message(assistant(calls.collect())).unwrap();
            let answered = sizes.len() - usize::from(!all);
            for (id, size) in ids.iter().zip(sizes).take(answered) {
                session.append_message(result(id, unique(n, *size))).unwrap();
            }
        }
        Step::Bash(size, hidden) => {
            let message = pi_coding_agent::messages::BashExecutionMessage {
                command: unique(n, *size),
                exclude_from_context: Some(*hidden),
                ..Default::default()
            };
            session.append_message(Arc::new(message.into())).unwrap();
        }
        Step::Custom(size) => {
            let content = pi_ai::UserContent::Text(unique(n, *size));
            let message = CustomMessageContent { custom_type: "t".into(), content, display: true, details: None };
            session.append().custom_message(message).unwrap();
        }
        Step::BranchSummary(size) => {
            let leaf = session.leaf_id().map(str::to_owned);
            let summary = BranchSummary { summary: unique(n, *size), ..BranchSummary::default() };
            session.branch_with_summary(leaf.as_deref(), summary).unwrap();
        }
        Step::Setting => drop(session.append().thinking_level_change("high")),
        Step::Pin(back) => {
            let branch = session.entries().current_branch().unwrap();
            let target = branch.iter().rev().nth(*back).map(|entry| entry.id().to_owned());
            target.into_iter().for_each(|target| drop(session.append().label_change(&target, Some("pin"))));
        }
        Step::Compact(size) => drop(compact_and_check(session, 800, &unique(n, *size))),
    }
}

/// Size of a context as a model is sent it.
fn size(messages: &[Arc<Message>]) -> u64 {
    estimate_total_tokens(&convert_to_llm(messages))
}

fn is_summary(message: &Message) -> bool {
    let Message::Other(other) = message else { return false };
    matches!(AppMessage::from_other(other), Some(AppMessage::CompactionSummary(_)))
}

/// Each tool call of a context with whether it is answered, and the results that answer none.
fn calls(messages: &[Arc<Message>]) -> (Vec<(String, bool)>, Vec<String>) {
    let (mut calls, mut orphans) = (Vec::<(String, bool)>::new(), Vec::new());
    for message in messages {
        if let Message::ToolResult(result) = &**message {
            match calls.iter_mut().find(|(id, _)| *id == result.tool_call_id) {
                Some((_, answered)) => *answered = true,
                None => orphans.push(result.tool_call_id.clone()),
            }
        }
        let answer = message.as_assistant().into_iter();
        calls.extend(answer.flat_map(AssistantMessage::tool_calls).map(|call| (call.id.clone(), false)));
    }
    (calls, orphans)
}

/// Runs a compaction the way a session does.
fn compacted(session: &mut SessionManager, keep: u64, answer: &str) -> Option<CompactionError> {
    let context = session.build_session_context().unwrap().messages;
    let preparation = prepare(&branch_entries(session).unwrap(), &context, &settings(keep)).ok()?;
    let complete = |_, _| std::future::ready(Arc::new(text(answer)));
    match futures::executor::block_on(compact(&preparation, &request(&thinker()), complete)) {
        Ok(mut compaction) => store_compaction(session, &mut compaction).map(|_| None).unwrap(),
        Err(error) => Some(error),
    }
}

/// Compacts and checks every guarantee. Says whether there was anything to do.
fn compact_and_check(session: &mut SessionManager, keep: u64, answer: &str) -> bool {
    let before = session.build_session_context().unwrap().messages;
    let entries = session.entries().count().unwrap();
    let failed = compacted(session, keep, answer);
    let after = session.build_session_context().unwrap().messages;
    if session.entries().count().unwrap() == entries {
        assert!(failed.is_none_or(|error| matches!(error, CompactionError::NoGain { .. })));
        assert_eq!(after, before, "what was not compacted is as it was");
        return false;
    }
    assert!(size(&after) <= size(&before), "{} > {}", size(&after), size(&before));

    // One summary, then the end of what there was, word for word: the first user message after the cut, too.
    assert!(is_summary(&after[0]) && !after[1..].iter().any(|message| is_summary(message)));
    assert!(before.ends_with(&after[1..]), "kept messages are as they were");

    // No result without its call, no call without a result that it had.
    let ((calls_before, orphans_before), (calls_after, orphans_after)) = (calls(&before), calls(&after));
    assert!(orphans_after.iter().all(|id| orphans_before.contains(id)), "{orphans_after:?}");
    assert!(calls_after.iter().all(|call| calls_before.contains(call)), "{calls_after:?}");

    // What is pinned is in the context, as a message or in the summary.
    let sent = serde_json::to_string(&convert_to_llm(&after)).unwrap();
    for entry in branch_entries(session).unwrap().iter().filter(|entry| entry.pinned) {
        for message in messages_of(std::slice::from_ref(entry)) {
            let shown = convert_to_llm(&[message]);
            let text = shown.first().map(|message| text_in(message)).unwrap_or_default();
            assert!(sent.contains(&text), "pinned text is gone: {}", &text[..text.len().min(40)]);
        }
    }

    // Once more changes nothing, also when settings were changed in between.
    session.append().thinking_level_change("low").unwrap();
    let entries = session.entries().count().unwrap();
    let context = session.build_session_context().unwrap().messages;
    let again = prepare(&branch_entries(session).unwrap(), &context, &settings(keep));
    assert_eq!(again.unwrap_err(), NothingToCompact::AlreadyCompacted);
    assert_eq!((compacted(session, keep, answer), session.entries().count().unwrap()), (None, entries));
    true
}

/// The words of a message, without those that only its role adds.
fn text_in(message: &Message) -> String {
    let blocks: &[ContentBlock] = match message {
        Message::User(user) => return user.content.to_text().replace('\n', "\\n").replace('"', "\\\""),
        Message::Assistant(answer) => &answer.content,
        Message::ToolResult(result) => &result.content,
        Message::Other(_) => &[],
    };
    blocks.iter().filter_map(ContentBlock::as_text).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn guarantees_hold_for_any_session(
        steps in prop::collection::vec(any_step(), 1..40),
        keep in 1_u64..1500,
        answer in 1_usize..400,
    ) {
        let mut session = SessionManager::in_memory(host(), Path::new("/nowhere"));
        let mut n = 0;
        for step in &steps {
            take(&mut session, step, &mut n);
        }
        let answer = unique(&mut n, answer);
        compact_and_check(&mut session, keep, &answer);
        // And on it goes.
        take(&mut session, &Step::User(900), &mut n);
        take(&mut session, &Step::Answer(900), &mut n);
        compact_and_check(&mut session, keep, &answer);
    }
}

#[test]
fn guarantees_hold_for_the_sessions_of_the_retention_set() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/sessions/retention");
    let files = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let sessions: Vec<_> =
        files.filter(|file| file.extension().is_some_and(|extension| extension == "jsonl")).collect();
    assert!(sessions.len() >= 12);
    for file in sessions {
        for keep in [100, 1000, 4000] {
            let scratch = tempfile::tempdir().unwrap();
            let copy = scratch.path().join("s.jsonl");
            std::fs::copy(&file, &copy).unwrap();
            let mut session = SessionManager::open(host(), &copy, None).unwrap();
            assert!(compact_and_check(&mut session, keep, "A summary."), "{} {keep}", file.display());
        }
    }
}
