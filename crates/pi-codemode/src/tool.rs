//! The tool: what the model is told of it, and what it gets.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_agent_core::{Tool, ToolError, ToolExecutionMode, ToolInvocation, ToolOutput};
use pi_ai::ToolDefinition;
use serde_json::json;

use crate::calls::Calls;
use crate::console::Console;
use crate::limits::{LONGEST_SCRIPT, MOST_SECONDS, USUAL_SECONDS};
use crate::{output, script};

/// Its name.
pub const NAME: &str = "codemode";

/// Short: it is part of every request.
const DESCRIPTION: &str = "Runs a script that calls your tools, so that only its result comes back to you. Use it when several calls \
follow from each other, when the same call is made for many things, or when you need a small part of what calls return. \
The script is the body of an async function in JavaScript; `return` a short result. `await tools.read({path: \"a.txt\"})` \
calls a tool by its name with its arguments, gives the text of the result (or the value, where a tool has structured \
content), and throws where the call fails. `Promise.all` makes calls at once; `console.log` adds lines to the result. \
Nothing else can be reached: no files, no network, no imports.";

/// A tool in which the model writes a script that calls its other tools. It is stateless: one can serve many sessions.
#[derive(Debug, Clone, Copy, Default)]
pub struct CodeMode;

static DEFINITION: LazyLock<Arc<ToolDefinition>> = LazyLock::new(|| {
    let parameters = json!({
        "type": "object",
        "properties": {
            "script": {"type": "string", "description": "Body of an async function"},
            "timeout": {
                "type": "integer",
                "minimum": 1,
                "maximum": MOST_SECONDS,
                "description": format!("Seconds, with the calls in them; {USUAL_SECONDS} unless given"),
            },
        },
        "required": ["script"],
    });
    Arc::new(ToolDefinition { name: NAME.to_owned(), description: DESCRIPTION.to_owned(), parameters })
});

impl CodeMode {
    async fn run(call: ToolInvocation) -> Result<ToolOutput, ToolError> {
        if !call.calls.are_possible() {
            return Err(ToolError::new("Scripts cannot run here: nothing is there that they could call"));
        }
        let source = call.arguments["script"].as_str().unwrap_or_default().to_owned();
        if source.len() > LONGEST_SCRIPT {
            let most = LONGEST_SCRIPT >> 10;
            return Err(ToolError::new(format!("The script is too long: {} KB, {most} at most", source.len() >> 10)));
        }
        let seconds = call.arguments["timeout"].as_u64().unwrap_or(USUAL_SECONDS).clamp(1, MOST_SECONDS);
        let calls = Arc::new(Calls::new(call.calls, call.updates, NAME));
        let console = Arc::new(Console::default());
        let ended = script::run(source, &calls, &console, Duration::from_secs(seconds), &call.cancel).await;
        match ended {
            Ok(ended) => output::of(ended, &calls, &console),
            Err(error) => Err(error.with_details(calls.details())),
        }
    }
}

impl Tool for CodeMode {
    fn definition(&self) -> &Arc<ToolDefinition> {
        &DEFINITION
    }

    fn label(&self) -> &str {
        "Script"
    }

    /// Its calls are beside none but each other.
    fn execution_mode(&self) -> Option<ToolExecutionMode> {
        Some(ToolExecutionMode::Sequential)
    }

    fn makes_calls(&self) -> bool {
        true
    }

    fn execute(&self, call: ToolInvocation) -> BoxFuture<'_, Result<ToolOutput, ToolError>> {
        Self::run(call).boxed()
    }
}
