//! Going to another place in the tree: what the model sees there, what is summarised, and refusals that change nothing.

use pi_ai::scripted::model;
use pi_coding_agent::agent_session::{NavigateOptions, NavigateOutcome};
use pi_coding_agent::runtime::AgentSessionRuntime;
use pi_coding_agent::session::SessionEntry;
use serde_json::json;

use crate::support::{Stage, fails, says};

fn summarized(label: Option<&str>) -> NavigateOptions {
    NavigateOptions { summarize: true, label: label.map(str::to_owned), ..NavigateOptions::default() }
}

/// Three questions with their answers.
async fn talked() -> Stage {
    let stage = Stage::new(json!({}), model("m"));
    stage.script(["one", "two", "three"].map(says));
    for question in ["first", "second", "third"] {
        stage.prompt(question).await;
    }
    stage.events();
    stage
}

/// The entry of the message with this text.
fn entry_of(stage: &Stage, text: &str) -> String {
    let found = stage.session.store().read(|manager| {
        manager.entries().iter().map(Result::unwrap).find(|entry| match entry.parse() {
            SessionEntry::Message(entry) => serde_json::to_string(&entry.message).unwrap().contains(text),
            SessionEntry::CustomMessage(entry) => entry.content.to_text().contains(text),
            _ => false,
        })
    });
    found.unwrap().id().to_owned()
}

fn context(stage: &Stage) -> Vec<String> {
    let texts = stage.session.messages();
    let text = |message: &std::sync::Arc<pi_ai::Message>| match serde_json::to_value(message).unwrap() {
        json if json["content"].is_string() => json["content"].as_str().unwrap().to_owned(),
        json if json["summary"].is_string() => format!("summary: {}", json["summary"].as_str().unwrap()),
        json => json["content"][0]["text"].as_str().unwrap().to_owned(),
    };
    texts.iter().map(text).collect()
}

fn leaf(stage: &Stage) -> Option<String> {
    stage.session.store().read(|manager| manager.leaf_id().map(str::to_owned))
}

#[tokio::test]
async fn an_answer_is_gone_on_from_and_a_question_is_asked_anew() {
    let stage = talked().await;
    let level = stage.session.thinking().level();
    let outcome = stage.session.tree().navigate(&entry_of(&stage, "one"), NavigateOptions::default()).await.unwrap();
    assert_eq!(outcome, NavigateOutcome::default());
    assert_eq!(context(&stage), ["first", "one"]);

    // Forward again, to a message of the user, which is taken back into the editor.
    let second = entry_of(&stage, "second");
    let outcome = stage.session.tree().navigate(&second, NavigateOptions::default()).await.unwrap();
    assert_eq!(outcome.editor_text.as_deref(), Some("second"));
    assert_eq!(context(&stage), ["first", "one"]);

    // The very first question has nothing but settings in front of it.
    let outcome = stage.session.tree().navigate(&entry_of(&stage, "first"), NavigateOptions::default()).await.unwrap();
    assert_eq!((outcome.editor_text.as_deref(), context(&stage)), (Some("first"), vec![]));
    assert_eq!(stage.session.thinking().level(), level);
    stage.script([says("anew")]);
    stage.prompt("other").await;
    assert_eq!(context(&stage), ["other", "anew"]);
    let texts: Vec<_> = stage.session.tree().fork_messages().await.unwrap().into_iter().map(|it| it.text).collect();
    assert_eq!(texts, ["first", "second", "third", "other"], "nothing is lost");
}

#[tokio::test]
async fn to_stay_is_no_journey() {
    let stage = talked().await;
    let here = leaf(&stage).unwrap();
    let outcome = stage.session.tree().navigate(&here, summarized(Some("x"))).await.unwrap();
    assert_eq!((outcome, leaf(&stage)), (NavigateOutcome::default(), Some(here)));
}

#[tokio::test]
async fn what_is_left_is_summarised_where_the_conversation_goes_on() {
    let stage = talked().await;
    let target = entry_of(&stage, "one");
    let options = NavigateOptions {
        custom_instructions: Some("only the colours".to_owned()),
        replace_instructions: true,
        ..summarized(Some("way back"))
    };
    let outcome = stage.session.tree().navigate(&target, options).await.unwrap();
    let summary = outcome.summary_entry.unwrap();
    assert_eq!((summary.from_id.as_str(), summary.parent_id.as_deref()), (target.as_str(), Some(target.as_str())));
    let request = stage.summary_request().await;
    assert!(request.contains("only the colours") && !request.contains("Additional focus"), "{request}");
    assert!(request.contains("second") && request.contains("three") && !request.contains("first"), "{request}");
    let context = context(&stage);
    assert_eq!(&context[..2], ["first", "one"]);
    assert!(context[2].starts_with("summary: ") && context[2].contains("SUMMARY"), "{context:?}");
    let label = stage.session.store().read(|manager| manager.entries().label(&summary.id).unwrap().map(str::to_owned));
    assert_eq!(label.as_deref(), Some("way back"));
    assert_eq!(
        stage.session.store().read(|manager| manager.entries().label(&target).unwrap().map(str::to_owned)),
        None
    );
}

#[tokio::test]
async fn without_a_summary_the_label_is_on_the_target() {
    let stage = talked().await;
    let target = entry_of(&stage, "two");
    let options = NavigateOptions { label: Some("here".to_owned()), ..NavigateOptions::default() };
    stage.session.tree().navigate(&target, options).await.unwrap();
    let label = stage.session.store().read(|manager| manager.entries().label(&target).unwrap().map(str::to_owned));
    assert_eq!((label.as_deref(), context(&stage).len()), (Some("here"), 4));
}

