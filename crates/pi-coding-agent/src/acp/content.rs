//! What a prompt is made of, as text and images for the model; and pieces of messages, as the client gets them.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use agent_client_protocol_schema::v1::{ContentBlock, EmbeddedResourceResource, Error, ImageContent, ResourceLink};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use percent_encoding::percent_decode_str;

use super::errors::invalid_params;
use crate::tools::{FittedImage, ImageKind, fit_image};

/// A prompt.
#[derive(Debug, Default, PartialEq)]
pub(super) struct PromptContent {
    pub(super) text: String,
    pub(super) images: Vec<Picture>,
}

/// An image of a prompt. Its bytes say of what kind it is, not the client: providers refuse what is none, and a conversation
/// that holds it.
#[derive(Debug, PartialEq)]
pub(super) struct Picture {
    bytes: Vec<u8>,
    kind: ImageKind,
}

impl Picture {
    /// `None` if it is no image that models take.
    fn read(data: &str) -> Option<Self> {
        let bytes = BASE64_STANDARD.decode(data).ok()?;
        ImageKind::sniff(&bytes).map(|kind| Self { bytes, kind })
    }

    /// As the model gets it; `resizes`: brought below the limits of providers.
    ///
    /// # Errors
    /// When that is not possible: the image is broken, or far too large.
    pub(super) async fn fitted(self, resizes: bool) -> Result<pi_ai::ContentBlock, Error> {
        let fitted = match resizes {
            true => fit_image(self.bytes, self.kind).await,
            false => Ok(FittedImage::whole(self.bytes, self.kind)),
        };
        let image = fitted.map_err(|error| invalid_params(format!("an image cannot be sent: {error}")))?;
        Ok(pi_ai::ContentBlock::image(BASE64_STANDARD.encode(&image.bytes), image.kind.mime_type()))
    }
}

/// Reads a prompt. Files that the editor encloses stand in it as they are; of files that it only names the model gets the
/// path, and reads them if it wants to.
///
/// # Errors
/// What cannot be taken, named.
pub(super) fn read(blocks: &[ContentBlock]) -> Result<PromptContent, Error> {
    let mut prompt = PromptContent::default();
    for block in blocks {
        match block {
            ContentBlock::Text(text) => prompt.text.push_str(&text.text),
            ContentBlock::Image(image) => prompt.images.push(Picture::read(&image.data).ok_or_else(|| {
                let kind = &image.mime_type;
                invalid_params(format!(
                    "an image (said to be {kind:?}) is no base64 text of a still PNG, JPEG, GIF or WebP"
                ))
            })?),
            ContentBlock::ResourceLink(link) => prompt.text.push_str(&reference(link)),
            ContentBlock::Resource(resource) => enclose(&resource.resource, &mut prompt)?,
            ContentBlock::Audio(_) => return Err(invalid_params("audio is not taken; send text, images or files")),
            _ => return Err(invalid_params("this kind of content is not taken; send text, images or files")),
        }
    }
    if prompt.text.trim().is_empty() && prompt.images.is_empty() {
        return Err(invalid_params("the prompt is empty"));
    }
    Ok(prompt)
}

fn enclose(resource: &EmbeddedResourceResource, prompt: &mut PromptContent) -> Result<(), Error> {
    match resource {
        EmbeddedResourceResource::TextResourceContents(file) => {
            let name = place(&file.uri);
            let end = if file.text.ends_with('\n') { "" } else { "\n" };
            prompt.text.push_str(&format!("\n<file name=\"{name}\">\n{}{end}</file>\n", file.text));
            Ok(())
        }
        EmbeddedResourceResource::BlobResourceContents(file) => {
            let reason =
                || invalid_params(format!("{} is neither text nor a PNG, JPEG, GIF or WebP", place(&file.uri)));
            prompt.images.push(Picture::read(&file.blob).ok_or_else(reason)?);
            Ok(())
        }
        _ => Err(invalid_params("this kind of resource is not taken; send text or images")),
    }
}

/// How the text speaks of a file that it does not hold.
fn reference(link: &ResourceLink) -> String {
    let place = place(&link.uri);
    let is_path = place != link.uri;
    if is_path || link.name.is_empty() { place } else { format!("[{}]({place})", link.name) }
}

