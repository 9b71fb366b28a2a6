//! Entries by type: each as one element with an address of its own.

use pi_ai::{Message, UserContent};
use serde_json::Value;

use super::answer::answer;
use super::line::sound;
use super::markdown::{LineEnds, markdown};
use super::page::Page;
use super::parts::{byline, folded_json, note, open_entry};
use super::tool::lone_result;
use super::totals::short_count;
use super::user::{content, shell, user};
use super::writer::Html;
use crate::export::Error;
use crate::session::SessionEntry;
use crate::session::messages::AppMessage;

const BRANCH_LEFT: &str = "Summary of a branch that was left";

/// Reads the entry at a place; what has no shape of ours is kept as JSON.
pub(super) fn read_entry(page: &Page<'_>, at: usize) -> Result<SessionEntry, Error> {
    let line = page.session.line(at)?;
    Ok(serde_json::from_str(&sound(&line)).unwrap_or_else(|_| SessionEntry::Other(as_text(&line))))
}

/// What cannot be read at all is shown as it is.
fn as_text(line: &str) -> serde_json::Map<String, Value> {
    std::iter::once(("line".to_owned(), Value::from(line))).collect()
}

/// Writes the entry at a place.
pub(super) fn entry(html: &mut Html, page: &Page<'_>, at: usize) -> Result<(), Error> {
    match read_entry(page, at)? {
        SessionEntry::Message(entry) => return message(html, page, at, &entry.message),
        SessionEntry::ModelChange(entry) => {
            note(html, page, at, "Model", &format!("{}/{}", entry.provider, entry.model_id));
        }
        SessionEntry::ThinkingLevelChange(entry) => note(html, page, at, "Thinking level", &entry.thinking_level),
        SessionEntry::Compaction(entry) => {
            let title = compacted(entry.tokens_before);
            summary(html, page, at, &title, &entry.summary);
        }
        SessionEntry::BranchSummary(entry) => {
            summary(html, page, at, BRANCH_LEFT, &entry.summary);
        }
        SessionEntry::CustomMessage(entry) if entry.display => {
            custom(html, page, at, &entry.custom_type, &entry.content);
        }
        // Its extension hides it from people.
        SessionEntry::CustomMessage(_) => {}
        SessionEntry::Custom(entry) => {
            let title = format!("Data of {}", entry.custom_type);
            data(html, page, at, &title, &entry.data.unwrap_or_default());
        }
        SessionEntry::Label(entry) => label(html, page, at, &entry.target_id, entry.label.as_deref()),
        SessionEntry::SessionInfo(entry) => note(html, page, at, "Session name", &entry.name),
        SessionEntry::Other(object) => {
            let kind = object.get("type").and_then(Value::as_str).unwrap_or("unknown");
            let title = format!("Entry of type {kind}");
            data(html, page, at, &title, &Value::Object(object));
        }
    }
    Ok(())
}

fn message(html: &mut Html, page: &Page<'_>, at: usize, message: &Message) -> Result<(), Error> {
    match message {
        Message::User(message) => user(html, page, at, &message.content),
        Message::Assistant(message) => return answer(html, page, at, message),
        Message::ToolResult(message) => lone_result(html, page, at, message),
        Message::Other(other) => match AppMessage::from_other(other) {
            Some(AppMessage::BashExecution(message)) => shell(html, page, at, &message),
            Some(AppMessage::Custom(message)) if message.display => {
                custom(html, page, at, &message.custom_type, &message.content);
            }
            Some(AppMessage::Custom(_)) => {}
            Some(AppMessage::BranchSummary(message)) => {
                summary(html, page, at, BRANCH_LEFT, &message.summary);
            }
            Some(AppMessage::CompactionSummary(message)) => {
                let title = compacted(message.tokens_before);
                summary(html, page, at, &title, &message.summary);
            }
            None => {
                let title = format!("Message of role {}", other.role());
                data(html, page, at, &title, &Value::Object((*other.0).clone()));
            }
        },
    }
    Ok(())
}

fn compacted(tokens_before: u64) -> String {
    format!("History summarised, {} tokens before", short_count(tokens_before))
}

fn summary(html: &mut Html, page: &Page<'_>, at: usize, title: &str, text: &str) {
    open_entry(html, at, "<article class=\"entry summary\"");
    html.raw("<details><summary>").text(title).raw("</summary>");
    markdown(html, text, LineEnds::Flow);
    html.raw("</details>");
    byline(html, page, at, "", "");
    html.raw("</article>");
}

fn custom(html: &mut Html, page: &Page<'_>, at: usize, custom_type: &str, body: &UserContent) {
    open_entry(html, at, "<article class=\"entry custom\"");
    byline(html, page, at, custom_type, "");
    content(html, body);
    html.raw("</article>");
}

fn data(html: &mut Html, page: &Page<'_>, at: usize, title: &str, value: &Value) {
    open_entry(html, at, "<article class=\"entry extra\"");
    folded_json(html, title, value);
    byline(html, page, at, "", "");
    html.raw("</article>");
}

fn label(html: &mut Html, page: &Page<'_>, at: usize, target: &str, label: Option<&str>) {
    open_entry(html, at, "<div class=\"entry note\"");
    match label.filter(|label| !label.is_empty()) {
        Some(label) => html.raw("<span>Label <b>").text(label).raw("</b> on "),
        None => html.raw("<span>Label removed from "),
    };
    match page.place(target) {
        Some(place) => html.raw("<a href=\"#e").show(format_args!("{place}")).raw("\">").text(target).raw("</a>"),
        None => html.text(target),
    };
    html.raw("</span>");
    byline(html, page, at, "", "");
    html.raw("</div>");
}
