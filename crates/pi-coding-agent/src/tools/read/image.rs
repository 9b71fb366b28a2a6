//! The image branch: a text that says what the image is, and the image.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use futures::stream::StreamExt;
use pi_agent_core::{ToolError, ToolOutput};
use pi_ai::{ContentBlock, Model};

use crate::tools::image::{FittedImage, ImageError, fit_image};
use crate::tools::image_kind::ImageKind;
use crate::tools::operations::{ByteStream, OperationError};
use crate::tools::truncate::format_size;

/// Largest file that is taken for an image. Cameras stay far below, and decoding needs several times as much memory.
const MAX_IMAGE_BYTES: usize = 100 << 20;

/// An image as a tool result; `fit` says whether it is brought below the limits of providers.
pub(super) async fn read_image(
    pieces: ByteStream<'_>,
    kind: ImageKind,
    fit: bool,
    model: &Model,
) -> Result<ToolOutput, ToolError> {
    let bytes = load(pieces, kind).await?;
    let fitted = if fit { fit_image(bytes, kind).await } else { Ok(FittedImage::whole(bytes, kind)) };
    let text = describe(fitted.as_ref(), kind, model);
    let picture =
        fitted.ok().map(|image| ContentBlock::image(BASE64_STANDARD.encode(&image.bytes), image.kind.mime_type()));
    let content = std::iter::once(ContentBlock::text(text)).chain(picture).collect();
    Ok(ToolOutput { content, ..ToolOutput::default() })
}

fn describe(fitted: Result<&FittedImage, &ImageError>, kind: ImageKind, model: &Model) -> String {
    let mut lines = vec![format!("Image file, type {}.", fitted.map_or(kind, |image| image.kind).mime_type())];
    match fitted {
        Ok(image) => lines.extend(image.note()),
        Err(error) => lines.push(format!("[The image is left out: {error}]")),
    }
    if !model.accepts_images() {
        lines.push("[The current model takes no images: the image is left out of the request.]".to_owned());
    }
    lines.join("\n")
}

async fn load(mut pieces: ByteStream<'_>, kind: ImageKind) -> Result<Vec<u8>, OperationError> {
    let mut bytes = Vec::new();
    while let Some(piece) = pieces.next().await {
        bytes.extend_from_slice(&piece?);
        if bytes.len() > MAX_IMAGE_BYTES {
            let (kind, limit) = (kind.mime_type(), format_size(MAX_IMAGE_BYTES));
            return Err(OperationError::new(format!(
                "The file starts like an image ({kind}) and has more than {limit}, too much for one. Use bash to make a \
                 smaller copy, or to look at it as text."
            )));
        }
    }
    Ok(bytes)
}
