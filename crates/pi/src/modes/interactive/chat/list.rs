//! Titled lists: what was loaded at the start, and whatever commands tell in sections.

use pi_tui::text::{Line, Row};

use pi_coding_agent::theme::Token;

use super::super::shared::Shared;
use super::block::Picture;
use super::indented::{Margins, indented};

/// A title and what stands under it.
#[derive(Debug, Clone)]
pub(in crate::modes::interactive) struct Section {
    /// Its title.
    pub(in crate::modes::interactive) title: String,
    /// One line for all, where not everything is shown.
    pub(in crate::modes::interactive) short: String,
    /// A line for each.
    pub(in crate::modes::interactive) long: Vec<String>,
}

/// Sections one below the other.
#[derive(Debug)]
pub(in crate::modes::interactive) struct Sections {
    pub(in crate::modes::interactive) sections: Vec<Section>,
    /// A blank row parts them from what is above.
    pub(in crate::modes::interactive) is_apart: bool,
}

impl Picture for Sections {
    fn rows(&self, shared: &Shared, columns: u16) -> Vec<Row> {
        let look = shared.look();
        let mut rows = if self.is_apart { vec![Row::blank()] } else { Vec::new() };
        for section in &self.sections {
            let title = format!("[{}]", section.title);
            rows.push(Row::styled(&title, look.style(Token::MdHeading), columns));
            let lines = if shared.is_expanded() { section.long.clone() } else { vec![section.short.clone()] };
            let lines: Vec<Line> = lines.into_iter().map(|line| Line::styled(line, look.dim())).collect();
            rows.extend(indented(&lines, Margins { left: 2, right: 0 }, columns));
            rows.push(Row::blank());
        }
        rows
    }
}

/// Lines under a title, always shown.
#[derive(Debug)]
pub(in crate::modes::interactive) struct Listing {
    /// The title.
    pub(in crate::modes::interactive) title: String,
    /// The lines.
    pub(in crate::modes::interactive) lines: Vec<String>,
}

impl Picture for Listing {
    fn rows(&self, shared: &Shared, columns: u16) -> Vec<Row> {
        let look = shared.look();
        let mut lines = vec![Line::styled(&*self.title, look.text().bold())];
        lines.extend(self.lines.iter().map(|line| Line::styled(&**line, look.text())));
        let mut rows = vec![Row::blank()];
        rows.extend(indented(&lines, Margins::LEFT, columns));
        rows
    }
}
