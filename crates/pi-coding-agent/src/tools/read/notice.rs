//! What goes with a text that is not the whole file.

use crate::tools::truncate::{MAX_BYTES, TruncatedBy, format_size};

use super::scan::Scanned;

/// The lines that were found, with what was left out of them; `path` as the model gave it, `start` counted from 0.
pub(super) fn cut_text(path: &str, start: usize, found: &Scanned) -> String {
    let (shown, limit, first) = (&found.shown, format_size(MAX_BYTES), start + 1);
    if shown.first_line_exceeds_limit {
        let (size, file) = (found.first_line.show(format_size), shell_word(path));
        return format!(
            "[Line {first} has {size}, more than the limit of {limit}. See its start with bash: sed -n '{first}p' \
             {file} | head -c {MAX_BYTES}]"
        );
    }
    let why = if shown.truncated_by == Some(TruncatedBy::Bytes) { format!(" ({limit} limit)") } else { String::new() };
    let (last, total) = (start + shown.output_lines, found.total);
    let next = last + 1;
    format!("{}\n\n[These are lines {first}-{last} of {total}{why}. Go on with offset={next}.]", shown.content)
}

/// The lines that were found, all of those that `limit` allowed, and how many come after; `end` counted from 0.
pub(super) fn limited_text(end: usize, found: &Scanned) -> String {
    let (content, behind, next) = (&found.shown.content, found.behind, end + 1);
    format!("{content}\n\n[The file has {behind} more lines. Go on with offset={next}.]")
}

/// A path as one word of a shell command.
fn shell_word(path: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,:@%=~".contains(c);
    if !path.is_empty() && path.chars().all(is_plain) {
        path.to_owned()
    } else {
        format!("'{}'", path.replace('\'', r"'\''"))
    }
}
