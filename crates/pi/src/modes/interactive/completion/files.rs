//! Files behind an `@`: searched below the working directory, or below the directory that is written before them.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use pi_coding_agent::env::Env;
use pi_coding_agent::paths::expand;
use pi_tui::widgets::completion::CompletionItem;

use super::super::app::App;
use super::super::files::{Entry, FileIndex, Tree, best};
use super::answer;

/// Files of the project that are known at most, and of a directory elsewhere.
const INSIDE: usize = 250_000;
const OUTSIDE: usize = 20_000;
/// The first list comes after this time, however far the walk has got; then it is brought up to date.
const FIRST: Duration = Duration::from_millis(35);
const AGAIN: Duration = Duration::from_millis(400);
/// The end of a longer path is shown.
const SHOWN: usize = 70;

/// What is searched for, and where.
#[derive(Debug, Clone)]
struct Search {
    tree: Arc<Tree>,
    /// The directory, as it was typed.
    dir: String,
    wanted: String,
}

pub(super) fn request(app: &mut App, id: u64, prefix: String) {
    let (index, cwd, env) = (app.files.clone(), app.shared.cwd(), app.env().clone());
    let work = tokio::task::spawn_blocking(move || begin(&index, &cwd, &env, &prefix));
    app.spawn(work, move |app, search| match search {
        Ok(search) => {
            let patience = if search.tree.has_list() { Duration::ZERO } else { FIRST };
            go_on(app, id, search, patience);
        }
        Err(_) => answer(app, id, Vec::new()),
    });
}

/// Shows what is known when the walk is over, or after some time, and then again until it is.
fn go_on(app: &mut App, id: u64, search: Search, patience: Duration) {
    let work = async move {
        let is_settled = tokio::time::timeout(patience, search.tree.settled()).await.is_ok();
        let ranked = search.clone();
        let items = tokio::task::spawn_blocking(move || ranked.items()).await;
        (search, items.unwrap_or_default(), is_settled)
    };
    app.spawn(work, move |app, (search, items, is_settled)| {
        if is_settled {
            answer(app, id, items);
        } else if app.prompt.complete_so_far(id, items) {
            go_on(app, id, search, AGAIN);
        }
    });
}

fn begin(index: &FileIndex, cwd: &Path, env: &Env, prefix: &str) -> Search {
    let split = prefix.rfind('/').map(|at| prefix.split_at(at + 1));
    let scoped = split.and_then(|(dir, wanted)| Some((dir, wanted, scope(cwd, env, dir)?)));
    match scoped {
        Some((dir, wanted, root)) => {
            let limit = if root.starts_with(cwd) { INSIDE } else { OUTSIDE };
            Search { tree: index.tree(&root, limit), dir: dir.to_owned(), wanted: wanted.to_owned() }
        }
        None => Search { tree: index.tree(cwd, INSIDE), dir: String::new(), wanted: prefix.to_owned() },
    }
}

/// The directory that is meant, if it is one.
fn scope(cwd: &Path, env: &Env, dir: &str) -> Option<PathBuf> {
    let path = cwd.join(expand(dir, env));
    path.is_dir().then_some(path)
}

impl Search {
    fn items(&self) -> Vec<CompletionItem> {
        best(&self.tree.chunks(), &self.wanted).into_iter().map(|entry| self.item(&entry)).collect()
    }

    fn item(&self, entry: &Entry) -> CompletionItem {
        let value = format!("{}{}{}", self.dir, entry.path, if entry.is_directory { "/" } else { "" });
        CompletionItem { label: shown(&value), value, description: None }
    }
}

/// A path of no more than so many characters; its end says more than its beginning.
fn shown(path: &str) -> String {
    let count = path.chars().count();
    if count <= SHOWN {
        return path.to_owned();
    }
    let end: String = path.chars().skip(count - SHOWN + 1).collect();
    // From the next directory on.
    let from = end.find('/').unwrap_or_default();
    format!("…{}", &end[from..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env() -> Env {
        Env::fixed([("HOME", "/nowhere")])
    }

    async fn found(cwd: &Path, prefix: &str) -> Vec<String> {
        let search = begin(&FileIndex::default(), cwd, &env(), prefix);
        search.tree.settled().await;
        search.items().into_iter().map(|item| item.value).collect()
    }

    #[tokio::test]
    async fn a_directory_limits_the_search() {
        let dir = tempfile::tempdir().unwrap();
        let cwd = dir.path().join("demo");
        for path in ["src/alpha.py", "src/deep/alpha.rs", "alpha.txt", "../alpha.md", "docs/two words.md"] {
            let file = cwd.join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, "").unwrap();
        }
        assert_eq!(found(&cwd, "alpha").await, ["alpha.txt", "src/alpha.py", "src/deep/alpha.rs"]);
        assert_eq!(found(&cwd, "src/alpha").await, ["src/alpha.py", "src/deep/alpha.rs"]);
        assert_eq!(found(&cwd, "./src/deep/").await, ["./src/deep/alpha.rs"]);
        assert_eq!(found(&cwd, "../alpha.m").await, ["../alpha.md"]);
        // No directory: a part of a path.
        assert_eq!(found(&cwd, "eep/al").await, ["src/deep/alpha.rs"]);
        assert_eq!(found(&cwd, "two").await, ["docs/two words.md"]);
        assert_eq!(found(&cwd, "src").await[0], "src/");
    }

    #[test]
    fn long_paths_lose_their_beginning() {
        assert_eq!(shown("src/main.rs"), "src/main.rs");
        let long = format!("{}/name.rs", "directory/".repeat(9).trim_end_matches('/'));
        assert_eq!(shown(&long), format!("…/{}/name.rs", "directory/".repeat(6).trim_end_matches('/')));
        assert_eq!(shown(&"x".repeat(100)).chars().count(), SHOWN);
    }
}
