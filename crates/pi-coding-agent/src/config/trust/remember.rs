//! Writes the user's decisions down, and says which ones there are to choose from. Nobody is asked here.

use std::fs;
use std::path::{Path, PathBuf};

use pi_ai::Clock;
use serde_json::{Map, Value};

use crate::config::Error;
use crate::config::trust_file::read_decisions;
use crate::host::dir_lock::DirLock;
use crate::host::json_file::write_text;
use crate::host::paths::Paths;
use crate::host::{self, without_links};

/// What a user can answer to the question whether a project is trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TrustChoice {
    /// Trust it from now on.
    Trust,
    /// Trust everything in the directory above from now on.
    TrustParent(PathBuf),
    /// Trust it until the program ends.
    TrustThisSession,
    /// Do not trust it, and do not ask again.
    Refuse,
    /// Do not trust it until the program ends.
    RefuseThisSession,
}

impl TrustChoice {
    /// The answers for the project in `cwd`, in the order in which they are offered.
    pub fn all(cwd: &Path) -> Vec<Self> {
        let parent = without_links(cwd).parent().map(|parent| Self::TrustParent(parent.to_owned()));
        let rest = [Self::TrustThisSession, Self::Refuse, Self::RefuseThisSession];
        std::iter::once(Self::Trust).chain(parent).chain(rest).collect()
    }

    /// What the user reads.
    pub fn label(&self) -> String {
        match self {
            Self::Trust => "Trust".to_owned(),
            Self::TrustParent(parent) => format!("Trust parent folder ({})", parent.display()),
            Self::TrustThisSession => "Trust (this session only)".to_owned(),
            Self::Refuse => "Do not trust".to_owned(),
            Self::RefuseThisSession => "Do not trust (this session only)".to_owned(),
        }
    }

    /// Whether the project counts after this answer.
    pub fn trusts(&self) -> bool {
        matches!(self, Self::Trust | Self::TrustParent(_) | Self::TrustThisSession)
    }

    /// Writes the answer down, unless it is for this session only.
    ///
    /// # Errors
    /// Those of [`remember_trust`].
    pub fn remember(&self, paths: &Paths, cwd: &Path, clock: &dyn Clock) -> Result<(), Error> {
        match self {
            Self::Trust => remember_trust(paths, cwd, Some(true), clock),
            Self::TrustParent(parent) => remember_trust(paths, parent, Some(true), clock),
            Self::Refuse => remember_trust(paths, cwd, Some(false), clock),
            Self::TrustThisSession | Self::RefuseThisSession => Ok(()),
        }
    }
}

/// Stores whether the project in `dir` is trusted; `None` forgets what was stored for it, so that the next directory
/// above decides again. Decisions about other directories stay, also those that others write meanwhile. Blocks briefly.
///
/// # Errors
/// [`host::Error::FileRead`](crate::host::Error::FileRead) and [`host::Error::InvalidJson`](crate::host::Error::InvalidJson) when the stored decisions cannot be read: they are not overwritten.
/// [`host::Error::FileLocked`](crate::host::Error::FileLocked), [`host::Error::FileWrite`](crate::host::Error::FileWrite).
pub fn remember_trust(paths: &Paths, dir: &Path, trusted: Option<bool>, clock: &dyn Clock) -> Result<(), Error> {
    remember_all(paths, &[(dir, trusted)], clock)
}

/// The same for several directories at once.
///
/// # Errors
/// Those of [`remember_trust`].
pub fn remember_all(paths: &Paths, all: &[(&Path, Option<bool>)], clock: &dyn Clock) -> Result<(), Error> {
    let file = paths.trust_file();
    let parent = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(|source| host::Error::FileWrite { path: parent.to_owned(), source })?;
    let _lock = DirLock::acquire(&file, clock)?;
    let mut decisions = read_decisions(&file)?;
    for (dir, trusted) in all {
        let key = without_links(dir).to_string_lossy().into_owned();
        match trusted {
            Some(trusted) => decisions.insert(key, Value::Bool(*trusted)),
            None => decisions.shift_remove(&key),
        };
    }
    decisions.sort_keys();
    write_text(&file, &as_text(&decisions)?, None).map_err(Into::into)
}

