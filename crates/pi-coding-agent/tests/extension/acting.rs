//! What extensions do to their session while it runs.

use std::sync::Arc;

use pi_ai::ThinkingLevel;
use pi_ai::scripted::ScriptedStep;
use pi_coding_agent::agent_session::SessionEvent;
use pi_coding_agent::extension::events::*;
use pi_coding_agent::extension::{Command, Flag, FlagValue, LoadOptions};
use pi_coding_agent::sdk::{CreateAgentSessionOptions, ToolSelection};
use serde_json::json;

use crate::support::{Handle, Log, calls, echo, extension, named_echo, says, stage, stage_with};

#[tokio::test]
async fn before_the_session_began_only_registering_is_possible() {
    let log = Log::default();
    let said = log.clone();
    let stage = stage(&[extension("ext", move |pi| {
        let results = [
            pi.append_entry("x", None).map(drop),
            pi.session_name().map(drop),
            pi.set_label("x", None),
            pi.active_tools().map(drop),
            pi.set_active_tools(&[]),
            pi.commands().map(drop),
            pi.thinking_level().map(drop),
            pi.context().cwd().map(drop),
        ];
        results.into_iter().for_each(|result| said.say(result.unwrap_err().to_string()));
    })])
    .await;
    let mut texts = log.take();
    texts.dedup();
    assert_eq!(texts, ["Extension runtime not initialized. Action methods cannot be called during extension loading."]);
    assert_eq!(stage.errors.take(), [""; 0]);
}

#[tokio::test]
async fn entries_labels_and_names_are_stored() {
    let handle = Handle::default();
    let stage = stage(&[handle.extension(|_| {})]).await;
    let (pi, told) = (handle.api(), Log::default());
    let names = told.clone();
    stage.session.subscribe(Arc::new(move |event| {
        if let SessionEvent::SessionInfoChanged { name } = event {
            names.say(format!("{name:?}"));
        }
        Box::pin(async {})
    }));
    let id = pi.append_entry("state", Some(json!({"n": 1}))).unwrap();
    pi.set_label(&id, Some("here")).unwrap();
    pi.set_session_name("Trip").await.unwrap();
    assert_eq!(pi.session_name().unwrap().as_deref(), Some("Trip"));
    assert_eq!(told.take(), ["Some(\"Trip\")"]);
    let label = pi.context().with_manager(|manager| manager.entries().label(&id).unwrap().map(str::to_owned)).unwrap();
    assert_eq!(label.as_deref(), Some("here"));
    assert_eq!(pi.set_label("nowhere", Some("x")).unwrap_err().to_string(), "Entry nowhere not found");
    stage.script([says("hi")]);
    stage.prompt("go").await;
    assert_eq!(stage.messages(), ["user: go", "assistant: hi"], "the model sees none of it");
}

#[tokio::test]
async fn a_tool_registered_at_run_time_is_active_at_once_and_in_the_next_call_of_the_run() {
    let handle = Handle::default();
    let stage = stage(&[handle.extension(|_| {})]).await;
    let (pi, seen) = (handle.api(), Log::default());
    let (first, second) = (pi.clone(), seen.clone());
    stage.provider.set_steps([
        ScriptedStep::new(move |call| {
            assert!(!call.context.tools.iter().any(|tool| tool.name == "echo"));
            first.register_tool(echo(false));
            // Something to go on with.
            Ok(pi_ai::scripted::tool_use([pi_ai::scripted::tool_call("ls", "bash", json!({"command": "true"}))]))
        }),
        ScriptedStep::new(move |call| {
            second.say(format!("{}", call.context.tools.iter().any(|tool| tool.name == "echo")));
            second.say(format!(
                "{}",
                call.context.system_prompt.as_deref().unwrap_or_default().contains("Says it again")
            ));
            Ok(calls(&["a"]))
        }),
        says("done").into(),
    ]);
    stage.prompt("go").await;
    assert_eq!(seen.take(), ["true", "true"]);
    assert!(stage.messages().contains(&"toolResult: a".to_owned()), "{:?}", stage.messages());
    // Known tools keep their state.
    pi.set_active_tools(&["read".to_owned(), "nobody".to_owned()]).unwrap();
    pi.register_tool(echo(true));
    assert_eq!(pi.active_tools().unwrap(), ["read"]);
    assert!(pi.all_tools().unwrap().iter().any(|tool| tool.name == "echo" && tool.source_info.source == "inline"));
}

#[tokio::test]
async fn the_users_choice_of_tools_binds_extensions() {
    let handle = Handle::default();
    let tools = ToolSelection { allow: Some(vec!["read".to_owned(), "echo".to_owned()]), ..ToolSelection::default() };
    let change = |options| CreateAgentSessionOptions { tools, ..options };
    let stage = stage_with(&[handle.extension(|_| {})], LoadOptions::default(), change).await;
    let pi = handle.api();
    pi.register_tool(echo(false));
    pi.register_tool(named_echo("forbidden", false));
    assert_eq!(pi.active_tools().unwrap(), ["read", "echo"]);
    pi.set_active_tools(&["forbidden".to_owned(), "echo".to_owned()]).unwrap();
    assert_eq!((pi.active_tools().unwrap(), pi.all_tools().unwrap().len()), (vec!["echo".to_owned()], 2));
    assert_eq!(stage.errors.take(), [""; 0]);
}

