//! Messages that extensions put into the conversation, in every state of the session.

use std::sync::Arc;

use pi_ai::scripted::ScriptedStep;
use pi_ai::{ContentBlock, UserContent};
use pi_coding_agent::agent_session::StreamingBehavior;
use pi_coding_agent::extension::events::*;
use pi_coding_agent::extension::{Command, DeliverAs, SendMessageOptions, SendUserMessageOptions};
use pi_coding_agent::session::CustomMessageContent;
use tokio::sync::Notify;

use crate::support::{Handle, Log, Stage, line, says, stage};

fn note(text: &str) -> CustomMessageContent {
    CustomMessageContent::text("note", text)
}

fn options(trigger_turn: bool, deliver_as: Option<DeliverAs>) -> SendMessageOptions {
    SendMessageOptions { trigger_turn, deliver_as }
}

/// A stage whose extension writes down what it hears of messages, inputs and beginnings.
async fn hearing() -> (Stage, Handle, Log) {
    let (handle, log) = (Handle::default(), Log::default());
    let heard = log.clone();
    let extension = handle.extension(move |pi| {
        let log = heard.clone();
        pi.on(move |event: MessageStartEvent, _| {
            log.say(line(&event.message));
            async { Ok(()) }
        });
        let log = heard.clone();
        pi.on(move |event: InputEvent, _| {
            log.say(format!("input {} {:?} {:?}", event.text, event.source, event.streaming_behavior));
            async { Ok(InputOutcome::Continue) }
        });
        let log = heard.clone();
        pi.on(move |_: BeforeAgentStartEvent, _| {
            log.say("before");
            async { Ok(BeforeAgentStartOutcome::default()) }
        });
        let log = heard.clone();
        pi.register_command(Command::new("hello", move |arguments, _| {
            log.say(format!("hello {arguments:?}"));
            async { Ok(()) }
        }));
    });
    let stage = stage(&[extension]).await;
    (stage, handle, log)
}

/// A step during which something is done.
fn meanwhile<F>(answer: &'static str, work: impl FnOnce() -> F + Send + 'static) -> ScriptedStep
where
    F: Future<Output = ()> + Send + 'static,
{
    ScriptedStep::from_async(move |_| async move {
        work().await;
        Ok(says(answer))
    })
}

#[tokio::test]
async fn while_idle_it_is_part_of_the_conversation_at_once_and_listeners_hear_of_it() {
    let (stage, handle, log) = hearing().await;
    handle.api().send_message(note("by the way"), options(false, Some(DeliverAs::Steer))).await.unwrap();
    assert_eq!(
        (stage.messages(), stage.told.take()),
        (vec!["custom: by the way".to_owned()], vec!["custom: by the way".to_owned()])
    );
    assert_eq!(log.take(), [""; 0], "extensions do not");
    assert_eq!(stage.provider.call_count(), 0);
    stage.script([says("hi")]);
    stage.prompt("go").await;
    assert_eq!(stage.in_file(), ["custom: by the way", "user: go", "assistant: hi"]);
}

#[tokio::test]
async fn while_idle_it_can_begin_a_run() {
    let (stage, handle, log) = hearing().await;
    stage.script([says("I see")]);
    handle.api().send_message(note("look"), options(true, None)).await.unwrap();
    stage.session.extensions().wait_for_background().await;
    assert_eq!(stage.messages(), ["custom: look", "assistant: I see"]);
    assert_eq!(log.take(), ["custom: look", "assistant: "], "neither input nor before_agent_start");
}

#[tokio::test]
async fn during_a_run_it_is_queued_and_not_counted() {
    let (stage, handle, _) = hearing().await;
    let (session, pi) = (stage.session.clone(), handle.api());
    stage.provider.set_steps([
        meanwhile("one", move || async move {
            pi.send_message(note("later"), options(true, Some(DeliverAs::FollowUp))).await.unwrap();
            pi.send_message(note("soon"), options(false, None)).await.unwrap();
            assert!(!pi.context().has_pending_messages().unwrap() && session.queue().count() == 0);
        }),
        says("two").into(),
        says("three").into(),
    ]);
    stage.prompt("go").await;
    let expected =
        ["user: go", "assistant: one", "custom: soon", "assistant: two", "custom: later", "assistant: three"];
    assert_eq!(stage.messages(), expected);
    assert_eq!(stage.in_file(), expected);
}

#[tokio::test]
async fn for_the_next_turn_it_waits_behind_the_users_message() {
    let (stage, handle, _) = hearing().await;
    let pi = handle.api();
    pi.send_message(note("first"), options(true, Some(DeliverAs::NextTurn))).await.unwrap();
    assert_eq!((stage.messages().len(), stage.provider.call_count()), (0, 0));
    stage.provider.set_steps([
        meanwhile("one", move || async move {
            pi.send_message(note("second"), options(false, Some(DeliverAs::NextTurn))).await.unwrap();
        }),
        says("two").into(),
    ]);
    stage.prompt("go").await;
    stage.prompt("on").await;
    let expected = ["user: go", "custom: first", "assistant: one", "user: on", "custom: second", "assistant: two"];
    assert_eq!(stage.messages(), expected);
}

#[tokio::test]
async fn what_waits_for_the_next_turn_does_not_follow_into_another_session() {
    let (stage, handle, _) = hearing().await;
    handle.api().send_message(note("lost"), options(false, Some(DeliverAs::NextTurn))).await.unwrap();
    stage.session.switch().to_new(None).await.unwrap();
    stage.script([says("hi")]);
    stage.prompt("go").await;
    assert_eq!(stage.messages(), ["user: go", "assistant: hi"]);
}

