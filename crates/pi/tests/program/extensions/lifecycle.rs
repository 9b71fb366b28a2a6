//! Extensions begin before commands are served, follow the session, and may end the program.

use std::sync::Arc;

use pi_ai::scripted;
use pi_coding_agent::extension::events::{
    AgentStartEvent, SessionBeforeSwitchEvent, SessionShutdownEvent, SessionStartEvent,
};
use pi_coding_agent::extension::{Command, Extension, HandlerError, extension_fn};
use serde_json::json;

use crate::extensions::served::{Served, outline};

/// Asks the user when the session begins, and tells the answer.
fn host() -> Arc<dyn Extension> {
    extension_fn("host", |pi| async move {
        pi.on(|event: SessionStartEvent, ctx| async move {
            let name = ctx.ui().input("Who are you?", None, Default::default()).await;
            ctx.ui().notify(&format!("{:?} {}", event.reason, name.unwrap_or_default()), None).await;
            Ok(())
        });
        Ok(())
    })
}

#[tokio::test]
async fn commands_wait_until_the_extensions_have_begun() {
    let mut served = Served::with(&[host()]).await;
    for (id, command) in [("1", "get_commands"), ("2", "get_messages"), ("3", "abort_retry")] {
        served.send(json!({"id": id, "type": command})).await;
    }
    let question = served.line().await;
    assert_eq!(outline(std::slice::from_ref(&question)), ["input Who are you?"]);
    served.send(json!({"type": "extension_ui_response", "id": "somebody else", "value": "x"})).await;
    served.reply(&question, json!({"value": "Ada"})).await;
    assert_eq!(
        outline(&served.response("3").await),
        ["notify Startup Ada", "response get_commands", "response get_messages", "response abort_retry"]
    );
    assert_eq!(outline(&served.end().await), [""; 0]);
}

#[tokio::test]
async fn a_client_that_hangs_up_meanwhile_gets_its_answers() {
    let mut served = Served::with(&[host()]).await;
    served.send(json!({"id": "1", "type": "get_commands"})).await;
    assert_eq!(outline(&[served.line().await]), ["input Who are you?"]);
    served.hang_up();
    assert_eq!(outline(&served.response("1").await), ["notify Startup ", "response get_commands"]);
    served.end().await;
}

#[tokio::test]
async fn another_session_begins_its_extensions_once() {
    let witness = extension_fn("witness", |pi| async move {
        pi.on(|event: SessionStartEvent, ctx| async move {
            ctx.ui().notify(&format!("start {:?}", event.reason), None).await;
            Ok(())
        });
        pi.on(|event: SessionShutdownEvent, ctx| async move {
            ctx.ui().notify(&format!("shutdown {:?}", event.reason), None).await;
            Ok(())
        });
        pi.on(|_: SessionBeforeSwitchEvent, ctx| async move {
            let cancel = !ctx.ui().confirm("Leave?", "", Default::default()).await;
            Ok(pi_coding_agent::extension::events::CancelOutcome { cancel })
        });
        Ok(())
    });
    let mut served = Served::with(&[witness]).await;
    assert_eq!(outline(&[served.line().await]), ["notify start Startup"]);
    for (confirmed, expected) in [
        (false, vec!["response new_session"]),
        (true, vec!["notify shutdown New", "notify start New", "response new_session"]),
    ] {
        served.send(json!({"id": "n", "type": "new_session"})).await;
        let question = served.line().await;
        served.reply(&question, json!({"confirmed": confirmed})).await;
        let lines = served.response("n").await;
        assert_eq!(outline(&lines), expected);
        assert_eq!(lines[lines.len() - 1]["data"]["cancelled"], !confirmed);
    }
    assert_eq!(outline(&served.end().await), ["notify shutdown Quit"]);
}

#[tokio::test]
async fn an_extension_may_end_the_program_once_a_command_is_answered() {
    let quitter = || {
        extension_fn("quitter", |pi| async move {
            pi.on(|_: AgentStartEvent, ctx| async move {
                ctx.shutdown();
                Ok(())
            });
            pi.register_command(Command::new("quit", |_, ctx| async move {
                ctx.shutdown();
                Err(HandlerError::new("and it failed, too"))
            }));
            Ok(())
        })
    };
    let mut served = Served::with(&[quitter()]).await;
    served.send(json!({"id": "1", "type": "get_messages"})).await;
    served.response("1").await;
    assert!(!served.link.exit().is_cancelled());
    served.prompt("/quit").await;
    served.link.exit().cancelled().await;
    assert_eq!(outline(&served.end().await), ["command:quit command: and it failed, too", "response prompt"]);

    // Asked for in the middle of a run, it is for the next command.
    let mut served = Served::playing(&[quitter()], [scripted::message([scripted::text("hm")])]).await;
    served.prompt("go").await;
    served.next("agent_end").await;
    assert!(!served.link.exit().is_cancelled());
    served.send(json!({"type": "extension_ui_response", "id": "nobody"})).await;
    served.send(json!({"id": "1", "type": "get_last_assistant_text"})).await;
    assert_eq!(served.response("1").await.pop().unwrap()["data"]["text"], "hm");
    served.link.exit().cancelled().await;
    served.end().await;
}
