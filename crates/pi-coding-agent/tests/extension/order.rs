//! The order in which extensions hear of things.

use pi_coding_agent::agent_session::ExtensionBindings;
use pi_coding_agent::extension::events::*;
use pi_coding_agent::extension::{ExtensionApi, Mode};

use crate::support::{Log, calls, echo, extension, says, stage, text};

/// Writes down every event with what tells it from others of its kind.
macro_rules! note {
    ($pi:expr, $log:expr, $($event:ident |$it:ident| $detail:expr),* $(,)?) => {$({
        let log = $log.clone();
        $pi.on(move |$it: $event, _| {
            log.say(format!("{} {}", <$event as Event>::NAME, $detail).trim_end());
            async { Ok(Default::default()) }
        });
    })*};
}

fn note_everything(pi: &ExtensionApi, log: &Log) {
    note!(
        pi,
        log,
        SessionStartEvent | event | format!("{:?} {}", event.reason, event.previous_session_file.is_some()),
        ResourcesDiscoverEvent | event | format!("{:?}", event.reason),
        InputEvent | event | format!("{} {:?} {:?}", event.text, event.source, event.streaming_behavior),
        BeforeAgentStartEvent | event | event.prompt,
        AgentStartEvent | _event | "",
        AgentEndEvent | event | event.messages.len(),
        TurnStartEvent | event | event.turn_index,
        TurnEndEvent | event | format!("{} {}", event.turn_index, event.tool_results.len()),
        ContextEvent | event | event.messages.len(),
        BeforeProviderRequestEvent | _event | "",
        AfterProviderResponseEvent | event | event.status,
        MessageStartEvent | event | event.message.role(),
        MessageEndEvent | event | format!("{} {}", event.message.role(), text(&event.message)),
        ToolExecutionStartEvent | event | event.tool_call_id,
        ToolCallEvent | event | event.input,
        ToolExecutionUpdateEvent | event | event.tool_call_id,
        ToolResultEvent | event | event.tool_call_id,
        ToolExecutionEndEvent | event | event.tool_call_id,
        SessionShutdownEvent | event | format!("{:?}", event.reason),
    );
    let updates = log.clone();
    pi.on(move |_: MessageUpdateEvent, _| {
        // However many there are.
        let mut lines = updates.take();
        lines.push("message_update".to_owned());
        lines.dedup();
        lines.into_iter().for_each(|line| updates.say(line));
        async { Ok(()) }
    });
}

async fn events_of(words: &'static [&'static str], sequential: bool) -> String {
    let log = Log::default();
    let notes = log.clone();
    let stage = stage(&[extension("notes", move |pi| {
        pi.register_tool(echo(sequential));
        note_everything(pi, &notes);
    })])
    .await;
    stage.session.extensions().bind(ExtensionBindings::without_user(Mode::Print)).await;
    stage.script([calls(words), says("done")]);
    stage.prompt("go").await;
    stage.session.dispose().await;
    assert_eq!(stage.errors.take(), [""; 0]);
    log.take().join("\n")
}

#[tokio::test]
async fn one_prompt_with_one_tool_call() {
    insta::assert_snapshot!(events_of(&["a"], false).await);
}

#[tokio::test]
async fn calls_side_by_side_are_all_announced_before_one_runs() {
    insta::assert_snapshot!(events_of(&["a", "b"], false).await);
}

#[tokio::test]
async fn calls_in_turn_are_each_told_to_their_end() {
    insta::assert_snapshot!(events_of(&["a", "b"], true).await);
}

#[tokio::test]
async fn without_a_surface_extensions_begin_with_the_first_prompt() {
    let log = Log::default();
    let notes = log.clone();
    let stage = stage(&[extension("notes", move |pi| note_everything(pi, &notes))]).await;
    assert_eq!(log.take(), [""; 0]);
    stage.script([says("one"), says("two")]);
    stage.prompt("go").await;
    assert_eq!(
        log.take()[..3],
        ["session_start Startup false", "resources_discover Startup", "input go Interactive None"]
    );
    stage.prompt("on").await;
    assert_eq!(log.take()[0], "input on Interactive None");
}

#[tokio::test]
async fn extensions_are_asked_in_the_order_of_loading_and_of_subscription() {
    let log = Log::default();
    let make = |name: &'static str| {
        let log = log.clone();
        extension(name, move |pi| {
            for number in [1, 2] {
                let log = log.clone();
                pi.on(move |_: AgentStartEvent, _| {
                    log.say(format!("{name}{number}"));
                    async { Ok(()) }
                });
            }
        })
    };
    let stage = stage(&[make("b"), make("a")]).await;
    stage.script([says("hi")]);
    stage.prompt("go").await;
    assert_eq!(log.take(), ["b1", "b2", "a1", "a2"]);
}
