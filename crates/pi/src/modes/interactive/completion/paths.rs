//! Paths for Tab: the entries of one directory.

use std::fs;
use std::path::{Path, PathBuf};

use pi_coding_agent::env::Env;
use pi_coding_agent::paths::expand;
use pi_tui::widgets::completion::CompletionItem;

use super::super::app::App;
use super::answer;

/// Entries of a directory that are looked at.
const LOOKED_AT: usize = 50_000;
/// Entries that are offered.
const OFFERED: usize = 500;

pub(super) fn request(app: &mut App, id: u64, prefix: String) {
    let (cwd, env) = (app.shared.cwd(), app.env().clone());
    let work = tokio::task::spawn_blocking(move || matches(&cwd, &env, &prefix));
    app.spawn(work, move |app, items| answer(app, id, items.unwrap_or_default()));
}

/// What the beginning of a path may become: directories first. Upper and lower case are the same.
fn matches(cwd: &Path, env: &Env, prefix: &str) -> Vec<CompletionItem> {
    if prefix == "~" {
        return vec![CompletionItem { value: "~/".to_owned(), label: "~/".to_owned(), description: None }];
    }
    let (dir, begun) = prefix.rfind('/').map_or(("", prefix), |at| prefix.split_at(at + 1));
    let begun = begun.to_lowercase();
    let Ok(entries) = fs::read_dir(directory(cwd, env, dir)) else { return Vec::new() };
    let mut found: Vec<(bool, String)> = entries
        .take(LOOKED_AT)
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            name.to_lowercase().starts_with(&begun).then(|| (!is_directory(&entry), name))
        })
        .collect();
    found.sort_by_cached_key(|(is_file, name)| (*is_file, name.to_lowercase(), name.clone()));
    found.truncate(OFFERED);
    found.into_iter().map(|(is_file, name)| item(dir, name, is_file)).collect()
}

fn item(dir: &str, name: String, is_file: bool) -> CompletionItem {
    let label = if is_file { name } else { name + "/" };
    CompletionItem { value: format!("{dir}{label}"), label, description: None }
}

fn directory(cwd: &Path, env: &Env, dir: &str) -> PathBuf {
    if dir.is_empty() { cwd.to_owned() } else { cwd.join(expand(dir, env)) }
}

fn is_directory(entry: &fs::DirEntry) -> bool {
    let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
    let followed = || fs::metadata(entry.path()).is_ok_and(|target| target.is_dir());
    entry.file_type().is_ok_and(|kind| kind.is_dir()) || (is_link && followed())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_one_directory() {
        let home = tempfile::tempdir().unwrap();
        let cwd = home.path().join("demo");
        for path in ["src/main.rs", "docs/two words.md", "Beta.txt", "alpha.txt", "alphabet.md", ".hidden"] {
            let file = cwd.join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "").unwrap();
        }
        let env = Env::fixed([("HOME", home.path().to_str().unwrap())]);
        let absolute = format!("{}/s", cwd.display());
        let found_absolute = format!("{}/src/", cwd.display());
        for (prefix, expected) in [
            ("", vec!["docs/", "src/", ".hidden", "alpha.txt", "alphabet.md", "Beta.txt"]),
            ("alph", vec!["alpha.txt", "alphabet.md"]),
            ("bet", vec!["Beta.txt"]),
            ("./d", vec!["./docs/"]),
            ("docs/", vec!["docs/two words.md"]),
            ("~", vec!["~/"]),
            ("~/", vec!["~/demo/"]),
            ("../", vec!["../demo/"]),
            (&absolute, vec![&*found_absolute]),
            ("nowhere/", vec![]),
        ] {
            let found: Vec<String> = matches(&cwd, &env, prefix).into_iter().map(|item| item.value).collect();
            assert_eq!(found, expected, "{prefix:?}");
        }
    }
}
