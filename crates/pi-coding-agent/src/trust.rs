//! Whether a project's own settings and resources count. They are somebody else's words, so without a decision of the
//! user they do not.
//!
//! Decisions are read here, and written in `remember`; `subjects` finds what a decision is about. Who asks the user is
//! elsewhere.

mod remember;
mod subjects;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::error::Error;
use crate::host::FileKind;
use crate::json_file::read_object;
use crate::paths::Paths;
use crate::settings::{ProjectTrust, SettingsManager};

#[cfg(feature = "typescript")]
pub(crate) use remember::remember_all;
pub use remember::{TrustChoice, remember_trust};
pub use subjects::trust_subjects;

/// Decides about the project in `cwd`: what was said for this run (`approval`), else the decision stored for it or for
/// the nearest directory above it, else the user's setting `defaultProjectTrust`, of which only `always` is a yes.
///
/// # Errors
/// When the stored decisions cannot be read: [`Error::FileRead`], [`Error::InvalidJson`]. The project must not be trusted
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

/// The decision that is stored for the nearest directory that has one, from `cwd` upwards. Directories are stored by
/// their real paths; `null` is no decision.
///
/// # Errors
/// Those of [`is_project_trusted`].
pub fn stored_decision(file: &Path, cwd: &Path) -> Result<Option<bool>, Error> {
    Ok(stored_entry(file, cwd)?.map(|(_, decision)| decision))
}

/// The same with the directory for which it is stored.
///
/// # Errors
/// Those of [`is_project_trusted`].
pub(crate) fn stored_entry(file: &Path, cwd: &Path) -> Result<Option<(PathBuf, bool)>, Error> {
    let decisions = read_decisions(file)?;
    let cwd = real(cwd);
    let decision = |dir: &Path| decisions.get(dir.to_str()?).and_then(Value::as_bool);
    Ok(cwd.ancestors().find_map(|dir| Some((dir.to_owned(), decision(dir)?))))
}

/// Everything that is stored; a file that is not there holds nothing.
fn read_decisions(file: &Path) -> Result<Map<String, Value>, Error> {
    let decisions = read_object(file, FileKind::Trust)?.unwrap_or_default();
    let invalid = |dir: &String| Error::InvalidJson {
        path: file.to_owned(),
        detail: format!("the value of \"{dir}\" must be true, false or null"),
    };
    if let Some((dir, _)) = decisions.iter().find(|(_, value)| !value.is_boolean() && !value.is_null()) {
        return Err(invalid(dir));
    }
    Ok(decisions)
}

/// The name under which a directory is stored. One that cannot be resolved has no other name.
fn real(dir: &Path) -> PathBuf {
    fs::canonicalize(dir).unwrap_or_else(|_| dir.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::env::Env;

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
