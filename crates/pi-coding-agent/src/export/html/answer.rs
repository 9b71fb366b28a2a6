//! What the model said: text, thinking, tool calls with their results, and what it took.

use pi_ai::{AssistantMessage, ContentBlock, StopReason, ThinkingContent, Usage};

use super::image::image;
use super::link::linked;
use super::markdown::{LineEnds, markdown};
use super::outline::{Kind, snippet};
use super::page::Page;
use super::parts::{byline, folded_json, open_entry};
use super::tool::tool_call;
use super::totals::{dollars, short_count};
use super::writer::Html;
use crate::export::Error;

/// Writes an answer.
pub(super) fn answer(html: &mut Html, page: &Page<'_>, at: usize, message: &AssistantMessage) -> Result<(), Error> {
    let calls_only = page.outlines[at].kind == Kind::Calls;
    let element = if calls_only { "<article class=\"entry calls\"" } else { "<article class=\"entry answer\"" };
    open_entry(html, at, element);
    let mut call = 0;
    for block in &message.content {
        match block {
            ContentBlock::Text(block) if block.text.trim().is_empty() => {}
            ContentBlock::Text(block) => markdown(html, &block.text, LineEnds::Flow),
            ContentBlock::Thinking(block) => thinking(html, block),
            ContentBlock::Image(block) => image(html, &block.data, &block.mime_type),
            ContentBlock::ToolCall(block) => {
                tool_call(html, page, block, page.answers.result_of(at, call))?;
                call += 1;
            }
            ContentBlock::Other(value) => folded_json(html, "Content of another kind", value),
        }
    }
    ending(html, message);
    byline(html, page, at, "", &facts(message));
    html.raw("</article>");
    Ok(())
}

fn thinking(html: &mut Html, block: &ThinkingContent) {
    if block.thinking.trim().is_empty() {
        return;
    }
    html.raw("<details class=\"thinking\"><summary>Thinking <span>").text(&snippet([&*block.thinking]));
    html.raw("</span></summary>");
    markdown(html, &block.thinking, LineEnds::Flow);
    html.raw("</details>");
}

fn ending(html: &mut Html, message: &AssistantMessage) {
    let why = message.error_message.as_deref().unwrap_or_default();
    match &message.stop_reason {
        StopReason::Stop | StopReason::ToolUse => {}
        StopReason::Aborted => {
            html.raw("<p class=\"error\">Aborted</p>");
        }
        StopReason::Error => {
            html.raw("<p class=\"error\">Failed: ");
            linked(html, why);
            html.raw("</p>");
        }
        StopReason::Length => {
            html.raw("<p class=\"error\">Cut off by the output limit</p>");
        }
        StopReason::Other(reason) => {
            html.raw("<p class=\"error\">Ended: ").text(reason).raw("</p>");
        }
    }
}

/// Model, tokens and cost of one call.
fn facts(message: &AssistantMessage) -> String {
    let mut facts = message.model.to_string();
    for fact in usage(&message.usage) {
        facts.push_str(if facts.is_empty() { "" } else { " · " });
        facts.push_str(&fact);
    }
    facts
}

/// Tokens and cost, those that are not zero.
pub(super) fn usage(usage: &Usage) -> Vec<String> {
    let tokens = [("↑", usage.input), ("↓", usage.output), ("R ", usage.cache_read), ("W ", usage.cache_write)];
    let tokens = tokens.into_iter().filter(|(_, count)| *count > 0);
    let mut facts: Vec<String> = tokens.map(|(what, count)| format!("{what}{}", short_count(count))).collect();
    if usage.cost.total > 0.0 {
        facts.push(dollars(usage.cost.total));
    }
    facts
}
