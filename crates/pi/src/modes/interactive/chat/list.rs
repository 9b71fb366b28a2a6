//! Titled lists: what was loaded at the start, and whatever commands tell in sections.

use pi_tui::text::{Line, Row, width, wrap};

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

/// Keys and what they do, in groups, under a title.
#[derive(Debug)]
pub(in crate::modes::interactive) struct KeyTable {
    /// The title.
    pub(in crate::modes::interactive) title: String,
    /// The groups: a title, then key and meaning of each.
    pub(in crate::modes::interactive) groups: Vec<(String, Vec<(String, String)>)>,
}

impl KeyTable {
    /// Columns between the keys and what they do.
    const GAP: usize = 1;
    /// Columns for the keys, where they need no more and the window has twice as many.
    const KEYS: usize = 28;

    /// Columns for the keys in a window of so many: no more than half of it.
    fn key_columns(&self, columns: u16) -> usize {
        let keys = self.groups.iter().flat_map(|(_, keys)| keys);
        let widest = keys.map(|(key, _)| width(key)).max().unwrap_or_default();
        widest.max(Self::KEYS).min(usize::from(columns).saturating_sub(3) / 2).max(1)
    }

    /// The lines below the title. Keys, and what they do, are wrapped each in columns of their own.
    fn texts(&self, columns: u16) -> Vec<String> {
        let left = self.key_columns(columns);
        let right = usize::from(columns).saturating_sub(3 + left + Self::GAP).max(1);
        let mut texts = Vec::new();
        for (title, keys) in &self.groups {
            if !texts.is_empty() {
                texts.push(String::new());
            }
            texts.push(format!("{title}:"));
            for (key, meaning) in keys {
                let [keys, meanings] =
                    [(key, left), (meaning, right)].map(|(text, columns)| wrap(&Line::from(text.as_str()), columns));
                for at in 0..keys.len().max(meanings.len()) {
                    let [key, meaning] =
                        [&keys, &meanings].map(|lines| lines.get(at).map(Line::text).unwrap_or_default());
                    let space = " ".repeat((left + Self::GAP).saturating_sub(width(&key)));
                    texts.push(format!("  {key}{space}{meaning}").trim_end().to_owned());
                }
            }
        }
        texts
    }
}

impl Picture for KeyTable {
    fn rows(&self, shared: &Shared, columns: u16) -> Vec<Row> {
        let look = shared.look();
        let mut lines = vec![Line::styled(&*self.title, look.text().bold())];
        lines.extend(self.texts(columns).into_iter().map(|text| Line::styled(text, look.text())));
        let mut rows = vec![Row::blank()];
        rows.extend(indented(&lines, Margins::LEFT, columns));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meanings_stay_behind_their_keys_in_narrow_windows() {
        let keys = [("ctrl+a", "Go to the start of the line"), ("ctrl+left/alt+left", "Back")];
        let keys = keys.map(|(key, meaning)| (key.to_owned(), meaning.to_owned())).into();
        let table = KeyTable { title: String::new(), groups: vec![("Keys".to_owned(), keys)] };
        assert_eq!(
            table.texts(30),
            [
                "Keys:",
                "  ctrl+a        Go to the",
                "                start of the",
                "                line",
                "  ctrl+left/alt Back",
                "  +left",
            ]
        );
        assert_eq!(table.texts(80)[1], format!("  ctrl+a{}Go to the start of the line", " ".repeat(23)));
    }
}
