//! What every entry follows and refers to, also where the file does not say so or contradicts itself.

use std::collections::HashMap;
use std::sync::Arc;

use super::kind_table::FindingKind;
use super::line_object::Content;
use super::survey::{Node, Survey};
use crate::host::ids::{Ids, entry_id};
use crate::session::tree::loops;
use crate::session::tree_fields::Parent;

/// The links of a survey's entries, by their place in file order.
#[derive(Debug, Default)]
pub(super) struct Links {
    /// The id that each entry has, or gets.
    pub(super) ids: Vec<Arc<str>>,
    /// Entries that stand in the file before, byte for byte.
    pub(super) copies: HashMap<usize, usize>,
    pub(super) parents: Vec<Option<usize>>,
    /// What labels, compactions and branch summaries refer to.
    pub(super) references: HashMap<usize, usize>,
    /// What is wrong with an entry's place in the tree.
    pub(super) faults: Vec<(usize, FindingKind, String)>,
    /// Entries whose parent must be guessed.
    adrift: Vec<usize>,
}

impl Links {
    /// Links everything.
    pub(super) fn of(survey: &Survey, ids: &dyn Ids) -> Self {
        let mut links = Self::default();
        let later = links.link_backwards(&survey.nodes, ids);
        links.link_forwards(&survey.nodes, &later);
        for place in loops(&links.parents) {
            links.cut(place, FindingKind::Cycle, "the first entry of the ring".to_owned());
        }
        links.attach(survey);
        // An attached entry may have closed a ring through entries that follow later ones.
        for place in loops(&links.parents) {
            links.parents[place] = None;
        }
        links
    }

