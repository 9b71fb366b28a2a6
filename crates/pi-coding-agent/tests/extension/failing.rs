//! Handlers that fail, panic or take too long, and very many events.

use std::sync::Arc;
use std::time::Duration;

use pi_agent_core::AgentEvent;
use pi_coding_agent::agent_session::{ExtensionBindings, SessionEvent};
use pi_coding_agent::extension::events::*;
use pi_coding_agent::extension::{
    Command, DialogOptions, ExtensionApi, ExtensionUi, LoadOptions, Mode, NewSessionOptions, WithSessionFn,
    extension_fn, load_extensions,
};

use crate::support::{Log, calls, echo, extension, says, stage, stage_with};

/// Panics at every event.
macro_rules! panic_at {
    ($pi:expr, $($event:ident),* $(,)?) => {$(
        $pi.on(|_: $event, _| {
            if true {
                panic!(concat!("at ", stringify!($event)));
            }
            async { Ok(Default::default()) }
        });
    )*};
}

fn panic_everywhere(pi: &ExtensionApi) {
    panic_at!(
        pi,
        SessionStartEvent,
        ResourcesDiscoverEvent,
        InputEvent,
        BeforeAgentStartEvent,
        AgentStartEvent,
        TurnStartEvent,
        MessageStartEvent,
        MessageUpdateEvent,
        MessageEndEvent,
        ContextEvent,
        AfterProviderResponseEvent,
        ToolExecutionStartEvent,
        ToolExecutionUpdateEvent,
        ToolResultEvent,
        ToolExecutionEndEvent,
        TurnEndEvent,
        AgentEndEvent,
        SessionBeforeSwitchEvent,
        SessionBeforeForkEvent,
        SessionShutdownEvent,
        ModelSelectEvent,
        ThinkingLevelSelectEvent,
    );
}

#[tokio::test]
async fn a_panic_in_any_handler_is_reported_and_changes_nothing() {
    let (log, count) = (Log::default(), Log::default());
    let heard = count.clone();
    let others = extension("calm", move |pi| {
        let heard = heard.clone();
        pi.on(move |_: AgentEndEvent, _| {
            heard.say("end");
            async { Ok(()) }
        });
    });
    let stage = stage(&[
        extension("wild", |pi| {
            pi.register_tool(echo(false));
            panic_everywhere(pi);
            pi.register_command(Command::new("burst", |_, _| async { panic!("now") }));
        }),
        others,
    ])
    .await;
    stage.script([calls(&["a"]), says("done")]);
    stage.prompt("go").await;
    stage.prompt("/burst").await;
    assert_eq!(stage.messages(), ["user: go", "assistant: echo", "toolResult: a", "assistant: done"]);
    assert_eq!(stage.in_file(), stage.messages());
    stage.session.models().set(stage.provider.find_model("two").unwrap()).await.unwrap();
    stage.session.extensions().wait_for_background().await;
    stage.session.tree().clone_branch().await.unwrap();
    stage.session.switch().to_new(None).await.unwrap();
    let mut errors = stage.errors.take();
    errors.sort();
    errors.dedup();
    insta::assert_snapshot!(errors.join("\n"));
    assert_eq!(
        (count.take(), log.take()),
        (vec!["end".to_owned()], vec![]),
        "the next extension is called all the same"
    );
}

#[tokio::test]
async fn an_extension_that_fails_to_load_is_left_out() {
    let fails = extension_fn("fails", |_| async { Err("no licence".into()) });
    let panics = extension_fn("panics", |_| async { panic!("boom") });
    let hangs = extension_fn("hangs", |_| std::future::pending());
    let tool = |name: &'static str| {
        extension(name, |pi| {
            pi.register_tool(echo(false));
            pi.register_flag(pi_coding_agent::extension::Flag::boolean("plan"));
        })
    };
    let all = [fails, panics, hangs, tool("first"), tool("second")];
    let loaded = load_extensions(&all, short(20)).await;
    let errors: Vec<String> = loaded.errors.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(errors.join("\n"), @r#"
    fails: Failed to load extension: no licence
    panics: Failed to load extension: It panicked: boom
    hangs: Failed to load extension: No answer within 0.02 s; it was stopped
    second: Tool "echo" conflicts with first
    second: Flag "--plan" conflicts with first
    "#);
    assert_eq!(loaded.runner.extensions().len(), 2);
}

fn short(milliseconds: u64) -> LoadOptions {
    LoadOptions { handler_timeout: Some(Duration::from_millis(milliseconds)), ..LoadOptions::default() }
}

