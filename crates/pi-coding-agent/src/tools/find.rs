//! The `find` tool: files and directories by their names.

use std::path::Path;
use std::sync::Arc;

use pi_agent_core::{ToolError, ToolInvocation, ToolOutput};
use pi_ai::ToolDefinition;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use super::arguments::parse;
use super::background::{check, or_aborted};
use super::impl_tool::impl_tool;
use super::listing::{Limit, Notices, wrong_path};
use super::local_files::LocalFiles;
use super::operations::{FindOperations, FindReport, FindRequest, FoundPath};
use super::options::ToolOptions;
use super::path::PathBase;
use super::policy::ToolPolicy;
use super::schema::{number, object, string};

const DEFAULT_LIMIT: f64 = 1000.0;

/// Finds files by glob.
#[derive(Debug)]
pub struct FindTool {
    base: PathBase,
    operations: Arc<dyn FindOperations>,
    policy: ToolPolicy,
}

#[derive(Debug, Deserialize)]
struct FindArgs {
    pattern: String,
    path: Option<String>,
    limit: Option<f64>,
}

impl FindTool {
    /// A tool that works from the options' directory.
    pub fn new(options: &ToolOptions) -> Self {
        Self {
            base: options.path_base(),
            operations: options.find_operations.clone().unwrap_or_else(|| Arc::new(LocalFiles)),
            policy: options.policy.clone(),
        }
    }

    async fn run(&self, call: ToolInvocation) -> Result<ToolOutput, ToolError> {
        check(&call.cancel)?;
        let args: FindArgs = parse(&DEFINITION.name, call.arguments)?;
        or_aborted(&call.cancel, self.find(args, &call.cancel)).await
    }

    async fn find(&self, args: FindArgs, cancel: &CancellationToken) -> Result<ToolOutput, ToolError> {
        let path = self.base.resolve(args.path.as_deref().unwrap_or_default())?;
        self.policy.admit(&*self.operations, &path).await?;
        let limit = checked(args.limit.unwrap_or(DEFAULT_LIMIT))?;
        let request = FindRequest {
            pattern: args.pattern,
            path: path.clone(),
            limit: (limit.count() > 0).then(|| limit.count()),
            cancel: cancel.clone(),
        };
        let report =
            self.operations.find(request).await.map_err(|e| wrong_path(&e, &path).unwrap_or_else(|| e.into()))?;
        Ok(format_report(&report, &path, limit))
    }
}

impl_tool!(FindTool);

fn definition() -> ToolDefinition {
    ToolDefinition {
        name: "find".to_owned(),
        description:
            "Find files and directories by glob. Answers with their paths below the searched directory. Files \
                      that .gitignore names are left out. Stops at 1000 results or 50KB, whichever comes first."
                .to_owned(),
        parameters: object(
            &["pattern"],
            [
                ("pattern", string("Glob such as '*.ts', '**/*.json' or 'src/**/*.spec.ts'.")),
                ("path", string("Directory to search; by default the working directory.")),
                ("limit", number("Most results to return; by default 1000.")),
            ],
        ),
    }
}

/// Zero stands for no limit; there is no number of results below that, and none between two numbers.
fn checked(limit: f64) -> Result<Limit, ToolError> {
    if limit >= 0.0 && limit.fract() == 0.0 {
        return Ok(Limit(limit));
    }
    Err(ToolError::new(format!("Invalid limit {limit}: it must be a whole number, or 0 for all results.")))
}

fn format_report(report: &FindReport, root: &Path, limit: Limit) -> ToolOutput {
    let mut notices = Notices::default();
    notices.note(report.note.as_ref());
    if report.found.is_empty() {
        return notices.finish("No files found matching pattern".to_owned());
    }
    let lines: Vec<String> = report.found.iter().map(|found| shown(found, root)).collect();
    // Clients know 0 as a limit that is always reached.
    if lines.len() >= limit.count() {
        let sentence = match limit.count() {
            0 => "There was no limit: these are all results".to_owned(),
            _ => limit.notice("results") + ", or a narrower pattern",
        };
        notices.add(sentence, "resultLimitReached", limit.json());
    }
    let text = notices.cut(lines.join("\n"));
    notices.finish(text)
}

fn shown(found: &FoundPath, root: &Path) -> String {
    let path = found.path.strip_prefix(root).unwrap_or(&found.path).to_string_lossy();
    if found.is_directory { format!("{path}/") } else { path.into_owned() }
}
