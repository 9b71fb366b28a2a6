//! The frame of a page: what it may load (nothing), its looks, what the session is and adds up to.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use pi_ai::ToolDefinition;
use sha2::{Digest, Sha256};
use typed_builder::TypedBuilder;

use super::answer::usage;
use super::chart::chart;
use super::page::Page;
use super::parts::{json, plain, time};
use super::writer::Html;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// What a page shows besides the session itself.
#[derive(Debug, Clone, Default, TypedBuilder)]
#[builder(field_defaults(default))]
pub struct HtmlOptions {
    /// The system prompt in force; empty: none is shown.
    #[builder(setter(into))]
    pub system_prompt: String,
    /// The tools that the model may use.
    pub tools: Vec<Arc<ToolDefinition>>,
}

/// Everything up to `<body>`. The page may run this program's script and use its style, both told by their hashes, and
/// show images that are in it. Whatever else is in it, a browser neither runs nor loads.
pub(super) fn start(html: &mut Html, page: &Page<'_>) {
    html.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src &#39;none&#39;; img-src data:; ");
    html.raw("base-uri &#39;none&#39;; form-action &#39;none&#39;; script-src &#39;sha256-").text(&hash(SCRIPT));
    html.raw("&#39;; style-src &#39;sha256-").text(&hash(STYLE)).raw("&#39;\">\n");
    html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    html.raw("<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n");
    html.raw(concat!("<meta name=\"generator\" content=\"pi ", env!("CARGO_PKG_VERSION"), "\">\n<title>"));
    html.text(page.title()).raw("</title>\n<style>").raw(STYLE).raw("</style>\n<script>").raw(SCRIPT);
    html.raw("</script>\n</head>\n<body>\n");
}

fn hash(text: &str) -> String {
    STANDARD.encode(Sha256::digest(text))
}

/// The beginning of the conversation: title, facts, figures, prompt and tools.
pub(super) fn header(html: &mut Html, page: &Page<'_>, options: &HtmlOptions) {
    let header = page.session.header();
    html.raw("</nav>\n<main>\n<header>\n<h1>").text(page.title()).raw("</h1>\n<p>");
    time(html, &header.timestamp);
    html.raw(" <span>UTC</span> <code>").text(&header.cwd).raw("</code></p>\n<p>Session <code>").text(&header.id);
    html.raw("</code></p>\n");
    if let Some(parent) = &header.parent_session {
        html.raw("<p>Continues <code>").text(parent).raw("</code></p>\n");
    }
    figures(html, page);
    chart(html, &page.turns.current);
    html.raw("<p id=\"tools\"><button type=\"button\" id=\"theme\">Theme</button> ");
    html.raw("<button type=\"button\" id=\"fold-thinking\">Thinking</button> ");
    html.raw("<button type=\"button\" id=\"fold-tools\">Tools</button> ");
    html.raw(
        "<button type=\"button\" id=\"download\" title=\"All of the session, also what this page does not show\">",
    );
    html.raw("Download session</button></p>\n");
    prompt(html, options);
    html.raw("</header>\n");
}

fn figures(html: &mut Html, page: &Page<'_>) {
    let totals = &page.totals;
    html.raw("<p>").text(&totals.models.join(", ")).raw("</p>\n<p>");
    for (count, one, many) in [
        (totals.user, " prompt", " prompts"),
        (totals.answers, " answer", " answers"),
        (totals.calls, " tool call", " tool calls"),
        (totals.results, " result", " results"),
        (totals.custom, " message of an extension", " messages of extensions"),
        (totals.compactions, " compaction", " compactions"),
        (totals.branch_summaries, " branch summary", " branch summaries"),
    ] {
        if count > 0 {
            html.raw("<span>").show(format_args!("{count}")).raw(if count == 1 { one } else { many }).raw("</span> ");
        }
    }
    for fact in usage(&totals.usage) {
        html.raw("<span>").text(&fact).raw("</span> ");
    }
    html.raw("</p>\n");
}

fn prompt(html: &mut Html, options: &HtmlOptions) {
    if !options.system_prompt.is_empty() {
        html.raw("<details><summary>System prompt</summary>");
        plain(html, &options.system_prompt);
        html.raw("</details>\n");
    }
    if options.tools.is_empty() {
        return;
    }
    html.raw("<details><summary>Tools, ").show(format_args!("{}", options.tools.len())).raw("</summary>");
    for tool in &options.tools {
        html.raw("<details class=\"data\"><summary><b>").text(&tool.name).raw("</b></summary>");
        plain(html, &tool.description);
        json(html, &tool.parameters);
        html.raw("</details>");
    }
    html.raw("</details>\n");
}

/// The end of what is read.
pub(super) fn end_of_text(html: &mut Html) {
    html.raw("</main>\n");
}

/// The end of the page.
pub(super) fn end(html: &mut Html) {
    html.raw("</body>\n</html>\n");
}
