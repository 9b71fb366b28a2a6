//! What extensions see and change of requests to a real provider on a loopback socket.

use pi_ai::Model;
use pi_coding_agent::extension::LoadOptions;
use pi_coding_agent::extension::events::*;
use pi_coding_agent::sdk::CreateAgentSessionOptions;
use serde_json::json;

use crate::loopback::{Provider, Reply, answer};
use crate::support::{Log, Stage, extension, stage_with};

async fn talking_to(provider: &Provider, log: &Log) -> Stage {
    let log = log.clone();
    let extension = extension("ext", move |pi| {
        pi.on(|event: BeforeProviderRequestEvent, _| async move {
            let mut payload = (*event.payload).clone();
            payload["metadata"] = json!({"seen": payload["messages"].as_array().map(Vec::len)});
            Ok(PayloadOutcome { payload: Some(payload) })
        });
        pi.on(|_: BeforeProviderRequestEvent, _| async { Err("not me".into()) });
        pi.on(|event: BeforeProviderRequestEvent, _| async move {
            let mut payload = (*event.payload).clone();
            payload["metadata"]["again"] = json!(true);
            Ok(PayloadOutcome { payload: Some(payload) })
        });
        let log = log.clone();
        pi.on(move |event: AfterProviderResponseEvent, _| {
            let kind = event.headers.get("content-type").cloned().unwrap_or_default();
            log.say(format!("{} {kind}", event.status));
            async { Ok(()) }
        });
    });
    let model = Model {
        api: "anthropic-messages".into(),
        provider: "faux".into(),
        base_url: provider.url(),
        ..pi_ai::scripted::model("m1")
    };
    let change = |options| CreateAgentSessionOptions { model: Some(model.into()), ..options };
    stage_with(&[extension], LoadOptions::default(), change).await
}

#[tokio::test]
async fn the_body_is_handed_on_and_what_comes_of_it_is_sent() {
    let (provider, log) = (Provider::start([answer("hi")]).await, Log::default());
    let stage = talking_to(&provider, &log).await;
    stage.prompt("go").await;
    assert_eq!(stage.messages(), ["user: go", "assistant: hi"]);
    assert_eq!(provider.requests()[0].body["metadata"], json!({"seen": 1, "again": true}));
    assert_eq!(log.take(), ["200 text/event-stream"]);
    assert_eq!(stage.errors.take(), ["ext before_provider_request: not me"]);
}

#[tokio::test]
async fn a_refusal_is_an_error_and_no_response() {
    let (provider, log) = (Provider::start([Reply::plain(400, "{}")]).await, Log::default());
    let stage = talking_to(&provider, &log).await;
    stage.prompt("go").await;
    let answer = stage.session.messages().pop().unwrap();
    assert!(answer.as_assistant().unwrap().error_message.as_ref().unwrap().starts_with("400"), "{answer:?}");
    assert_eq!(log.take(), [""; 0]);
}
