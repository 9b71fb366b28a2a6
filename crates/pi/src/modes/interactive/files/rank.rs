//! Which files are meant by a few characters.

use std::cmp::Reverse;
use std::sync::Arc;

use pi_tui::fuzzy::Query;

/// Files that are offered.
const OFFERED: usize = 20;

/// A file or directory in an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::modes::interactive) struct Entry {
    /// Relative to the root of the index, without a `/` at the end.
    pub(in crate::modes::interactive) path: Box<str>,
    pub(in crate::modes::interactive) is_directory: bool,
    /// The path in lower case, where that is another.
    lower: Option<Box<str>>,
}

impl Entry {
    pub(in crate::modes::interactive) fn new(path: &str, is_directory: bool) -> Self {
        let lower = path.chars().any(char::is_uppercase).then(|| path.to_lowercase().into());
        Self { path: path.into(), is_directory, lower }
    }

    fn lower(&self) -> &str {
        self.lower.as_deref().unwrap_or(&self.path)
    }

    /// How well the text of a query, in lower case, fits: the name before the path, its beginning before its middle.
    fn score(&self, wanted: &str) -> Option<u32> {
        let path = self.lower();
        let name = path.rsplit('/').next().unwrap_or(path);
        let score = match () {
            () if name == wanted => 100,
            () if name.starts_with(wanted) => 80,
            () if name.contains(wanted) => 50,
            () if path.contains(wanted) => 30,
            () => return None,
        };
        Some(score + if self.is_directory { 10 } else { 0 })
    }

    /// Nearest first, hidden ones last: the order where nothing is wanted yet.
    fn nearness(&self) -> (usize, bool, bool) {
        (self.path.matches('/').count(), self.path.starts_with('.'), !self.is_directory)
    }
}

/// The entries that fit best, the best first.
pub(in crate::modes::interactive) fn best(chunks: &[Arc<[Entry]>], wanted: &str) -> Vec<Entry> {
    let entries = || chunks.iter().flat_map(|chunk| chunk.iter());
    if wanted.is_empty() {
        return first_by(entries(), |entry| Some((entry.nearness(), entry.lower())));
    }
    let lower = wanted.to_lowercase();
    let found = first_by(entries(), |entry| Some((Reverse(entry.score(&lower)?), entry.path.len(), &*entry.path)));
    if !found.is_empty() {
        return found;
    }
    // Nothing has it as it is written: perhaps its characters are spread over the path.
    let query = Query::new(wanted);
    first_by(entries(), |entry| {
        let score = query.score(&entry.path)?;
        // Hundredths are enough to tell scores apart.
        Some(((score * 100.0) as i64, entry.path.len(), &*entry.path))
    })
}

/// The entries with the smallest keys, in order.
fn first_by<'a, K: Ord + 'a>(
    entries: impl Iterator<Item = &'a Entry>,
    key: impl Fn(&'a Entry) -> Option<K>,
) -> Vec<Entry> {
    let mut keyed: Vec<(K, &Entry)> = entries.filter_map(|entry| Some((key(entry)?, entry))).collect();
    if keyed.len() > OFFERED {
        keyed.select_nth_unstable_by(OFFERED, |(one, _), (other, _)| one.cmp(other));
        keyed.truncate(OFFERED);
    }
    keyed.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    keyed.into_iter().map(|(_, entry)| entry.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranked(wanted: &str) -> Vec<String> {
        let entries = [
            Entry::new("src", true),
            Entry::new("src/main.rs", false),
            Entry::new("src/mainframe", true),
            Entry::new("src/domain.rs", false),
            Entry::new("main", false),
            Entry::new("maintenance/notes.md", false),
            Entry::new("README.md", false),
            Entry::new(".github", true),
        ];
        let chunks: Vec<Arc<[Entry]>> = entries.chunks(3).map(Arc::from).collect();
        best(&chunks, wanted).into_iter().map(|entry| entry.path.into()).collect()
    }

    #[test]
    fn names_before_paths() {
        assert_eq!(ranked("main"), ["main", "src/mainframe", "src/main.rs", "src/domain.rs", "maintenance/notes.md"]);
        assert_eq!(ranked("readme"), ["README.md"]);
        assert_eq!(ranked("src/ma"), ["src/mainframe", "src/main.rs"]);
    }

    #[test]
    fn scattered_characters_only_where_nothing_else_fits() {
        assert_eq!(ranked("smrs"), ["src/main.rs", "src/domain.rs"]);
        assert_eq!(ranked("zzz"), [""; 0]);
    }

    #[test]
    fn the_nearest_where_nothing_is_wanted() {
        assert_eq!(ranked("")[..4], ["src", "main", "README.md", ".github"]);
    }

    #[test]
    fn no_more_than_are_offered() {
        let entries: Vec<Entry> = (0..100).map(|index| Entry::new(&format!("file{index:03}"), false)).collect();
        let found = best(&[entries.into()], "file");
        assert_eq!(found.len(), OFFERED);
        assert_eq!(&*found[19].path, "file019");
    }
}
