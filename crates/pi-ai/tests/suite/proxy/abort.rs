//! An abort on one side ends the work on the other.

use std::sync::Arc;

use futures::{FutureExt, StreamExt};
use pi_ai::proxy::ProxyServer;
use pi_ai::scripted::{self, ScriptedOptions, ScriptedProvider};
use pi_ai::{AssistantMessageEvent as Event, AssistantMessageStream, StreamOptions};
use tokio::sync::watch;

use crate::proxy::support::{Server, StreamFn, TOKEN, becomes_true, call, client, options, run, serving};

/// Says that it was dropped.
struct Guard(Arc<watch::Sender<bool>>);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.send_replace(true);
    }
}

/// A stream function that reports when the events of a call are let go of.
fn watched(inner: Arc<StreamFn>, dropped: &Arc<watch::Sender<bool>>) -> Arc<StreamFn> {
    let dropped = Arc::clone(dropped);
    Arc::new(move |model, context, options| {
        let (inner, guard) = (Arc::clone(&inner), Guard(Arc::clone(&dropped)));
        async move {
            let events = inner(model, context, options).await?;
            Ok(AssistantMessageStream::new(events.map(move |event| {
                let _ = &guard;
                event
            })))
        }
        .boxed()
    })
}

/// A server whose model speaks slowly, what tells that its stream is gone, and the model.
async fn slow_server() -> (Server, Arc<watch::Sender<bool>>, Arc<pi_ai::Model>) {
    let slow = ScriptedOptions { tokens_per_second: Some(20.0), ..ScriptedOptions::default() };
    let provider = ScriptedProvider::new(slow);
    provider.append_steps([scripted::message([scripted::text("word ".repeat(20_000))])]);
    let dropped = Arc::new(watch::Sender::new(false));
    let stream = watched(serving(&provider).0, &dropped);
    let model = provider.model();
    let only = Arc::clone(&model);
    let server = ProxyServer::new(stream, move |_| Some(Arc::clone(&only))).with_options(options());
    (Server::proxy(server).await, dropped, model)
}

/// Reads up to the first piece of text.
async fn first_text(stream: &mut AssistantMessageStream) {
    while !matches!(stream.next().await, Some(Event::TextDelta { .. })) {}
}

#[tokio::test]
async fn a_cancelled_client_stops_the_model() {
    let (server, dropped, model) = slow_server().await;
    let options = StreamOptions { cancel: Default::default(), ..options() };
    let mut stream = call(&server.stream_fn(), &model, options.clone()).await;
    first_text(&mut stream).await;
    options.cancel.cancel();
    let ran = run(stream).await;
    assert_eq!((ran.message.stop_reason.as_str(), ran.error()), ("aborted", "Request aborted by user"));
    assert!(ran.message.text().starts_with("word"), "{}", ran.message.text());
    becomes_true(&dropped).await;
}

#[tokio::test]
async fn a_client_that_goes_away_stops_the_model() {
    let (server, dropped, model) = slow_server().await;
    let mut stream = call(&server.stream_fn(), &model, options()).await;
    first_text(&mut stream).await;
    assert!(!*dropped.borrow());
    drop(stream);
    becomes_true(&dropped).await;
}

#[tokio::test]
async fn a_server_that_cancels_tells_its_clients() {
    let provider = ScriptedProvider::new(ScriptedOptions { tokens_per_second: Some(20.0), ..Default::default() });
    provider.append_steps([scripted::message([scripted::text("word ".repeat(20_000))])]);
    let cancel = tokio_util::sync::CancellationToken::new();
    let server = serving(&provider).1.with_options(StreamOptions { cancel: cancel.clone(), ..options() });
    let server = Server::proxy(server).await;
    let mut stream = call(&server.stream_fn(), &provider.model(), options()).await;
    first_text(&mut stream).await;
    cancel.cancel();
    let ran = run(stream).await;
    assert_eq!((ran.message.stop_reason.as_str(), ran.error()), ("aborted", "Request was aborted"));
}

#[tokio::test]
async fn a_call_that_was_cancelled_before_it_began_sends_nothing() {
    let options = options();
    options.cancel.cancel();
    let stream = client("http://nowhere", TOKEN, Arc::new(crate::proxy::support::Memory(Vec::new())));
    let ran = run(call(&stream, &scripted::model("m").into(), options).await).await;
    assert_eq!((ran.kinds().as_str(), ran.error()), ("error", "Request aborted by user"));
}
