//! What the user said and ran.

use pi_ai::{ContentBlock, UserContent};

use super::image::image;
use super::markdown::{LineEnds, code_block, markdown};
use super::page::Page;
use super::parts::{byline, folded_json, open_entry, plain};
use super::preview::peek;
use super::skill::Skill;
use super::writer::Html;
use crate::session::messages::BashExecutionMessage;

/// Output of so many lines is shown without being asked for.
const SHORT_OUTPUT: usize = 12;

/// Writes a user's message.
pub(super) fn user(html: &mut Html, page: &Page<'_>, at: usize, body: &UserContent) {
    open_entry(html, at, "<article class=\"entry user\"");
    byline(html, page, at, "User", "");
    content(html, body);
    html.raw("</article>");
}

/// Writes text and images.
pub(super) fn content(html: &mut Html, body: &UserContent) {
    match body {
        UserContent::Text(text) => write_text(html, text),
        UserContent::Blocks(blocks) => blocks.iter().for_each(|block| block_of(html, block)),
    }
}

fn block_of(html: &mut Html, block: &ContentBlock) {
    match block {
        ContentBlock::Text(block) => write_text(html, &block.text),
        ContentBlock::Image(block) => image(html, &block.data, &block.mime_type),
        other => folded_json(html, "Content of another kind", &serde_json::to_value(other).unwrap_or_default()),
    }
}

/// Writes text; a skill that was put in front of it is folded.
fn write_text(html: &mut Html, text: &str) {
    let Some(skill) = Skill::in_front_of(text) else { return markdown(html, text, LineEnds::Break) };
    html.raw("<details class=\"skill\"><summary>Skill <b>").text(skill.name).raw("</b></summary>");
    markdown(html, skill.body, LineEnds::Flow);
    html.raw("</details>");
    markdown(html, skill.rest, LineEnds::Break);
}

/// Writes a command that the user ran, and its output.
pub(super) fn shell(html: &mut Html, page: &Page<'_>, at: usize, shell: &BashExecutionMessage) {
    open_entry(html, at, "<article class=\"entry shell\"");
    let hidden = shell.exclude_from_context == Some(true);
    byline(html, page, at, "Shell", if hidden { "not shown to the model" } else { "" });
    code_block(html, "sh", &shell.command);
    if !shell.output.is_empty() {
        let lines = shell.output.lines().count();
        html.raw(if lines <= SHORT_OUTPUT { "<details open>" } else { "<details>" });
        html.raw("<summary>Output, ").show(format_args!("{lines}"));
        html.raw(if lines == 1 { " line" } else { " lines" });
        if lines > SHORT_OUTPUT {
            peek(html, [&*shell.output]);
        }
        html.raw("</summary>");
        plain(html, &shell.output);
        html.raw("</details>");
    }
    if shell.cancelled {
        html.raw("<p class=\"error\">Cancelled</p>");
    } else if let Some(code) = shell.exit_code.filter(|code| *code != 0) {
        html.raw("<p class=\"error\">Exit code ").show(format_args!("{code}")).raw("</p>");
    }
    if let (true, Some(path)) = (shell.truncated, &shell.full_output_path) {
        html.raw("<p class=\"note\">Output cut; all of it: ").text(path).raw("</p>");
    }
    html.raw("</article>");
}
