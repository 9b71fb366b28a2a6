//! The span of a call, as whoever listens sees it.

use std::collections::BTreeMap;
use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex, Once};

use futures::{FutureExt, StreamExt};
use pi_ai::{ApiRegistry, Context, Message, Model, PayloadHook, StreamOptions};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::Interest;
use tracing::{Event, Metadata, Subscriber};

use crate::formats::run::{Canned, End, call, with_transport};
use crate::formats::{fixtures, read_json};

/// Keeps everything about the spans of our crate.
#[derive(Debug, Default, Clone)]
struct Listener(Arc<Mutex<Seen>>);

#[derive(Debug, Default)]
struct Seen {
    /// Fields by span.
    spans: Vec<Fields>,
    /// Spans that are entered now.
    inside: Vec<u64>,
    /// How often one was entered.
    entered: usize,
    closed: usize,
}

#[derive(Debug, Default)]
struct Fields(BTreeMap<&'static str, String>);

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.to_owned());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }
}

impl Subscriber for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_span() && metadata.target().starts_with("pi_ai")
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        let mut seen = self.0.lock().unwrap();
        seen.spans.push(fields);
        Id::from_u64(seen.spans.len() as u64)
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        values.record(&mut self.0.lock().unwrap().spans[span.into_u64() as usize - 1]);
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {}

    fn enter(&self, span: &Id) {
        let mut seen = self.0.lock().unwrap();
        seen.inside.push(span.into_u64());
        seen.entered += 1;
    }

    fn exit(&self, span: &Id) {
        assert_eq!(self.0.lock().unwrap().inside.pop(), Some(span.into_u64()));
    }

    fn try_close(&self, _: Id) -> bool {
        self.0.lock().unwrap().closed += 1;
        true
    }
}

/// Has every span asked for anew. Without it, a span that another test reaches first, while nobody listens, would count as
/// unwanted in this whole program.
struct Undecided;

impl Subscriber for Undecided {
    fn register_callsite(&self, _: &'static Metadata<'static>) -> Interest {
        Interest::sometimes()
    }

