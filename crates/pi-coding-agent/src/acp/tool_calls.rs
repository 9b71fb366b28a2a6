//! Tool calls as editors show them: kind, title, places, live output, and a state that only goes forward.

use std::collections::HashMap;
use std::path::PathBuf;

use agent_client_protocol_schema::v1::{
    Content, Meta, SessionUpdate, ToolCall, ToolCallContent, ToolCallLocation, ToolCallStatus, ToolCallUpdate,
    ToolCallUpdateFields, ToolKind,
};
use pi_agent_core::ToolOutput;
use serde_json::Value;

use super::terminal_output::TerminalOutput;
use super::{content, diffs};
use crate::tools::PathBase;

/// Titles are cut at so many characters: a command may be a whole script.
const TITLE_LENGTH: usize = 120;

/// The calls of a session.
pub(super) struct ToolCalls {
    base: PathBase,
    shows_terminals: bool,
    known: HashMap<String, Call>,
}

#[derive(Clone)]
struct Call {
    tool: String,
    /// The id under which the client knows it: some providers count anew in each answer, so that ids come again.
    shown: String,
    /// How many calls have had this id.
    times: u32,
    status: ToolCallStatus,
    arguments: Value,
    /// A question stands in the place of its title.
    is_asked: bool,
    /// The text of the file that it replaces.
    replaced: Option<String>,
    /// Where its output is shown as that of a terminal.
    terminal: Option<TerminalOutput>,
}

impl Call {
    fn is_over(&self) -> bool {
        matches!(self.status, ToolCallStatus::Completed | ToolCallStatus::Failed)
    }
}

/// A call whose arguments are complete.
pub(super) struct CallView<'a> {
    pub(super) id: &'a str,
    pub(super) tool: &'a str,
    pub(super) arguments: &'a Value,
}

impl Default for ToolCalls {
    fn default() -> Self {
        Self::new(PathBuf::from("/"), false)
    }
}

impl ToolCalls {
    /// Relative paths begin in this directory. Commands are shown as terminals if the client has such.
    pub(super) fn new(cwd: PathBuf, shows_terminals: bool) -> Self {
        Self { base: PathBase::new(cwd), shows_terminals, known: HashMap::new() }
    }

    /// The model begins a call; its arguments are still to come.
    pub(super) fn announced(&mut self, id: &str, tool: &str) -> Option<SessionUpdate> {
        let (shown, terminal) = self.open(id, tool, Value::Null)?;
        let told = ToolCall::new(shown, tool).kind(kind(tool)).name(tool);
        Some(SessionUpdate::ToolCall(self.begin_terminal(terminal.as_ref(), told)))
    }

    /// The same with the terminal of the call, where it has one.
    fn begin_terminal(&self, terminal: Option<&TerminalOutput>, told: ToolCall) -> ToolCall {
        match terminal {
            Some(terminal) => told.content(vec![terminal.content()]).meta(terminal.info(self.base.cwd())),
            None => told,
        }
    }

    /// Takes up a call unless it is open already; returns the id under which the client is told of it, and its terminal.
    fn open(&mut self, id: &str, tool: &str, arguments: Value) -> Option<(String, Option<TerminalOutput>)> {
        let times = match self.known.get(id) {
            Some(call) if !call.is_over() => return None,
            earlier => earlier.map_or(0, |call| call.times) + 1,
        };
        let shown = if times == 1 { id.to_owned() } else { format!("{id}#{times}") };
        let terminal = (self.shows_terminals && tool == "bash").then(|| TerminalOutput::new(&shown));
        let (tool, status) = (tool.to_owned(), ToolCallStatus::Pending);
        let told = (shown.clone(), terminal.clone());
        let call = Call { tool, shown, times, status, arguments, is_asked: false, replaced: None, terminal };
        self.known.insert(id.to_owned(), call);
        Some(told)
    }

    /// A call as it stands in a stored answer.
    pub(super) fn recorded(&mut self, call: &CallView<'_>) -> Option<SessionUpdate> {
        let (shown, terminal) = self.open(call.id, call.tool, call.arguments.clone())?;
        let recorded = ToolCall::new(shown, title(call))
            .kind(kind(call.tool))
            .name(call.tool)
            .raw_input(call.arguments.clone())
            .locations(self.locations(call, None));
        Some(SessionUpdate::ToolCall(self.begin_terminal(terminal.as_ref(), recorded)))
    }

