//! A session as one page that needs nothing else: no network, and no script for reading.
//!
//! The session is read twice. The first time each line leaves an outline of a few hundred bytes (`line`, `outline`,
//! `totals`), and the tree is cut into segments (`segments`, `answers`): that is the [`page`]. The second time entries
//! are written one by one in the order of the segments, so that memory is bounded by the largest of them. The third time
//! the lines themselves go into the page (`embedded_session`), for those who want the session and not its picture.
//!
//! # Layout
//! `writer` is the only way into a page, and escapes what goes in. `head`, `sidebar` and this file make the frame,
//! `entry` with `user`, `answer` and `tool` the entries, `turns` and `chart` what they took, out of `parts`, `preview`, `markdown`, `highlight`, `diff`, `image`, `link`
//! and `skill`. `style.css` and `script.js` go into the page as they are.

mod answer;
mod answers;
mod chart;
mod diff;
mod embedded_session;
mod entry;
mod head;
mod highlight;
mod image;
mod line;
mod link;
mod markdown;
mod outline;
mod page;
mod parts;
mod preview;
mod segments;
mod sidebar;
mod skill;
mod tool;
mod totals;
mod turns;
mod user;
mod writer;

use std::io::Write;

pub use head::HtmlOptions;

use super::source::SessionSource;
use crate::export::Error;
use outline::Kind;
use page::Page;
use segments::Segment;
use writer::Html;

/// Writes the page of a session. Writes are small: give it a buffered writer.
///
/// # Errors
/// [`Error::Write`](crate::export::Error::Write), and what reading the session says.
pub fn write_html(session: &dyn SessionSource, options: &HtmlOptions, out: &mut dyn Write) -> Result<(), Error> {
    let page = Page::read(session)?;
    let mut sheet = Sheet { html: Html::default(), out };
    head::start(&mut sheet.html, &page);
    sidebar::start(&mut sheet.html);
    for (number, segment) in page.segments.iter().enumerate() {
        sidebar::group(&mut sheet.html, &page, number, segment);
        sheet.flush()?;
    }
    head::header(&mut sheet.html, &page, options);
    for (number, segment) in page.segments.iter().enumerate() {
        write_segment(&mut sheet, &page, number, segment)?;
    }
    head::end_of_text(&mut sheet.html);
    sheet.flush()?;
    embedded_session::write(&page, &mut *sheet.out)?;
    head::end(&mut sheet.html);
    sheet.flush()?;
    sheet.out.flush().map_err(|source| Error::Write { source })
}

/// A page on its way out.
struct Sheet<'a> {
    html: Html,
    out: &'a mut dyn Write,
}

impl Sheet<'_> {
    fn flush(&mut self) -> Result<(), Error> {
        self.out.write_all(self.html.as_str().as_bytes()).map_err(|source| Error::Write { source })?;
        self.html.clear();
        Ok(())
    }
}

fn write_segment(sheet: &mut Sheet<'_>, page: &Page<'_>, number: usize, segment: &Segment) -> Result<(), Error> {
    start_segment(&mut sheet.html, page, number, segment);
    for at in segment.entries.iter().copied().filter(|at| !page.answers.is_merged(*at)) {
        entry::entry(&mut sheet.html, page, at)?;
        sheet.html.raw("\n");
        if let Some(turn) = page.turns.after(at) {
            turns::line(&mut sheet.html, turn);
        }
        sheet.flush()?;
    }
    sheet.html.raw("</details>\n");
    Ok(())
}

/// Segments are elements that fold: those of the current branch are open, the others are a line that says so.
fn start_segment(html: &mut Html, page: &Page<'_>, number: usize, segment: &Segment) {
    html.raw(if segment.current { "<details open class=\"segment on\"" } else { "<details class=\"segment\"" });
    html.raw(" id=\"s").show(format_args!("{number}"));
    for (attribute, other) in [("\" data-up=\"s", segment.parent), ("\" data-down=\"s", segment.newest)] {
        if let Some(other) = other {
            html.raw(attribute).show(format_args!("{other}"));
        }
    }
    html.raw("\"><summary>Other branch, ").show(format_args!("{}", segment.entries.len()));
    html.raw(if segment.entries.len() == 1 { " entry" } else { " entries" });
    let outlines = segment.entries.iter().map(|at| &page.outlines[*at]);
    let said =
        |outline: &&outline::Outline| matches!(outline.kind, Kind::User | Kind::Answer | Kind::Shell | Kind::Calls);
    if let Some(first) = outlines.clone().find(said) {
        html.raw(": <span>").text(&first.snippet).raw("</span>");
    }
    html.raw("</summary>\n");
}
