//! The `ls` tool: the entries of a directory.

use std::sync::Arc;

use pi_agent_core::{ToolError, ToolInvocation, ToolOutput};
use pi_ai::ToolDefinition;
use serde::Deserialize;

use super::arguments::parse;
use super::background::{check, or_aborted};
use super::collation::collation_key;
use super::impl_tool::impl_tool;
use super::listing::{Limit, Notices, wrong_path};
use super::local_files::LocalFiles;
use super::operations::{DirectoryEntry, EntryKind, LsOperations};
use super::options::ToolOptions;
use super::path::PathBase;
use super::policy::ToolPolicy;
use super::schema::{number, object, string};

const DEFAULT_LIMIT: f64 = 500.0;

/// Lists directories.
#[derive(Debug)]
pub struct LsTool {
    base: PathBase,
    operations: Arc<dyn LsOperations>,
    policy: ToolPolicy,
}

#[derive(Debug, Deserialize)]
struct LsArgs {
    path: Option<String>,
    limit: Option<f64>,
}

impl LsTool {
    /// A tool that works from the options' directory.
    pub fn new(options: &ToolOptions) -> Self {
        Self {
            base: options.path_base(),
            operations: options.ls_operations.clone().unwrap_or_else(|| Arc::new(LocalFiles)),
            policy: options.policy.clone(),
        }
    }

    async fn run(&self, call: ToolInvocation) -> Result<ToolOutput, ToolError> {
        check(&call.cancel)?;
        let args: LsArgs = parse(&DEFINITION.name, call.arguments)?;
        or_aborted(&call.cancel, self.list(&args)).await
    }

    async fn list(&self, args: &LsArgs) -> Result<ToolOutput, ToolError> {
        let path = self.base.resolve(args.path.as_deref().unwrap_or_default())?;
        self.policy.admit(&*self.operations, &path).await?;
        let failure =
            |e| wrong_path(&e, &path).unwrap_or_else(|| ToolError::new(format!("Cannot read directory: {e}")));
        let entries = self.operations.read_dir(&path).await.map_err(failure)?;
        Ok(format_entries(entries, Limit(args.limit.unwrap_or(DEFAULT_LIMIT))))
    }
}

impl_tool!(LsTool);

fn definition() -> ToolDefinition {
    ToolDefinition {
        name: "ls".to_owned(),
        description:
            "List a directory in alphabetical order, with hidden entries. Directories end in '/'. Stops at 500 \
                      entries or 50KB, whichever comes first."
                .to_owned(),
        parameters: object(
            &[],
            [
                ("path", string("Directory to list; by default the working directory.")),
                ("limit", number("Most entries to return; by default 500.")),
            ],
        ),
    }
}

fn format_entries(mut entries: Vec<DirectoryEntry>, limit: Limit) -> ToolOutput {
    entries.retain(|entry| entry.kind != EntryKind::Unknown);
    entries.sort_by_cached_key(|entry| collation_key(&entry.name));
    let lines: Vec<String> = entries.iter().take(limit.count()).map(shown).collect();
    if lines.is_empty() {
        return ToolOutput::text("(empty directory)");
    }
    let mut notices = Notices::default();
    if lines.len() < entries.len() {
        notices.add(limit.notice("entries"), "entryLimitReached", limit.json());
    }
    let text = notices.cut(lines.join("\n"));
    notices.finish(text)
}

fn shown(entry: &DirectoryEntry) -> String {
    let mark = if entry.kind == EntryKind::Directory { "/" } else { "" };
    format!("{}{mark}", entry.name)
}
