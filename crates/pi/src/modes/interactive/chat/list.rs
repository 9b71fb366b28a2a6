//! Titled lists: what was loaded at the start, and whatever commands tell in sections.

use pi_tui::text::{Line, Row, wrap};

use pi_coding_agent::theme::Token;

use super::super::shared::Shared;
use super::block::Picture;

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
pub(in crate::modes::interactive) struct Sections(pub(in crate::modes::interactive) Vec<Section>);

impl Picture for Sections {
    fn rows(&self, shared: &Shared, columns: u16) -> Vec<Row> {
        let look = shared.look();
        let mut rows = Vec::new();
        for section in &self.0 {
            let title = format!("[{}]", section.title);
            rows.push(Row::styled(&title, look.style(Token::MdHeading), columns));
            let lines = if shared.is_expanded() { section.long.clone() } else { vec![section.short.clone()] };
            for line in lines {
                let inner = usize::from(columns).saturating_sub(2).max(1);
                rows.extend(wrap(&Line::styled(line, look.dim()), inner).iter().map(|line| {
                    let mut indented = Line::from("  ");
                    indented.append(line);
                    Row::new(&indented, columns)
                }));
            }
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
        let inner = usize::from(columns).saturating_sub(1).max(1);
        let mut rows = vec![Row::blank()];
        let mut add = |line: Line| {
            rows.extend(wrap(&line, inner).iter().map(|line| {
                let mut indented = Line::from(" ");
                indented.append(line);
                Row::new(&indented, columns)
            }));
        };
        add(Line::styled(&*self.title, look.text().bold()));
        self.lines.iter().for_each(|line| add(Line::styled(&**line, look.text())));
        rows
    }
}
