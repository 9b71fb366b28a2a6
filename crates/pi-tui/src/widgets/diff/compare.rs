//! The lines of a diff of two texts.

use similar::{ChangeTag, DiffTag, TextDiff};

use super::{DiffLine, Sign};

/// The lines that differ, with so many lines around each; a gap stands for more than twice as many between two changes.
pub fn compare(old: &str, new: &str, context: usize) -> Vec<DiffLine> {
    let diff = TextDiff::from_lines(old, new);
    let ops = diff.ops();
    let mut out = Vec::new();
    for (i, op) in ops.iter().enumerate() {
        let mut changes = diff.iter_changes(op).map(|change| line(&change));
        if op.tag() != DiffTag::Equal {
            out.extend(changes);
            continue;
        }
        let before = if i == 0 { 0 } else { context };
        let after = if i + 1 == ops.len() { 0 } else { context };
        let count = op.old_range().len();
        if count <= before + after {
            out.extend(changes);
            continue;
        }
        out.extend(changes.by_ref().take(before));
        out.push(DiffLine { sign: Sign::Gap, number: None, text: "...".to_owned() });
        out.extend(changes.skip(count - before - after));
    }
    out
}

fn line(change: &similar::Change<&str>) -> DiffLine {
    let (sign, index) = match change.tag() {
        ChangeTag::Equal => (Sign::Context, change.old_index()),
        ChangeTag::Delete => (Sign::Removed, change.old_index()),
        ChangeTag::Insert => (Sign::Added, change.new_index()),
    };
    let text = change.value().trim_end_matches(['\n', '\r']).to_owned();
    DiffLine { sign, number: index.map(|index| index + 1), text }
}