#[tokio::test]
async fn a_prompt_of_an_extension_is_not_expanded() {
    let (stage, handle, log) = hearing().await;
    stage.script([says("one"), says("two")]);
    handle.api().send_user_message(UserContent::Text("/hello you".into()), SendUserMessageOptions::default()).unwrap();
    stage.session.extensions().wait_for_background().await;
    assert_eq!(log.take(), ["input /hello you Extension None", "before", "user: /hello you", "assistant: "]);
    let blocks = [ContentBlock::text("a"), ContentBlock::text("b")].to_vec();
    handle.api().send_user_message(UserContent::Blocks(blocks), SendUserMessageOptions::default()).unwrap();
    stage.session.extensions().wait_for_background().await;
    assert_eq!(stage.messages()[2], "user: a\nb");
}

#[tokio::test]
async fn during_a_run_a_prompt_of_an_extension_needs_a_place() {
    let (stage, handle, log) = hearing().await;
    let pi = handle.api();
    let (gate, opened) = tokio::sync::oneshot::channel::<()>();
    stage.provider.set_steps([
        meanwhile("one", move || async move {
            pi.send_user_message(UserContent::Text("lost".into()), SendUserMessageOptions::default()).unwrap();
            let deliver_as = Some(StreamingBehavior::FollowUp);
            pi.send_user_message(UserContent::Text("later".into()), SendUserMessageOptions { deliver_as }).unwrap();
            opened.await.unwrap();
        }),
        says("two").into(),
    ]);
    let session = stage.session.clone();
    let queued = async move {
        while session.queue().count() == 0 {
            tokio::task::yield_now().await;
        }
        gate.send(()).unwrap();
    };
    tokio::join!(stage.prompt("go"), queued);
    stage.session.extensions().wait_for_background().await;
    assert_eq!(stage.messages(), ["user: go", "assistant: one", "user: later", "assistant: two"]);
    let errors = stage.errors.take();
    assert!(
        errors.len() == 1 && errors[0].starts_with("<runtime> send_user_message: Agent is already processing."),
        "{errors:?}"
    );
    assert!(log.take().contains(&"input later Extension Some(FollowUp)".to_owned()));
}

#[tokio::test]
async fn prompts_arrive_in_the_order_in_which_they_were_said() {
    let (handle, second) = (Handle::default(), Arc::new(Notify::new()));
    let extension = handle.extension(move |pi| {
        let second = Arc::clone(&second);
        pi.on(move |event: InputEvent, _| {
            let second = Arc::clone(&second);
            async move {
                match event.text.as_str() {
                    "first" => second.notified().await,
                    "second" => second.notify_one(),
                    _ => {}
                }
                Ok(InputOutcome::Continue)
            }
        });
    });
    let stage = stage(&[extension]).await;
    let pi = handle.api();
    stage.provider.set_steps([
        meanwhile("one", move || async move {
            let options = SendUserMessageOptions { deliver_as: Some(StreamingBehavior::FollowUp) };
            for text in ["first", "second"] {
                pi.send_user_message(UserContent::Text(text.into()), options).unwrap();
            }
        }),
        says("two").into(),
        says("three").into(),
    ]);
    stage.prompt("go").await;
    stage.session.extensions().wait_for_background().await;
    let expected = ["user: go", "assistant: one", "user: first", "assistant: two", "user: second", "assistant: three"];
    assert_eq!(stage.messages(), expected);
}

#[tokio::test]
async fn commands_get_their_arguments_verbatim_and_cannot_wait() {
    let (stage, _, log) = hearing().await;
    for text in ["/hello  a b ", "/hello", "/hello "] {
        stage.prompt(text).await;
    }
    assert_eq!(log.take(), ["hello \" a b \"", "hello \"\"", "hello \"\""]);
    let refused = stage.session.queue().steer("/hello x", vec![]).await.unwrap_err().to_string();
    assert_eq!(
        refused,
        "Extension command \"/hello\" cannot be queued. Use prompt() or execute the command when not streaming."
    );
    assert!(stage.session.queue().follow_up("/hello", vec![]).await.is_err());
    let session = stage.session.clone();
    stage.provider.set_steps([meanwhile("one", move || async move {
        session.prompt("/hello now", Default::default()).await.unwrap();
    })]);
    stage.prompt("go").await;
    assert!(log.take().contains(&"hello \"now\"".to_owned()), "it runs beside the agent");
    assert_eq!(stage.messages(), ["user: go", "assistant: one"]);
}

/// A message that begins a run of which the handler hears, which sends a message: each run ends first, so neither the
/// stack nor the memory grows, but nobody except the extension ends it.
#[tokio::test]
async fn a_handler_may_send_what_triggers_it() {
    let (handle, log) = (Handle::default(), Log::default());
    let (own, count) = (handle.clone(), log.clone());
    let extension = handle.extension(move |pi| {
        let (own, count) = (own.clone(), count.clone());
        pi.on(move |_: AgentEndEvent, _| {
            let (pi, count) = (own.api(), count.clone());
            async move {
                count.say("end");
                let so_far = pi.context().with_manager(|manager| manager.entries().iter().count())?;
                if so_far < 100 {
                    pi.send_message(note("again"), options(true, None)).await?;
                }
                Ok(())
            }
        });
    });
    let stage = stage(&[extension]).await;
    stage.provider.set_steps((0..200).map(|_| says("ok")));
    stage.prompt("go").await;
    stage.session.extensions().wait_for_background().await;
    stage.session.wait_for_idle().await;
    let runs = log.take().len();
    assert!(runs >= 40 && u64::try_from(runs).unwrap() <= stage.provider.call_count(), "{runs}");
    assert_eq!(stage.errors.take(), [""; 0]);
}
