//! The tree as a list: what is selected, searched, folded and filtered.

use std::collections::HashMap;

use pi_coding_agent::settings::TreeFilterMode;
use pi_tui::widgets::input::{InputStyle, TextInput};
use pi_tui::widgets::select::Selection;

use super::nodes::{Node, Nodes};
use super::shape::{Shown, Wanted, shape, sides};

/// What stands beside or below the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Aside {
    /// Nothing.
    #[default]
    None,
    /// The text of the selected entry.
    Preview,
    /// What the selected entry's branch has and the session's has not, and the other way round.
    Comparison,
}

impl Aside {
    pub(super) fn next(self) -> Self {
        match self {
            Self::None => Self::Preview,
            Self::Preview => Self::Comparison,
            Self::Comparison => Self::None,
        }
    }
}

/// The list.
#[derive(Debug)]
pub(super) struct TreeList {
    pub(super) nodes: Nodes,
    pub(super) wanted: Wanted,
    pub(super) shown: Vec<Shown>,
    pub(super) selection: Selection,
    pub(super) search: TextInput,
    pub(super) shows_times: bool,
    pub(super) aside: Aside,
    /// The text of an entry, once it is read.
    pub(super) preview: Option<(usize, String)>,
}

/// So many rows are seen until the window is known.
const VISIBLE: usize = 5;

impl TreeList {
    /// The tree with an entry selected; `None` is where the session is.
    pub(super) fn new(nodes: Nodes, filter: TreeFilterMode, selected: Option<usize>) -> Self {
        let wanted = Wanted { filter, ..Wanted::default() };
        let mut list = Self {
            shown: Vec::new(),
            selection: Selection::new(0, VISIBLE),
            search: TextInput::new("  Type to search: ", InputStyle::default()),
            shows_times: false,
            aside: Aside::None,
            preview: None,
            wanted,
            nodes,
        };
        let selected = selected.or(list.nodes.leaf);
        list.arrange(selected);
        list
    }

    /// Takes the entries anew, for example after a label was set. What is selected stays so.
    pub(super) fn set_nodes(&mut self, nodes: Nodes) {
        let selected = self.selected_place();
        self.nodes = nodes;
        self.arrange(selected);
    }

    /// Shows what is wanted; selects the entry, or the nearest that it follows.
    fn arrange(&mut self, selected: Option<usize>) {
        self.shown = shape(&self.nodes, &self.wanted);
        self.selection.set_count(self.shown.len());
        let index = selected.and_then(|place| self.nearest(place));
        self.selection.select(index.unwrap_or(self.shown.len().saturating_sub(1)));
    }

    fn nearest(&self, place: usize) -> Option<usize> {
        let indices: HashMap<usize, usize> = self.shown.iter().enumerate().map(|(at, row)| (row.place, at)).collect();
        let mut path = std::iter::successors(Some(place), |place| self.nodes.tree.parent(*place));
        path.find_map(|place| indices.get(&place).copied())
    }

    pub(super) fn selected_place(&self) -> Option<usize> {
        Some(self.shown.get(self.selection.selected()?)?.place)
    }

    pub(super) fn node(&self, place: usize) -> Option<&Node> {
        self.nodes.all.get(place)
    }

    /// The other text is searched for.
    pub(super) fn searched(&mut self) {
        let words = self.search.text().to_lowercase();
        self.wanted.words = words.split_whitespace().map(ToOwned::to_owned).collect();
        self.rearrange();
    }

    fn rearrange(&mut self) {
        let selected = self.selected_place().or(self.nodes.leaf);
        self.arrange(selected);
    }

    /// Shows with another filter; the one in force goes back to the usual one.
    pub(super) fn toggle_filter(&mut self, filter: TreeFilterMode) {
        self.wanted.filter = if self.wanted.filter == filter { TreeFilterMode::Default } else { filter };
        self.rearrange();
    }

    /// Goes through the filters.
    pub(super) fn cycle_filter(&mut self, step: isize) {
        let at = FILTERS.iter().position(|(filter, _)| *filter == self.wanted.filter).unwrap_or_default();
        let next = (at as isize + step).rem_euclid(FILTERS.len() as isize) as usize;
        self.wanted.filter = FILTERS[next].0;
        self.rearrange();
    }

