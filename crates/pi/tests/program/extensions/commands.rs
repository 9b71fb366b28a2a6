//! Commands of extensions, and what else happens before a prompt is answered.

use std::sync::Arc;

use pi_ai::scripted::{self, ScriptedStep};
use pi_coding_agent::extension::events::{BeforeAgentStartEvent, BeforeAgentStartOutcome, InputEvent, InputOutcome};
use pi_coding_agent::extension::{Command, Extension, HandlerError, LoadOptions, NotifyKind, extension_fn};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::extensions::served::{Served, outline};

/// An extension whose commands repeat their arguments.
fn echo(name: &'static str, commands: &'static [&'static str]) -> Arc<dyn Extension> {
    extension_fn(name, move |pi| async move {
        for command in commands {
            pi.register_command(
                Command::new(*command, move |arguments, ctx| async move {
                    ctx.ui().notify(&format!("{name} {command} <{arguments}>"), None).await;
                    Ok(())
                })
                .description(format!("{command} of {name}")),
            );
        }
        Ok(())
    })
}

#[tokio::test]
async fn a_command_is_answered_when_its_handler_has_ended() {
    let mut served = Served::with(&[echo("a", &["hello"])]).await;
    for (text, heard) in
        [("/hello", "a hello <>"), ("/hello  x y ", "a hello < x y >"), ("/hello\tx", ""), ("/hello:1", "")]
    {
        served.prompt(text).await;
        let lines = outline(&served.response(text).await);
        if heard.is_empty() {
            // It is no command, so it goes to the model, which has nothing to say.
            assert_eq!(lines, ["response prompt"]);
            served.next("agent_settled").await;
        } else {
            assert_eq!(lines, [format!("notify {heard}"), "response prompt".to_owned()]);
        }
    }
    assert_eq!(outline(&served.end().await), [""; 0]);
}

#[tokio::test]
async fn commands_of_one_name_get_numbers() {
    let extensions = [echo("a", &["same", "own"]), echo("b", &["same", "same:1"]), echo("c", &["same"])];
    let mut served = Served::with(&extensions).await;
    served.send(json!({"id": "c", "type": "get_commands"})).await;
    let commands = served.response("c").await.pop().unwrap()["data"]["commands"].clone();
    let names: Vec<String> = commands
        .as_array()
        .unwrap()
        .iter()
        .map(|command| {
            format!("{} {} {}", command["name"], command["source"], command["sourceInfo"]["path"]).replace('"', "")
        })
        .collect();
    assert_eq!(
        names,
        ["same:2 extension a", "own extension a", "same:3 extension b", "same:1 extension b", "same:4 extension c"]
    );
    served.prompt("/same:3 x").await;
    assert_eq!(outline(&served.response("/same:3 x").await), ["notify b same <x>", "response prompt"]);
    served.prompt("/same x").await;
    assert_eq!(outline(&served.response("/same x").await), ["response prompt"], "nobody has the bare name");
    served.next("agent_end").await;
    served.end().await;
}

#[tokio::test]
async fn a_handler_that_fails_is_reported_before_the_success() {
    let bad = extension_fn("bad", |pi| async move {
        pi.register_command(Command::new("fails", |_, _| async { Err(HandlerError::new("no luck")) }));
        pi.register_command(Command::new("panics", |_, _| async { panic!("oh no") }));
        pi.register_command(Command::new("panics-early", |_, _| -> std::future::Ready<_> { panic!("oh no") }));
        Ok(())
    });
    let mut served = Served::with(&[bad]).await;
    for (command, error) in [("fails", "no luck"), ("panics", "It panicked"), ("panics-early", "It panicked")] {
        let text = format!("/{command} now");
        served.prompt(&text).await;
        let lines = outline(&served.response(&text).await);
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(lines[0].starts_with(&format!("command:{command} command: {error}")), "{lines:?}");
        assert_eq!(lines[1], "response prompt");
    }
    served.end().await;
}

/// A model that says nothing until the token fires.
fn held(release: &CancellationToken) -> ScriptedStep {
    let release = release.clone();
    ScriptedStep::from_async(move |_| {
        let release = release.clone();
        async move {
            release.cancelled().await;
            Ok(scripted::message([scripted::text("at last")]))
        }
    })
}

#[tokio::test]
async fn commands_run_beside_a_run_and_cannot_be_queued() {
    let release = CancellationToken::new();
    let mut served = Served::start(&[echo("a", &["hello"])], LoadOptions::default(), [held(&release)]).await;
    served.prompt("go").await;
    served.next("message_end").await;
    served.prompt("/hello there").await;
    assert_eq!(outline(&served.response("/hello there").await), ["notify a hello <there>", "response prompt"]);
    for queue in ["steer", "follow_up"] {
        served.send(json!({"id": queue, "type": queue, "message": "/hello there"})).await;
        let refused = outline(&served.response(queue).await);
        assert_eq!(
            refused,
            [format!(
                "response {queue}: Extension command \"/hello\" cannot be queued. Use prompt() or execute the command when not streaming."
            )]
        );
    }
    // With a behaviour that says how to queue it, it is still a command.
    served.send(json!({"id": "q", "type": "prompt", "message": "/hello", "streamingBehavior": "steer"})).await;
    assert_eq!(outline(&served.response("q").await), ["notify a hello <>", "response prompt"]);
    release.cancel();
    let end = served.next("agent_end").await;
    assert_eq!(end["messages"].as_array().unwrap().len(), 2);
    served.end().await;
}

#[tokio::test]
async fn what_extensions_ask_before_the_run_comes_before_the_response() {
    let curious = extension_fn("curious", |pi| async move {
        pi.on(|event: InputEvent, ctx| async move {
            if event.text == "shrug" {
                ctx.ui().notify("handled", Some(NotifyKind::Info)).await;
                return Ok(InputOutcome::Handled);
            }
            let text = ctx.ui().input("Really?", None, Default::default()).await.unwrap_or_default();
            Ok(InputOutcome::Transform { text, images: None })
        });
        pi.on(|event: BeforeAgentStartEvent, ctx| async move {
            ctx.ui().confirm("Begin?", &event.prompt, Default::default()).await;
            Ok(BeforeAgentStartOutcome::default())
        });
        Ok(())
    });
    let mut served = Served::playing(&[curious], [scripted::message([scripted::text("hm")])]).await;
    served.prompt("shrug").await;
    assert_eq!(outline(&served.response("shrug").await), ["notify handled", "response prompt"]);

    served.prompt("what?").await;
    let asked = served.line().await;
    served.reply(&asked, json!({"value": "something else"})).await;
    let begin = served.line().await;
    assert_eq!(outline(&[asked, begin.clone()]), ["input Really?", "confirm something else"]);
    served.reply(&begin, json!({"confirmed": true})).await;
    let lines = outline(&served.until(|line| line["type"] == "message_end").await);
    assert_eq!(lines, ["response prompt", "agent_start", "turn_start", "message_start", "message_end"]);
    let end = served.next("agent_end").await;
    assert_eq!(end["messages"][0]["content"][0]["text"], "something else");
    served.end().await;
}
