//! Callbacks of programs: they hear everything in order, and the run never waits for them.

use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};

use futures::FutureExt;
use pi_ai::scripted::model;
use pi_coding_agent::agent_session::SessionEvent;
use serde_json::json;

use super::support::{Stage, says};

/// What a callback has heard.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn add(&self, text: &str) {
        self.0.lock().unwrap().push(text.to_owned());
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

fn stage() -> Stage {
    Stage::new(json!({}), model("m"))
}

#[tokio::test]
async fn a_prompt_returns_when_its_text_was_heard() {
    let (stage, log) = (stage(), Log::default());
    let heard = log.clone();
    // The subscription is let go of: the callback stays.
    stage.session.on_text(move |delta| heard.add(delta));
    for answer in ["Good morning to all of you.", "And good night."] {
        stage.script([says(answer)]);
        stage.prompt("Hi").await;
        assert_eq!(log.take().concat(), answer);
    }
}

#[tokio::test]
async fn events_come_in_order_until_nobody_listens_any_more() {
    let (stage, log) = (stage(), Log::default());
    let heard = log.clone();
    let subscription = stage.session.on_event(move |event| {
        heard.add(match event {
            SessionEvent::Agent(_) => "agent",
            SessionEvent::AgentEnd { .. } => "end",
            SessionEvent::AgentSettled { .. } => "settled",
            _ => "other",
        });
    });
    stage.script([says("One."), says("Two.")]);
    stage.prompt("Hi").await;
    let mut first = log.take();
    first.dedup();
    assert_eq!(first, ["agent", "end", "settled"]);
    subscription.unsubscribe();
    stage.prompt("Again").await;
    assert_eq!(log.take(), [""; 0]);
}

#[tokio::test]
async fn a_callback_that_blocks_does_not_hold_up_the_run() {
    let (stage, log) = (stage(), Log::default());
    let (release, released) = channel();
    let (heard, released) = (log.clone(), Mutex::new(Some(released)));
    stage.session.on_text(move |delta| {
        // The first piece is not done with before the run is over.
        if let Some(released) = released.lock().unwrap().take() {
            released.recv().unwrap();
        }
        heard.add(delta);
    });
    let before = log.clone();
    stage.session.subscribe(Arc::new(move |event| {
        if let SessionEvent::AgentEnd { .. } = event {
            assert_eq!(before.take(), [""; 0]);
            release.send(()).unwrap();
        }
        async {}.boxed()
    }));
    stage.script([says("a longer answer of several pieces")]);
    stage.prompt("Hi").await;
    assert_eq!(log.take().concat(), "a longer answer of several pieces");
}

#[tokio::test]
async fn a_callback_that_panics_loses_that_event_alone() {
    let (stage, log) = (stage(), Log::default());
    let (heard, first) = (log.clone(), Mutex::new(true));
    stage.session.on_text(move |delta| {
        let is_first = std::mem::take(&mut *first.lock().unwrap());
        assert!(!is_first, "a fault of the program");
        heard.add(delta);
    });
    stage.script([says("lost"), says("heard")]);
    stage.prompt("Hi").await;
    log.take();
    stage.prompt("Hi").await;
    assert_eq!(log.take().concat(), "heard");
}

#[tokio::test]
async fn a_callback_may_end_the_session() {
    let (stage, log) = (stage(), Log::default());
    let (session, runtime, heard) = (stage.session.clone(), tokio::runtime::Handle::current(), log.clone());
    stage.session.on_event(move |event| {
        if let SessionEvent::AgentSettled { .. } = event {
            runtime.block_on(session.dispose());
            heard.add("disposed");
        }
    });
    stage.script([says("That is all.")]);
    stage.prompt("Hi").await;
    assert_eq!(log.take(), ["disposed"]);
}