#[tokio::test]
async fn a_handler_that_hangs_is_stopped_and_the_run_goes_on() {
    let extension = extension("ext", |pi| {
        pi.on(|_: TurnStartEvent, _| std::future::pending());
        pi.on(|_: ContextEvent, _| std::future::pending());
    });
    let stage = stage_with(&[extension], short(30), |options| options).await;
    stage.script([says("hi")]);
    stage.prompt("go").await;
    assert_eq!(stage.messages(), ["user: go", "assistant: hi"]);
    assert_eq!(
        stage.errors.take(),
        [
            "ext turn_start: No answer within 0.03 s; it was stopped",
            "ext context: No answer within 0.03 s; it was stopped",
        ]
    );
}

/// Answers after a while that is longer than any deadline here.
struct Slow;

impl ExtensionUi for Slow {
    fn is_available(&self) -> bool {
        true
    }

    fn confirm(&self, _: &str, _: &str, _: DialogOptions) -> futures::future::BoxFuture<'_, bool> {
        Box::pin(async {
            tokio::time::sleep(Duration::from_millis(200)).await;
            true
        })
    }
}

#[tokio::test]
async fn time_in_which_the_user_thinks_does_not_count() {
    let log = Log::default();
    let said = log.clone();
    let extension = extension("ext", move |pi| {
        let log = said.clone();
        pi.on(move |_: TurnStartEvent, ctx| {
            let log = log.clone();
            async move {
                let answer = ctx.ui().confirm("Well?", "", DialogOptions::default()).await;
                log.say(format!("{answer} {} {:?}", ctx.has_ui(), ctx.mode()));
                Ok(())
            }
        });
    });
    let stage = stage_with(&[extension], short(50), |options| options).await;
    let bindings = ExtensionBindings { ui: Arc::new(Slow), ..ExtensionBindings::without_user(Mode::Rpc) };
    stage.session.extensions().bind(bindings).await;
    stage.script([says("hi")]);
    stage.prompt("go").await;
    assert_eq!((log.take(), stage.errors.take()), (vec!["true true Rpc".to_owned()], vec![]));
}

#[tokio::test]
async fn a_blocking_handler_of_a_tool_call_does_not_outlive_its_deadline() {
    let extension = extension("ext", |pi| {
        pi.register_tool(echo(false));
        pi.on(|_: ToolCallEvent, _| std::future::pending());
    });
    let stage = stage_with(&[extension], short(30), |options| options).await;
    stage.script([calls(&["a"]), says("done")]);
    stage.prompt("go").await;
    assert_eq!(stage.messages()[2], "toolResult: No answer within 0.03 s; it was stopped", "it fails closed");
}

#[tokio::test]
async fn listeners_are_told_after_extensions() {
    let log = Log::default();
    let said = log.clone();
    let stage = stage(&[extension("ext", move |pi| {
        let log = said.clone();
        pi.on(move |_: AgentStartEvent, _| {
            log.say("extension");
            async { Ok(()) }
        });
    })])
    .await;
    let said = log.clone();
    stage.session.subscribe(Arc::new(move |event| {
        if matches!(event, SessionEvent::Agent(AgentEvent::AgentStart)) {
            said.say("listener");
        }
        Box::pin(async {})
    }));
    stage.script([says("hi")]);
    stage.prompt("go").await;
    assert_eq!(log.take(), ["extension", "listener"]);
}

/// An answer of some ten thousand pieces: the cost of telling them must not grow with the length of what was said.
#[tokio::test]
async fn very_many_events_cost_little_each() {
    let log = Log::default();
    let said = log.clone();
    let stage = stage(&[extension("ext", move |pi| {
        let log = said.clone();
        pi.on(move |_: MessageUpdateEvent, _| {
            log.say("");
            async { Ok(()) }
        });
    })])
    .await;
    stage.script([says(&"word ".repeat(32_000))]);
    stage.prompt("go").await;
    assert!(log.take().len() >= 10_000);
    assert_eq!(stage.errors.take(), [""; 0]);
}

#[tokio::test]
async fn a_panic_while_a_session_is_replaced_leaves_a_whole_session() {
    let stage = stage(&[extension("ext", |_| {})]).await;
    stage.script([says("one"), says("two"), says("three")]);
    stage.prompt("go").await;
    let setup = NewSessionOptions { setup: Some(Box::new(|_| panic!("no entries"))), ..NewSessionOptions::default() };
    assert!(stage.session.switch().to_new_with(setup).await.is_err());
    stage.prompt("still here").await;
    assert_eq!(stage.messages().len(), 4, "the old session goes on");
    let with_session: Box<WithSessionFn> = Box::new(|_| panic!("not today"));
    let options = NewSessionOptions { with_session: Some(with_session), ..NewSessionOptions::default() };
    assert!(!stage.session.switch().to_new_with(options).await.unwrap().cancelled);
    stage.prompt("new").await;
    assert_eq!(stage.messages(), ["user: new", "assistant: three"]);
    assert_eq!(stage.errors.take(), ["<runtime> with_session: It panicked: not today"]);
}
