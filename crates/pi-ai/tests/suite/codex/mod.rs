//! `openai-codex-responses` over real sockets on loopback: WebSockets that work and that fail, and the way back to
//! server-sent events.

mod fallback;
mod plain;
mod server;
mod sessions;
mod sse;

use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use futures::StreamExt;
use pi_ai::{
    AssistantMessage, AssistantMessageEvent as Event, AssistantMessageStream, Context, Error, Model,
    OpenAiCodexResponses, StreamOptions, Transport,
};
use serde_json::{Value, json};

/// An access token of an account.
fn token(account: &str) -> String {
    let claims = json!({"https://api.openai.com/auth": {"chatgpt_account_id": account}}).to_string();
    format!("e30.{}.sig", base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(claims))
}

fn model(url: &str) -> Arc<Model> {
    let model = json!({
        "id": "gpt-own", "name": "Own", "api": "openai-codex-responses", "provider": "openai-codex", "baseUrl": url,
        "reasoning": true, "input": ["text"], "contextWindow": 100_000, "maxTokens": 8000,
        "cost": {"input": 1, "output": 1, "cacheRead": 1, "cacheWrite": 1},
    });
    Arc::new(serde_json::from_value(model).unwrap())
}

/// Options of a call in session `s`; every limit is far away.
fn options(transport: impl Into<Option<Transport>>) -> StreamOptions {
    StreamOptions {
        api_key: Some(token("acct")),
        session_id: Some("s".into()),
        transport: transport.into(),
        ..StreamOptions::default()
    }
}

/// A call that ran to its end.
struct Ran {
    kinds: Vec<&'static str>,
    message: Arc<AssistantMessage>,
    cause: Option<Error>,
}

impl Ran {
    fn error(&self) -> &str {
        self.message.error_message.as_deref().unwrap_or("")
    }

    /// The diagnostics without their time.
    fn diagnostics(&self) -> Value {
        let mut entries = json!(self.message.diagnostics);
        for entry in entries.as_array_mut().into_iter().flatten() {
            entry.as_object_mut().unwrap().shift_remove("timestamp").expect("a time");
        }
        entries
    }

    #[track_caller]
    fn assert_says(&self, text: &str) {
        assert_eq!((self.message.text().as_str(), self.error()), (text, ""));
        assert_eq!((self.kinds.first(), self.kinds.last()), (Some(&"start"), Some(&"done")));
    }
}

async fn run(mut stream: AssistantMessageStream) -> Ran {
    let (mut kinds, mut cause) = (Vec::new(), None);
    while let Some(event) = next(&mut stream).await {
        kinds.push(event.kind());
        if let Event::Error { cause: Some(error), .. } = event {
            cause = Some(error);
        }
    }
    let message = Arc::clone(stream.final_message().expect("a terminal event"));
    Ran { kinds, message, cause }
}

/// The next event; a test does not hang.
async fn next(stream: &mut AssistantMessageStream) -> Option<Event> {
    tokio::time::timeout(Duration::from_secs(20), stream.next()).await.expect("an event within 20 s")
}

/// Reads until the first event of a kind.
async fn read_until(stream: &mut AssistantMessageStream, kind: &str) {
    while next(stream).await.expect("the stream goes on").kind() != kind {}
}

/// A program: the format with its open connections, and a server.
struct Program {
    api: OpenAiCodexResponses,
    server: server::Server,
}

impl Program {
    async fn start(sockets: impl IntoIterator<Item = server::Script>) -> Self {
        Self { api: OpenAiCodexResponses::new(), server: server::Server::start(sockets).await }
    }

    fn stream(&self, context: Context, options: StreamOptions) -> AssistantMessageStream {
        pi_ai::Api::stream(&self.api, model(&self.server.url()), context, options)
    }

    async fn ask(&self, options: StreamOptions) -> Ran {
        run(self.stream(Context::prompt("hi"), options)).await
    }

    fn stats(&self) -> pi_ai::CodexSessionStats {
        self.api.session_stats("s").expect("a session that tried a WebSocket")
    }
}
