//! Whether a project's own settings and resources count. They are somebody else's words, so without a decision of the
//! user they do not.
//!
//! Decisions are weighed here, read by `trust_file` and written in `remember`; `subjects` finds what a decision is about.
//! Who asks the user is
//! elsewhere.

mod remember;
mod subjects;

use std::path::{Path, PathBuf};

use crate::config::Error;
use crate::config::settings::{ProjectTrust, SettingsManager};
use crate::host::paths::Paths;

pub use crate::config::trust_file::stored_decision;
pub use crate::config::trust_file::stored_entry;
pub use remember::remember_all;
pub use remember::{TrustChoice, remember_trust};
pub use subjects::{subject_names, trust_root, trust_subjects};

/// Decides about the project in `cwd`: what was said for this run (`approval`), else the decision stored for it or for
/// the nearest directory above it, else the user's setting `defaultProjectTrust`, of which only `always` is a yes.
///
/// # Errors
/// When the stored decisions cannot be read: [`host::Error::FileRead`](crate::host::Error::FileRead), [`host::Error::InvalidJson`](crate::host::Error::InvalidJson). The project must not be trusted
/// then, for a no may be among them.
pub fn is_project_trusted(
    approval: Option<bool>,
    paths: &Paths,
    settings: &SettingsManager,
    cwd: &Path,
) -> Result<bool, Error> {
    if let Some(approved) = approval {
        return Ok(approved);
    }
    let stored = stored_decision(&paths.trust_file(), cwd)?;
    Ok(stored.unwrap_or_else(|| settings.default_project_trust() == ProjectTrust::Always))
}

/// What needs trust in a project that nobody has decided about. Empty where there is nothing, where a decision is stored,
/// and where the decisions cannot be read: a no may be among them.
pub fn undecided_subjects(paths: &Paths, cwd: &Path) -> Vec<PathBuf> {
    match stored_decision(&paths.trust_file(), cwd) {
        Ok(None) => trust_subjects(cwd, paths.env().home().as_deref()),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::{Map, json};

    use super::*;
    use crate::host::env::Env;

    struct Place {
        root: tempfile::TempDir,
        paths: Paths,
    }

    impl Place {
        /// A configuration directory with these decisions, in which `@` is the root of everything, and a project `a/b`.
        fn new(decisions: &str) -> Self {
            let root = tempfile::tempdir().unwrap();
            fs::create_dir_all(root.path().join("a/b")).unwrap();
            let real = fs::canonicalize(root.path()).unwrap();
            let env = Env::fixed([("HOME", "/nowhere")]);
            let paths = Paths::new(env, root.path()).with_agent_dir(root.path());
            fs::write(paths.trust_file(), decisions.replace('@', real.to_str().unwrap())).unwrap();
            Self { root, paths }
        }

        fn decide(&self, approval: Option<bool>, default: &str, dir: &str) -> Result<bool, Error> {
            let settings = Map::from_iter([("defaultProjectTrust".to_owned(), json!(default))]);
            let settings = SettingsManager::in_memory(settings, self.paths.env().clone());
            is_project_trusted(approval, &self.paths, &settings, &self.root.path().join(dir))
        }
    }

    #[test]
    fn the_first_that_decides_counts() {
        for (decisions, approval, default, expected) in [
            ("{}", None, "ask", false),
            ("{}", None, "never", false),
            ("{}", None, "always", true),
            ("{}", Some(true), "never", true),
            ("{}", Some(false), "always", false),
            (r#"{"@/a/b": true}"#, None, "ask", true),
            (r#"{"@/a/b": true}"#, Some(false), "always", false),
            (r#"{"@/a/b": false}"#, None, "always", false),
            (r#"{"@/a": true}"#, None, "never", true),
            (r#"{"@/a": true, "@/a/b": false}"#, None, "always", false),
            (r#"{"@/a": true, "@/a/b": null}"#, None, "never", true),
            (r#"{"@/a/b/c": true, "@/a/bb": true}"#, None, "ask", false),
        ] {
            let trusted = Place::new(decisions).decide(approval, default, "a/b").unwrap();
            assert_eq!(trusted, expected, "{decisions} {approval:?} {default}");
        }
    }

    #[test]
    fn links_lead_to_the_real_directory() {
        let place = Place::new(r#"{"@/a/b": true, "@/link": false}"#);
        std::os::unix::fs::symlink(place.root.path().join("a/b"), place.root.path().join("link")).unwrap();
        assert!(place.decide(None, "never", "link").unwrap());
        assert!(!place.decide(None, "never", "no-such-directory").unwrap());
    }

    #[test]
    fn decisions_that_cannot_be_read_are_an_error() {
        for (decisions, complaint) in [
            ("{oops", "key must be a string"),
            ("[]", "expected a JSON object"),
            (r#"{"/elsewhere": "yes"}"#, "the value of \"/elsewhere\" must be true, false or null"),
        ] {
            let place = Place::new(decisions);
            let error = place.decide(None, "always", "a/b").unwrap_err().to_string();
            assert!(error.contains("trust.json is not valid: ") && error.contains(complaint), "{error}");
            assert!(place.decide(Some(true), "ask", "a/b").unwrap(), "what was said for this run needs no file");
        }
    }
}