    /// For telling what is stored: none of its calls is one of those that are open here, also where ids come again.
    pub(super) fn for_history(&self) -> Self {
        let over = |(id, call): (&String, &Call)| {
            (id.clone(), Call { status: ToolCallStatus::Completed, arguments: Value::Null, ..call.clone() })
        };
        Self {
            base: self.base.clone(),
            shows_terminals: self.shows_terminals,
            known: self.known.iter().map(over).collect(),
        }
    }

    /// What is stored was told: its ids are taken.
    pub(super) fn take_up(&mut self, history: Self) {
        for (id, told) in history.known {
            let times = told.times;
            self.known.entry(id).and_modify(|call| call.times = times).or_insert(told);
        }
    }

    /// Tells anew of a call that is not over, with what it has said so far.
    pub(super) fn retold(&mut self, id: &str, output: Option<&ToolOutput>) -> Option<SessionUpdate> {
        let known = self.known.get_mut(id).filter(|call| !call.is_over())?;
        // The next output says all of it.
        known.terminal = known.terminal.as_ref().map(|_| TerminalOutput::new(&known.shown));
        let known = self.known.get(id)?;
        let view = CallView { id, tool: &known.tool, arguments: &known.arguments };
        let told = ToolCall::new(known.shown.clone(), title(&view))
            .kind(kind(&known.tool))
            .name(known.tool.as_str())
            .status(known.status)
            .locations(self.locations(&view, None))
            .content(output.map(|output| blocks(&output.content)).unwrap_or_default());
        let told = self.begin_terminal(known.terminal.as_ref(), told);
        // Absent as long as the model writes them.
        Some(SessionUpdate::ToolCall(if known.arguments.is_null() {
            told
        } else {
            told.raw_input(known.arguments.clone())
        }))
    }

    /// A call that waits for the user, with what the user is asked.
    pub(super) fn asked(&mut self, call: &CallView<'_>, question: &str) -> ToolCallUpdate {
        let known = self.known.get_mut(call.id);
        let shown = known.map_or(call.id, |known| {
            known.is_asked = true;
            &known.shown
        });
        let fields =
            ToolCallUpdateFields::new().title(question).kind(kind(call.tool)).raw_input(call.arguments.clone());
        ToolCallUpdate::new(shown.to_owned(), fields.locations(self.locations(call, None)))
    }

    /// The user has answered: the call has its title again.
    pub(super) fn answered(&mut self, call: &CallView<'_>) -> Option<SessionUpdate> {
        let known = self.known.get_mut(call.id).filter(|known| !known.is_over() && known.is_asked)?;
        known.is_asked = false;
        // The question had other content.
        let terminal = known.terminal.as_ref().map(|terminal| vec![terminal.content()]);
        Some(update(&known.shown, ToolCallUpdateFields::new().title(title(call)).content(terminal)))
    }

    /// The file of a call, absolute.
    pub(super) fn file(&self, call: &CallView<'_>) -> Option<PathBuf> {
        path_of(call).and_then(|path| self.base.resolve(path).ok())
    }

    /// The arguments of a call that waits to run are known.
    pub(super) fn completed(&mut self, call: &CallView<'_>) {
        if let Some(known) = self.known.get_mut(call.id).filter(|known| known.status == ToolCallStatus::Pending) {
            known.arguments = call.arguments.clone();
        }
    }

    /// The calls that are not over.
    pub(super) fn open_ids(&self) -> Vec<String> {
        let mut ids: Vec<_> = self.known.iter().filter(|(_, call)| !call.is_over()).map(|(id, _)| id.clone()).collect();
        ids.sort();
        ids
    }

    /// A call is about to run.
    pub(super) fn started(&mut self, call: &CallView<'_>) -> Vec<SessionUpdate> {
        let announced = self.announced(call.id, call.tool);
        let locations = self.locations(call, None);
        let Some(known) = self.known.get_mut(call.id) else { return Vec::new() };
        known.status = ToolCallStatus::InProgress;
        known.arguments = call.arguments.clone();
        let fields = ToolCallUpdateFields::new()
            .status(ToolCallStatus::InProgress)
            .title(title(call))
            .raw_input(call.arguments.clone())
            .locations((!locations.is_empty()).then_some(locations));
        announced.into_iter().chain([update(&known.shown, fields)]).collect()
    }

