//! Extensions when their session is replaced, read anew or ended.

use std::sync::{Arc, Mutex};

use pi_ai::UserContent;
use pi_coding_agent::agent_session::{ExtensionBindings, ForkPosition};
use pi_coding_agent::extension::events::*;
use pi_coding_agent::extension::{
    Command, ExtensionApi, ExtensionContext, Mode, NewSessionOptions, ReplacementOptions, SendMessageOptions,
    extension_fn,
};
use pi_coding_agent::session::CustomMessageContent;

use crate::support::{Handle, Log, Stage, echo, says, stage};

/// A stage whose extension writes down beginnings and ends; files are named by the session's place in `files`.
async fn living() -> (Stage, Handle, Log) {
    let (handle, log) = (Handle::default(), Log::default());
    let said = log.clone();
    let extension = handle.extension(move |pi| note(pi, &said));
    let stage = stage(&[extension]).await;
    stage.session.extensions().bind(ExtensionBindings::without_user(Mode::Rpc)).await;
    stage.script((0..9).map(|_| says("hi")));
    stage.prompt("go").await;
    (stage, handle, log)
}

fn note(pi: &ExtensionApi, log: &Log) {
    log.say("activated");
    let name = |file: Option<std::path::PathBuf>| {
        file.and_then(|file| file.file_stem().map(|stem| stem.to_string_lossy().into_owned())).unwrap_or_default()
    };
    let start = log.clone();
    pi.on(move |event: SessionStartEvent, ctx: ExtensionContext| {
        let now = ctx.session().unwrap().session_file();
        start.say(format!("start {:?} in {} after {}", event.reason, name(now), name(event.previous_session_file)));
        async { Ok(()) }
    });
    let end = log.clone();
    pi.on(move |event: SessionShutdownEvent, ctx: ExtensionContext| {
        let now = ctx.session().unwrap().session_file();
        end.say(format!("end {:?} of {} for {}", event.reason, name(now), name(event.target_session_file)));
        async { Ok(()) }
    });
}

/// The log with files named A, B, … in the order in which they appear.
fn tidy(lines: &[String]) -> String {
    let mut text = lines.join("\n");
    let mut names = ('A'..='Z').map(String::from);
    while let Some(at) = text.find("20") {
        let name: String = text[at..].chars().take_while(|c| !c.is_whitespace()).collect();
        text = text.replace(&name, &names.next().unwrap());
    }
    text
}

#[tokio::test]
async fn every_replacement_ends_one_instance_and_begins_another() {
    let (stage, _, log) = living().await;
    let first = stage.session.session_file().unwrap();
    let entry = stage.session.store().read(|manager| {
        let entries = manager.entries().iter().map(Result::unwrap);
        let users = entries.filter(|entry| entry.kind() == "message").map(|entry| entry.id().to_owned());
        users.collect::<Vec<_>>()
    });
    stage.session.switch().to_new(None).await.unwrap();
    stage.session.switch().to(&first).await.unwrap();
    stage.session.tree().fork(&entry[1], ForkPosition::At).await.unwrap();
    stage.session.tree().clone_branch().await.unwrap();
    stage.session.reload().await.unwrap();
    stage.session.dispose().await;
    insta::assert_snapshot!(tidy(&log.take()));
    assert_eq!(stage.errors.take(), [""; 0]);
}

#[tokio::test]
async fn an_extension_can_call_it_off() {
    let (handle, log) = (Handle::default(), Log::default());
    let said = log.clone();
    let extension = handle.extension(move |pi| {
        note(pi, &said);
        let log = said.clone();
        pi.on(move |event: SessionBeforeSwitchEvent, _| {
            log.say(format!("switch {:?} {}", event.reason, event.target_session_file.is_some()));
            async { Ok(CancelOutcome::cancel()) }
        });
        let log = said.clone();
        pi.on(move |event: SessionBeforeForkEvent, _| {
            log.say(format!("fork {:?}", event.position));
            async { Ok(ForkOutcome::cancel()) }
        });
        let log = said.clone();
        pi.on(move |_: SessionBeforeForkEvent, _| {
            log.say("not asked any more");
            async { Ok(ForkOutcome::default()) }
        });
    });
    let stage = stage(&[extension]).await;
    stage.script([says("hi"), says("there")]);
    stage.prompt("go").await;
    log.take();
    let file = stage.session.session_file();
    let leaf = stage.session.store().read(|manager| manager.leaf_id().unwrap().to_owned());
    assert!(stage.session.switch().to_new(None).await.unwrap().cancelled);
    assert!(stage.session.switch().to(&file.clone().unwrap()).await.unwrap().cancelled);
    assert!(stage.session.tree().fork(&leaf, ForkPosition::Before).await.unwrap().cancelled);
    assert!(stage.session.tree().clone_branch().await.unwrap().cancelled);
    assert_eq!(log.take(), ["switch New false", "switch Resume true", "fork Before", "fork At"]);
    assert_eq!(stage.session.session_file(), file);
    stage.prompt("on").await;
    assert_eq!(stage.messages().len(), 4, "nothing has changed");
    assert_eq!(handle.api().session_name().unwrap(), None, "and the extension is not stale");
}

