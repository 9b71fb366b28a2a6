//! Draws a tree from the root down. What goes on in a straight line stays in its column; only side branches move to the
//! right, and the longest of several continuations is no side branch, so that even wild trees stay narrow.

use std::collections::HashSet;

use pi_coding_agent::session::SessionTree;

/// A row of the drawing.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// An entry, behind so many columns.
    Entry { place: usize, columns: usize },
    /// A side branch begins here.
    Fork { columns: usize },
}

impl Row {
    /// The lines of the drawing in this row.
    pub(super) fn graph(&self) -> String {
        match self {
            Self::Entry { columns, .. } => format!("{}* ", "| ".repeat(*columns)),
            Self::Fork { columns } => format!("{}|\\", "| ".repeat(*columns)),
        }
    }
}

/// All rows, in order. The branch that ends at `leaf` is the trunk.
pub(super) fn rows(tree: &SessionTree, leaf: Option<usize>) -> Vec<Row> {
    let trunk: HashSet<usize> = leaf.map(|leaf| tree.path(leaf)).unwrap_or_default().into_iter().collect();
    let sizes = sizes(tree);
    let mut rows = Vec::new();
    let mut open: Vec<Row> = tree.roots().iter().rev().map(|place| Row::Entry { place: *place, columns: 0 }).collect();
    while let Some(row) = open.pop() {
        if let Row::Entry { place, columns } = row {
            let children = tree.children(place);
            let weight = |child: &&usize| (trunk.contains(child), sizes.get(**child).copied());
            let main = children.iter().max_by_key(weight).copied();
            open.extend(main.map(|place| Row::Entry { place, columns }));
            for side in children.iter().rev().filter(|child| Some(**child) != main) {
                open.push(Row::Entry { place: *side, columns: columns + 1 });
                open.push(Row::Fork { columns });
            }
        }
        rows.push(row);
    }
    rows
}

/// Number of entries from each one on.
fn sizes(tree: &SessionTree) -> Vec<usize> {
    let mut sizes = vec![1; tree.len()];
    let order: Vec<usize> = tree.walk().collect();
    for place in order.into_iter().rev() {
        if let Some(parent) = tree.parent(place) {
            sizes[parent] += sizes[place];
        }
    }
    sizes
}
