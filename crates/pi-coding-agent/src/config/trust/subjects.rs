//! What of a project needs the user's trust. Only names are looked at, nothing is read.

use std::path::{Path, PathBuf};

use crate::host::paths::PROJECT_DIR;
use crate::host::project_dirs::outer_dirs;

/// Names in a project's configuration directory that need trust.
const NAMES: [&str; 7] =
    ["settings.json", "extensions", "skills", "prompts", "themes", "SYSTEM.md", "APPEND_SYSTEM.md"];
/// Files of the working directory that name programs to start: servers of tools. They count there alone.
const SERVERS: [&str; 2] = [".mcp.json", ".pi/mcp.json"];

/// The files and directories that count only if the project in `cwd` is trusted, those of its repository further up
/// included; when there are none, there is nothing to decide. `home` is the user's, whose own `.agents` needs no trust. Context files need none either.
pub fn trust_subjects(cwd: &Path, home: Option<&Path>) -> Vec<PathBuf> {
    let dirs = std::iter::once(cwd.join(PROJECT_DIR)).chain(outer_dirs(cwd, home));
    let own = dirs.flat_map(|dir| NAMES.map(|name| dir.join(name)));
    let shared = cwd.ancestors().filter(|dir| home != Some(dir)).map(|dir| dir.join(".agents/skills"));
    let servers = SERVERS.map(|name| cwd.join(name));
    own.chain(servers).chain(shared).filter(|path| path.exists()).collect()
}

/// So many parts of a project are named; of the others the number.
const MOST_NAMED: usize = 6;

/// What needs trust in the project in `cwd`, as part of a sentence.
pub fn subject_names(cwd: &Path, subjects: &[PathBuf]) -> String {
    let named = subjects.iter().take(MOST_NAMED);
    let mut names: Vec<String> =
        named.map(|path| path.strip_prefix(cwd).unwrap_or(path).display().to_string()).collect();
    if subjects.len() > MOST_NAMED {
        names.push(format!("{} more", subjects.len() - MOST_NAMED));
    }
    names.join(", ")
}

/// The directory that a decision about the project in `cwd` is stored for: the uppermost of its repository that has such
/// files, so that it counts everywhere below; else `cwd` itself.
pub fn trust_root(cwd: &Path, home: Option<&Path>) -> PathBuf {
    let outer = outer_dirs(cwd, home);
    let has_subjects = |dir: &&PathBuf| NAMES.iter().any(|name| dir.join(name).exists());
    let root = outer.iter().rev().find(has_subjects).and_then(|dir| dir.parent());
    root.unwrap_or(cwd).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_can_act_needs_trust() {
        let root = tempfile::tempdir().unwrap();
        let cwd = root.path().join("home/project");
        let subjects = |home: &str| -> Vec<String> {
            let found = trust_subjects(&cwd, Some(&root.path().join(home)));
            found.iter().map(|path| path.strip_prefix(root.path()).unwrap().display().to_string()).collect()
        };
        for file in ["AGENTS.md", ".pi/notes.txt", ".pi/sessions/x"] {
            std::fs::create_dir_all(cwd.join(file).parent().unwrap()).unwrap();
            std::fs::write(cwd.join(file), "").unwrap();
        }
        assert_eq!(subjects("home"), [""; 0]);
        std::fs::create_dir_all(root.path().join("home/.agents/skills")).unwrap();
        assert_eq!(subjects("home"), [""; 0], "the user's own");
        assert_eq!(subjects("elsewhere"), ["home/.agents/skills"]);
        std::fs::write(cwd.join(".mcp.json"), "{}").unwrap();
        assert_eq!(subjects("home"), ["home/project/.mcp.json"]);
        std::fs::remove_file(cwd.join(".mcp.json")).unwrap();
        std::fs::write(cwd.join(".pi/SYSTEM.md"), "").unwrap();
        std::fs::create_dir(cwd.join(".pi/skills")).unwrap();
        assert_eq!(subjects("home"), ["home/project/.pi/skills", "home/project/.pi/SYSTEM.md"]);
    }
}
