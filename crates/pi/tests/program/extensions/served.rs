//! A session that is served over RPC in this process: extensions of the test, a model that plays a script, lines in and
//! out.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::FutureExt;
use pi_ai::scripted::{ScriptedOptions, ScriptedProvider, ScriptedStep};
use pi_ai::{ApiRegistry, AssistantMessage};
use pi_coding_agent::agent_session::AgentSession;
use pi_coding_agent::extension::{Extension, LoadOptions, load_extensions};
use pi_coding_agent::rpc::{EventDetailSwitch, EventJson, ExtensionLink, Output, Service, read_lines, serve};
use pi_coding_agent::sdk::{CreateAgentSessionOptions, create_agent_session};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use pi_test_kit::PATIENCE;

/// Hands on whole lines as JSON.
pub(crate) struct Sink {
    text: Vec<u8>,
    lines: mpsc::UnboundedSender<Value>,
}

impl Sink {
    pub(crate) fn new() -> (Self, mpsc::UnboundedReceiver<Value>) {
        let (lines, receiver) = mpsc::unbounded_channel();
        (Self { text: Vec::new(), lines }, receiver)
    }
}

impl Write for Sink {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(data);
        while let Some(end) = self.text.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.text.drain(..=end).collect();
            let line = serde_json::from_slice(&line).unwrap();
            self.lines.send(line).map_err(|_| io::ErrorKind::BrokenPipe)?;
        }
        Ok(data.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A client's side of the conversation.
pub(crate) struct Served {
    pub(crate) session: AgentSession,
    pub(crate) link: ExtensionLink,
    input: Option<io::PipeWriter>,
    output: mpsc::UnboundedReceiver<Value>,
    writer: Output,
    serving: JoinHandle<()>,
    pub(crate) ended: CancellationToken,
    _dir: tempfile::TempDir,
}

impl Served {
    /// Serves a session with these extensions.
    pub(crate) async fn with(extensions: &[Arc<dyn Extension>]) -> Self {
        Self::start(extensions, LoadOptions::default(), []).await
    }

    /// The same; the model says these things.
    pub(crate) async fn playing(
        extensions: &[Arc<dyn Extension>],
        script: impl IntoIterator<Item = AssistantMessage>,
    ) -> Self {
        let steps = script.into_iter().map(|message| ScriptedStep::from_async(move |_| async move { Ok(message) }));
        Self::start(extensions, LoadOptions::default(), steps).await
    }

    pub(crate) async fn start(
        extensions: &[Arc<dyn Extension>],
        options: LoadOptions,
        steps: impl IntoIterator<Item = ScriptedStep>,
    ) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let extensions = load_extensions(extensions, options).await;
        assert_eq!(extensions.errors, []);
        let provider = ScriptedProvider::new(ScriptedOptions::default());
        provider.set_steps(steps);
        let apis = ApiRegistry::empty();
        apis.register(Arc::new(provider.clone()));
        let options = CreateAgentSessionOptions {
            extensions: extensions.into(),
            apis: Arc::new(apis),
            ..CreateAgentSessionOptions::in_memory(dir.path(), provider.model(), "key")
        };
        let session = create_agent_session(options).unwrap().session;
        let (sink, output) = Sink::new();
        let (writer, _thread) = Output::start(sink).unwrap();
        print_events(&session, &writer);
        let service = Service::new(session.clone(), writer.clone(), EventDetailSwitch::default());
        let link = service.link().clone();
        let (reader, input) = io::pipe().unwrap();
        let lines = read_lines(reader).unwrap();
        let ended = CancellationToken::new();
        let serving = {
            let ended = ended.clone();
            tokio::spawn(async move {
                serve(&service, lines, &ended).await;
            })
        };
        Self { session, link, input: Some(input), output, writer, serving, ended, _dir: dir }
    }

    pub(crate) async fn send(&self, command: Value) {
        self.input.as_ref().unwrap().write_all(format!("{command}\n").as_bytes()).unwrap();
    }

    /// Sends a prompt; its text is its id.
    pub(crate) async fn prompt(&self, text: &str) {
        self.send(json!({"id": text, "type": "prompt", "message": text})).await;
    }

    /// Answers a question.
    pub(crate) async fn reply(&self, request: &Value, answer: Value) {
        let mut reply = json!({"type": "extension_ui_response", "id": request["id"]});
        reply.as_object_mut().unwrap().extend(answer.as_object().unwrap().clone());
        self.send(reply).await;
    }

    /// Ends the input.
    pub(crate) fn hang_up(&mut self) {
        self.input = None;
    }

    pub(crate) async fn line(&mut self) -> Value {
        tokio::time::timeout(PATIENCE, self.output.recv()).await.expect("nothing is said").expect("the output ended")
    }

    /// Lines up to and including the first that fits.
    pub(crate) async fn until(&mut self, fits: impl Fn(&Value) -> bool) -> Vec<Value> {
        let mut lines = vec![self.line().await];
        while !fits(&lines[lines.len() - 1]) {
            lines.push(self.line().await);
        }
        lines
    }

    /// Lines up to and including the response to the command with this id.
    pub(crate) async fn response(&mut self, id: &str) -> Vec<Value> {
        self.until(|line| line["type"] == "response" && line["id"] == id).await
    }

    /// The next line of this type; those before it are skipped.
    pub(crate) async fn next(&mut self, kind: &str) -> Value {
        self.until(|line| line["type"] == kind).await.pop().unwrap()
    }

    /// Ends the input and the session, as the program does; the lines that are left.
    pub(crate) async fn end(mut self) -> Vec<Value> {
        self.hang_up();
        self.ended.cancelled().await;
        tokio::time::timeout(PATIENCE, self.session.dispose()).await.expect("the session does not end");
        tokio::time::timeout(PATIENCE, self.serving).await.expect("a command does not end").unwrap();
        self.writer.flush().await;
        let mut lines = Vec::new();
        while let Ok(line) = self.output.try_recv() {
            lines.push(line);
        }
        lines
    }
}

/// What RPC mode prints of a session.
fn print_events(session: &AgentSession, output: &Output) {
    let (writer, output) = (Mutex::new(EventJson::default()), output.clone());
    session.subscribe(Arc::new(move |event| {
        let mut line = Vec::new();
        writer.lock().unwrap().write(&event, &mut line);
        let output = output.clone();
        async move { output.write(line).await }.boxed()
    }));
}

/// Types of lines; requests with their method, responses with their command and error, failures with their text.
pub(crate) fn outline(lines: &[Value]) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or("?").to_owned();
    let name = |line: &Value| match text(&line["type"]).as_str() {
        "response" if line["error"].is_null() => format!("response {}", text(&line["command"])),
        "response" => format!("response {}: {}", text(&line["command"]), text(&line["error"])),
        "extension_ui_request" => format!("{} {}", text(&line["method"]), said(line)),
        "extension_error" => {
            format!("{} {}: {}", text(&line["extensionPath"]), text(&line["event"]), text(&line["error"]))
        }
        kind => kind.to_owned(),
    };
    lines.iter().map(name).collect()
}

fn said(request: &Value) -> &str {
    request["message"].as_str().or(request["title"].as_str()).unwrap_or_default()
}

/// Options with a deadline that a test does not have to wait for.
pub(crate) fn impatient() -> LoadOptions {
    LoadOptions { handler_timeout: Some(Duration::from_millis(20)), ..LoadOptions::default() }
}
