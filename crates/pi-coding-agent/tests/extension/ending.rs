//! Ends, replacements and reloads of a session that meet: every instance of an extension begins and ends once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use pi_ai::scripted::ScriptedStep;
use pi_coding_agent::agent_session::{Error, ExtensionBindings, PromptOptions};
use pi_coding_agent::extension::events::*;
use pi_coding_agent::extension::{Extension, Mode, NewSessionOptions, SendMessageOptions};
use pi_coding_agent::session::{CustomMessageContent, SessionManager};
use tokio::sync::Semaphore;

use crate::support::{Handle, Log, Stage, extension, says, stage};

/// An extension whose instances have numbers, and say when they begin and end.
fn numbered(log: &Log) -> Arc<dyn Extension> {
    let (log, count) = (log.clone(), AtomicUsize::new(0));
    extension("ext", move |pi| {
        let number = 1 + count.fetch_add(1, Ordering::Relaxed);
        let said = log.clone();
        pi.on(move |_: SessionStartEvent, _| {
            said.say(format!("{number} begins"));
            async { Ok(()) }
        });
        let said = log.clone();
        pi.on(move |_: SessionShutdownEvent, _| {
            let said = said.clone();
            async move {
                // Whoever else is about to end it gets a chance to.
                tokio::task::yield_now().await;
                said.say(format!("{number} ends"));
                Ok(())
            }
        });
    })
}

async fn begun(log: &Log) -> Stage {
    let stage = stage(&[numbered(log)]).await;
    stage.session.extensions().bind(ExtensionBindings::without_user(Mode::Print)).await;
    stage
}

#[tokio::test]
async fn a_session_that_is_ended_twice_ends_its_extensions_once() {
    let log = Log::default();
    let stage = begun(&log).await;
    tokio::join!(stage.session.dispose(), stage.session.dispose());
    stage.session.dispose().await;
    stage.session.extensions().bind(ExtensionBindings::without_user(Mode::Print)).await;
    assert_eq!(log.take(), ["1 begins", "1 ends"]);
}

#[tokio::test]
async fn reloads_and_replacements_wait_for_each_other() {
    let log = Log::default();
    let stage = begun(&log).await;
    let (one, other, new) =
        tokio::join!(stage.session.reload(), stage.session.reload(), stage.session.switch().to_new(None));
    one.unwrap();
    other.unwrap();
    assert!(!new.unwrap().cancelled);
    stage.session.dispose().await;
    let mut said = log.take();
    let ends: Vec<String> = said.iter().filter(|line| line.ends_with("ends")).cloned().collect();
    assert_eq!(ends, ["1 ends", "2 ends", "3 ends", "4 ends"]);
    said.sort();
    said.dedup();
    assert_eq!(said.len(), 8, "each begins and ends once: {said:?}");
}

#[tokio::test]
async fn an_end_waits_for_a_replacement_that_has_begun() {
    let log = Log::default();
    let stage = begun(&log).await;
    let (entered, go) = (Arc::new(Semaphore::new(0)), std::sync::mpsc::channel::<()>());
    let (in_setup, (go, held)) = (Arc::clone(&entered), go);
    let setup = Box::new(move |_: &mut SessionManager| {
        in_setup.add_permits(1);
        let _ = held.recv();
        Ok(())
    });
    let session = stage.session.clone();
    let replacing = tokio::spawn(async move {
        session.switch().to_new_with(NewSessionOptions { setup: Some(setup), ..NewSessionOptions::default() }).await
    });
    entered.acquire().await.unwrap().forget();
    let ending = stage.session.clone();
    let mut ending = tokio::spawn(async move { ending.dispose().await });
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
    go.send(()).unwrap();
    assert!(matches!(replacing.await.unwrap(), Err(Error::SessionClosed)), "it is refused");
    (&mut ending).await.unwrap();
    assert_eq!(log.take(), ["1 begins", "1 ends"]);
}

#[tokio::test]
async fn what_an_extension_adds_to_a_prompt_does_not_go_to_another_session() {
    let (reached, go) = (Arc::new(Semaphore::new(0)), Arc::new(Semaphore::new(0)));
    let (arrived, wait) = (Arc::clone(&reached), Arc::clone(&go));
    let count = AtomicUsize::new(0);
    let adding = extension("ext", move |pi| {
        let number = 1 + count.fetch_add(1, Ordering::Relaxed);
        let (arrived, wait) = (Arc::clone(&arrived), Arc::clone(&wait));
        pi.on(move |_: BeforeAgentStartEvent, _| {
            let (arrived, wait) = (Arc::clone(&arrived), Arc::clone(&wait));
            async move {
                arrived.add_permits(1);
                wait.acquire().await.unwrap().forget();
                Ok(BeforeAgentStartOutcome {
                    message: Some(CustomMessageContent::text("note", format!("from {number}"))),
                    system_prompt: Some(format!("I am {number}.")),
                })
            }
        });
    });
    let stage = stage(&[adding]).await;
    stage.script([says("hi")]);
    let session = stage.session.clone();
    let prompt = tokio::spawn(async move { session.prompt("go", PromptOptions::default()).await });
    reached.acquire().await.unwrap().forget();
    stage.session.switch().to_new(None).await.unwrap();
    go.add_permits(2);
    prompt.await.unwrap().unwrap();
    assert_eq!(stage.messages(), ["user: go", "custom: from 2", "assistant: hi"]);
    assert_eq!(&*stage.session.system_prompt(), "I am 2.");
}

#[tokio::test]
async fn extensions_that_have_not_begun_begin_with_the_first_prompt_wherever_that_is() {
    let log = Log::default();
    let stage = stage(&[numbered(&log)]).await;
    stage.script([says("hi")]);
    stage.session.switch().to_new(None).await.unwrap();
    stage.session.reload().await.unwrap();
    assert_eq!(log.take(), [""; 0]);
    stage.prompt("go").await;
    stage.session.dispose().await;
    assert_eq!(log.take(), ["3 begins", "3 ends"]);
}

#[tokio::test]
async fn what_an_extension_sends_at_the_end_of_an_aborted_run_is_answered() {
    let handle = Handle::default();
    let (api, is_first) = (handle.clone(), Arc::new(AtomicBool::new(true)));
    let extension = handle.extension(move |pi| {
        let (api, is_first) = (api.clone(), Arc::clone(&is_first));
        pi.on(move |_: AgentEndEvent, _| {
            let (api, is_first) = (api.clone(), is_first.swap(false, Ordering::Relaxed));
            async move {
                if is_first {
                    let options = SendMessageOptions { trigger_turn: true, ..SendMessageOptions::default() };
                    api.api().send_message(CustomMessageContent::text("note", "why?"), options).await?;
                }
                Ok(())
            }
        });
    });
    let stage = stage(&[extension]).await;
    let hangs = ScriptedStep::from_async(|_| std::future::pending());
    stage.provider.set_steps([hangs, says("sorry").into()]);
    let session = stage.session.clone();
    let prompt = tokio::spawn(async move { session.prompt("go", PromptOptions::default()).await });
    while stage.provider.call_count() == 0 {
        tokio::task::yield_now().await;
    }
    stage.session.abort().await;
    prompt.await.unwrap().unwrap();
    stage.session.extensions().wait_for_background().await;
    assert_eq!(stage.messages(), ["user: go", "assistant: ", "custom: why?", "assistant: sorry"]);
    assert_eq!(stage.in_file(), stage.messages());
}
