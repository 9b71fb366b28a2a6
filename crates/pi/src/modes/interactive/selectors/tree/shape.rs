//! Which entries the tree shows, in which order, and what stands before each: filters, the search, folding, branches.

use std::collections::HashSet;

use pi_coding_agent::session::SessionTree;
use pi_coding_agent::settings::TreeFilterMode;

use super::nodes::{Node, NodeKind, Nodes};

/// Lines of branches are no longer than this: a file may hold a branch in every entry.
const LONGEST_LEAD: usize = 6 * 40;

/// An entry that is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) place: usize,
    /// The lines of the branches before it.
    pub(super) lead: String,
    /// Whether it is the first of a branch.
    pub(super) begins: bool,
    /// Whether the entries after it are hidden.
    pub(super) is_folded: bool,
    /// The index of the shown entry that it follows.
    pub(super) parent: Option<usize>,
}

/// What the user wants to see.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) filter: TreeFilterMode,
    /// Words in lower case, all of which an entry must hold.
    pub(super) words: Vec<String>,
    pub(super) folded: HashSet<usize>,
}

/// The entries that are shown, from top to bottom.
pub(super) fn shape(nodes: &Nodes, wanted: &Wanted) -> Vec<Shown> {
    let tree = nodes.tree.only(|place| {
        let fits = |node: &Node| passes(node, nodes.leaf == Some(place), wanted.filter) && matches(node, &wanted.words);
        nodes.all.get(place).is_some_and(fits)
    });
    let mut shown = Vec::new();
    // What is left to be shown, the next at the end.
    let mut open: Vec<Open> = Vec::new();
    push_children(&mut open, tree.roots().to_vec(), &nodes.active, "", None);
    while let Some(next) = open.pop() {
        let children = tree.children(next.place).to_vec();
        let is_folded = wanted.folded.contains(&next.place) && !children.is_empty();
        let mark = match (next.begins, is_folded, children.is_empty()) {
            (true, true, _) => "⊞ ",
            (true, false, false) => "⊟ ",
            (true, false, true) => "─ ",
            (false, ..) => "",
        };
        let index = shown.len();
        let lead = format!("{}{mark}", next.lead);
        shown.push(Shown { place: next.place, lead, begins: next.begins, is_folded, parent: next.parent });
        if !is_folded {
            push_children(&mut open, children, &nodes.active, &next.below, Some(index));
        }
    }
    shown
}

/// An entry that is still to be shown.
struct Open {
    place: usize,
    lead: String,
    /// What stands before the entries that follow it.
    below: String,
    begins: bool,
    parent: Option<usize>,
}

/// The branch on which the session is comes first. A chain stays where it is; branches are indented.
fn push_children(
    open: &mut Vec<Open>,
    mut children: Vec<usize>,
    active: &HashSet<usize>,
    below: &str,
    parent: Option<usize>,
) {
    children.sort_by_key(|place| !active.contains(place));
    let count = children.len();
    for (at, place) in children.into_iter().enumerate().rev() {
        let is_last = at + 1 == count;
        let (lead, below) = match (count, is_last) {
            (1, _) => (below.to_owned(), below.to_owned()),
            _ if below.chars().count() >= LONGEST_LEAD => (below.to_owned(), below.to_owned()),
            (_, false) => (format!("{below}├"), format!("{below}│     ")),
            (_, true) => (format!("{below}└"), format!("{below}      ")),
        };
        open.push(Open { place, lead, below, begins: count > 1, parent });
    }
}

/// Whether a filter shows an entry.
pub(super) fn passes(node: &Node, is_leaf: bool, filter: TreeFilterMode) -> bool {
    // Where the session is must be seen whatever stands there.
    if node.kind == NodeKind::Calls && !is_leaf {
        return false;
    }
    match filter {
        TreeFilterMode::Default => node.kind != NodeKind::Bookkeeping,
        TreeFilterMode::NoTools => !matches!(node.kind, NodeKind::Bookkeeping | NodeKind::Tool),
        TreeFilterMode::UserOnly => node.kind == NodeKind::User,
        TreeFilterMode::LabeledOnly => node.label.is_some(),
        TreeFilterMode::All => true,
    }
}

fn matches(node: &Node, words: &[String]) -> bool {
    if words.is_empty() {
        return true;
    }
    let label = node.label.as_ref().map_or("", |label| &label.text);
    let text = format!("{} {} {label}", node.role, node.text).to_lowercase();
    words.iter().all(|word| text.contains(word.as_str()))
}

/// The two sides behind the last entry that two places share: what only the one has, and what only the other has.
pub(super) fn sides(tree: &SessionTree, one: usize, other: usize) -> (Vec<usize>, Vec<usize>) {
    let (one, other) = (tree.path(one), tree.path(other));
    let shared = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
    (one[shared..].to_vec(), other[shared..].to_vec())
}

#[cfg(test)]
mod tests {
    use super::super::tests::nodes;
    use super::*;

    fn lines(nodes: &Nodes, wanted: &Wanted) -> Vec<String> {
        let rows = shape(nodes, wanted);
        rows.iter().map(|row| format!("{}{}", row.lead, nodes.all[row.place].text)).collect()
    }

    #[test]
    fn chains_are_flat_and_branches_indented_with_the_active_one_first() {
        let nodes = nodes();
        let all = lines(&nodes, &Wanted::default());
        assert_eq!(all, ["q1", "a1", "├⊟ q2b", "│     a2b", "└⊟ q2a", "      a2a"]);
        let folded = Wanted { folded: HashSet::from([4]), ..Wanted::default() };
        assert_eq!(lines(&nodes, &folded), ["q1", "a1", "├⊞ q2b", "└⊟ q2a", "      a2a"]);
    }

    #[test]
    fn filters_and_words_leave_the_rest_connected() {
        let nodes = nodes();
        let users = Wanted { filter: TreeFilterMode::UserOnly, ..Wanted::default() };
        assert_eq!(lines(&nodes, &users), ["q1", "├─ q2b", "└─ q2a"]);
        let search = Wanted { words: vec!["user".into(), "2a".into()], ..Wanted::default() };
        assert_eq!(lines(&nodes, &search), ["q2a"]);
        let labelled = Wanted { filter: TreeFilterMode::LabeledOnly, ..Wanted::default() };
        assert_eq!(lines(&nodes, &labelled), ["a2a"]);
    }

    #[test]
    fn two_places_are_compared_from_where_they_part() {
        let nodes = nodes();
        assert_eq!(sides(&nodes.tree, 5, 3), (vec![4, 5], vec![2, 3]));
        assert_eq!(sides(&nodes.tree, 5, 1), (vec![4, 5], vec![]));
    }
}