#[tokio::test]
async fn active_tools_change_with_the_next_model_call_of_the_run() {
    let handle = Handle::default();
    let own = handle.clone();
    let stage = stage(&[handle.extension(move |pi| {
        pi.register_tool(echo(false));
        let own = own.clone();
        pi.on(move |_: ToolResultEvent, _| {
            let pi = own.api();
            async move {
                pi.set_active_tools(&["ls".to_owned()])?;
                Ok(ToolResultOutcome::default())
            }
        });
    })])
    .await;
    let seen = Log::default();
    let tools = seen.clone();
    stage.provider.set_steps([
        calls(&["a"]).into(),
        ScriptedStep::new(move |call| {
            call.context.tools.iter().for_each(|tool| tools.say(tool.name.clone()));
            Ok(says("done"))
        }),
    ]);
    stage.prompt("go").await;
    assert_eq!(seen.take(), ["ls"]);
}

#[tokio::test]
async fn extensions_of_a_session_meet_on_the_bus() {
    let (log, handle) = (Log::default(), Handle::default());
    let heard = log.clone();
    let listener = extension("listener", move |pi| {
        let heard = heard.clone();
        pi.events().on("news", move |message| heard.say(message.to_string()));
    });
    let stage = stage(&[listener, handle.extension(|_| {})]).await;
    assert_eq!(handle.api().events().emit("news", &json!({"n": 1})), 0);
    stage.session.switch().to_new(None).await.unwrap();
    handle.api().events().emit("news", &json!(2));
    assert_eq!(log.take(), ["{\"n\":1}", "2"], "another session has a bus of its own: nobody hears it twice");
}

#[tokio::test]
async fn flags_belong_to_who_registered_them_and_survive() {
    let [one, two] = [Handle::default(), Handle::default()];
    let first = one.extension(|pi| {
        pi.register_flag(Flag::boolean("plan").default(false));
        pi.register_flag(Flag::string("mode"));
    });
    let stage = stage(&[first, two.extension(|_| {})]).await;
    assert_eq!(
        (one.api().flag("plan"), one.api().flag("mode"), two.api().flag("plan")),
        (Some(false.into()), None, None)
    );
    stage.session.extensions().runner().runtime().set_flag("mode", "fast".into());
    stage.session.extensions().runner().runtime().set_flag("plan", true.into());
    stage.session.reload().await.unwrap();
    stage.session.switch().to_new(None).await.unwrap();
    assert_eq!((one.api().flag("plan"), one.api().flag("mode")), (Some(FlagValue::Boolean(true)), Some("fast".into())));
}

#[tokio::test]
async fn commands_of_the_same_name_are_numbered() {
    let log = Log::default();
    let make = |name: &'static str| {
        let log = log.clone();
        extension(name, move |pi| {
            let log = log.clone();
            pi.register_command(Command::new("go", move |arguments, _| {
                log.say(format!("{name} {arguments}"));
                async { Ok(()) }
            }));
        })
    };
    let stage = stage(&[make("a"), make("b")]).await;
    let names: Vec<String> =
        stage.session.extensions().slash_commands().into_iter().map(|command| command.name).collect();
    assert_eq!(names, ["go:1", "go:2"]);
    stage.prompt("/go:2 x").await;
    assert_eq!(log.take(), ["b x"]);
    stage.script([says("what?")]);
    stage.prompt("/go x").await;
    assert_eq!(stage.messages()[0], "user: /go x");
}

#[tokio::test]
async fn model_and_level_can_be_chosen() {
    let (handle, log) = (Handle::default(), Log::default());
    let said = log.clone();
    let stage = stage(&[handle.extension(move |pi| {
        let log = said.clone();
        pi.on(move |event: ModelSelectEvent, _| {
            log.say(format!("{} after {} {:?}", event.model.id, event.previous_model.id, event.source));
            async { Ok(()) }
        });
        let log = said.clone();
        pi.on(move |event: ThinkingLevelSelectEvent, _| {
            log.say(format!("{} after {}", event.level.as_str(), event.previous_level.as_str()));
            async { Ok(()) }
        });
    })])
    .await;
    let pi = handle.api();
    let two = stage.provider.find_model("two").unwrap();
    assert!(pi.set_model(two).await.unwrap());
    pi.set_thinking_level(ThinkingLevel::High).await.unwrap();
    assert_eq!((pi.thinking_level().unwrap(), pi.context().model().unwrap().id.as_str()), (ThinkingLevel::High, "two"));
    let nobodys = pi_ai::Model { provider: "nobody".to_owned(), ..pi_ai::scripted::model("x") };
    assert!(!pi.set_model(Arc::new(nobodys)).await.unwrap(), "it has no key");
    stage.session.thinking().cycle().await;
    stage.session.extensions().wait_for_background().await;
    assert_eq!(log.take(), ["medium after off", "two after one Set", "high after medium", "off after high"]);
}