#[tokio::test]
async fn what_is_left_behind_is_stale() {
    let (stage, handle, _) = living().await;
    let old = handle.api();
    let context = old.context();
    stage.session.switch().to_new(None).await.unwrap();
    let message = CustomMessageContent::text("note", "x");
    let options = SendMessageOptions::default();
    let results = [
        old.send_message(message, options).await,
        old.send_user_message(UserContent::Text("x".into()), Default::default()),
        old.append_entry("x", None).map(drop),
        old.set_session_name("x").await,
        old.set_active_tools(&[]),
        old.unregister_provider("x"),
        context.cwd().map(drop),
        context.model().map(drop),
        context.abort(),
        context.with_manager(|_| ()),
    ];
    for result in results {
        let text = result.unwrap_err().to_string();
        assert!(text.starts_with("This extension ctx is stale after session replacement or reload."), "{text}");
    }
    let done = old.exec("true", &[], Default::default()).await;
    assert!(done.code == 1 && done.stderr.starts_with("This extension ctx is stale"), "{done:?}");
    old.register_tool(echo(false));
    assert!(!stage.session.tools().active().contains(&"echo".to_owned()), "it registers nothing");
    handle.api().set_session_name("mine").await.unwrap();
    stage.session.dispose().await;
    assert!(handle.api().session_name().is_err());
}

#[tokio::test]
async fn a_command_sets_a_session_up_and_goes_on_in_it() {
    let log = Log::default();
    let said = log.clone();
    let extension = extension_fn("ext", move |pi| {
        let log = said.clone();
        note(&pi, &log);
        async move {
            pi.register_command(Command::new("next", move |arguments, ctx| {
                let log = log.clone();
                async move {
                    let parent_session = ctx.session()?.session_file();
                    let old = ctx.clone();
                    let options = NewSessionOptions {
                        parent_session,
                        setup: Some(Box::new(|manager| {
                            manager
                                .append()
                                .custom_message(CustomMessageContent::text("note", "prepared"))
                                .map(drop)
                                .map_err(Into::into)
                        })),
                        with_session: Some(Box::new(move |ctx| {
                            Box::pin(async move {
                                log.say("going on");
                                assert!(old.cwd().is_err(), "the old one is stale");
                                ctx.send_user_message(UserContent::Text(arguments), None).await?;
                                log.say(format!("{} messages", ctx.session()?.stats().message_count()));
                                Err("and failing".into())
                            })
                        })),
                    };
                    assert!(!ctx.new_session(options).await?.cancelled);
                    Ok(())
                }
            }));
            Ok(())
        }
    });
    let stage = stage(&[extension]).await;
    stage.script([says("one"), says("two")]);
    stage.prompt("go").await;
    stage.prompt("/next please").await;
    insta::assert_snapshot!(tidy(&log.take()));
    assert_eq!(stage.messages(), ["custom: prepared", "user: please", "assistant: two"]);
    assert_eq!(stage.in_file(), stage.messages());
    assert_eq!(stage.errors.take(), ["<runtime> with_session: and failing"]);
}

#[tokio::test]
async fn a_command_can_switch_and_fork() {
    let seen = Log::default();
    let said = seen.clone();
    let home = Arc::new(Mutex::new(None));
    let target = Arc::clone(&home);
    let handle = Handle::default();
    let extension = handle.extension(move |pi| {
        let (log, target) = (said.clone(), Arc::clone(&target));
        pi.register_command(Command::new("back", move |_, ctx| {
            let (log, file) = (log.clone(), target.lock().unwrap().clone());
            async move {
                let file: std::path::PathBuf = file.ok_or("no file")?;
                let with_session: Box<pi_coding_agent::extension::WithSessionFn> = Box::new(move |ctx| {
                    Box::pin(async move {
                        log.say(format!("{} messages", ctx.session()?.stats().message_count()));
                        Ok(())
                    })
                });
                ctx.switch_session(
                    &file,
                    ReplacementOptions { with_session: Some(with_session), ..ReplacementOptions::default() },
                )
                .await?;
                Ok(())
            }
        }));
    });
    let stage = stage(&[extension]).await;
    stage.script([says("one")]);
    stage.prompt("go").await;
    *home.lock().unwrap() = stage.session.session_file();
    stage.session.switch().to_new(None).await.unwrap();
    assert_eq!(stage.messages().len(), 0);
    stage.prompt("/back").await;
    assert_eq!((seen.take(), stage.messages().len(), stage.errors.take()), (vec!["2 messages".to_owned()], 2, vec![]));
}

#[tokio::test]
async fn reload_keeps_the_conversation_and_the_active_tools() {
    let handle = Handle::default();
    let stage = stage(&[handle.extension(|pi| pi.register_tool(echo(false)))]).await;
    stage.script([says("hi"), says("again")]);
    stage.prompt("go").await;
    let active = ["grep".to_owned(), "echo".to_owned()];
    handle.api().set_active_tools(&active).unwrap();
    stage.session.reload().await.unwrap();
    assert_eq!(stage.session.tools().active(), active);
    assert!(stage.session.system_prompt().contains("Says it again"));
    stage.prompt("on").await;
    assert_eq!(stage.messages().len(), 4);
}
