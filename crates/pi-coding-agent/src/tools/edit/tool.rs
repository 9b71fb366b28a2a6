//! The tool itself: reserve the file, read, replace, write, report.

use std::path::Path;
use std::sync::Arc;

use pi_agent_core::{ToolError, ToolInvocation, ToolOutput};
use pi_ai::ToolDefinition;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::args::{EditArgs, Replacement};
use super::text::FileText;
use super::{apply, args};
use crate::tools::arguments::parse;
use crate::tools::background::{blocking, check};
use crate::tools::diff::{display_diff, unified_patch};
use crate::tools::impl_tool::impl_tool;
use crate::tools::local_files::LocalFiles;
use crate::tools::mutation_queue::{OperationsId, in_turn};
use crate::tools::operations::{EditOperations, OperationError};
use crate::tools::options::ToolOptions;
use crate::tools::path::PathBase;
use crate::tools::policy::ToolPolicy;
use crate::tools::schema::{array_of, closed, object, string};

/// Replaces text in one file.
#[derive(Debug)]
pub struct EditTool {
    base: PathBase,
    operations: Arc<dyn EditOperations>,
    policy: ToolPolicy,
}

impl EditTool {
    /// A tool that works from the options' directory.
    pub fn new(options: &ToolOptions) -> Self {
        let operations = options.edit_operations.clone().unwrap_or_else(|| LocalFiles::shared());
        let (base, policy) = (options.path_base(), options.policy.clone());
        Self { base, operations, policy }
    }

    async fn run(&self, call: ToolInvocation) -> Result<ToolOutput, ToolError> {
        let args: EditArgs = parse(&DEFINITION.name, call.arguments)?;
        if args.edits.is_empty() {
            return Err(ToolError::new("Edit tool input is invalid. edits must contain at least one replacement."));
        }
        let path = self.base.resolve(&args.path)?;
        let key = self.operations.real_path(&path);
        let (operations, policy, target) = (self.operations.clone(), self.policy.clone(), path.clone());
        let work = move |cancel| async move { edit_file(&*operations, &policy, &target, args, &cancel).await };
        in_turn(OperationsId::of(&self.operations), key, &call.cancel, work).await?
    }
}

impl_tool!(EditTool, {
    fn prepare_arguments(&self, arguments: Value) -> Result<Value, ToolError> {
        Ok(args::prepare(arguments))
    }

    fn corrected_arguments(&self, arguments: &Value) -> Option<Value> {
        args::corrected(arguments)
    }
});

fn definition() -> ToolDefinition {
    let edit = closed(object(
        &["oldText", "newText"],
        [
            (
                "oldText",
                string(
                    "Text to replace, exactly as it stands in the file. It must occur once in the file and must not \
                     overlap another edit of the same call.",
                ),
            ),
            ("newText", string("Text to put in its place.")),
        ],
    ));
    let edits = array_of(
        &edit,
        "Replacements. Each is matched against the file as it was before the call, not against the outcome of \
         earlier ones. Merge edits that touch the same or neighbouring lines into one.",
    );
    ToolDefinition {
        name: "edit".to_owned(),
        description: "Edit one file by replacing exact pieces of text. Each oldText must match one unique region of \
                      the original file, and the regions must not overlap. Put changes that lie close together into \
                      one edit; do not stretch an edit over unchanged text to reach a distant change."
            .to_owned(),
        parameters: closed(object(
            &["path", "edits"],
            [("path", string("File to edit, relative or absolute.")), ("edits", edits)],
        )),
    }
}

/// Reads, replaces, writes. Runs while the file is reserved.
async fn edit_file(
    operations: &dyn EditOperations,
    policy: &ToolPolicy,
    path: &Path,
    args: EditArgs,
    cancel: &CancellationToken,
) -> Result<ToolOutput, ToolError> {
    check(cancel)?;
    policy.admit(operations, path).await?;
    operations.access(path).await.map_err(|e| not_editable(&args.path, &e))?;
    check(cancel)?;
    let bytes = operations.read_file(path).await?;
    check(cancel)?;
    let edited = blocking(move || edit_bytes(&args, bytes)).await??;
    check(cancel)?;
    operations.write_file(path, &edited.content).await?;
    check(cancel)?;
    Ok(edited.report)
}

/// What a call leads to.
struct EditOutcome {
    /// New content of the file.
    content: String,
    /// What the model and clients are told.
    report: ToolOutput,
}

fn edit_bytes(args: &EditArgs, bytes: Vec<u8>) -> Result<EditOutcome, ToolError> {
    let file = FileText::decode(bytes).ok_or_else(|| not_text(&args.path))?;
    let edits: Vec<Replacement> = args.edits.iter().map(Replacement::normalised).collect();
    let edited = apply::apply(&args.path, &file.text, &edits)?;
    let report = report(&args.path, edits.len(), &file.text, &edited.text);
    Ok(EditOutcome { content: file.encode(&edited.pieces), report })
}

fn report(path: &str, edits: usize, old: &str, new: &str) -> ToolOutput {
    let diff = display_diff(old, new);
    ToolOutput::text(format!("Successfully replaced {edits} block(s) in {path}.")).with_details(json!({
        "diff": diff.text,
        "patch": unified_patch(path, old, new),
        "firstChangedLine": diff.first_changed_line,
    }))
}

fn not_editable(path: &str, error: &OperationError) -> ToolError {
    match error.code() {
        Some(code) => ToolError::new(format!("Could not edit file: {path}. Error code: {code}.")),
        None => ToolError::new(format!("Could not edit file: {path}. {error}")),
    }
}

fn not_text(path: &str) -> ToolError {
    ToolError::new(format!(
        "Could not edit file: {path}. It is not valid UTF-8, and rewriting it as text would damage it. Use bash to \
         change it."
    ))
}
