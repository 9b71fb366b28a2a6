//! How the context and the cost went over the turns of the current branch: two rows of bars, without a script.

use super::totals::{dollars, short_count};
use super::turns::Turn;
use super::writer::Html;

/// Bars of a row; longer sessions have several turns in one.
const MOST_BARS: usize = 120;
/// Height and width in units of the drawing, which is stretched to the width of the page.
const HEIGHT: f64 = 40.0;
const WIDTH: f64 = 10.0;
/// Widest bar on the screen, in pixels: those of a short session are not beams.
const WIDEST: usize = 22;
/// The part of its width that a bar fills.
const FILLED: f64 = 8.0;
/// What is not zero is seen.
const LEAST: f64 = 1.0;

/// Several turns, or one.
struct Bar<'a> {
    turns: &'a [Turn],
}

impl Bar<'_> {
    /// The fullest context of these turns, in tokens.
    fn context(&self) -> f64 {
        self.turns.iter().map(|turn| turn.context).max().unwrap_or_default() as f64
    }

    /// What these turns cost together.
    fn cost(&self) -> f64 {
        self.turns.iter().map(|turn| turn.cost.max(0.0)).sum()
    }
}

/// Writes the chart, where there is more than one turn and something to show.
pub(super) fn chart(html: &mut Html, turns: &[Turn]) {
    if turns.len() < 2 {
        return;
    }
    let bars: Vec<Bar<'_>> = turns.chunks(turns.len().div_ceil(MOST_BARS)).map(|turns| Bar { turns }).collect();
    let tokens = |value: f64| format!("{} tokens", short_count(value as u64));
    row(html, &bars, "Context after each turn", "at most", Bar::context, tokens);
    row(html, &bars, "Cost of each turn", "in all", Bar::cost, dollars);
}

fn row<'a>(
    html: &mut Html,
    bars: &[Bar<'a>],
    title: &'static str,
    summed: &'static str,
    value_of: fn(&Bar<'a>) -> f64,
    words: fn(f64) -> String,
) {
    let values: Vec<f64> = bars.iter().map(value_of).collect();
    let most = values.iter().copied().fold(0.0, f64::max);
    // Also where somebody wrote figures that no sum has.
    if !(most > 0.0 && most.is_finite()) {
        return;
    }
    let shown = if summed == "in all" { values.iter().sum() } else { most };
    html.raw("<figure class=\"chart\"><figcaption><span>").raw(title).raw("</span> <span>").raw(summed).raw(" ");
    html.text(&words(shown))
        .raw("</span></figcaption><svg role=\"img\" aria-label=\"")
        .raw(title)
        .raw(", ")
        .raw(summed);
    html.raw(" ").text(&words(shown)).raw("\" width=\"").show(format_args!("{}", bars.len() * WIDEST));
    html.raw("\" preserveAspectRatio=\"none\" viewBox=\"0 0 ");
    html.show(format_args!("{} {HEIGHT}", bars.len() as f64 * WIDTH)).raw("\">");
    for (index, (bar, value)) in bars.iter().zip(&values).enumerate() {
        let height = if *value > 0.0 { (value / most * HEIGHT).max(LEAST) } else { 0.0 };
        let (x, y) = (index as f64 * WIDTH, HEIGHT - height);
        let (Some(first), Some(last)) = (bar.turns.first(), bar.turns.last()) else { continue };
        html.raw("<a tabindex=\"-1\" href=\"#e").show(format_args!("{}", first.first)).raw("\"><title>Turn ");
        html.show(format_args!("{}", first.number));
        if first.number != last.number {
            html.raw("–").show(format_args!("{}", last.number));
        }
        html.raw(": ")
            .text(&words(*value))
            .raw("</title><rect class=\"room\" height=\"")
            .show(format_args!("{HEIGHT}"));
        html.raw("\" width=\"").show(format_args!("{WIDTH}")).raw("\" x=\"").show(format_args!("{x}"));
        html.raw("\"/><rect width=\"").show(format_args!("{FILLED}")).raw("\" x=\"");
        html.show(format_args!("{}", x + (WIDTH - FILLED) / 2.0)).raw("\" y=\"").show(format_args!("{y:.1}"));
        html.raw("\" height=\"").show(format_args!("{height:.1}")).raw("\"/></a>");
    }
    html.raw("</svg></figure>\n");
}