    fn enabled(&self, _: &Metadata<'_>) -> bool {
        false
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, _: &Event<'_>) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

/// Runs this while `listener` hears what happens on this thread.
fn listening<T>(listener: impl Subscriber + Send + Sync + 'static, run: impl FnOnce() -> T) -> T {
    static UNDECIDED: Once = Once::new();
    UNDECIDED.call_once(|| tracing::subscriber::set_global_default(Undecided).unwrap());
    tracing::subscriber::with_default(listener, run)
}

impl Listener {
    /// The fields of the only span, one per line.
    fn fields(&self) -> String {
        let seen = self.0.lock().unwrap();
        assert_eq!((seen.spans.len(), seen.closed, seen.inside.len()), (1, 1, 0), "one span, closed");
        seen.spans[0].0.iter().fold(String::new(), |mut text, (name, value)| {
            writeln!(text, "{name} = {value}").unwrap();
            text
        })
    }

    fn inside(&self) -> usize {
        self.0.lock().unwrap().inside.len()
    }
}

fn model() -> Arc<Model> {
    let fixture = read_json(&fixtures("requests").join("anthropic-prompt.json"));
    Arc::new(serde_json::from_value(fixture["model"].clone()).unwrap())
}

fn stream(name: &str) -> Arc<Canned> {
    let path = fixtures("streams/anthropic-messages").join(name).with_extension("sse");
    Canned::stream(&std::fs::read_to_string(path).unwrap(), 7, End::Closed)
}

fn context() -> Context {
    let contexts = read_json(&fixtures("requests").join("contexts.json"));
    let context: Context = serde_json::from_value(contexts["images"].clone()).unwrap();
    context.with_system_prompt("Never tell.").with_message(Message::from(pi_ai::UserMessage::text("the question", 1)))
}

/// What a listener sees of a call.
fn traced(canned: &Arc<Canned>, options: StreamOptions) -> String {
    let listener = Listener::default();
    listening(listener.clone(), || call(&model(), &context(), options, canned));
    listener.fields()
}

#[test]
fn a_call_is_one_span_without_what_was_said() {
    let options = StreamOptions {
        max_tokens: Some(1000),
        temperature: Some(0.5),
        session_id: Some("s1".into()),
        ..StreamOptions::default()
    };
    insta::assert_snapshot!(traced(&stream("everything"), options));
}

#[test]
fn what_was_said_is_there_for_those_who_opt_in() {
    let options = StreamOptions { trace_content: true, ..StreamOptions::default() };
    insta::assert_snapshot!(traced(&stream("everything"), options));
}

#[test]
fn failures_have_a_kind_and_no_text() {
    let cancelled = StreamOptions::default();
    cancelled.cancel.cancel();
    for (canned, options, kind) in [
        (Canned::error(429, "{\"error\":\"the question\"}"), StreamOptions::default(), "429"),
        (stream("cut"), StreamOptions::default(), "incomplete"),
        (stream("error-event"), StreamOptions::default(), "provider"),
        (stream("text"), cancelled, "aborted"),
    ] {
        let fields = traced(&canned, options);
        assert!(fields.contains(&format!("error.type = {kind}\n")), "{fields}");
        assert!(fields.contains("otel.status_code = ERROR\n"), "{fields}");
        assert!(!fields.contains("question") && !fields.contains("finish_reasons"), "{fields}");
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap()
}

#[test]
fn the_span_is_entered_only_while_the_stream_is_polled() {
    let listener = Listener::default();
    let hook = {
        let listener = listener.clone();
        PayloadHook::new(move |_, _| {
            assert_eq!(listener.inside(), 1, "the request is made inside");
            let waiting = listener.clone();
            async move {
                tokio::task::yield_now().await;
                assert_eq!(waiting.inside(), 1, "inside again after the wait");
                Ok(None)
            }
            .boxed()
        })
    };
    let options = StreamOptions { on_payload: Some(hook), ..StreamOptions::default() };
    let options = with_transport(options, &stream("text"));
    let runtime = runtime();
    listening(listener.clone(), || {
        runtime.block_on(async {
            let mut events = ApiRegistry::builtin().stream(model(), context(), options).unwrap();
            assert_eq!(listener.0.lock().unwrap().entered, 0, "nothing happens before the first poll");
            while events.next().await.is_some() {
                assert_eq!(listener.inside(), 0, "the consumer is outside");
            }
        });
    });
    assert!(listener.0.lock().unwrap().entered > 3);
}

#[test]
fn a_dropped_call_ends_as_aborted() {
    let listener = Listener::default();
    let options = with_transport(StreamOptions::default(), &stream("text"));
    let runtime = runtime();
    listening(listener.clone(), || {
        runtime.block_on(async {
            let mut events = ApiRegistry::builtin().stream(model(), context(), options).unwrap();
            assert_eq!(events.next().await.map(|event| event.kind()), Some("start"));
        });
    });
    assert!(listener.fields().contains("error.type = aborted\n"), "{}", listener.fields());
}

/// A listener that wants none of it.
struct Deaf;

impl Subscriber for Deaf {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        false
    }
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        panic!("no span is made");
    }
    fn record(&self, _: &Id, _: &Record<'_>) {
        panic!("nothing is recorded");
    }
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, _: &Event<'_>) {}
    fn enter(&self, _: &Id) {
        panic!("nothing is entered");
    }
    fn exit(&self, _: &Id) {}
}

#[test]
fn whoever_does_not_listen_pays_nothing() {
    let options = StreamOptions { trace_content: true, ..StreamOptions::default() };
    let outcome = listening(Deaf, || call(&model(), &context(), options, &stream("text")));
    assert_eq!(outcome.message().text(), "Hello");
}
