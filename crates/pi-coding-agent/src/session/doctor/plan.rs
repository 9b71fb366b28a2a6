//! What a repair changes: which entries get another id, parent or reference, and which are left out.

use std::sync::Arc;

use super::kind_table::FindingKind;
use super::line_object::Content;
use super::links::{Links, reference as links_reference};
use super::survey::Survey;
use crate::host::ids::Ids;
use crate::session::tree::Lists;
use crate::session::tree_fields::Parent;

/// The links as they will be.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) links: Links,
    /// The entries before and behind each one, as a walk over the tree passes them.
    spans: Option<Vec<(usize, usize)>>,
}

/// What changes in one entry.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) id: Option<Arc<str>>,
    /// The new parent; the inner `None` is a root.
    pub(super) parent: Option<Option<Arc<str>>>,
    /// Key and new value of a reference.
    pub(super) reference: Option<(&'static str, Arc<str>)>,
}

impl Plan {
    /// Plans the repair of what was surveyed.
    pub(super) fn of(survey: &Survey, ids: &dyn Ids) -> Self {
        let mut plan = Self { links: Links::of(survey, ids), spans: None };
        for place in 0..survey.nodes.len() {
            if let Content::Compaction(kept) = &survey.nodes[place].content {
                plan.check_kept(survey, place, kept);
            }
        }
        plan
    }

    /// A compaction keeps entries from one on its own path; where that is lost, the next one takes its place.
    fn check_kept(&mut self, survey: &Survey, place: usize, kept: &str) {
        let target = self.links.references.get(&place).copied();
        if target.is_some_and(|target| self.is_ancestor(target, place)) {
            return;
        }
        let detail = format!("it keeps from {kept} on, which is not on its path");
        self.links.faults.push((place, FindingKind::KeptEntryMissing, detail));
        let Some(lost) = survey.lost.get(kept).filter(|_| target.is_none()) else { return };
        let path = std::iter::successors(self.links.parents[place], |place| self.links.parents[*place]);
        if let Some(next) = path.take_while(|place| *place >= lost.before).last() {
            self.links.references.insert(place, next);
        }
    }

    fn is_ancestor(&mut self, ancestor: usize, place: usize) -> bool {
        let parents = &self.links.parents;
        let spans = self.spans.get_or_insert_with(|| spans(parents));
        let (Some(outer), Some(inner)) = (spans.get(ancestor), spans.get(place)) else { return false };
        outer.0 < inner.0 && inner.1 <= outer.1
    }

    /// Whether an entry is left out.
    pub(super) fn is_copy(&self, place: usize) -> bool {
        self.links.copies.contains_key(&place)
    }

    /// What changes in an entry.
    pub(super) fn change(&self, survey: &Survey, place: usize) -> Change {
        let Some(node) = survey.nodes.get(place) else { return Change::default() };
        let ids = &self.links.ids;
        let id = ids.get(place).filter(|id| node.id.as_ref() != Some(id)).cloned();
        let parent = self.links.parents.get(place).copied().flatten().and_then(|parent| ids.get(parent));
        let as_said = match (&node.parent, parent) {
            (Parent::Root, None) => true,
            (Parent::Id(said), Some(parent)) => said == parent,
            _ => false,
        };
        let reference = self.links.references.get(&place).and_then(|target| ids.get(*target));
        let reference = reference.filter(|id| links_reference(&node.content) != Some(id.as_ref()));
        Change {
            id,
            parent: (!as_said).then(|| parent.cloned()),
            reference: reference_key(&node.content).zip(reference.cloned()),
        }
    }
}

fn reference_key(content: &Content) -> Option<&'static str> {
    match content {
        Content::Compaction(_) => Some("firstKeptEntryId"),
        Content::Label(_) => Some("targetId"),
        Content::BranchSummary(_) => Some("fromId"),
        _ => None,
    }
}

/// When a walk over the tree comes to each entry and when it leaves it: an ancestor's span encloses those of all below.
fn spans(parents: &[Option<usize>]) -> Vec<(usize, usize)> {
    let children = Lists::of(parents);
    let mut spans = vec![(0, 0); parents.len()];
    let mut time = 0;
    for root in (0..parents.len()).filter(|place| parents[*place].is_none()) {
        let mut open = vec![(root, 0)];
        while let Some((place, next)) = open.last_mut() {
            if *next == 0 {
                time += 1;
                spans[*place].0 = time;
            }
            let child = children.get(*place).get(*next).copied();
            *next += 1;
            match child {
                Some(child) => open.push((child, 0)),
                None => {
                    spans[*place].1 = time;
                    open.pop();
                }
            }
        }
    }
    spans
}
