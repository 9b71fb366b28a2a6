//! The tool itself: which file is meant, where it is, what it holds.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pi_agent_core::{ToolError, ToolInvocation, ToolOutput};
use pi_ai::{Model, ToolDefinition};
use serde::Deserialize;

use super::image::read_image;
use super::selection::Selection;
use super::text::read_text;
use crate::tools::arguments::parse;
use crate::tools::background::{blocking, check, or_aborted};
use crate::tools::bash::is_spill_path;
use crate::tools::impl_tool::impl_tool;
use crate::tools::local_files::LocalFiles;
use crate::tools::operations::{OperationError, ReadOperations};
use crate::tools::options::ToolOptions;
use crate::tools::path::{PathBase, read_fallbacks};
use crate::tools::policy::ToolPolicy;
use crate::tools::schema::{number, object, string};

/// Reads text files and images.
#[derive(Debug)]
pub struct ReadTool {
    base: PathBase,
    operations: Arc<dyn ReadOperations>,
    policy: ToolPolicy,
    spill_dir: PathBuf,
    auto_resize_images: bool,
}

#[derive(Debug, Deserialize)]
struct ReadArgs {
    path: String,
    #[serde(flatten)]
    selection: Selection,
}

/// A file that may be read.
struct Source<'a> {
    operations: &'a dyn ReadOperations,
    path: PathBuf,
}

impl ReadTool {
    /// A tool that works from the options' directory.
    pub fn new(options: &ToolOptions) -> Self {
        Self {
            base: options.path_base(),
            operations: options.read_operations.clone().unwrap_or_else(|| LocalFiles::shared()),
            policy: options.policy.clone(),
            spill_dir: options.spill_dir(),
            auto_resize_images: options.auto_resize_images,
        }
    }

    async fn run(&self, call: ToolInvocation) -> Result<ToolOutput, ToolError> {
        check(&call.cancel)?;
        let args: ReadArgs = parse(&DEFINITION.name, call.arguments)?;
        or_aborted(&call.cancel, self.read(&args, &call.model)).await
    }

    async fn read(&self, args: &ReadArgs, model: &Model) -> Result<ToolOutput, ToolError> {
        let Source { operations, path } = self.find(&args.path).await?;
        match operations.detect_image(&path).await? {
            Some(kind) => read_image(operations.open(&path), kind, self.auto_resize_images, model).await,
            None => read_text(&args.path, args.selection, || operations.open(&path)).await,
        }
    }

    /// The readable file that an argument names, under one of the spellings that macOS may have given it.
    async fn find(&self, argument: &str) -> Result<Source<'_>, ToolError> {
        let plain = self.base.resolve(argument)?;
        if self.is_spill_file(&plain).await {
            return Ok(Source { operations: &LocalFiles, path: plain });
        }
        let operations = &*self.operations;
        self.policy.admit(operations, &plain).await?;
        let Err(error) = operations.access(&plain).await else { return Ok(Source { operations, path: plain }) };
        if is_missing(&error) {
            for path in read_fallbacks(&plain) {
                self.policy.admit(operations, &path).await?;
                match operations.access(&path).await {
                    Err(other) if is_missing(&other) => {}
                    found => return Ok(found.map(|()| Source { operations, path })?),
                }
            }
        }
        Err(error.into())
    }

    /// Whether this is a file in which `bash` keeps long output. Those are on this machine and may be read, wherever
    /// and however confined the tools work: their names went to the model, and it is output that it asked for.
    async fn is_spill_file(&self, path: &Path) -> bool {
        if !is_spill_path(&self.spill_dir, path) {
            return false;
        }
        let path = path.to_owned();
        // Not a link, which another user could have left in a directory that all share.
        blocking(move || fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())).await.unwrap_or(false)
    }
}

impl_tool!(ReadTool);

fn definition() -> ToolDefinition {
    ToolDefinition {
        name: "read".to_owned(),
        description:
            "Read a file. Text is returned as it is; images (jpg, png, gif, webp) are attached. Text stops at \
                      2000 lines or 50KB, whichever comes first. Use offset and limit for a large file, and go on \
                      with a higher offset until you have all of it."
                .to_owned(),
        parameters: object(
            &["path"],
            [
                ("path", string("File to read, relative or absolute.")),
                ("offset", number("Line to start at, counted from 1.")),
                ("limit", number("Most lines to return.")),
            ],
        ),
    }
}

fn is_missing(error: &OperationError) -> bool {
    matches!(error.code(), Some("ENOENT" | "ENOTDIR"))
}