    /// The filter in force, unless it is the usual one.
    pub(super) fn filter_name(&self) -> Option<&'static str> {
        let named = FILTERS.iter().find(|(filter, _)| *filter == self.wanted.filter);
        named.filter(|(filter, _)| *filter != TreeFilterMode::Default).map(|(_, name)| *name)
    }

    /// Hides what follows the selected entry, if that begins a branch; otherwise goes to the beginning of its branch.
    pub(super) fn fold_or_go_up(&mut self) {
        let Some(at) = self.selection.selected() else { return };
        let has_more = self.shown.get(at + 1).is_some_and(|next| next.parent == Some(at));
        if self.shown[at].begins && has_more {
            self.wanted.folded.insert(self.shown[at].place);
            self.rearrange();
            return;
        }
        let above = std::iter::successors(self.shown[at].parent, |at| self.shown[*at].parent);
        let target = above.take_while(|at| *at < self.shown.len()).find(|at| self.shown[*at].begins);
        self.selection.select(target.unwrap_or(0));
    }

    /// Shows what follows the selected entry again; otherwise goes to the next beginning of a branch, or to the end.
    pub(super) fn unfold_or_go_down(&mut self) {
        let Some(at) = self.selection.selected() else { return };
        if self.shown[at].is_folded {
            self.wanted.folded.remove(&self.shown[at].place);
            self.rearrange();
            return;
        }
        let next = self.shown.iter().enumerate().skip(at + 1).find(|(_, row)| row.begins);
        self.selection.select(next.map_or(self.shown.len(), |(at, _)| at));
    }

    /// The entries only the session's branch has, and those only the selected entry's has, without bookkeeping.
    pub(super) fn comparison(&self) -> Option<(Vec<&Node>, Vec<&Node>)> {
        let (here, there) = sides(&self.nodes.tree, self.nodes.leaf?, self.selected_place()?);
        let of = |places: Vec<usize>| -> Vec<&Node> {
            let nodes = places.into_iter().filter_map(|place| self.node(place));
            nodes.filter(|node| super::shape::passes(node, false, TreeFilterMode::Default)).collect()
        };
        Some((of(here), of(there)))
    }
}

/// The filters in the order of the keys, with what the list calls them.
const FILTERS: [(TreeFilterMode, &str); 5] = [
    (TreeFilterMode::Default, "default"),
    (TreeFilterMode::NoTools, "no-tools"),
    (TreeFilterMode::UserOnly, "user-only"),
    (TreeFilterMode::LabeledOnly, "labeled-only"),
    (TreeFilterMode::All, "all"),
];

#[cfg(test)]
mod tests {
    use super::super::tests::nodes;
    use super::*;

    fn list() -> TreeList {
        TreeList::new(nodes(), TreeFilterMode::Default, None)
    }

    fn selected(list: &TreeList) -> &str {
        list.selected_place().and_then(|place| list.node(place)).map_or("", |node| &node.text)
    }

    #[test]
    fn the_place_of_the_session_is_selected_and_stays_near_it() {
        let mut list = list();
        assert_eq!(selected(&list), "a2b");
        list.toggle_filter(TreeFilterMode::UserOnly);
        assert_eq!((selected(&list), list.filter_name()), ("q2b", Some("user-only")));
        list.toggle_filter(TreeFilterMode::UserOnly);
        assert_eq!((selected(&list), list.filter_name()), ("q2b", None));
        list.cycle_filter(-1);
        assert_eq!(list.filter_name(), Some("all"));
    }

    #[test]
    fn branches_fold_and_unfold() {
        let mut list = list();
        list.fold_or_go_up();
        assert_eq!(selected(&list), "q2b");
        list.fold_or_go_up();
        assert_eq!((selected(&list), list.shown.len()), ("q2b", 5));
        list.fold_or_go_up();
        assert_eq!(selected(&list), "q1");
        list.unfold_or_go_down();
        assert_eq!(selected(&list), "q2b");
        list.unfold_or_go_down();
        assert_eq!(list.shown.len(), 6);
        list.unfold_or_go_down();
        assert_eq!(selected(&list), "q2a");
        list.unfold_or_go_down();
        assert_eq!(selected(&list), "a2a");
    }

    #[test]
    fn a_search_finds_labels_and_may_find_nothing() {
        let mut list = list();
        for (text, expected) in [("KEEP", "a2a"), ("nothing like it", ""), ("", "a2b")] {
            list.search.set_text(text);
            list.searched();
            assert_eq!(selected(&list), expected, "{text}");
        }
    }

    #[test]
    fn two_branches_are_compared() {
        let mut list = list();
        list.search.set_text("a2a");
        list.searched();
        let (here, there) = list.comparison().expect("a comparison");
        let texts = |nodes: Vec<&Node>| nodes.iter().map(|node| node.text.clone()).collect::<Vec<_>>();
        assert_eq!(
            (texts(here), texts(there)),
            (vec!["q2b".into(), "a2b".into()], vec!["q2a".into(), "a2a".to_owned()])
        );
    }
}
