//! Files named on the command line with `@`: text goes into the prompt, images are attached to it.

use std::io::{self, ErrorKind};
use std::path::Path;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use pi_ai::ContentBlock;

use pi_coding_agent::host::{self, FileKind};
use pi_coding_agent::tools::{FittedImage, ImageKind, PathBase, fit_image, resolve_read_path};

/// What a file adds to a prompt.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Attachment {
    /// Text to put before the message.
    pub(super) text: String,
    /// An image to send along.
    pub(super) image: Option<ContentBlock>,
    /// What the user should know of it.
    pub(super) warning: Option<String>,
}

/// Reads a file for the prompt. An empty file adds nothing.
///
/// # Errors
/// A sentence that names the file.
pub(super) async fn attach_file(argument: &str, base: &PathBase, resize: bool) -> Result<Attachment, String> {
    let path = resolve_read_path(base, argument).await.map_err(|error| error.to_string())?;
    let file = path.clone();
    let read = tokio::task::spawn_blocking(move || host::read_bytes(&file, FileKind::Attachment)).await;
    let bytes = read.unwrap_or_else(|error| Err(error.into())).map_err(|error| unreadable(&path, &error))?;
    // What was read counts, not the size: files of the kernel have none.
    if bytes.is_empty() {
        return Ok(Attachment::default());
    }
    Ok(match ImageKind::sniff(&bytes) {
        Some(kind) => image(&path, bytes, kind, resize).await,
        None => Attachment {
            text: tagged(&path, &format!("\n{}\n", String::from_utf8_lossy(&bytes))),
            warning: is_binary(&bytes).then(|| {
                format!("{} is no text: what cannot be read in it is sent as \u{fffd}. Name it without @ to have it looked at with tools", path.display())
            }),
            image: None,
        },
    })
}

/// Text has no zero bytes, and hardly any that are not UTF-8.
fn is_binary(bytes: &[u8]) -> bool {
    bytes.contains(&0) || std::str::from_utf8(bytes).is_err()
}

fn unreadable(path: &Path, error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => format!("File not found: {}", path.display()),
        ErrorKind::IsADirectory => {
            format!("Could not read file {}: it is a directory; name the files in it", path.display())
        }
        _ => format!("Could not read file {}: {error}", path.display()),
    }
}

async fn image(path: &Path, bytes: Vec<u8>, kind: ImageKind, resize: bool) -> Attachment {
    let fitted = if resize { fit_image(bytes, kind).await } else { Ok(FittedImage::whole(bytes, kind)) };
    let note = match &fitted {
        Ok(image) => image.note().unwrap_or_default(),
        Err(error) => format!("[The image is left out: {error}]"),
    };
    let block = |image: FittedImage| ContentBlock::image(BASE64_STANDARD.encode(&image.bytes), image.kind.mime_type());
    Attachment { text: tagged(path, &note), image: fitted.ok().map(block), warning: None }
}

fn tagged(path: &Path, content: &str) -> String {
    format!("<file name=\"{}\">{content}</file>\n", path.display())
}