    /// A call that is about to run replaces this text.
    pub(super) fn replaces(&mut self, id: &str, text: String) {
        if let Some(known) = self.known.get_mut(id).filter(|call| !call.is_over()) {
            known.replaced = Some(text);
        }
    }

    /// What a running call has said so far.
    pub(super) fn progress(&mut self, call: &CallView<'_>, output: &ToolOutput) -> Vec<SessionUpdate> {
        let running = self.known.get_mut(call.id).filter(|call| call.status == ToolCallStatus::InProgress);
        let Some(running) = running else { return Vec::new() };
        if let Some(terminal) = &mut running.terminal {
            let told = terminal.output(&text(&output.content));
            let told = told.map(|meta| with_meta(&running.shown, ToolCallUpdateFields::new(), meta));
            return told.into_iter().collect();
        }
        let content = blocks(&output.content);
        let told = (!content.is_empty()).then(|| update(&running.shown, ToolCallUpdateFields::new().content(content)));
        told.into_iter().collect()
    }

    /// A call is over.
    pub(super) fn ended(
        &mut self,
        id: &str,
        tool: &str,
        output: &[pi_ai::ContentBlock],
        details: Option<&Value>,
        is_error: bool,
    ) -> Vec<SessionUpdate> {
        let status = if is_error { ToolCallStatus::Failed } else { ToolCallStatus::Completed };
        let Some(known) = self.known.get_mut(id).filter(|call| !call.is_over()) else { return Vec::new() };
        known.status = status;
        let (shown, arguments) = (known.shown.clone(), std::mem::take(&mut known.arguments));
        let terminal = known.terminal.take();
        let (was_asked, replaced) = (std::mem::take(&mut known.is_asked), known.replaced.take());
        let call = CallView { id, tool, arguments: &arguments };
        let path = self.file(&call);
        let diffs = match (status, path) {
            (ToolCallStatus::Completed, Some(path)) => diffs::of_call(tool, &path, &arguments, details, replaced),
            _ => Vec::new(),
        };
        let content = if diffs.is_empty() { blocks(output) } else { diffs };
        let locations = details.map(|_| self.locations(&call, details)).filter(|found| !found.is_empty());
        let title = was_asked.then(|| title(&call));
        let fields = ToolCallUpdateFields::new().status(status).title(title).content(content).locations(locations);
        let Some(mut terminal) = terminal else { return vec![update(&shown, fields)] };
        let said = text(output);
        let meta = terminal.exit(&said, is_error);
        vec![with_meta(&shown, fields.content(vec![terminal.content()]).raw_output(Value::from(said)), meta)]
    }

    /// Ends the calls that were announced and will not run.
    pub(super) fn dead(&mut self) -> Vec<SessionUpdate> {
        let waiting = self.known.values_mut().filter(|call| call.status == ToolCallStatus::Pending);
        let fail = |call: &mut Call| {
            call.status = ToolCallStatus::Failed;
            let fields = ToolCallUpdateFields::new().status(ToolCallStatus::Failed);
            match call.terminal.take() {
                Some(mut terminal) => with_meta(&call.shown, fields, terminal.exit("", true)),
                None => update(&call.shown, fields),
            }
        };
        waiting.map(fail).collect()
    }

    /// The file of a call, absolute, with the line that it is about.
    fn locations(&self, call: &CallView<'_>, details: Option<&Value>) -> Vec<ToolCallLocation> {
        let path = self.file(call);
        let line = match call.tool {
            "read" => call.arguments["offset"].as_u64(),
            "edit" => details.and_then(|details| details["firstChangedLine"].as_u64()),
            _ => None,
        };
        let line = line.and_then(|line| u32::try_from(line).ok());
        path.map(|path| ToolCallLocation::new(path).line(line)).into_iter().collect()
    }
}

fn update(id: &str, fields: ToolCallUpdateFields) -> SessionUpdate {
    SessionUpdate::ToolCallUpdate(ToolCallUpdate::new(id.to_owned(), fields))
}

fn with_meta(id: &str, fields: ToolCallUpdateFields, meta: Meta) -> SessionUpdate {
    SessionUpdate::ToolCallUpdate(ToolCallUpdate::new(id.to_owned(), fields).meta(meta))
}

