//! Who stands in which place: of several extensions the last one is shown, and the one before comes back when it leaves.

use pi_coding_agent::extension::WindowSize;
use pi_tui::text::Row;

use super::slot::Slot;

/// Lines of one key are not more than these.
const MOST_LINES: usize = 10;

/// What stands in a place.
#[derive(Debug, Clone)]
pub(in crate::modes::interactive) enum Content {
    View(Slot),
    Lines(Vec<String>),
}

/// An extension and what it put in a place.
#[derive(Debug, Clone)]
struct Holder {
    owner: String,
    content: Content,
}

/// A place. The last holder is shown.
#[derive(Debug, Default)]
pub(in crate::modes::interactive) struct Place(Vec<Holder>);

impl Place {
    /// Puts something there; what the same extension had there goes. Nothing of others changes.
    pub(in crate::modes::interactive) fn put(&mut self, owner: &str, content: Option<Content>) {
        self.0.retain(|holder| holder.owner != owner);
        self.0.extend(content.map(|content| Holder { owner: owner.to_owned(), content }));
    }

    /// Whether the view is the one that is shown.
    pub(in crate::modes::interactive) fn shows(&self, slot: &Slot) -> bool {
        self.slot().is_some_and(|shown| shown.is_same(slot))
    }

    /// Takes a view away; whether it was there.
    pub(in crate::modes::interactive) fn remove(&mut self, slot: &Slot) -> bool {
        let before = self.0.len();
        self.0.retain(|holder| !matches!(&holder.content, Content::View(shown) if shown.is_same(slot)));
        self.0.len() < before
    }

    pub(in crate::modes::interactive) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What is shown.
    pub(in crate::modes::interactive) fn shown(&self) -> Option<&Content> {
        self.0.last().map(|holder| &holder.content)
    }

    /// The view that is shown.
    pub(in crate::modes::interactive) fn slot(&self) -> Option<&Slot> {
        match self.shown()? {
            Content::View(slot) => Some(slot),
            Content::Lines(_) => None,
        }
    }

    /// The extensions whose content another one hides, with that one.
    pub(in crate::modes::interactive) fn hidden(&self) -> impl Iterator<Item = (&str, &str)> {
        let shown = self.0.last().map_or("", |holder| &holder.owner);
        self.0.iter().rev().skip(1).map(move |holder| (holder.owner.as_str(), shown))
    }

    /// Who stands there; the last one is shown.
    pub(in crate::modes::interactive) fn owners(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|holder| holder.owner.as_str())
    }

    /// All views, shown or not.
    pub(in crate::modes::interactive) fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.0.iter().filter_map(|holder| match &holder.content {
            Content::View(slot) => Some(slot),
            Content::Lines(_) => None,
        })
    }
}

impl Content {
    /// Its rows.
    pub(in crate::modes::interactive) fn rows(&self, columns: u16, window: WindowSize) -> Vec<Row> {
        match self {
            Self::View(slot) => slot.rows(columns, window).rows,
            Self::Lines(lines) => {
                let more = (lines.len() > MOST_LINES).then_some("... (widget truncated)");
                let lines = lines.iter().take(MOST_LINES).map(String::as_str).chain(more);
                lines.map(|line| Row::foreign(line, columns).0).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(place: &Place) -> Vec<String> {
        let rows = place.shown().map(|content| content.rows(30, WindowSize::default()));
        rows.unwrap_or_default().iter().map(|row| row.text().to_owned()).collect()
    }

    fn lines(text: &str) -> Option<Content> {
        Some(Content::Lines(text.lines().map(str::to_owned).collect()))
    }

    #[test]
    fn the_last_one_is_shown_and_only_its_owner_takes_it_away() {
        let mut place = Place::default();
        place.put("one", lines("1"));
        place.put("two", lines("2"));
        assert_eq!(texts(&place), ["2"]);
        assert_eq!(place.hidden().collect::<Vec<_>>(), [("one", "two")]);
        place.put("three", None);
        assert_eq!(texts(&place), ["2"]);
        place.put("two", None);
        assert_eq!(texts(&place), ["1"]);
        place.put("one", None);
        assert!(place.is_empty());
    }

    #[test]
    fn many_lines_are_cut() {
        let mut place = Place::default();
        place.put("one", lines(&"x\n".repeat(12)));
        let texts = texts(&place);
        assert_eq!((texts.len(), texts.last().map(String::as_str)), (11, Some("... (widget truncated)")));
    }
}