#[tokio::test]
async fn a_summary_can_be_stopped_and_prompts_wait_for_it() {
    let stage = talked().await;
    let (before, entries) = (leaf(&stage), stage.entries());
    stage.hold_summaries(true);
    let target = entry_of(&stage, "one");
    let stop = async {
        stage.summary_request().await;
        assert!(stage.session.compaction().is_running() && !stage.session.is_streaming());
        // That is for summaries of history.
        stage.session.compaction().abort();
        assert!(stage.session.compaction().is_running());
        stage.session.tree().abort_summary();
    };
    stage.script([says("later")]);
    let (outcome, (), ()) =
        tokio::join!(stage.session.tree().navigate(&target, summarized(None)), stop, stage.prompt("meanwhile"));
    assert_eq!(outcome.unwrap(), NavigateOutcome { cancelled: true, aborted: true, ..NavigateOutcome::default() });
    assert!(!stage.session.compaction().is_running());
    assert_eq!(context(&stage).last().map(String::as_str), Some("later"));
    assert_eq!(stage.entries()[..entries.len()], entries);
    assert_ne!(leaf(&stage), before);
}

#[tokio::test]
async fn a_summary_that_fails_and_an_unknown_target_change_nothing() {
    let stage = talked().await;
    let state = (leaf(&stage), stage.entries(), context(&stage));
    let target = entry_of(&stage, "one");
    stage.provider.set_steps([fails("the provider is gone")]);
    let refused = stage.session.tree().navigate(&target, summarized(None)).await.unwrap_err();
    assert_eq!(refused.to_string(), "the provider is gone");
    let refused = stage.session.tree().navigate("nowhere", NavigateOptions::default()).await.unwrap_err();
    assert_eq!(refused.to_string(), "Entry nowhere not found");
    stage.session.agent().set_model(pi_ai::Model::unknown());
    let refused = stage.session.tree().navigate(&target, summarized(None)).await.unwrap_err();
    assert_eq!(refused.to_string(), "No model available for summarization");
    assert_eq!((leaf(&stage), stage.entries(), context(&stage)), state);
}

#[tokio::test]
async fn a_summary_whose_call_fails_for_a_passing_reason_is_asked_for_again() {
    let stage = talked().await;
    let retry = json!({"maxRetries": 1, "baseDelayMs": 1, "enabled": true});
    stage.session.settings().apply_overrides(&std::iter::once(("retry".to_owned(), retry)).collect());
    let target = entry_of(&stage, "one");
    stage.events();
    stage.provider.set_steps([fails("529 overloaded"), says("SUMMARY")]);
    let outcome = stage.session.tree().navigate(&target, summarized(None)).await.unwrap();
    assert!(outcome.summary_entry.unwrap().summary.contains("SUMMARY"));
    assert_eq!(stage.events(), ["summary retry 1/1 in 1", "summary again BranchSummary -", "summary retried"]);
}

#[tokio::test]
async fn a_run_is_stopped_and_does_not_go_on_elsewhere() {
    let stage = talked().await;
    let target = entry_of(&stage, "one");
    let step = pi_ai::scripted::ScriptedStep::from_async(|_| std::future::pending());
    stage.provider.set_steps([step]);
    let go = async {
        stage.wait_for("start").await;
        stage.session.queue().follow_up("queued", vec![]).await.unwrap();
        stage.session.tree().navigate(&target, NavigateOptions::default()).await.unwrap();
    };
    let ((), ()) = tokio::join!(stage.prompt("long"), go);
    assert_eq!(context(&stage), ["first", "one"]);
    assert_eq!(stage.session.queue().follow_ups(), ["queued"]);
    assert!(!stage.session.is_streaming());
}

#[tokio::test]
async fn a_disposed_session_stays_where_it_is() {
    let stage = talked().await;
    let here = leaf(&stage);
    stage.hold_summaries(true);
    let target = entry_of(&stage, "one");
    let end = async {
        stage.summary_request().await;
        stage.session.dispose().await;
    };
    let (outcome, ()) = tokio::join!(stage.session.tree().navigate(&target, summarized(None)), end);
    assert!(outcome.unwrap().aborted);
    assert_eq!(leaf(&stage), here);
    let refused = stage.session.tree().navigate(&target, NavigateOptions::default()).await.unwrap_err();
    assert_eq!(refused.to_string(), "The session is closed; open it again to send prompts.");
}

#[tokio::test]
async fn the_runtime_navigates_too() {
    let stage = talked().await;
    let runtime = AgentSessionRuntime::new(stage.session.clone());
    let outcome = runtime.navigate_tree(&entry_of(&stage, "third"), NavigateOptions::default()).await.unwrap();
    assert_eq!(
        serde_json::to_value(&outcome).unwrap(),
        json!({"editorText": "third", "cancelled": false, "aborted": false})
    );
}

#[tokio::test]
async fn in_a_file_every_branch_and_the_summary_are_found_again() {
    let dir = tempfile::tempdir().unwrap();
    let stage = Stage::in_files(dir.path(), vec![model("m")]);
    stage.script(["one", "two"].map(says));
    stage.prompt("first").await;
    stage.prompt("second").await;
    let target = entry_of(&stage, "one");
    stage.session.tree().navigate(&target, summarized(None)).await.unwrap();
    let (file, here, seen) = (stage.session.session_file().unwrap(), leaf(&stage), context(&stage));
    stage.session.dispose().await;
    drop(stage);
    let again = Stage::in_files(dir.path(), vec![model("m")]);
    again.session.switch().to(&file).await.unwrap();
    assert_eq!((leaf(&again), context(&again)), (here, seen));
    let texts: Vec<_> = again.session.tree().fork_messages().await.unwrap().into_iter().map(|it| it.text).collect();
    assert_eq!(texts, ["first", "second"]);
}
