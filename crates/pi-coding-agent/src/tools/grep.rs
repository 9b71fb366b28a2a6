//! The `grep` tool: lines that match a pattern.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pi_agent_core::{ToolError, ToolInvocation, ToolOutput};
use pi_ai::ToolDefinition;
use serde::Deserialize;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::arguments::parse;
use super::background::{check, or_aborted};
use super::impl_tool::impl_tool;
use super::listing::{Limit, Notices, wrong_path};
use super::local_files::LocalFiles;
use super::operations::{GrepMatch, GrepOperations, GrepReport, GrepRequest};
use super::options::ToolOptions;
use super::path::PathBase;
use super::policy::ToolPolicy;
use super::schema::{boolean, number, object, string};
use super::truncate::truncate_line;

const DEFAULT_LIMIT: f64 = 100.0;
/// Longest line that is shown, in UTF-16 code units.
const LINE: usize = 500;

/// Searches the content of files.
#[derive(Debug)]
pub struct GrepTool {
    base: PathBase,
    operations: Arc<dyn GrepOperations>,
    policy: ToolPolicy,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct GrepArgs {
    pattern: String,
    path: Option<String>,
    glob: Option<String>,
    #[serde(default)]
    ignore_case: bool,
    #[serde(default)]
    literal: bool,
    context: Option<f64>,
    limit: Option<f64>,
}

impl GrepTool {
    /// A tool that works from the options' directory.
    pub fn new(options: &ToolOptions) -> Self {
        Self {
            base: options.path_base(),
            operations: options.grep_operations.clone().unwrap_or_else(|| Arc::new(LocalFiles)),
            policy: options.policy.clone(),
        }
    }

    async fn run(&self, call: ToolInvocation) -> Result<ToolOutput, ToolError> {
        check(&call.cancel)?;
        let args: GrepArgs = parse(&DEFINITION.name, call.arguments)?;
        or_aborted(&call.cancel, self.grep(args, &call.cancel)).await
    }

    async fn grep(&self, args: GrepArgs, cancel: &CancellationToken) -> Result<ToolOutput, ToolError> {
        let path = self.base.resolve(args.path.as_deref().unwrap_or_default())?;
        self.policy.admit(&*self.operations, &path).await?;
        let limit = Limit(args.limit.unwrap_or(DEFAULT_LIMIT).max(1.0));
        let request = self.request(args, path.clone(), limit, cancel.clone());
        let report =
            self.operations.grep(request).await.map_err(|e| wrong_path(&e, &path).unwrap_or_else(|| e.into()))?;
        Ok(format_report(&report, &path, limit))
    }

    fn request(&self, args: GrepArgs, path: PathBuf, limit: Limit, cancel: CancellationToken) -> GrepRequest {
        GrepRequest {
            pattern: args.pattern,
            literal: args.literal,
            ignore_case: args.ignore_case,
            glob: args.glob.filter(|glob| !glob.is_empty()),
            path,
            base: self.base.cwd.clone(),
            context: args.context.unwrap_or_default() as usize,
            limit: limit.count(),
            cancel,
        }
    }
}

impl_tool!(GrepTool);

fn definition() -> ToolDefinition {
    ToolDefinition {
        name: "grep".to_owned(),
        description: "Search the content of files for a pattern. Answers with the matching lines, each after its path \
                      and line number. Files that .gitignore names are left out. Stops at 100 matches or 50KB, \
                      whichever comes first; lines are cut after 500 characters."
            .to_owned(),
        parameters: object(
            &["pattern"],
            [
                ("pattern", string("Regular expression to search for, or with literal the text itself.")),
                ("path", string("File or directory to search; by default the working directory.")),
                ("glob", string("Search only files that match this, such as '*.ts' or 'src/**/*.rs'.")),
                ("ignoreCase", boolean("Treat capital and small letters alike; by default they differ.")),
                ("literal", boolean("Take the pattern as plain text; by default it is a regular expression.")),
                ("context", number("Lines to show before and after each match; by default none.")),
                ("limit", number("Most matches to return; by default 100.")),
            ],
        ),
    }
}

fn format_report(report: &GrepReport, root: &Path, limit: Limit) -> ToolOutput {
    let mut notices = Notices::default();
    notices.note(report.note.as_ref());
    if report.matches.is_empty() {
        return notices.finish("No matches found".to_owned());
    }
    let mut lines = Lines::default();
    for found in &report.matches {
        lines.add(found, &shown_path(&found.path, root, report.is_directory));
    }
    if report.limit_reached {
        notices.add(limit.notice("matches") + ", or a narrower pattern", "matchLimitReached", limit.json());
    }
    let text = notices.cut(lines.text.join("\n"));
    if lines.cut {
        let sentence = format!("Lines are cut after {LINE} characters. Use read to see them whole");
        notices.add(sentence, "linesTruncated", json!(true));
    }
    notices.finish(text)
}

/// A path below the searched directory; of a file that was searched alone, its name.
fn shown_path(path: &Path, root: &Path, is_directory: bool) -> String {
    let below = path.strip_prefix(root).ok().filter(|_| is_directory);
    let shown = below.or_else(|| path.file_name().map(Path::new)).unwrap_or(path);
    shown.to_string_lossy().into_owned()
}

/// The lines of an answer. Blocks of context may overlap; each match has its own.
#[derive(Debug, Default)]
struct Lines {
    text: Vec<String>,
    cut: bool,
}

impl Lines {
    fn add(&mut self, found: &GrepMatch, path: &str) {
        let first = found.line.saturating_sub(found.before.len() as u64);
        for (line, text) in (first..).zip(&found.before) {
            self.push(path, '-', line, text);
        }
        self.push(path, ':', found.line, &found.text);
        for (line, text) in (found.line + 1..).zip(&found.after) {
            self.push(path, '-', line, text);
        }
    }

    fn push(&mut self, path: &str, mark: char, line: u64, text: &str) {
        let (text, cut) = truncate_line(text, LINE);
        self.cut |= cut;
        self.text.push(format!("{path}{mark}{line}{mark} {text}"));
    }
}
