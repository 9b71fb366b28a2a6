//! Tool calls and their results: one line each, the rest folded beneath it.

use std::path::Path;

use pi_ai::{ContentBlock, Message, ToolCall, ToolResultMessage};
use serde_json::Value;

use super::diff::{changes, diff};
use super::entry::read_entry;
use super::image::image;
use super::markdown::code_block;
use super::outline::snippet;
use super::page::Page;
use super::parts::{byline, folded_json, json, open_entry, plain};
use super::preview::peek;
use super::writer::Html;
use crate::export::Error;
use crate::session::SessionEntry;

/// A diff of so many lines is shown without being asked for.
const SHORT_DIFF: usize = 40;

/// Writes a call, and its result where there is one.
pub(super) fn tool_call(html: &mut Html, page: &Page<'_>, call: &ToolCall, result: Option<usize>) -> Result<(), Error> {
    let result = match result {
        Some(at) => result_at(page, at)?.map(|message| (at, message)),
        None => None,
    };
    let answer = result.as_ref().map(|(_, message)| &**message);
    start(html, &call.name, &call.arguments, answer);
    call_body(html, call, answer);
    if let (Some((at, _)), Some(answer)) = (&result, answer) {
        open_entry(html, *at, "<div class=\"result\"");
        result_body(html, &call.arguments, answer);
        if let Some(label) = page.label(*at) {
            html.raw("<p class=\"by\"><b class=\"label\">").text(label).raw("</b></p>");
        }
        html.raw("</div>");
    }
    html.raw("</details>");
    if let Some(answer) = answer {
        pictures(html, answer);
    }
    Ok(())
}

/// Writes a result whose call is not known.
pub(super) fn lone_result(html: &mut Html, page: &Page<'_>, at: usize, result: &ToolResultMessage) {
    open_entry(html, at, "<article class=\"entry calls\"");
    start(html, &result.tool_name, &Value::Null, Some(result));
    result_body(html, &Value::Null, result);
    html.raw("</details>");
    pictures(html, result);
    byline(html, page, at, "", "");
    html.raw("</article>");
}

fn result_at(page: &Page<'_>, at: usize) -> Result<Option<Box<ToolResultMessage>>, Error> {
    let SessionEntry::Message(entry) = read_entry(page, at)? else { return Ok(None) };
    Ok(match std::sync::Arc::unwrap_or_clone(entry.message) {
        Message::ToolResult(message) => Some(message),
        _ => None,
    })
}

/// The line that names the call. Short diffs are open: they say what became of the call.
fn start(html: &mut Html, name: &str, arguments: &Value, result: Option<&ToolResultMessage>) {
    let changed = result.and_then(diff_of);
    html.raw(match result {
        Some(result) if result.is_error => "<details class=\"tool bad\"",
        Some(_) => "<details class=\"tool\"",
        None => "<details class=\"tool waiting\"",
    });
    let open = changed.is_some_and(|changed| changed.lines().count() <= SHORT_DIFF);
    html.raw(if open { " open><summary><b>" } else { "><summary><b>" }).text(name).raw("</b> ");
    let about = headline(name, arguments);
    if !about.is_empty() {
        html.raw("<code>").text(&about).raw("</code>");
    }
    if let Some(changed) = changed {
        let (added, removed) = changes(changed);
        html.raw(" <ins>+").show(format_args!("{added}")).raw("</ins> <del>−").show(format_args!("{removed}"));
        html.raw("</del>");
    }
    html.raw(match result {
        Some(result) if result.is_error => " <span>failed</span>",
        Some(_) => "",
        None => " <span>no result</span>",
    });
    // What is open needs no first lines of it.
    if let (Some(result), false) = (result, open) {
        match changed {
            Some(changed) => peek(html, [changed]),
            None => peek(html, result.content.iter().filter_map(ContentBlock::as_text)),
        }
    }
    html.raw("</summary>");
}

/// Pictures of a result are seen without being asked for.
fn pictures(html: &mut Html, result: &ToolResultMessage) {
    for block in &result.content {
        if let ContentBlock::Image(block) = block {
            image(html, &block.data, &block.mime_type);
        }
    }
}

/// What the call is about, in a few words.
fn headline(name: &str, arguments: &Value) -> String {
    let text = |key: &str| arguments.get(key).and_then(Value::as_str).unwrap_or_default();
    let number = |key: &str| arguments.get(key).and_then(Value::as_u64);
    match (name, arguments) {
        (_, Value::Null) => String::new(),
        ("bash", _) if !text("command").is_empty() => snippet([text("command")]),
        ("read", _) if !text("path").is_empty() => match (number("offset"), number("limit")) {
            (None, None) => snippet([text("path")]),
            (from, count) => {
                let from = from.unwrap_or(1);
                let to =
                    count.map_or_else(String::new, |count| from.saturating_add(count).saturating_sub(1).to_string());
                format!("{}:{from}–{to}", snippet([text("path")]))
            }
        },
        ("edit" | "write" | "ls", _) if !text("path").is_empty() => snippet([text("path")]),
        ("grep" | "find", _) if !text("pattern").is_empty() => snippet([text("pattern"), text("path")]),
        _ => snippet([&*arguments.to_string()]),
    }
}

/// What the line does not say of the arguments.
fn call_body(html: &mut Html, call: &ToolCall, result: Option<&ToolResultMessage>) {
    let text = |key: &str| call.arguments.get(key).and_then(Value::as_str);
    match (call.name.as_str(), text("command"), text("content")) {
        ("bash", Some(command), _) => {
            code_block(html, "sh", command);
            let mut others = call.arguments.as_object().cloned().unwrap_or_default();
            others.shift_remove("command");
            if !others.is_empty() {
                json(html, &Value::Object(others));
            }
        }
        ("write", _, Some(content)) => code_block(html, extension(&call.arguments), content),
        ("read", ..) if text("path").is_some() => {}
        ("edit", ..) if result.and_then(diff_of).is_some() => {}
        _ => json(html, &call.arguments),
    }
}

fn result_body(html: &mut Html, arguments: &Value, result: &ToolResultMessage) {
    if let Some(text) = diff_of(result) {
        diff(html, text);
        if !result.is_error {
            return;
        }
    }
    for block in &result.content {
        match block {
            ContentBlock::Text(block) if block.text.is_empty() => {}
            ContentBlock::Text(block) if result.tool_name == "read" && !result.is_error => {
                code_block(html, extension(arguments), &block.text);
            }
            ContentBlock::Text(block) => plain(html, &block.text),
            // Below the result, where it is seen.
            ContentBlock::Image(_) => {}
            other => folded_json(html, "Content of another kind", &serde_json::to_value(other).unwrap_or_default()),
        }
    }
}

/// What the `edit` tool changed.
fn diff_of(result: &ToolResultMessage) -> Option<&str> {
    result.details.as_ref()?.get("diff")?.as_str().filter(|text| !text.is_empty())
}

/// The file extension of the call's path, or its name where it has none.
fn extension(arguments: &Value) -> &str {
    let path = Path::new(arguments.get("path").and_then(Value::as_str).unwrap_or_default());
    path.extension().or(path.file_name()).and_then(std::ffi::OsStr::to_str).unwrap_or_default()
}
