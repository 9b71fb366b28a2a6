//! What servers answer, as the model and programs see it; and no more of it than a conversation bears.

use std::io::Write;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use pi_agent_core::{ToolError, ToolOutput};
use pi_ai::ContentBlock;
use rmcp::model::{CallToolResult, ContentBlock as Block, ResourceContents};
use serde_json::{Map, Value, json};

/// Bytes of text that go to the model.
const MOST_TEXT: usize = 20 << 10;
/// The kind of data of which nothing is said.
const UNKNOWN_KIND: &str = "application/octet-stream";
/// Images that every provider takes.
const IMAGES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/// The output of a call.
///
/// # Errors
/// The text of a call that failed.
pub(crate) fn output(result: CallToolResult, details: Map<String, Value>) -> Result<ToolOutput, ToolError> {
    let (is_error, structured) = (result.is_error == Some(true), result.structured_content);
    let mut blocks: Vec<ContentBlock> = result.content.into_iter().map(block).collect();
    if blocks.is_empty()
        && let Some(value) = &structured
    {
        blocks.push(ContentBlock::text(value.to_string()));
    }
    if is_error {
        let (blocks, _) = limited(blocks);
        let texts: Vec<&str> = blocks.iter().filter_map(text_of).collect();
        let text = texts.join("\n");
        return Err(ToolError::new(if text.trim().is_empty() {
            "The tool failed and did not say why".to_owned()
        } else {
            text
        }));
    }
    let mut details = details;
    if let Some(value) = structured {
        details.insert("structuredContent".to_owned(), value);
    }
    limited_output(blocks, &Value::Object(details))
}

/// The output of a resource that was read. What models cannot read is kept in a file, for programs that can.
///
/// # Errors
/// For none of it.
pub(crate) fn of_resource(contents: &[ResourceContents], details: &Value) -> Result<ToolOutput, ToolError> {
    let block = |contents: &ResourceContents| match contents {
        ResourceContents::TextResourceContents { text, .. } => ContentBlock::text(text.as_str()),
        ResourceContents::BlobResourceContents { uri, mime_type, blob, .. }
            if !mime_type.as_deref().is_some_and(|kind| IMAGES.contains(&kind)) =>
        {
            kept(uri, mime_type.as_deref().unwrap_or(UNKNOWN_KIND), blob)
        }
        other => resource(other),
    };
    match contents {
        [] => Err(ToolError::new("The resource is empty: the server answered without contents")),
        contents => limited_output(contents.iter().map(block).collect(), details),
    }
}

/// Output of such blocks, no longer than a conversation bears.
///
/// # Errors
/// None; it is what a call returns.
pub(crate) fn limited_output(blocks: Vec<ContentBlock>, details: &Value) -> Result<ToolOutput, ToolError> {
    let (content, file) = limited(blocks);
    let mut details = details.as_object().cloned().unwrap_or_default();
    if let Some(file) = file {
        details.insert("fullOutputPath".to_owned(), json!(file));
    }
    Ok(ToolOutput { content, details: Some(Value::Object(details)), ..ToolOutput::default() })
}

/// Data in a file that only the user can read.
fn kept(uri: &str, kind: &str, base64: &str) -> ContentBlock {
    let Ok(data) = BASE64_STANDARD.decode(base64) else {
        return ContentBlock::text(format!("[{uri} of type {kind} is left out: it is not in base64]"));
    };
    match keep(&data, "") {
        Some(file) => ContentBlock::text(format!("[{uri} of type {kind}, {} bytes, is in {file}]", data.len())),
        None => left_out(uri, kind, base64),
    }
}

fn text_of(block: &ContentBlock) -> Option<&str> {
    match block {
        ContentBlock::Text(text) => Some(&text.text),
        _ => None,
    }
}

/// A block of a server as one of a conversation.
fn block(block: Block) -> ContentBlock {
    match block {
        Block::Text(text) => ContentBlock::text(text.text),
        Block::Image(image) if IMAGES.contains(&image.mime_type.as_str()) => {
            ContentBlock::image(image.data, image.mime_type)
        }
        Block::Image(image) => left_out("An image", &image.mime_type, &image.data),
        Block::Audio(audio) => left_out("Audio", &audio.mime_type, &audio.data),
        Block::Resource(embedded) => resource(&embedded.resource),
        Block::ResourceLink(link) => {
            let about = link.description.or(link.title).map(|text| format!(": {text}")).unwrap_or_default();
            ContentBlock::text(format!("Resource {} ({}){about}", link.uri, link.name))
        }
        _ => ContentBlock::text("[content of a kind that pi does not know]"),
    }
}

fn resource(contents: &ResourceContents) -> ContentBlock {
    match contents {
        ResourceContents::TextResourceContents { uri, text, .. } => ContentBlock::text(format!("{uri}\n{text}")),
        ResourceContents::BlobResourceContents { uri, mime_type, blob, .. } => {
            let kind = mime_type.as_deref().unwrap_or(UNKNOWN_KIND);
            if IMAGES.contains(&kind) {
                return ContentBlock::image(blob.clone(), kind);
            }
            left_out(&format!("Resource {uri}"), kind, blob)
        }
        _ => ContentBlock::text("[a resource of a kind that pi does not know]"),
    }
}

