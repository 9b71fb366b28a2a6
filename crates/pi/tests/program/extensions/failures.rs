//! What goes wrong in an extension is told, and the session lives on.

use pi_agent_core::{FnTool, ToolOutput};
use pi_ai::ToolDefinition;
use pi_ai::scripted;
use pi_coding_agent::extension::events::{
    AgentEndEvent, ContextEvent, ContextOutcome, SessionStartEvent, ToolCallEvent, ToolCallOutcome, TurnStartEvent,
};
use pi_coding_agent::extension::{DialogOptions, HandlerError, LoadOptions, ToolRegistration, extension_fn};
use serde_json::json;

use crate::extensions::served::{Served, impatient, outline};

#[tokio::test]
async fn a_handler_that_fails_or_panics_is_reported_and_the_others_are_called() {
    let bad = extension_fn("bad", |pi| async move {
        pi.on(|_: SessionStartEvent, _| async { Err(HandlerError::new("not ready")) });
        pi.on(|_: TurnStartEvent, _| async { panic!("turned over") });
        pi.on(|_: TurnStartEvent, _| -> std::future::Ready<Result<(), HandlerError>> { panic!("at once") });
        pi.on(|_: TurnStartEvent, ctx| async move {
            ctx.ui().notify("still here", None).await;
            Ok(())
        });
        Ok(())
    });
    let mut served = Served::playing(&[bad], [scripted::message([scripted::text("fine")])]).await;
    served.prompt("go").await;
    let lines = served.until(|line| line["type"] == "agent_end").await;
    insta::assert_snapshot!(outline(&lines).join("\n"));
    served.end().await;
}

#[tokio::test]
async fn a_handler_that_hangs_is_left_behind() {
    let slow = extension_fn("slow", |pi| async move {
        pi.on(|_: ContextEvent, _| std::future::pending::<Result<ContextOutcome, HandlerError>>());
        pi.on(|_: AgentEndEvent, _| std::future::pending());
        Ok(())
    });
    let steps = [scripted::message([scripted::text("fine")])];
    let steps = steps.map(|message| scripted::ScriptedStep::from_async(move |_| async move { Ok(message) }));
    let mut served = Served::start(&[slow], impatient(), steps).await;
    served.prompt("go").await;
    let lines = served.until(|line| line["type"] == "agent_end").await;
    let errors: Vec<String> = outline(&lines).into_iter().filter(|line| line.starts_with("slow")).collect();
    assert_eq!(
        errors,
        [
            "slow context: No answer within 0.02 s; it was stopped",
            "slow agent_end: No answer within 0.02 s; it was stopped"
        ]
    );
    served.end().await;
}

#[tokio::test]
async fn time_in_which_the_user_thinks_does_not_count() {
    let polite = extension_fn("polite", |pi| async move {
        pi.on(|_: TurnStartEvent, ctx| async move {
            let answer = ctx.ui().select("Go on?", &[], DialogOptions::default()).await;
            ctx.ui().notify(&format!("{answer:?}"), None).await;
            Ok(())
        });
        Ok(())
    });
    let options = impatient();
    let limit = options.handler_timeout.unwrap();
    let mut served = Served::start(&[polite], options, []).await;
    served.prompt("go").await;
    let request = served.next("extension_ui_request").await;
    // Several times what the handler may take by itself.
    tokio::time::sleep(limit * 5).await;
    served.reply(&request, json!({"value": "yes"})).await;
    assert_eq!(outline(&[served.line().await]), ["notify Some(\"yes\")"]);
    served.next("agent_end").await;
    served.end().await;
}

#[tokio::test]
async fn a_gate_that_breaks_stays_closed() {
    let broken = extension_fn("broken", |pi| async move {
        let definition = ToolDefinition {
            name: "open".to_owned(),
            description: "Opens.".to_owned(),
            parameters: json!({"type": "object"}),
        };
        pi.register_tool(ToolRegistration::new(FnTool::new(definition, |_| async { Ok(ToolOutput::text("open")) })));
        pi.on(|call: ToolCallEvent, _| async move {
            match call.tool_call_id.as_str() {
                "1" => Err(HandlerError::new("I do not know")),
                "2" => panic!("I cannot say"),
                _ => Ok(ToolCallOutcome::allow()),
            }
        });
        Ok(())
    });
    let call = |id: &str| scripted::tool_call(id, "open", json!({}));
    let script = [scripted::tool_use([call("1"), call("2"), call("3")]), scripted::message([scripted::text("so")])];
    let mut served = Served::playing(&[broken], script).await;
    served.prompt("open").await;
    let turn = served.next("turn_end").await;
    let results: Vec<String> = turn["toolResults"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| format!("{} {}", result["isError"], result["content"][0]["text"]))
        .collect();
    assert_eq!(results, ["true \"I do not know\"", "true \"It panicked: I cannot say\"", "false \"open\""]);
    served.end().await;
}

#[tokio::test]
async fn an_extension_that_cannot_be_loaded_is_left_out() {
    let tool = |name: &str| {
        let parameters = json!({"type": "object"});
        let definition = ToolDefinition { name: name.to_owned(), description: String::new(), parameters };
        ToolRegistration::new(FnTool::new(definition, |_| async { Ok(ToolOutput::text("")) }))
    };
    let flag = pi_coding_agent::extension::Flag::boolean;
    let extensions = [
        extension_fn("first", move |pi| async move {
            pi.register_tool(tool("same"));
            pi.register_flag(flag("same"));
            Ok(())
        }),
        extension_fn("fails", |_| async { Err(HandlerError::new("no luck")) }),
        extension_fn("panics", |_| async { panic!("oh no") }),
        extension_fn("early", |pi| async move {
            pi.session_name()?;
            Ok(())
        }),
        extension_fn("second", move |pi| async move {
            pi.register_tool(tool("same"));
            pi.register_flag(flag("same"));
            Ok(())
        }),
    ];
    let report = pi_coding_agent::extension::load_extensions(&extensions, LoadOptions::default()).await;
    let errors: Vec<String> = report.errors.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(errors.join("\n"));
    let loaded: Vec<&str> = report.runner.extensions().iter().map(|extension| extension.name()).collect();
    assert_eq!(loaded, ["first", "second"]);
}
