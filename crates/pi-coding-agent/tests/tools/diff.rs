//! Diffs: the two formats, and that they describe the change.

use insta::assert_snapshot;
use pi_coding_agent::tools::{display_diff, unified_patch};
use proptest::prelude::*;

use crate::support::numbered_lines;

#[test]
fn distant_changes_are_separated_by_a_gap() {
    let old = numbered_lines(16);
    let new = old.replace("line 2\n", "TWO\n").replace("line 15\n", "FIFTEEN\nand a half\n");
    let diff = display_diff(&old, &new);
    assert_snapshot!(diff.text);
    assert_eq!(diff.first_changed_line, Some(2));
    assert_snapshot!(unified_patch("dir/f.txt", &old, &new));
}

#[test]
fn eight_unchanged_lines_are_shown_nine_are_not() {
    for (last, gap) in [("line 10\n", false), ("line 11\n", true)] {
        let old = numbered_lines(12);
        let new = old.replace("line 1\n", "one\n").replace(last, "x\n");
        assert_eq!(display_diff(&old, &new).text.contains("..."), gap, "{last}");
        assert_eq!(unified_patch("f", &old, &new).matches("@@ -").count(), if gap { 2 } else { 1 });
    }
}

#[test]
fn deletions_come_before_insertions_and_the_furthest_path_wins() {
    for (old, new, patch) in [
        ("a\nb\nc\nd\n", "a\nc\nb\nd\n", "@@ -1,4 +1,4 @@\n a\n-b\n c\n+b\n d\n"),
        ("p\nq\nr\n", "p\nx\nq\nr\nq\nr\n", "@@ -1,3 +1,6 @@\n p\n+x\n q\n r\n+q\n+r\n"),
        ("a\nb\n", "x\ny\n", "@@ -1,2 +1,2 @@\n-a\n-b\n+x\n+y\n"),
        ("a\n", "", "@@ -1,1 +0,0 @@\n-a\n"),
        ("", "a\n", "@@ -0,0 +1,1 @@\n+a\n"),
        ("a", "a\n", "@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n"),
        ("a\nz", "b\nz", "@@ -1,2 +1,2 @@\n-a\n+b\n z\n\\ No newline at end of file\n"),
        ("same\n", "same\n", ""),
    ] {
        assert_eq!(unified_patch("f", old, new), format!("--- f\n+++ f\n{patch}"), "{old:?}");
    }
}

#[test]
fn a_complete_rewrite_of_a_large_file_stays_affordable() {
    let old: String = (0..6000).map(|n| format!("old {n}\n")).collect();
    let new: String = (0..6000).map(|n| format!("new {n}\n")).collect();
    assert_eq!(apply(&old, &unified_patch("f", &old, &new)), new);
}

/// Applies a patch the way `patch` does, hunk by hunk.
fn apply(old: &str, patch: &str) -> String {
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let (mut out, mut next) = (String::new(), 0);
    let mut lines = patch.split_inclusive('\n').skip(2).peekable();
    while let Some(line) = lines.next() {
        let ends_open = lines.next_if(|marker| marker.starts_with('\\')).is_some();
        let body = if ends_open { line[1..].trim_end_matches('\n') } else { line.get(1..).unwrap_or_default() };
        match line.as_bytes()[0] {
            b'@' => {
                let (first, count) = line[4..line.find(" +").unwrap()].split_once(',').unwrap();
                let start = first.parse::<usize>().unwrap() - usize::from(count != "0");
                out.extend(old[next..start].iter().copied());
                next = start;
            }
            b' ' => {
                assert_eq!(old[next], body);
                out.push_str(body);
                next += 1;
            }
            b'-' => {
                assert_eq!(old[next], body);
                next += 1;
            }
            _ => out.push_str(body),
        }
    }
    out.extend(old[next..].iter().copied());
    out
}

proptest! {
    #[test]
    fn applying_the_patch_gives_the_new_text(old in "([abc]\n){0,40}[abc]?", new in "([abc]\n){0,40}[abc]?") {
        prop_assert_eq!(apply(&old, &unified_patch("f", &old, &new)), new);
    }

    #[test]
    fn the_display_shows_every_change(old in "([abc]\n){0,40}", new in "([abc]\n){0,40}") {
        let (diff, patch) = (display_diff(&old, &new), unified_patch("f", &old, &new));
        for sign in ['+', '-'] {
            let count = |text: &str, skip| text.lines().skip(skip).filter(|line| line.starts_with(sign)).count();
            prop_assert_eq!(count(&diff.text, 0), count(&patch, 2));
        }
        prop_assert_eq!(diff.first_changed_line.is_some(), old != new);
    }
}

#[test]
fn much_that_is_different_is_replaced_as_a_whole() {
    let lines = |word: &str| (0..60_000).map(|n| format!("{word} {n}\n")).collect::<String>();
    let (old, new) = (format!("same\n{}end\n", lines("old")), format!("same\n{}end\n", lines("new")));
    assert_eq!(apply(&old, &unified_patch("f", &old, &new)), new);
    assert_eq!(display_diff(&old, &new).first_changed_line, Some(2));
}
