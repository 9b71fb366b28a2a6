//! Changes to single messages that wait.

use pi_ai::scripted::model;
use pi_ai::{ContentBlock, Message};
use pi_coding_agent::agent_session::{AgentSession, QueueChange, StreamingBehavior};
use serde_json::json;

use crate::support::{Stage, says};

/// What waits, as a word each: `+` before those for the next turn.
fn waiting(session: &AgentSession) -> String {
    let sign = |behavior| if behavior == StreamingBehavior::Steer { "+" } else { "-" };
    let words = session.queue().prompts().into_iter().map(|prompt| format!("{}{}", sign(prompt.behavior), prompt.text));
    words.collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn messages_are_edited_moved_and_removed() {
    use StreamingBehavior::{FollowUp, Steer};
    for (at, change, expected) in [
        (0, QueueChange::Text("new".to_owned()), "+new +b -c -d"),
        (1, QueueChange::Earlier, "+b +a -c -d"),
        (0, QueueChange::Earlier, "+a +b -c -d"),
        (0, QueueChange::Later, "+b +a -c -d"),
        (1, QueueChange::Later, "+a +b -c -d"),
        (2, QueueChange::Later, "+a +b -d -c"),
        (3, QueueChange::First, "+d +a +b -c"),
        (0, QueueChange::Behavior(FollowUp), "+b -c -d -a"),
        (3, QueueChange::Behavior(Steer), "+a +b +d -c"),
        (2, QueueChange::Remove, "+a +b -d"),
    ] {
        let stage = Stage::new(json!({}), model("m"));
        let session = &stage.session;
        for (text, behavior) in [("a", Steer), ("b", Steer), ("c", FollowUp), ("d", FollowUp)] {
            match behavior {
                Steer => session.queue().steer(text, vec![]).await.unwrap(),
                FollowUp => session.queue().follow_up(text, vec![]).await.unwrap(),
            }
        }
        stage.events();
        let prompts = session.queue().prompts();
        assert!(session.queue().change(&prompts[at], change.clone()).await);
        assert_eq!(waiting(session), expected, "{at} {change:?}");
        let texts = session.queue().texts();
        let told =
            (waiting(session) != "+a +b -c -d").then(|| format!("queue {:?} {:?}", texts.steering, texts.follow_up));
        assert_eq!(stage.events(), Vec::from_iter(told), "{at} {change:?}");
        let is_gone = matches!(change, QueueChange::Text(_) | QueueChange::Remove);
        assert_eq!(session.queue().change(&prompts[at], QueueChange::First).await, !is_gone, "{change:?}");
    }
}

#[tokio::test]
async fn images_stay_with_their_message() {
    let stage = Stage::new(json!({}), model("m"));
    let session = &stage.session;
    session.queue().steer("look", vec![ContentBlock::image("AAAA", "image/png")]).await.unwrap();
    let prompt = session.queue().prompts().remove(0);
    let images = [ContentBlock::image("AAAA", "image/png")];
    assert_eq!(*prompt.images, images);
    assert!(session.queue().change(&prompt, QueueChange::Text("look closely".to_owned())).await);
    let prompt = session.queue().prompts().remove(0);
    assert_eq!((prompt.text.as_str(), &*prompt.images), ("look closely", &images[..]));
}

#[tokio::test]
async fn a_run_waits_until_the_list_is_closed() {
    let stage = Stage::new(json!({}), model("m"));
    stage.script([says("one"), says("two")]);
    let session = stage.session.clone();
    session.queue().follow_up("first", vec![]).await.unwrap();
    session.queue().follow_up("second", vec![]).await.unwrap();
    let hold = session.queue().hold();
    let running = session.clone();
    let run = tokio::spawn(async move { running.prompt("hi", Default::default()).await });
    while session.messages().len() < 2 {
        tokio::task::yield_now().await;
    }
    let prompts = session.queue().prompts();
    assert_eq!(prompts.len(), 2, "nothing is delivered meanwhile");
    assert!(session.queue().change(&prompts[0], QueueChange::Remove).await);
    assert!(session.queue().change(&prompts[1], QueueChange::Text("changed".to_owned())).await);
    drop(hold);
    run.await.unwrap().unwrap();
    let users: Vec<String> = session
        .messages()
        .iter()
        .filter_map(|message| match &**message {
            Message::User(user) => Some(user.content.to_text()),
            _ => None,
        })
        .collect();
    assert_eq!(users, ["hi", "changed"]);
    let late = session.queue().change(&prompts[1], QueueChange::Remove).await;
    assert!(!late, "what was delivered is not changed any more");
}