/// The path that a call of a built-in tool is about.
fn path_of<'a>(call: &CallView<'a>) -> Option<&'a str> {
    match call.tool {
        "read" | "write" | "edit" | "ls" | "grep" | "find" => call.arguments["path"].as_str(),
        _ => None,
    }
}

fn kind(tool: &str) -> ToolKind {
    match tool {
        "read" => ToolKind::Read,
        "edit" | "write" => ToolKind::Edit,
        "grep" | "find" | "ls" => ToolKind::Search,
        "bash" => ToolKind::Execute,
        "fetch" | "web_fetch" | "webfetch" => ToolKind::Fetch,
        _ => ToolKind::Other,
    }
}

/// What a call does, in a few words.
fn title(call: &CallView<'_>) -> String {
    let text = |name: &str| call.arguments[name].as_str();
    let title = match (call.tool, text("path")) {
        ("bash", _) => text("command").map(|command| format!("`{}`", first_line(command))),
        ("grep" | "find", path) => text("pattern").map(|pattern| {
            let place = path.map(|path| format!(" in {path}")).unwrap_or_default();
            format!("{} `{pattern}`{place}", call.tool)
        }),
        ("read" | "edit" | "write" | "ls", Some(path)) => Some(format!("{} {path}", call.tool)),
        _ => None,
    };
    cut(&title.unwrap_or_else(|| call.tool.to_owned()))
}

fn first_line(text: &str) -> String {
    let mut lines = text.trim().lines();
    let first = lines.next().unwrap_or_default();
    if lines.next().is_some() { format!("{first} …") } else { first.to_owned() }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(TITLE_LENGTH) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// The text of a result.
fn text(output: &[pi_ai::ContentBlock]) -> String {
    output.iter().filter_map(pi_ai::ContentBlock::as_text).collect::<Vec<_>>().join("\n")
}

/// Text and images of a result.
fn blocks(output: &[pi_ai::ContentBlock]) -> Vec<ToolCallContent> {
    let is_empty =
        |block: &pi_ai::ContentBlock| matches!(block, pi_ai::ContentBlock::Text(text) if text.text.is_empty());
    let shown = output.iter().filter(|block| !is_empty(block)).filter_map(content::shown);
    shown.map(|block| ToolCallContent::Content(Content::new(block))).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn titled(tool: &str, arguments: &Value) -> String {
        title(&CallView { id: "1", tool, arguments })
    }

    #[test]
    fn titles_say_what_a_call_does() {
        assert_eq!(titled("bash", &json!({"command": "cargo test\necho"})), "`cargo test …`");
        assert_eq!(titled("read", &json!({"path": "src/main.rs"})), "read src/main.rs");
        assert_eq!(titled("grep", &json!({"pattern": "x", "path": "src"})), "grep `x` in src");
        assert_eq!(titled("find", &json!({"pattern": "*.rs"})), "find `*.rs`");
        assert_eq!(titled("todo", &json!({"path": "x"})), "todo");
        assert_eq!(titled("read", &json!({"path": 3})), "read");
        assert_eq!(titled("bash", &json!({"command": "x".repeat(500)})).chars().count(), TITLE_LENGTH + 1);
    }

    #[test]
    fn states_only_go_forward() {
        let mut calls = ToolCalls::new("/w".into(), false);
        let arguments = json!({"path": "a"});
        let call = CallView { id: "1", tool: "read", arguments: &arguments };
        assert!(calls.announced("1", "read").is_some());
        assert!(calls.announced("1", "read").is_none());
        assert_eq!(calls.started(&call).len(), 1);
        let output = ToolOutput::text("hello");
        assert_eq!(calls.progress(&call, &output).len(), 1);
        assert_eq!(calls.ended("1", "read", &output.content, None, false).len(), 1);
        assert!(calls.ended("1", "read", &output.content, None, true).is_empty());
        assert!(calls.progress(&call, &output).is_empty());
        assert!(calls.dead().is_empty());
    }

    #[test]
    fn calls_that_were_cut_off_fail() {
        let mut calls = ToolCalls::new("/w".into(), false);
        calls.announced("1", "read");
        assert_eq!(calls.dead().len(), 1);
        assert!(calls.dead().is_empty());
    }
}
