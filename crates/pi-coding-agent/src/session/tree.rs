//! The tree that a session's entries form: pure functions over entries in file order.
//!
//! Nodes are numbers, the places of entries in file order, so that a chain of a million entries is neither built nor
//! dropped by recursion, and no entry need be in memory while one walks.

use std::collections::HashMap;

use serde::Deserialize;

use super::entry::{LabelEntry, SessionEntry};
use super::record::{StoredEntry, parse_lenient};
use crate::host::iso_time::from_iso;

/// The entries of a session as a tree, or several: every root begins one.
#[doc(alias = "SessionTreeNode")]
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionTree {
    roots: Vec<usize>,
    children: Lists,
    parents: Vec<Option<usize>>,
    labels: HashMap<usize, TreeLabel>,
}

/// A label as it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeLabel {
    /// Its text.
    pub text: String,
    /// When it was set, ISO 8601.
    pub timestamp: String,
}

impl SessionTree {
    /// The tree of entries in file order. A root is an entry without a parent, with an unknown one, with itself as one,
    /// or the first of several that are each other's ancestors. Of several entries with one id the last is meant.
    pub fn of(entries: &[StoredEntry]) -> Self {
        let links = entries.iter().map(|entry| (entry.id(), entry.parent_id()));
        let mut tree = Self::of_links(links, |place| entries.get(place).and_then(time_of));
        tree.set_labels(entries.iter().map(StoredEntry::id), entries.iter().filter_map(label_change));
        tree
    }

    /// The tree of ids and parents' ids in file order, without labels. `time` tells when an entry was appended, as Unix
    /// time in milliseconds; it is only asked about siblings.
    pub(super) fn of_links<'a>(
        links: impl Iterator<Item = (&'a str, Option<&'a str>)> + Clone,
        time: impl Fn(usize) -> Option<i64>,
    ) -> Self {
        let places: HashMap<&str, usize> = links.clone().enumerate().map(|(place, (id, _))| (id, place)).collect();
        let mut parents: Vec<Option<usize>> = links
            .map(|(id, parent)| parent.filter(|parent| *parent != id).and_then(|parent| places.get(parent).copied()))
            .collect();
        for place in loops(&parents) {
            parents[place] = None;
        }
        Self::of_parents(parents, time)
    }

    /// The tree of entries whose parents are known by their places and never go in circles, without labels.
    pub(super) fn of_parents(parents: Vec<Option<usize>>, time: impl Fn(usize) -> Option<i64>) -> Self {
        let mut roots: Vec<usize> = (0..parents.len()).filter(|place| parents[*place].is_none()).collect();
        roots.shrink_to_fit();
        let mut children = Lists::of(&parents);
        children.sort_each(time);
        Self { roots, children, parents, labels: HashMap::new() }
    }

    /// Puts labels on entries.
    #[must_use]
    pub(super) fn labelled(mut self, labels: impl IntoIterator<Item = (usize, TreeLabel)>) -> Self {
        self.labels.extend(labels);
        self
    }

    /// The roots in file order.
    pub fn roots(&self) -> &[usize] {
        &self.roots
    }

    /// What follows an entry directly, oldest first.
    pub fn children(&self, place: usize) -> &[usize] {
        self.children.get(place)
    }

    /// What an entry follows; `None` for a root.
    pub fn parent(&self, place: usize) -> Option<usize> {
        self.parents.get(place).copied().flatten()
    }

    /// The label on an entry.
    pub fn label(&self, place: usize) -> Option<&TreeLabel> {
        self.labels.get(&place)
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// From the root to an entry.
    pub fn path(&self, place: usize) -> Vec<usize> {
        let known = Some(place).filter(|place| *place < self.len());
        let mut path: Vec<usize> = std::iter::successors(known, |place| self.parent(*place)).collect();
        path.reverse();
        path
    }

    /// All entries, each before its children.
    pub fn walk(&self) -> impl Iterator<Item = usize> {
        let mut open: Vec<usize> = self.roots.iter().rev().copied().collect();
        std::iter::from_fn(move || {
            let place = open.pop()?;
            open.extend(self.children(place).iter().rev());
            Some(place)
        })
    }

    /// The tree of those entries alone that `shown` accepts: each follows the nearest of its ancestors that is among
    /// them. The others are still counted but stand nowhere.
    #[must_use]
    pub fn only(&self, shown: impl Fn(usize) -> bool) -> Self {
        // For every entry itself or the nearest ancestor, whichever is shown.
        let mut nearest = vec![None; self.len()];
        let mut parents = vec![None; self.len()];
        let mut roots = Vec::new();
        for place in self.walk() {
            let above = self.parent(place).and_then(|parent| nearest[parent]);
            nearest[place] = if shown(place) { Some(place) } else { above };
            if nearest[place] == Some(place) {
                parents[place] = above;
                if above.is_none() {
                    roots.push(place);
                }
            }
        }
        Self { roots, children: Lists::of(&parents), parents, labels: self.labels.clone() }
    }

    /// Replays changes of labels in file order; an empty one removes. `ids` are those of all entries in file order.
    pub(super) fn set_labels<'a>(
        &mut self,
        ids: impl Iterator<Item = &'a str>,
        changes: impl Iterator<Item = LabelEntry>,
    ) {
        let places: HashMap<&str, usize> = ids.enumerate().map(|(place, id)| (id, place)).collect();
        for change in changes {
            let Some(place) = places.get(change.target_id.as_str()) else { continue };
            match change.label.filter(|text| !text.is_empty()) {
                Some(text) => self.labels.insert(*place, TreeLabel { text, timestamp: change.timestamp }),
                None => self.labels.remove(place),
            };
        }
    }
}

