//! A unified patch taken apart: what each hunk replaced by what, and where.

/// A hunk of a unified patch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PatchHunk {
    /// The line of the new text in which it begins, from 1.
    pub line: usize,
    /// What was there, with the lines around it.
    pub old: String,
    /// What is there now, with the lines around it.
    pub new: String,
}

/// The hunks of a unified patch, such as `details.patch` of an edit. Text that is no patch has none.
pub fn patch_hunks(patch: &str) -> Vec<PatchHunk> {
    let mut hunks: Vec<PatchHunk> = Vec::new();
    // The side that the line before was on: a note about a missing line end is about that.
    let mut last = ' ';
    for line in patch.split_inclusive('\n') {
        if line.starts_with("@@") {
            hunks.push(PatchHunk { line: new_line(line), ..PatchHunk::default() });
            continue;
        }
        let Some(PatchHunk { old, new, .. }) = hunks.last_mut() else { continue };
        let (mark, text) = line.split_at(line.chars().next().map_or(0, char::len_utf8));
        match mark {
            "-" => old.push_str(text),
            "+" => new.push_str(text),
            " " => {
                old.push_str(text);
                new.push_str(text);
            }
            "\\" => {
                if last != '+' {
                    old.pop();
                }
                if last != '-' {
                    new.pop();
                }
            }
            _ => {}
        }
        last = mark.chars().next().unwrap_or(' ');
    }
    hunks
}

/// The line after the `+` of `@@ -1,7 +1,8 @@`.
fn new_line(head: &str) -> usize {
    let number = head.split_once('+').map_or("", |(_, rest)| rest);
    let digits = number.split(|character: char| !character.is_ascii_digit()).next();
    digits.and_then(|digits| digits.parse().ok()).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::super::unified_patch;
    use super::*;

    #[test]
    fn hunks_are_old_and_new_text() {
        let old = (1..40).map(|n| format!("line {n}\n")).collect::<String>();
        let new = old.replace("line 3\n", "three\n- and more\n").replace("line 30\n", "");
        let found = patch_hunks(&unified_patch("f", &old, &new));
        assert_eq!(found.len(), 2);
        for PatchHunk { line, old: before, new: after } in &found {
            assert!(old.contains(before.as_str()) && new.contains(after.as_str()), "{before:?} {after:?}");
            let skipped: usize = new.split_inclusive('\n').take(line - 1).map(str::len).sum();
            assert!(new[skipped..].starts_with(after.as_str()), "{line}");
        }
        assert!(found[0].new.contains("three\n- and more\n") && found[1].old.contains("line 30\n"));
    }

    #[test]
    fn a_missing_line_end_is_kept_missing() {
        let hunk = |old: &str, new: &str| PatchHunk { line: 1, old: old.to_owned(), new: new.to_owned() };
        for (old, new) in [("a\nb", "a\nc"), ("a\nb\n", "a\nb"), ("a", "b")] {
            assert_eq!(patch_hunks(&unified_patch("f", old, new)), [hunk(old, new)]);
        }
        assert!(patch_hunks("").is_empty() && patch_hunks("no patch\n+at all\n").is_empty());
    }
}
