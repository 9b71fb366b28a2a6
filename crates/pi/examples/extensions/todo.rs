//! `pi` with a list of things to do: a tool for the model, two commands for the user.
//!
//! `cargo run -p pi --example todo -- --mode rpc`
//!
//! The list is nowhere but in the session: every result of the tool carries the whole list in its details, and whoever
//! goes to another session, or to another branch of this one, finds the list that belongs there.

use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use pi::cli;
use pi_agent_core::{FnTool, ToolError, ToolInvocation, ToolOutput};
use pi_ai::{Message, ToolDefinition, UserContent};
use pi_coding_agent::extension::events::{SessionStartEvent, SessionTreeEvent};
use pi_coding_agent::extension::{
    Command, Extension, ExtensionApi, ExtensionContext, HandlerError, NotifyKind, SendUserMessageOptions,
    ToolRegistration, extension_fn,
};
use pi_coding_agent::session::{SessionEntry, StoredEntry};
use serde::{Deserialize, Serialize};
use serde_json::json;

const TOOL: &str = "todo";

fn main() -> ExitCode {
    ExitCode::from(cli::run_with(std::env::args().skip(1), vec![todo()]))
}

/// The list, as it is stored.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Todos {
    todos: Vec<Todo>,
    last_id: u32,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Todo {
    id: u32,
    text: String,
    done: bool,
}

/// What the model may do with it.
#[derive(Debug, Deserialize)]
#[serde(tag = "action", rename_all = "lowercase")]
enum Action {
    List,
    Add { text: String },
    Toggle { id: u32 },
    Clear,
}

type Shared = Arc<Mutex<Todos>>;

fn todo() -> Arc<dyn Extension> {
    extension_fn(TOOL, |pi: ExtensionApi| async move {
        // This runs once per session, so every session has a list of its own.
        let list = Shared::default();

        let todos = Arc::clone(&list);
        pi.on(move |_: SessionStartEvent, ctx| rebuild(Arc::clone(&todos), ctx));
        let todos = Arc::clone(&list);
        pi.on(move |_: SessionTreeEvent, ctx| rebuild(Arc::clone(&todos), ctx));

        let todos = Arc::clone(&list);
        // One call after the other: two that run at the same time would store each other's half of the list.
        let tool = FnTool::new(definition(), move |call| std::future::ready(run(&todos, &call))).sequential();
        pi.register_tool(
            ToolRegistration::new(tool)
                .prompt_snippet("Keep a list of what is to do")
                .prompt_guideline("Use todo for work of more than two steps, and toggle an item as soon as it is done"),
        );

        let todos = Arc::clone(&list);
        pi.register_command(
            Command::new("todos", move |_arguments, ctx| {
                let text = with(&todos, |todos| todos.to_string());
                async move {
                    ctx.ui().notify(&text, Some(NotifyKind::Info)).await;
                    Ok(())
                }
            })
            .description("Show what is to do"),
        );

        let api = pi.clone();
        pi.register_command(
            Command::new("next", move |_arguments, _ctx| {
                let next = with(&list, |todos| todos.todos.iter().find(|todo| !todo.done).map(Todo::to_string));
                let next = next.unwrap_or_else(|| "whatever you think of first".to_owned());
                // The command is over at once, the run goes on in the background.
                let prompt = UserContent::Text(format!("Do the next thing now: {next}"));
                let sent = api.send_user_message(prompt, SendUserMessageOptions::default());
                async move { Ok(sent?) }
            })
            .description("Let the model do the next thing"),
        );
        Ok(())
    })
}

/// Takes the list from the newest result of the tool on the current branch.
async fn rebuild(list: Shared, ctx: ExtensionContext) -> Result<(), HandlerError> {
    let newest = |entry: &StoredEntry| {
        let SessionEntry::Message(stored) = entry.parse() else { return None };
        let Message::ToolResult(result) = &*stored.message else { return None };
        let details = result.details.as_ref().filter(|_| result.tool_name == TOOL)?;
        Todos::deserialize(details).ok()
    };
    let found =
        ctx.with_manager(|manager| manager.entries().climb().filter_map(Result::ok).find_map(|entry| newest(&entry)))?;
    with(&list, |todos| *todos = found.unwrap_or_default());
    Ok(())
}

fn definition() -> ToolDefinition {
    ToolDefinition {
        name: TOOL.to_owned(),
        description: "A list of things to do. list: show it; add: a new item (text); toggle: done or not done (id); \
            clear: empty it."
            .to_owned(),
        parameters: json!({
            "type": "object",
            "properties": {
                "action": {"type": "string", "enum": ["list", "add", "toggle", "clear"]},
                "text": {"type": "string", "description": "What is to do, for add"},
                "id": {"type": "integer", "description": "Number of the item, for toggle"},
            },
            "required": ["action"],
        }),
    }
}

/// Runs a call. A call that fails has no details: the list before it stays the newest.
fn run(list: &Shared, call: &ToolInvocation) -> Result<ToolOutput, ToolError> {
    let action = Action::deserialize(&call.arguments).map_err(|error| ToolError::new(format!("todo: {error}")))?;
    with(list, |todos| {
        let text = todos.act(action)?;
        let details = serde_json::to_value(&*todos).map_err(|error| ToolError::new(error.to_string()))?;
        Ok(ToolOutput::text(text).with_details(details))
    })
}

impl Todos {
    fn act(&mut self, action: Action) -> Result<String, ToolError> {
        match action {
            Action::List => {}
            Action::Add { text } => {
                self.last_id += 1;
                self.todos.push(Todo { id: self.last_id, text, done: false });
            }
            Action::Toggle { id } => {
                let todo = self.todos.iter_mut().find(|todo| todo.id == id);
                let todo = todo.ok_or_else(|| ToolError::new(format!("There is no item {id}. Use list.")))?;
                todo.done = !todo.done;
            }
            Action::Clear => self.todos.clear(),
        }
        Ok(self.to_string())
    }
}

impl std::fmt::Display for Todos {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.todos.is_empty() {
            return write!(f, "Nothing to do.");
        }
        for (index, todo) in self.todos.iter().enumerate() {
            let end = if index == 0 { "" } else { "\n" };
            write!(f, "{end}{todo}")?;
        }
        Ok(())
    }
}

impl std::fmt::Display for Todo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { id, text, done } = self;
        write!(f, "[{}] #{id} {text}", if *done { 'x' } else { ' ' })
    }
}

fn with<R>(list: &Shared, work: impl FnOnce(&mut Todos) -> R) -> R {
    work(&mut list.lock().unwrap_or_else(PoisonError::into_inner))
}
