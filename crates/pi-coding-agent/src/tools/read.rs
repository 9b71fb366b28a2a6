//! The `read` tool: text with offset and limit, images as attachments.

use std::path::PathBuf;
use std::sync::Arc;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use futures::future::{BoxFuture, FutureExt};
use pi_agent_core::{Tool, ToolError, ToolInvocation, ToolOutput};
use pi_ai::{CoercionMode, ContentBlock, Model, ToolDefinition};
use serde::Deserialize;

use super::arguments::parse;
use super::background::{blocking, check, or_aborted};
use super::image::{FittedImage, ImageKind, fit_image};
use super::local_files::LocalFiles;
use super::operations::{OperationError, ReadOperations};
use super::options::ToolOptions;
use super::path::{PathBase, read_fallbacks};
use super::read_text::{Selection, read_text};
use super::schema::{number, object, string};

/// Reads text files and images.
#[derive(Debug)]
pub struct ReadTool {
    definition: Arc<ToolDefinition>,
    base: PathBase,
    operations: Arc<dyn ReadOperations>,
    auto_resize_images: bool,
}

#[derive(Debug, Deserialize)]
struct ReadArgs {
    path: String,
    #[serde(flatten)]
    selection: Selection,
}

impl ReadTool {
    /// A tool that works from the options' directory.
    pub fn new(options: &ToolOptions) -> Self {
        Self {
            definition: Arc::new(definition()),
            base: options.path_base(),
            operations: options.read_operations.clone().unwrap_or_else(|| Arc::new(LocalFiles)),
            auto_resize_images: options.auto_resize_images,
        }
    }

    async fn run(&self, call: ToolInvocation) -> Result<ToolOutput, ToolError> {
        check(&call.cancel)?;
        let args: ReadArgs = parse(&self.definition.name, call.arguments)?;
        or_aborted(&call.cancel, self.read(&args, &call.model)).await
    }

    async fn read(&self, args: &ReadArgs, model: &Model) -> Result<ToolOutput, ToolError> {
        let path = self.find(&args.path).await?;
        let image = self.operations.detect_image(&path).await?;
        let bytes = self.operations.read_file(&path).await?;
        match image {
            Some(kind) => Ok(self.image(bytes, kind, model).await),
            None => {
                let (path, selection) = (args.path.clone(), args.selection);
                blocking(move || read_text(&path, bytes, &selection)).await?
            }
        }
    }

    /// The readable file that an argument names, under one of the spellings that macOS may have given it.
    async fn find(&self, argument: &str) -> Result<PathBuf, ToolError> {
        let plain = self.base.resolve(argument)?;
        let Err(error) = self.operations.access(&plain).await else { return Ok(plain) };
        if is_missing(&error) {
            for candidate in read_fallbacks(&plain) {
                match self.operations.access(&candidate).await {
                    Err(other) if is_missing(&other) => {}
                    found => return Ok(found.map(|()| candidate)?),
                }
            }
        }
        Err(error.into())
    }

    async fn image(&self, bytes: Vec<u8>, kind: ImageKind, model: &Model) -> ToolOutput {
        let fitted =
            if self.auto_resize_images { fit_image(bytes, kind).await } else { Some(FittedImage::whole(bytes, kind)) };
        let mut lines =
            vec![format!("Image file, type {}.", fitted.as_ref().map_or(kind, |image| image.kind).mime_type())];
        match &fitted {
            Some(image) => lines.extend(image.note()),
            None => lines
                .push("[The image is left out: it could not be brought below the size limit for images.]".to_owned()),
        }
        if !model.accepts_images() {
            lines.push("[The current model takes no images: the image is left out of the request.]".to_owned());
        }
        let picture =
            fitted.map(|image| ContentBlock::image(BASE64_STANDARD.encode(&image.bytes), image.kind.mime_type()));
        let content = std::iter::once(ContentBlock::text(lines.join("\n"))).chain(picture).collect();
        ToolOutput { content, ..ToolOutput::default() }
    }
}

impl Tool for ReadTool {
    fn definition(&self) -> &Arc<ToolDefinition> {
        &self.definition
    }

    fn coercion_mode(&self) -> CoercionMode {
        CoercionMode::Lenient
    }

    fn execute(&self, call: ToolInvocation) -> BoxFuture<'_, Result<ToolOutput, ToolError>> {
        self.run(call).boxed()
    }
}

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
