//! What can be looked up in a session, and listeners that come and go.

use std::sync::{Arc, Mutex};

use futures::FutureExt;
use pi_ai::scripted::model;
use pi_coding_agent::agent_session::AgentSession;
use pi_coding_agent::sdk::{CreateAgentSessionOptions, ToolSelection};
use serde_json::json;

use crate::support::{Stage, says};

#[tokio::test]
async fn tools_are_listed() {
    // The last number is how many exist, active or not.
    for (selection, expected, listed) in [
        (ToolSelection::default(), &["read", "bash", "edit", "write"][..], 7),
        (ToolSelection::read_only(), &["read", "grep", "find", "ls"], 4),
        (ToolSelection::only(["ls", "read", "nothing"]), &["ls", "read"], 2),
        (ToolSelection::default().without(["bash", "edit"]), &["read", "write"], 5),
        (ToolSelection::none(), &[], 0),
        (ToolSelection::custom_only(), &[], 7),
    ] {
        let stage = Stage::with_options(json!({}), vec![model("m")], |options| CreateAgentSessionOptions {
            tools: selection.clone(),
            ..options
        });
        let session = &stage.session;
        assert_eq!(session.tools().active(), expected, "{selection:?}");
        assert_eq!(session.tools().all().len(), listed, "{selection:?}");
        assert_eq!(session.tools().definition("read").is_some(), expected.contains(&"read"));
        assert!(session.tools().definition("nothing").is_none());
    }
}

#[tokio::test]
async fn switches_and_queues_are_told() {
    let stage = Stage::new(json!({"compaction": {"enabled": false}}), model("m"));
    let session = &stage.session;
    assert_eq!((session.compaction().is_auto(), session.retry().is_auto()), (false, true));
    session.compaction().set_auto(true);
    assert!(session.compaction().is_auto() && !session.thinking().is_supported());
    session.queue().steer("a", vec![]).await.unwrap();
    session.queue().follow_up("b", vec![]).await.unwrap();
    assert_eq!((session.queue().steering(), session.queue().follow_ups()), (vec!["a".into()], vec!["b".into()]));
    session.wait_for_idle().await;
    assert!(!session.agent().is_running());
}

fn count(session: &AgentSession) -> (Arc<Mutex<usize>>, pi_coding_agent::agent_session::Subscription) {
    let count: Arc<Mutex<usize>> = Arc::default();
    let counted = Arc::clone(&count);
    let subscription = session.subscribe(Arc::new(move |_| {
        *counted.lock().unwrap() += 1;
        async {}.boxed()
    }));
    (count, subscription)
}

#[tokio::test]
async fn a_listener_stays_until_it_is_removed() {
    let stage = Stage::new(json!({}), model("m"));
    stage.script([says("one"), says("two")]);
    let (kept, handle) = count(&stage.session);
    drop(handle);
    let (removed, subscription) = count(&stage.session);
    stage.prompt("hello").await;
    subscription.unsubscribe();
    subscription.unsubscribe();
    let after_one = *removed.lock().unwrap();
    stage.prompt("again").await;
    assert!(after_one > 0 && *removed.lock().unwrap() == after_one && *kept.lock().unwrap() == 2 * after_one);
}