fn label_change(entry: &StoredEntry) -> Option<LabelEntry> {
    match (entry.kind() == "label").then(|| entry.parse()) {
        Some(SessionEntry::Label(label)) => Some(label),
        _ => None,
    }
}

/// When an entry was appended, as Unix time in milliseconds.
pub(super) fn time_of(entry: &StoredEntry) -> Option<i64> {
    #[derive(Deserialize)]
    struct Time {
        timestamp: String,
    }
    parse_lenient(entry.raw()).and_then(|time: Time| from_iso(&time.timestamp))
}

/// A list of numbers per number, in one piece of memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Lists {
    starts: Vec<usize>,
    all: Vec<usize>,
}

impl Lists {
    /// The children of each place, in file order.
    pub(super) fn of(parents: &[Option<usize>]) -> Self {
        let mut starts = vec![0; parents.len() + 1];
        for parent in parents.iter().flatten() {
            starts[parent + 1] += 1;
        }
        for place in 0..parents.len() {
            starts[place + 1] += starts[place];
        }
        let mut next = starts.clone();
        let mut all = vec![0; parents.iter().flatten().count()];
        for (place, parent) in parents.iter().enumerate() {
            if let Some(parent) = parent {
                all[next[*parent]] = place;
                next[*parent] += 1;
            }
        }
        Self { starts, all }
    }

    /// The list of a place.
    pub(super) fn get(&self, place: usize) -> &[usize] {
        let range = self.starts.get(place).zip(self.starts.get(place + 1));
        range.and_then(|(start, end)| self.all.get(*start..*end)).unwrap_or_default()
    }

    /// Sorts every list by time, stably. An entry without a time comes first.
    fn sort_each(&mut self, time: impl Fn(usize) -> Option<i64>) {
        for bounds in self.starts.windows(2) {
            if let [start, end] = bounds
                && end - start > 1
            {
                self.all[*start..*end].sort_by_cached_key(|place| time(*place));
            }
        }
    }
}

