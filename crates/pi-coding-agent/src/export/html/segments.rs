//! The tree cut into stretches without a fork: what a page shows or folds as one.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::outline::Outline;

/// A run of entries, each the only child of the one before.
#[derive(Debug, Default)]
pub(super) struct Segment {
    /// Places of the entries in the file; never empty.
    pub(super) entries: Vec<usize>,
    /// The segment that this one goes on from.
    pub(super) parent: Option<usize>,
    /// The segments that go on from this one, oldest first.
    pub(super) children: Vec<usize>,
    /// The child to follow to the newest entry.
    pub(super) newest: Option<usize>,
    /// How far it is indented in the tree.
    pub(super) depth: usize,
    /// Whether it is part of the current branch.
    pub(super) current: bool,
}

/// Who follows whom. Parents that do not exist count as none.
struct Links {
    children: Vec<Vec<usize>>,
    roots: Vec<usize>,
    leaf: Option<usize>,
    current: Vec<bool>,
}

impl Links {
    fn new(outlines: &[Outline], leaf: Option<&str>) -> Self {
        let places: HashMap<&str, usize> = outlines.iter().enumerate().map(|(at, entry)| (&*entry.id, at)).collect();
        let parent_of = |at: usize| {
            let parent = outlines[at].parent.as_deref().and_then(|parent| places.get(parent).copied());
            parent.filter(|parent| *parent != at)
        };
        let leaf = leaf.and_then(|leaf| places.get(leaf).copied());
        let mut links =
            Self { children: vec![vec![]; outlines.len()], roots: vec![], leaf, current: vec![false; outlines.len()] };
        for at in 0..outlines.len() {
            match parent_of(at) {
                Some(parent) => links.children[parent].push(at),
                None => links.roots.push(at),
            }
        }
        for children in links.children.iter_mut().filter(|children| children.len() > 1) {
            children.sort_by(|a, b| outlines[*a].timestamp.cmp(&outlines[*b].timestamp));
        }
        let mut next = leaf;
        while let Some(at) = next.filter(|at| !links.current[*at]) {
            links.current[at] = true;
            next = parent_of(at);
        }
        links
    }
}

/// The segments of a session in reading order: what was left at a fork comes before what is current, or newest, there.
pub(super) fn segments(outlines: &[Outline], leaf: Option<&str>) -> Vec<Segment> {
    let links = Links::new(outlines, leaf);
    let mut found = Vec::new();
    let mut seen = vec![false; outlines.len()];
    let all = 0..outlines.len();
    // Entries that follow each other in a circle hang on no root; the first of them is taken for one.
    for root in links.roots.iter().copied().chain(all) {
        collect(root, &links, &mut seen, &mut found);
    }
    find_newest(&mut found);
    in_reading_order(found)
}

fn collect(root: usize, links: &Links, seen: &mut [bool], found: &mut Vec<Segment>) {
    let mut open = vec![(root, None)];
    while let Some((first, parent)) = open.pop() {
        if seen[first] {
            continue;
        }
        let number = found.len();
        let segment = run_from(first, links, seen, parent);
        if let Some(last) = segment.entries.last() {
            open.extend(links.children[*last].iter().rev().map(|child| (*child, Some(number))));
        }
        if let Some(parent) = parent {
            found[parent].children.push(number);
        }
        found.push(segment);
    }
}

fn run_from(first: usize, links: &Links, seen: &mut [bool], parent: Option<usize>) -> Segment {
    let mut entries = vec![];
    let mut next = Some(first);
    while let Some(at) = next.filter(|at| !seen[*at]) {
        seen[at] = true;
        entries.push(at);
        // The current branch ends at the leaf, also where something follows it.
        next = match links.children[at].as_slice() {
            [child] if links.leaf != Some(at) => Some(*child),
            _ => None,
        };
    }
    Segment { entries, parent, current: links.current[first], ..Segment::default() }
}

fn find_newest(segments: &mut [Segment]) {
    let mut newest: Vec<usize> =
        segments.iter().map(|segment| segment.entries.iter().copied().max().unwrap_or(0)).collect();
    // Children stand behind their parents.
    for number in (0..segments.len()).rev() {
        segments[number].newest = segments[number].children.iter().copied().max_by_key(|child| newest[*child]);
        if let Some(parent) = segments[number].parent {
            newest[parent] = newest[parent].max(newest[number]);
        }
    }
}

/// Sorts and numbers the segments anew.
fn in_reading_order(mut segments: Vec<Segment>) -> Vec<Segment> {
    let roots: Vec<usize> = (0..segments.len()).filter(|number| segments[*number].parent.is_none()).collect();
    let last = roots.iter().copied().find(|root| segments[*root].current).or(roots.last().copied());
    let mut open: Vec<usize> = roots;
    put_last(&mut open, last);
    open.reverse();
    let (mut order, mut numbers) = (Vec::with_capacity(segments.len()), vec![0; segments.len()]);
    while let Some(number) = open.pop() {
        numbers[number] = order.len();
        order.push(number);
        let main = main_child(&segments, number);
        let (mut children, depth) = (segments[number].children.clone(), segments[number].depth);
        put_last(&mut children, main);
        for child in &children {
            segments[*child].depth = depth + usize::from(Some(*child) != main);
        }
        open.extend(children.into_iter().rev());
    }
    let renumber = |number: usize| numbers[number];
    for segment in &mut segments {
        segment.parent = segment.parent.map(renumber);
        segment.newest = segment.newest.map(renumber);
        segment.children.iter_mut().for_each(|child| *child = renumber(*child));
    }
    let mut numbered: Vec<_> = segments.into_iter().zip(numbers).collect();
    numbered.sort_by_key(|(_, number)| *number);
    numbered.into_iter().map(|(segment, _)| segment).collect()
}

/// The child that goes on without being indented.
fn main_child(segments: &[Segment], number: usize) -> Option<usize> {
    let segment = &segments[number];
    segment.children.iter().copied().find(|child| segments[*child].current).or(segment.newest)
}

fn put_last(numbers: &mut [usize], last: Option<usize>) {
    // Stable: the others keep their order.
    numbers.sort_by_key(|number| Reverse(Some(*number) != last));
}