/// A path, with a range of lines where there is one; any other address as it is.
fn place(uri: &str) -> String {
    let Some(path) = uri.strip_prefix("file://") else { return uri.to_owned() };
    let (path, fragment) = path.split_once('#').unwrap_or((path, ""));
    let path = path.split('?').next().unwrap_or(path);
    let path = percent_decode_str(path.strip_prefix("localhost").unwrap_or(path)).collect();
    let path = PathBuf::from(OsString::from_vec(path));
    match lines(fragment) {
        Some(lines) => format!("{}:{lines}", path.display()),
        None => path.display().to_string(),
    }
}

/// `L10:20`, `L10-L20`, `L10`: the ways in which editors write lines.
fn lines(fragment: &str) -> Option<String> {
    let numbers: Vec<&str> = fragment
        .split([':', '-'])
        .map(|part| part.trim_start_matches(['L', 'l']))
        .filter(|part| !part.is_empty())
        .collect();
    let are_numbers = numbers.iter().all(|number| number.parse::<u32>().is_ok());
    (are_numbers && matches!(numbers.len(), 1 | 2)).then(|| numbers.join("-"))
}

/// A piece of a stored message. Only text and images are shown as they are.
pub(super) fn shown(block: &pi_ai::ContentBlock) -> Option<ContentBlock> {
    match block {
        pi_ai::ContentBlock::Text(text) => Some(text.text.as_str().into()),
        pi_ai::ContentBlock::Image(image) => {
            Some(ContentBlock::Image(ImageContent::new(image.data.as_str(), image.mime_type.as_str())))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn prompt(blocks: Value) -> Result<PromptContent, Error> {
        read(&serde_json::from_value::<Vec<ContentBlock>>(blocks).unwrap())
    }

    #[test]
    fn files_are_named_or_enclosed() {
        let found = prompt(json!([
            {"type": "text", "text": "Look at "},
            {"type": "resource_link", "name": "a b.rs", "uri": "file:///w/a%20b.rs#L3:9"},
            {"type": "text", "text": " and "},
            {"type": "resource_link", "name": "page", "uri": "https://example.com/"},
            {"type": "resource", "resource": {"uri": "file:///w/c.txt", "text": "hello"}},
            {"type": "image", "data": "R0lGODlh", "mimeType": ""},
            {"type": "resource", "resource": {"uri": "file:///w/d.png", "blob": "/9j/4A==", "mimeType": "image/png"}}
        ]));
        let found = found.unwrap();
        let text = "Look at /w/a b.rs:3-9 and [page](https://example.com/)\n<file name=\"/w/c.txt\">\nhello\n</file>\n";
        assert_eq!(found.text, text);
        // What they are, whatever they are said to be.
        let kinds: Vec<ImageKind> = found.images.iter().map(|image| image.kind).collect();
        assert_eq!(kinds, [ImageKind::Gif, ImageKind::Jpeg]);
    }

    #[test]
    fn what_cannot_be_taken_is_named() {
        for (blocks, reason) in [
            (json!([]), "empty"),
            (json!([{"type": "text", "text": " "}]), "empty"),
            (json!([{"type": "audio", "data": "AAAA", "mimeType": "audio/wav"}]), "audio"),
            (json!([{"type": "resource", "resource": {"uri": "file:///w/x.bin", "blob": "AAAA"}}]), "/w/x.bin"),
            (json!([{"type": "image", "data": "not base64!!", "mimeType": "image/svg+xml"}]), "image/svg+xml"),
            (json!([{"type": "image", "data": "AAAA", "mimeType": "image/png"}]), "image/png"),
            (json!([{"type": "image", "data": "", "mimeType": ""}]), "no base64 text"),
        ] {
            let error = prompt(blocks).unwrap_err();
            assert_eq!(i32::from(error.code), -32602);
            assert!(error.data.unwrap().as_str().unwrap().contains(reason));
        }
    }

    #[test]
    fn addresses_of_files_are_paths() {
        for (uri, expected) in [
            ("file:///w/x", "/w/x"),
            ("file://localhost/w/x", "/w/x"),
            ("file:///w/100%", "/w/100%"),
            ("file:///w/%C3%BC#L5", "/w/ü:5"),
            ("file:///w/x?symbol=f#L10-L20", "/w/x:10-20"),
            ("file:///w/x#top", "/w/x"),
            ("zed:///agent/1", "zed:///agent/1"),
        ] {
            assert_eq!(place(uri), expected);
        }
    }
}
