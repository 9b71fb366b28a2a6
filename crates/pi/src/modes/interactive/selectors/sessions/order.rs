//! In which order sessions are listed: forks below what they were forked from, the newest first, the best first.

use std::collections::HashMap;
use std::path::Path;

use pi_coding_agent::session::SessionInfo;

/// An order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// Forks stand below what they were forked from.
    Threaded,
    /// The newest first.
    Recent,
    /// What fits a search best first.
    Fuzzy,
}

impl Sort {
    pub(super) fn next(self) -> Self {
        match self {
            Self::Threaded => Self::Recent,
            Self::Recent => Self::Fuzzy,
            Self::Fuzzy => Self::Threaded,
        }
    }

    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Threaded => "Threaded",
            Self::Recent => "Recent",
            Self::Fuzzy => "Fuzzy",
        }
    }
}

/// A session in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ListedSession {
    /// Which one.
    pub(super) index: usize,
    /// The branches of the tree before its title.
    pub(super) branches: String,
}

impl ListedSession {
    /// A session without a tree.
    pub(super) fn flat(index: usize) -> Self {
        Self { index, branches: String::new() }
    }
}

/// Sessions, those that were forked below those that they were forked from. `shown` are indices of `sessions`, the newest
/// first; a thread is as new as the newest session in it.
pub(super) fn threaded(sessions: &[SessionInfo], shown: &[usize]) -> Vec<ListedSession> {
    let by_path: HashMap<&Path, usize> = shown.iter().map(|&index| (sessions[index].path.as_path(), index)).collect();
    let parent = |index: usize| -> Option<usize> {
        let parent = *by_path.get(sessions[index].parent_session_path.as_deref()?)?;
        (parent != index).then_some(parent)
    };
    let mut children: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut roots = Vec::new();
    let mut is_listed = vec![false; sessions.len()];
    for &index in shown {
        match parent(index) {
            Some(parent) => children.entry(parent).or_default().push(index),
            None => roots.push(index),
        }
    }
    // The newest session brings its whole thread up.
    let mut order: Vec<usize> = Vec::new();
    for &index in shown {
        let root = root_of(index, shown.len(), parent);
        if !std::mem::replace(&mut is_listed[root], true) {
            order.push(root);
        }
    }
    let mut places = Vec::with_capacity(shown.len());
    let mut is_placed = vec![false; sessions.len()];
    for root in order {
        // What is left to be placed, the next at the end: with its branches, and what stands before its children.
        let mut left = vec![(root, String::new(), String::new())];
        while let Some((index, branches, before)) = left.pop() {
            if std::mem::replace(&mut is_placed[index], true) {
                continue;
            }
            places.push(ListedSession { index, branches });
            let below = children.get(&index).map(Vec::as_slice).unwrap_or_default();
            for (at, &child) in below.iter().enumerate().rev() {
                let is_last = at + 1 == below.len();
                let (branch, rest) = if is_last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
                left.push((child, format!("{before}{branch}"), format!("{before}{rest}")));
            }
        }
    }
    places
}

/// The session at which a thread begins; files that name each other as parents have none, and any will do.
fn root_of(mut index: usize, most: usize, parent: impl Fn(usize) -> Option<usize>) -> usize {
    for _ in 0..most {
        match parent(index) {
            Some(above) => index = above,
            None => return index,
        }
    }
    index
}

#[cfg(test)]
mod tests {
    use super::super::tests::session;
    use super::*;

    #[test]
    fn forks_stand_below_their_parents() {
        let mut sessions: Vec<_> = ["d", "c", "b", "a", "x"].iter().map(|name| session(name, None, name, 0)).collect();
        let forked = |sessions: &mut Vec<SessionInfo>, child: usize, parent: usize| {
            sessions[child].parent_session_path = Some(sessions[parent].path.clone());
        };
        // `b` and `c` come from `a`, `d` from `b`.
        forked(&mut sessions, 1, 3);
        forked(&mut sessions, 2, 3);
        forked(&mut sessions, 0, 2);
        let shown: Vec<usize> = (0..sessions.len()).collect();
        let lines = |places: &[ListedSession]| -> Vec<String> {
            places.iter().map(|place| format!("{}{}", place.branches, sessions[place.index].id)).collect()
        };
        assert_eq!(lines(&threaded(&sessions, &shown)), ["a", "├─ c", "└─ b", "   └─ d", "x"]);
        // A parent that is not shown is none.
        assert_eq!(lines(&threaded(&sessions, &[0, 1, 4])), ["d", "c", "x"]);
    }

    #[test]
    fn parents_in_a_circle_are_listed_once() {
        let mut sessions = vec![session("a", None, "a", 2), session("b", None, "b", 1)];
        sessions[0].parent_session_path = Some(sessions[1].path.clone());
        sessions[1].parent_session_path = Some(sessions[0].path.clone());
        let mut listed: Vec<usize> = threaded(&sessions, &[0, 1]).into_iter().map(|place| place.index).collect();
        listed.sort_unstable();
        assert_eq!(listed, [0, 1]);
    }
}
