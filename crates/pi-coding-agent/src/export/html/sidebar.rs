//! The tree beside the conversation: one line per entry, one group per segment.

use super::outline::{Kind, Outline};
use super::page::Page;
use super::segments::Segment;
use super::writer::Html;

/// Rows that a browser lays out together.
const CHUNK: usize = 64;
/// Deeper branches are not indented further.
const DEEPEST: usize = 8;

/// What stands above the rows.
pub(super) fn start(html: &mut Html) {
    html.raw(concat!(
        "<input type=\"checkbox\" id=\"tree-open\"><label for=\"tree-open\" id=\"tree-button\">Tree</label>",
        "<nav id=\"tree\" data-show=\"default\"><p class=\"find\"><input type=\"search\" id=\"find\" ",
        "placeholder=\"Find in the tree\" aria-label=\"Find in the tree\"><select id=\"show\" aria-label=\"Show\">",
        "<option value=\"default\">Conversation</option><option value=\"no-tools\">Without tools</option>",
        "<option value=\"user\">User</option><option value=\"labeled\">Labelled</option>",
        "<option value=\"all\">Everything</option></select></p>",
    ));
}

/// Writes the rows of a segment.
pub(super) fn group(html: &mut Html, page: &Page<'_>, number: usize, segment: &Segment) {
    html.raw(if segment.current { "<div class=\"group on" } else { "<div class=\"group" });
    html.raw(" d").show(format_args!("{}", segment.depth.min(DEEPEST)));
    html.raw("\" data-segment=\"s").show(format_args!("{number}")).raw("\">");
    let shown: Vec<usize> = segment.entries.iter().copied().filter(|at| is_row(page, *at)).collect();
    for chunk in shown.chunks(CHUNK) {
        // Their height is known well enough to leave them out while they are not in sight.
        html.raw(if chunk.len() == CHUNK { "<div class=\"full\">" } else { "<div>" });
        chunk.iter().for_each(|at| row(html, page, *at));
        html.raw("</div>");
    }
    html.raw("</div>\n");
}

fn is_row(page: &Page<'_>, at: usize) -> bool {
    page.outlines[at].kind != Kind::Hidden && !page.answers.is_merged(at)
}

fn row(html: &mut Html, page: &Page<'_>, at: usize) {
    let outline = &page.outlines[at];
    html.raw("<a class=\"").raw(class(outline));
    let label = page.label(at);
    html.raw(if label.is_some() { " l\" href=\"#e" } else { "\" href=\"#e" }).show(format_args!("{at}")).raw("\">");
    if let Some(label) = label {
        html.raw("<b class=\"label\">").text(label).raw("</b> ");
    }
    html.text(if outline.snippet.is_empty() { "…" } else { &outline.snippet }).raw("</a>");
}

fn class(outline: &Outline) -> &'static str {
    match outline.kind {
        Kind::User => "u",
        Kind::Answer => "a",
        Kind::Calls | Kind::Result => "t",
        Kind::Shell => "t k",
        Kind::Summary => "s",
        Kind::Custom => "c",
        Kind::Note | Kind::Hidden | Kind::Unknown => "n",
    }
}