    /// Follows references to what stands before them; returns where each id was last seen.
    fn link_backwards<'a>(&mut self, nodes: &'a [Node], ids: &dyn Ids) -> HashMap<&'a str, usize> {
        let mut seen: HashMap<&str, usize> = HashMap::with_capacity(nodes.len());
        let mut contents: HashMap<u64, usize> = HashMap::new();
        let taken: std::collections::HashSet<&str> = nodes.iter().filter_map(|node| node.id.as_deref()).collect();
        for (place, node) in nodes.iter().enumerate() {
            let parent = match &node.parent {
                Parent::Id(parent) => seen.get(parent.as_ref()).copied(),
                Parent::Root | Parent::Missing => None,
            };
            self.parents.push(parent);
            if let Some(target) = reference(&node.content).and_then(|id| seen.get(id)) {
                self.references.insert(place, *target);
            }
            let twin = contents.get(&node.hash).copied().filter(|twin| nodes[*twin].id == node.id && node.id.is_some());
            if let Some(twin) = twin {
                self.copies.insert(place, twin);
                self.fault(place, FindingKind::ExactCopy, format!("the same as line {}", nodes[twin].place.line));
            }
            contents.entry(node.hash).or_insert(place);
            let id = self.own_id(place, node, &seen, || entry_id(ids, |id| taken.contains(id)).into());
            self.ids.push(id);
            if let Some(id) = node.id.as_deref().filter(|_| twin.is_none()) {
                seen.insert(id, place);
            }
        }
        seen
    }

    fn own_id(
        &mut self,
        place: usize,
        node: &Node,
        seen: &HashMap<&str, usize>,
        fresh: impl Fn() -> Arc<str>,
    ) -> Arc<str> {
        match &node.id {
            None => {
                self.fault(place, FindingKind::NoId, "an entry without an id".to_owned());
                fresh()
            }
            Some(id) if seen.contains_key(id.as_ref()) && !self.copies.contains_key(&place) => {
                self.fault(place, FindingKind::DuplicateId, format!("another entry before this one has the id {id}"));
                fresh()
            }
            Some(id) => Arc::clone(id),
        }
    }

    /// Follows what is left to what stands behind it, and finds what leads nowhere.
    fn link_forwards(&mut self, nodes: &[Node], seen: &HashMap<&str, usize>) {
        for (place, node) in nodes.iter().enumerate() {
            if let Some(target) = reference(&node.content).and_then(|id| seen.get(id)) {
                self.references.entry(place).or_insert(*target);
            }
            if self.parents[place].is_some() || self.copies.contains_key(&place) {
                continue;
            }
            match &node.parent {
                Parent::Root => {}
                Parent::Missing => self.cut(place, FindingKind::NoParent, "it names no parent".to_owned()),
                Parent::Id(parent) if node.id.as_ref() == Some(parent) => {
                    self.cut(place, FindingKind::SelfParent, "it follows itself".to_owned());
                }
                Parent::Id(parent) => match seen.get(parent.as_ref()) {
                    Some(later) => {
                        self.parents[place] = Some(*later);
                        let detail = format!("it follows {parent} on line {}", nodes[*later].place.line);
                        self.fault(place, FindingKind::ParentLater, detail);
                    }
                    None => self.cut(place, FindingKind::Orphan, format!("it follows {parent}")),
                },
            }
        }
    }

    fn fault(&mut self, place: usize, kind: FindingKind, detail: String) {
        self.faults.push((place, kind, detail));
    }

    fn cut(&mut self, place: usize, kind: FindingKind, detail: String) {
        self.fault(place, kind, detail);
        self.parents[place] = None;
        self.adrift.push(place);
    }

    /// Attaches what has lost its parent, in file order.
    fn attach(&mut self, survey: &Survey) {
        let mut adrift = std::mem::take(&mut self.adrift);
        adrift.sort_unstable();
        let known: HashMap<&str, usize> = (0..self.ids.len())
            .filter(|place| !self.copies.contains_key(place))
            .map(|place| (self.ids[place].as_ref(), place))
            .collect();
        let mut claimed: HashMap<usize, &str> = HashMap::new();
        let mut attached = Vec::with_capacity(adrift.len());
        for place in adrift {
            let node = &survey.nodes[place];
            let lost = match &node.parent {
                Parent::Id(parent) if !known.contains_key(parent.as_ref()) => Some(parent.as_ref()),
                _ => None,
            };
            let traced = lost.and_then(|id| trace(survey, &known, id, place));
            let before = traced.unwrap_or_else(|| {
                let damage = lost.and_then(|id| claim(survey, &mut claimed, id, place));
                damage.unwrap_or(place).checked_sub(1)
            });
            attached.push((place, before.and_then(|before| self.original_before(before))));
        }
        for (place, before) in attached {
            self.parents[place] = before;
        }
    }

    /// The last entry up to a place that is no copy.
    fn original_before(&self, place: usize) -> Option<usize> {
        (0..=place).rev().find(|place| !self.copies.contains_key(place))
    }
}

/// What an entry refers to besides its parent.
pub(super) fn reference(content: &Content) -> Option<&str> {
    match content {
        Content::Compaction(id) | Content::Label(id) | Content::BranchSummary(id) => Some(id),
        _ => None,
    }
}

/// Follows lost entries, as far as damage still tells what they followed, to one that exists or to the root. `None` when
/// the trace ends.
fn trace(survey: &Survey, known: &HashMap<&str, usize>, lost: &str, place: usize) -> Option<Option<usize>> {
    let mut id = lost;
    for _ in 0..survey.lost.len() {
        match survey.lost.get(id)?.parent.as_ref()? {
            None => return Some(None),
            Some(parent) => id = parent,
        }
        if let Some(found) = known.get(id) {
            return (*found < place).then_some(Some(*found));
        }
    }
    None
}

/// The number of entries before the damage that took the entry `lost`: the place where its id was found, else the last
/// damage before `place` that has not been held responsible for another entry.
fn claim<'a>(survey: &Survey, claimed: &mut HashMap<usize, &'a str>, lost: &'a str, place: usize) -> Option<usize> {
    if let Some(found) = survey.lost.get(lost).filter(|found| found.before <= place) {
        return Some(found.before);
    }
    let last = survey.damage.partition_point(|before| *before <= place).checked_sub(1)?;
    let owner = *claimed.entry(last).or_insert(lost);
    survey.damage.get(last).copied().filter(|_| owner == lost)
}
