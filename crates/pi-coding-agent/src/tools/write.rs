//! The `write` tool: a whole file at once.

use std::path::Path;
use std::sync::Arc;

use pi_agent_core::{ToolError, ToolInvocation, ToolOutput};
use pi_ai::ToolDefinition;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use super::arguments::parse;
use super::background::check;
use super::impl_tool::impl_tool;
use super::local_files::LocalFiles;
use super::mutation_queue::{OperationsId, in_turn};
use super::operations::WriteOperations;
use super::options::ToolOptions;
use super::path::PathBase;
use super::policy::ToolPolicy;
use super::schema::{object, string};

/// Creates and overwrites files.
#[derive(Debug)]
pub struct WriteTool {
    base: PathBase,
    operations: Arc<dyn WriteOperations>,
    policy: ToolPolicy,
}

#[derive(Debug, Deserialize)]
struct WriteArgs {
    path: String,
    content: String,
}

impl WriteTool {
    /// A tool that works from the options' directory.
    pub fn new(options: &ToolOptions) -> Self {
        let operations = options.write_operations.clone().unwrap_or_else(|| LocalFiles::shared());
        let (base, policy) = (options.path_base(), options.policy.clone());
        Self { base, operations, policy }
    }

    async fn run(&self, call: ToolInvocation) -> Result<ToolOutput, ToolError> {
        let args: WriteArgs = parse(&DEFINITION.name, call.arguments)?;
        let path = self.base.resolve(&args.path)?;
        let key = self.operations.real_path(&path);
        let (operations, policy, target) = (self.operations.clone(), self.policy.clone(), path.clone());
        let work = move |cancel| async move { write_file(&*operations, &policy, &target, &args, &cancel).await };
        in_turn(OperationsId::of(&self.operations), key, &call.cancel, work).await?
    }
}

impl_tool!(WriteTool);

fn definition() -> ToolDefinition {
    ToolDefinition {
        name: "write".to_owned(),
        description: "Write a file: create it, or replace all of its content. Missing parent directories are created."
            .to_owned(),
        parameters: object(
            &["path", "content"],
            [
                ("path", string("File to write, relative or absolute.")),
                ("content", string("Everything that the file shall contain.")),
            ],
        ),
    }
}

/// Writes. Runs while the file is reserved.
async fn write_file(
    operations: &dyn WriteOperations,
    policy: &ToolPolicy,
    path: &Path,
    args: &WriteArgs,
    cancel: &CancellationToken,
) -> Result<ToolOutput, ToolError> {
    check(cancel)?;
    policy.admit(operations, path).await?;
    if let Some(parent) = path.parent() {
        operations.create_dir(parent).await?;
        check(cancel)?;
    }
    operations.write_file(path, &args.content).await?;
    check(cancel)?;
    // Clients know the figure as bytes; it has always been the length in UTF-16 code units.
    let units = args.content.encode_utf16().count();
    Ok(ToolOutput::text(format!("Successfully wrote {units} bytes to {}", args.path)))
}
