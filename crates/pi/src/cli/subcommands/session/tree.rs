//! `pi session tree`: all branches, a line per message.

use serde::Serialize;

use super::Failure;
use super::branches::{Row, rows};
use super::places::Places;
use crate::cli::console::screen::{Screen, Style};
use crate::common::excerpt::Excerpt;
use pi_coding_agent::session::{SessionTree, StoredEntry};

/// Prints the tree of the session that `file` means.
pub(super) fn run(file: &str, places: &Places, screen: &mut Screen) -> Result<u8, Failure> {
    let (path, session) = places.load(file)?;
    let entries = session.entries;
    let tree = SessionTree::of(&entries);
    if screen.json {
        return print_json(&entries, &tree, screen);
    }
    let spoken = tree.only(|place| entries.get(place).is_some_and(is_spoken));
    let path_to_leaf = entries.len().checked_sub(1).map(|leaf| tree.path(leaf)).unwrap_or_default();
    let leaf = path_to_leaf.into_iter().rev().find(|place| entries.get(*place).is_some_and(is_spoken));
    let rows = rows(&spoken, leaf);
    if rows.is_empty() {
        crate::cli::console::diagnostics::complain(&format!(
            "No messages in {}",
            super::screen::plain(&path.to_string_lossy())
        ));
    }
    for row in rows {
        let text = match row {
            Row::Entry { place, .. } => entry_text(&entries, &tree, place, leaf, screen),
            Row::Fork { .. } => String::new(),
        };
        let line = format!("{}{text}", screen.paint(Style::Dim, &row.graph()));
        screen.line(line.trim_end())?;
    }
    Ok(0)
}

fn is_spoken(entry: &StoredEntry) -> bool {
    matches!(entry.kind(), "message" | "custom_message" | "compaction" | "branch_summary")
}

fn entry_text(
    entries: &[StoredEntry],
    tree: &SessionTree,
    place: usize,
    leaf: Option<usize>,
    screen: &Screen,
) -> String {
    let Some(entry) = entries.get(place) else { return String::new() };
    let gist = Excerpt::of(entry);
    let style = if gist.role == "user" { Style::Green } else { Style::Cyan };
    let mut text = format!(
        "{} {}: {}",
        screen.paint(Style::Yellow, entry.id()),
        screen.paint(style, &gist.title()),
        super::screen::plain(&gist.line())
    );
    if let Some(label) = tree.label(place) {
        text.push_str(&format!(
            " {}",
            screen.paint(Style::Bold, &format!("[{}]", crate::common::one_line::cut_line(&label.text, 40)))
        ));
    }
    if leaf == Some(place) {
        text.push_str(&format!(" {}", screen.paint(Style::Bold, "<- leaf")));
    }
    text
}

/// An entry of any type as a line of JSON.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    id: &'a str,
    parent_id: Option<&'a str>,
    #[serde(rename = "type")]
    kind: &'a str,
    timestamp: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<String>,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label_timestamp: Option<&'a str>,
    children: Vec<&'a str>,
    leaf: bool,
}

fn print_json(entries: &[StoredEntry], tree: &SessionTree, screen: &mut Screen) -> Result<u8, Failure> {
    for (place, entry) in entries.iter().enumerate() {
        let gist = Excerpt::of(entry);
        let label = tree.label(place);
        let children = tree.children(place).iter().filter_map(|child| entries.get(*child));
        screen.json(&Line {
            id: entry.id(),
            parent_id: tree.parent(place).and_then(|parent| entries.get(parent)).map(StoredEntry::id),
            kind: entry.kind(),
            text: gist.line(),
            timestamp: gist.timestamp,
            role: (entry.kind() == "message").then_some(gist.role),
            label: label.map(|label| label.text.as_str()),
            label_timestamp: label.map(|label| label.timestamp.as_str()),
            children: children.map(StoredEntry::id).collect(),
            leaf: place + 1 == entries.len(),
        })?;
    }
    Ok(0)
}
