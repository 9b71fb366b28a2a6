//! Small things that entries of all kinds are made of.

use serde_json::Value;

use super::link::linked;
use super::markdown::code_block;
use super::page::Page;
use super::writer::Html;
use crate::host::iso_time::{from_iso, to_iso};

/// Writes the line that says whose entry this is and where it is found. `who` and `facts` may be empty.
pub(super) fn byline(html: &mut Html, page: &Page<'_>, at: usize, who: &str, facts: &str) {
    let outline = &page.outlines[at];
    html.raw("<p class=\"by\">");
    for (class, text) in [("<b>", who), ("<b class=\"label\">", page.label(at).unwrap_or_default())] {
        if !text.is_empty() {
            html.raw(class).text(text).raw("</b> ");
        }
    }
    if !facts.is_empty() {
        html.raw("<span>").text(facts).raw("</span> ");
    }
    time(html, &outline.timestamp);
    html.raw(" <a href=\"#e").show(format_args!("{at}")).raw("\" title=\"Entry ").text(&outline.id).raw("\">#</a></p>");
}

/// Writes an instant to the minute, in UTC; what is no instant is left out.
pub(super) fn time(html: &mut Html, timestamp: &str) {
    if let Some(iso) = from_iso(timestamp).map(to_iso) {
        let (date, time) = (iso.get(..10).unwrap_or_default(), iso.get(11..16).unwrap_or_default());
        html.raw("<time datetime=\"").text(&iso).raw("\">").show(format_args!("{date} {time}")).raw("</time>");
    }
}

/// Begins an element that stands for an entry. `element` ends before the id, for example `<article class="user"`.
pub(super) fn open_entry(html: &mut Html, at: usize, element: &'static str) {
    html.raw(element).raw(" id=\"e").show(format_args!("{at}")).raw("\">");
}

/// Writes a line about the session.
pub(super) fn note(html: &mut Html, page: &Page<'_>, at: usize, what: &'static str, text: &str) {
    open_entry(html, at, "<div class=\"entry note\"");
    html.raw("<span>").raw(what).raw(" <b>");
    linked(html, text);
    html.raw("</b></span>");
    byline(html, page, at, "", "");
    html.raw("</div>");
}

/// Writes JSON behind a line that unfolds it.
pub(super) fn folded_json(html: &mut Html, title: &str, value: &Value) {
    html.raw("<details class=\"data\"><summary>").text(title).raw("</summary>");
    json(html, value);
    html.raw("</details>");
}

/// Writes JSON, indented.
pub(super) fn json(html: &mut Html, value: &Value) {
    code_block(html, "json", &serde_json::to_string_pretty(value).unwrap_or_default());
}

/// Writes text as it is, with its web addresses as links.
pub(super) fn plain(html: &mut Html, text: &str) {
    html.raw("<pre>");
    linked(html, text);
    html.raw("</pre>");
}
