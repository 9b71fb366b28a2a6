//! What a call changed, as old and new text. It comes from what the tools say of their work; no file is read again, for it
//! may have changed since.

use std::path::Path;

use agent_client_protocol_schema::v1::{Diff, ToolCallContent};
use serde_json::Value;

/// The changes of a call that went well.
pub(super) fn of_call(tool: &str, path: &Path, arguments: &Value, details: Option<&Value>) -> Vec<ToolCallContent> {
    match tool {
        "write" => {
            let content = arguments["content"].as_str();
            content.map(|text| ToolCallContent::Diff(Diff::new(path, text))).into_iter().collect()
        }
        "edit" => {
            let patch = details.and_then(|details| details["patch"].as_str()).unwrap_or_default();
            let hunks = hunks(patch).into_iter();
            hunks.map(|(old, new)| ToolCallContent::Diff(Diff::new(path, new).old_text(old))).collect()
        }
        _ => Vec::new(),
    }
}

/// Old and new text of each hunk of a unified patch.
fn hunks(patch: &str) -> Vec<(String, String)> {
    let mut hunks: Vec<(String, String)> = Vec::new();
    // The side that the line before was on: a note about a missing line end is about that.
    let mut last = ' ';
    for line in patch.split_inclusive('\n') {
        if line.starts_with("@@") {
            hunks.push((String::new(), String::new()));
            continue;
        }
        let Some((old, new)) = hunks.last_mut() else { continue };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::unified_patch;

    #[test]
    fn hunks_are_old_and_new_text() {
        let old = (1..40).map(|n| format!("line {n}\n")).collect::<String>();
        let new = old.replace("line 3\n", "three\n- and more\n").replace("line 30\n", "");
        let found = hunks(&unified_patch("f", &old, &new));
        assert_eq!(found.len(), 2);
        for (before, after) in &found {
            assert!(old.contains(before.as_str()) && new.contains(after.as_str()), "{before:?} {after:?}");
        }
        assert!(found[0].1.contains("three\n- and more\n") && found[1].0.contains("line 30\n"));
    }

    #[test]
    fn a_missing_line_end_is_kept_missing() {
        let found = hunks(&unified_patch("f", "a\nb", "a\nc"));
        assert_eq!(found, [("a\nb".to_owned(), "a\nc".to_owned())]);
        let found = hunks(&unified_patch("f", "a\nb\n", "a\nb"));
        assert_eq!(found, [("a\nb\n".to_owned(), "a\nb".to_owned())]);
        assert!(hunks("").is_empty());
    }
}
