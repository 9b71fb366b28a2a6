//! What a prompt is made of, as text and images for the model; and pieces of messages, as the client gets them.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use agent_client_protocol_schema::v1::{ContentBlock, EmbeddedResourceResource, Error, ImageContent, ResourceLink};
use percent_encoding::percent_decode_str;

use super::errors::invalid_params;

/// A prompt.
#[derive(Debug, Default, PartialEq)]
pub(super) struct PromptContent {
    pub(super) text: String,
    pub(super) images: Vec<pi_ai::ContentBlock>,
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
            ContentBlock::Image(image) => {
                prompt.images.push(pi_ai::ContentBlock::image(image.data.as_str(), image.mime_type.as_str()));
            }
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
        EmbeddedResourceResource::BlobResourceContents(file) => match file.mime_type.as_deref() {
            Some(kind) if kind.starts_with("image/") => {
                prompt.images.push(pi_ai::ContentBlock::image(file.blob.as_str(), kind));
                Ok(())
            }
            _ => Err(invalid_params(format!("{} is neither text nor an image", place(&file.uri)))),
        },
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
            {"type": "image", "data": "AAAA", "mimeType": "image/png"},
            {"type": "resource", "resource": {"uri": "file:///w/d.png", "blob": "BBBB", "mimeType": "image/png"}}
        ]));
        let found = found.unwrap();
        let text = "Look at /w/a b.rs:3-9 and [page](https://example.com/)\n<file name=\"/w/c.txt\">\nhello\n</file>\n";
        assert_eq!(found.text, text);
        let image = |data: &str| pi_ai::ContentBlock::image(data, "image/png");
        assert_eq!(found.images, [image("AAAA"), image("BBBB")]);
    }

    #[test]
    fn what_cannot_be_taken_is_named() {
        for (blocks, reason) in [
            (json!([]), "empty"),
            (json!([{"type": "text", "text": " "}]), "empty"),
            (json!([{"type": "audio", "data": "AAAA", "mimeType": "audio/wav"}]), "audio"),
            (json!([{"type": "resource", "resource": {"uri": "file:///w/x.bin", "blob": "AAAA"}}]), "/w/x.bin"),
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