fn left_out(what: &str, kind: &str, base64: &str) -> ContentBlock {
    ContentBlock::text(format!(
        "[{what} of type {kind}, {} bytes, is left out: models cannot read it]",
        base64.len() / 4 * 3
    ))
}

/// The blocks with no more text than a conversation bears, and the file that has all of it.
fn limited(blocks: Vec<ContentBlock>) -> (Vec<ContentBlock>, Option<String>) {
    let length: usize = blocks.iter().filter_map(text_of).map(str::len).sum();
    if length <= MOST_TEXT {
        return (blocks, None);
    }
    let texts: Vec<&str> = blocks.iter().filter_map(text_of).collect();
    let whole = texts.join("\n");
    let file = keep(whole.as_bytes(), ".txt");
    let place = match &file {
        Some(file) => format!("all of it is in {file}"),
        None => "the rest could not be kept".to_owned(),
    };
    let (begin, end) =
        (whole.floor_char_boundary(MOST_TEXT / 2), whole.ceil_char_boundary(whole.len() - MOST_TEXT / 2));
    let cut = format!("{}\n\n[{} bytes are left out here; {place}]\n\n{}", &whole[..begin], end - begin, &whole[end..]);
    let others = blocks.into_iter().filter(|block| text_of(block).is_none());
    (std::iter::once(ContentBlock::text(cut)).chain(others).collect(), file)
}

/// A file that only the user can read.
fn keep(data: &[u8], suffix: &str) -> Option<String> {
    let mut file = tempfile::Builder::new().prefix("pi-mcp-").suffix(suffix).tempfile().ok()?;
    file.write_all(data).ok()?;
    let (_, path) = file.keep().ok()?;
    Some(path.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn of(value: Value) -> Result<ToolOutput, ToolError> {
        output(serde_json::from_value(value).unwrap(), Map::new())
    }

    #[test]
    fn every_kind_of_content_has_a_form() {
        let content = json!([
            {"type": "text", "text": "hi"},
            {"type": "image", "data": "AAAA", "mimeType": "image/png"},
            {"type": "image", "data": "AAAA", "mimeType": "image/tiff"},
            {"type": "audio", "data": "AAAA", "mimeType": "audio/wav"},
            {"type": "resource_link", "uri": "file:///a", "name": "a", "description": "the a"},
            {"type": "resource", "resource": {"uri": "mem://b", "text": "body"}},
            {"type": "resource", "resource": {"uri": "mem://c", "mimeType": "image/png", "blob": "AAAA"}},
        ]);
        let made = of(json!({"content": content, "structuredContent": {"a": 1}})).unwrap();
        let shown: Vec<String> =
            made.content.iter().map(|block| text_of(block).unwrap_or("image").to_owned()).collect();
        assert_eq!(
            shown,
            [
                "hi",
                "image",
                "[An image of type image/tiff, 3 bytes, is left out: models cannot read it]",
                "[Audio of type audio/wav, 3 bytes, is left out: models cannot read it]",
                "Resource file:///a (a): the a",
                "mem://b\nbody",
                "image",
            ]
        );
        assert_eq!(made.details, Some(json!({"structuredContent": {"a": 1}})));
        assert_eq!(of(json!({"content": [], "structuredContent": [1]})).unwrap().content, [ContentBlock::text("[1]")]);
        let failed = of(json!({"content": [{"type": "text", "text": "no"}], "isError": true})).unwrap_err();
        assert_eq!(failed.to_string(), "no");
        assert!(of(json!({"content": [], "isError": true})).unwrap_err().to_string().contains("did not say why"));
    }

    #[test]
    fn long_output_is_cut_in_the_middle_and_kept() {
        let text = format!("begin{}end", "ä".repeat(30_000));
        let made = of(json!({"content": [{"type": "text", "text": text.clone()}]})).unwrap();
        let shown = text_of(&made.content[0]).unwrap();
        assert!(shown.starts_with("begin") && shown.ends_with("end") && shown.len() < MOST_TEXT + 300);
        let file = made.details.unwrap()["fullOutputPath"].as_str().unwrap().to_owned();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        std::fs::remove_file(file).unwrap();
    }
    #[test]
    fn a_resource_is_text_an_image_or_a_file() {
        let contents = json!([
            {"uri": "memo://a", "text": "Buy milk."},
            {"uri": "memo://b", "mimeType": "image/png", "blob": "AAAA"},
            {"uri": "memo://c", "mimeType": "application/pdf", "blob": "JVBERg=="},
            {"uri": "memo://d", "blob": "no base64"},
        ]);
        let contents: Vec<ResourceContents> = serde_json::from_value(contents).unwrap();
        let made = of_resource(&contents, &json!({"server": "s"})).unwrap();
        let shown: Vec<&str> = made.content.iter().map(|block| text_of(block).unwrap_or("image")).collect();
        assert_eq!(shown[..2], ["Buy milk.", "image"]);
        let file = shown[2].strip_prefix("[memo://c of type application/pdf, 4 bytes, is in ").unwrap();
        let file = file.strip_suffix(']').unwrap();
        assert_eq!(std::fs::read(file).unwrap(), b"%PDF");
        assert_eq!(std::fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
        std::fs::remove_file(file).unwrap();
        assert_eq!(shown[3], "[memo://d of type application/octet-stream is left out: it is not in base64]");
        assert_eq!(made.details, Some(json!({"server": "s"})));
        assert!(of_resource(&[], &json!({})).is_err());
    }
}
