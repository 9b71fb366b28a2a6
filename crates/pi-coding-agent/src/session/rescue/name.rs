//! What the file of a session is called that was written anew.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Behind the old name, and in front of a number.
const MARK: &str = ".rescued-";
/// File names have no more bytes than this on common file systems.
const LONGEST_NAME: usize = 255;

/// Names beside a file, the best first: its own if nothing has that, then `<name>.rescued-1.jsonl`, `-2` and so on.
pub(super) fn names(old: &Path, its_own: bool) -> impl Iterator<Item = PathBuf> {
    let extension =
        old.extension().map_or_else(|| "jsonl".into(), |extension| extension.to_string_lossy().into_owned());
    let stem = old.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let stem = first_name(&stem).to_owned();
    let numbered = (1_u32..=u32::MAX).map(move |number| {
        let end = format!("{MARK}{number}.{extension}");
        let room = LONGEST_NAME.saturating_sub(end.len());
        OsString::from(format!("{}{end}", &stem[..stem.floor_char_boundary(room)]))
    });
    let dir = old.to_owned();
    its_own.then(|| old.to_owned()).into_iter().chain(numbered.map(move |name| dir.with_file_name(name)))
}

/// The name that a session had before it was rescued the first time.
fn first_name(stem: &str) -> &str {
    match stem.rsplit_once(MARK) {
        Some((first, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => first,
        _ => stem,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_in_turn() {
        let first = |old: &str, own| {
            let names = names(Path::new(old), own).take(2);
            names.map(|name| name.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(first("/s/a.jsonl", true), "/s/a.jsonl /s/a.rescued-1.jsonl");
        assert_eq!(first("/s/a.jsonl", false), "/s/a.rescued-1.jsonl /s/a.rescued-2.jsonl");
        assert_eq!(first("/s/a.rescued-7.jsonl", true), "/s/a.rescued-7.jsonl /s/a.rescued-1.jsonl");
        assert_eq!(first("/s/a.rescued-x", false), "/s/a.rescued-1.rescued-x /s/a.rescued-2.rescued-x");
        assert_eq!(first("a", false), "a.rescued-1.jsonl a.rescued-2.jsonl");
        let long = first(&format!("/s/{}.jsonl", "ü".repeat(124)), false);
        assert!(long.split(' ').all(|name| name.len() <= 255 + 3 && name.contains(".rescued-")), "{long}");
    }
}