/// The first place, in file order, of every ring of parents.
pub(super) fn loops(parents: &[Option<usize>]) -> Vec<usize> {
    const FRESH: usize = 0;
    let mut walked = vec![FRESH; parents.len()];
    let mut found = Vec::new();
    for start in 0..parents.len() {
        let walk = start + 1;
        let mut next = Some(start);
        while let Some(place) = next.filter(|place| walked.get(*place) == Some(&FRESH)) {
            walked[place] = walk;
            next = parents[place];
        }
        // Ends at a place of this very walk: a ring, and the walk came into it where it began.
        if let Some(entrance) = next.filter(|place| walked.get(*place) == Some(&walk)) {
            let ring = std::iter::successors(parents[entrance], |place| parents[*place].filter(|_| *place != entrance));
            found.extend(ring.min());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(links: &[(&str, Option<&str>)], times: &[i64]) -> SessionTree {
        SessionTree::of_links(links.iter().copied(), |place| times.get(place).copied())
    }

    #[test]
    fn roots_and_children_are_in_order() {
        let links =
            [("a", None), ("b", Some("a")), ("c", Some("a")), ("d", Some("b")), ("o", Some("gone")), ("s", Some("s"))];
        let tree = tree(&links, &[1, 9, 5, 6, 7, 8]);
        assert_eq!(tree.roots(), [0, 4, 5]);
        assert_eq!(tree.children(0), [2, 1], "by time, not by place");
        assert_eq!(tree.path(3), [0, 1, 3]);
        assert_eq!((tree.children(3), tree.children(99), tree.path(99)), (&[][..], &[][..], vec![]));
    }

    #[test]
    fn rings_are_cut_at_their_first_entry() {
        let links = [
            ("a", Some("c")),
            ("b", Some("a")),
            ("c", Some("b")),
            ("d", Some("a")),
            ("x", Some("y")),
            ("y", Some("x")),
        ];
        let tree = tree(&links, &[]);
        assert_eq!(tree.roots(), [0, 4]);
        assert_eq!(tree.path(2), [0, 1, 2]);
        assert_eq!(tree.path(3), [0, 3]);
        assert_eq!(loops(&[Some(0), Some(0)]), [0]);
    }

    #[test]
    fn a_chain_of_a_million_is_built_walked_and_dropped() {
        const LENGTH: usize = 1_000_000;
        let ids: Vec<String> = (0..LENGTH).map(|number| format!("{number:08x}")).collect();
        let parents = std::iter::once(None).chain(ids.iter().map(|id| Some(id.as_str())));
        let tree = SessionTree::of_links(ids.iter().map(String::as_str).zip(parents), |_| None);
        assert_eq!((tree.roots(), tree.len()), (&[0][..], LENGTH));
        assert_eq!(tree.path(LENGTH - 1).len(), LENGTH);
    }

    #[test]
    fn entries_are_left_out() {
        let links = [("a", None), ("b", Some("a")), ("c", Some("b")), ("d", Some("b")), ("e", None), ("f", Some("e"))];
        let tree = tree(&links, &[]).only(|place| ![1, 4].contains(&place));
        assert_eq!((tree.roots(), tree.children(0), tree.children(1)), (&[0, 5][..], &[2, 3][..], &[][..]));
        assert_eq!(tree.walk().collect::<Vec<_>>(), [0, 2, 3, 5]);
    }

    #[test]
    fn labels_are_replayed() {
        let line = |text: &str| StoredEntry::index(text.into()).unwrap();
        let entries = [
            line(
                r#"{"type":"custom","id":"a","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z","customType":"t"}"#,
            ),
            line(r#"{"type":"label","id":"b","parentId":"a","timestamp":"t1","targetId":"a","label":"one"}"#),
            line(r#"{"type":"label","id":"c","parentId":"b","timestamp":"t2","targetId":"b","label":"two"}"#),
            line(r#"{"type":"label","id":"d","parentId":"c","timestamp":"t3","targetId":"b"}"#),
            line(r#"{"type":"label","id":"e","parentId":"d","timestamp":"t4","targetId":"gone","label":"x"}"#),
        ];
        let tree = SessionTree::of(&entries);
        assert_eq!(tree.label(0), Some(&TreeLabel { text: "one".to_owned(), timestamp: "t1".to_owned() }));
        assert_eq!((tree.label(1), tree.label(4)), (None, None));
    }
}