/// As other programs that share the file write it.
fn as_text(decisions: &Map<String, Value>) -> Result<String, Error> {
    let text = serde_json::to_string_pretty(decisions);
    text.map(|text| text + "\n")
        .map_err(|source| host::Error::Serialize { what: "decisions about trust", source }.into())
}

#[cfg(test)]
mod tests {
    use pi_ai::SystemClock;

    use super::*;
    use crate::config::trust::stored_decision;
    use crate::host::env::Env;

    struct Place {
        _root: tempfile::TempDir,
        real: PathBuf,
        paths: Paths,
    }

    impl Place {
        fn new() -> Self {
            let root = tempfile::tempdir().unwrap();
            let real = fs::canonicalize(root.path()).unwrap();
            fs::create_dir_all(real.join("code/project")).unwrap();
            let paths = Paths::new(Env::fixed([("HOME", "/nowhere")]), &real).with_agent_dir(real.join("new/agent"));
            Self { _root: root, real, paths }
        }

        fn project(&self) -> PathBuf {
            self.real.join("code/project")
        }

        fn text(&self) -> String {
            fs::read_to_string(self.paths.trust_file()).unwrap().replace(self.real.to_str().unwrap(), "@")
        }
    }

    #[test]
    fn decisions_are_kept_sorted_beside_those_of_others() {
        let place = Place::new();
        let remember = |dir: &Path, trusted| remember_trust(&place.paths, dir, trusted, &SystemClock).unwrap();
        remember(&place.project(), Some(true));
        assert_eq!(place.text(), "{\n  \"@/code/project\": true\n}\n");
        fs::write(place.paths.trust_file(), r#"{"/z": null, "/b": false}"#).unwrap();
        remember(&place.project().join("../project"), Some(false));
        remember(Path::new("/no/such"), Some(true));
        insta::assert_snapshot!(place.text(), @r#"
        {
          "/b": false,
          "/no/such": true,
          "@/code/project": false,
          "/z": null
        }
        "#);
        remember(&place.project(), None);
        assert_eq!(stored_decision(&place.paths.trust_file(), &place.project()).unwrap(), None);
        assert!(!place.paths.trust_file().with_file_name("trust.json.lock").exists());
    }

    #[test]
    fn what_cannot_be_read_is_not_overwritten() {
        let place = Place::new();
        fs::create_dir_all(place.paths.agent_dir()).unwrap();
        for text in ["{oops", "[]", r#"{"/a": "yes"}"#] {
            fs::write(place.paths.trust_file(), text).unwrap();
            let error = remember_trust(&place.paths, &place.project(), Some(true), &SystemClock).unwrap_err();
            assert!(error.to_string().contains("trust.json is not valid"), "{error}");
            assert_eq!(place.text(), text);
        }
    }

    #[test]
    fn the_answers() {
        let place = Place::new();
        let mut lines = Vec::new();
        for choice in TrustChoice::all(&place.project()) {
            let _ = fs::remove_file(place.paths.trust_file());
            choice.remember(&place.paths, &place.project(), &SystemClock).unwrap();
            let stored = stored_decision(&place.paths.trust_file(), &place.project()).unwrap();
            let above = stored_decision(&place.paths.trust_file(), &place.real.join("code")).unwrap();
            let label = choice.label().replace(place.real.to_str().unwrap(), "@");
            lines.push(format!("{label}: {} {stored:?} {above:?}", choice.trusts()));
        }
        insta::assert_snapshot!(lines.join("\n"), @r"
        Trust: true Some(true) None
        Trust parent folder (@/code): true Some(true) Some(true)
        Trust (this session only): true None None
        Do not trust: false Some(false) None
        Do not trust (this session only): false None None
        ");
    }
}
