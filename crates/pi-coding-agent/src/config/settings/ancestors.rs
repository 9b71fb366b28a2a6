//! Settings of the project's directories above the working directory. They are read and never written: whoever wants to
//! change them goes there.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::check::check;
use super::migrate::migrate;
use super::object::lookup;
use super::setting::Setting;
use super::table::PACKAGES;
use super::values::{PackageSetting, ResourceKind};
use crate::config::trust_file::stored_decision;
use crate::host::FileKind;
use crate::host::json_file::read_object;
use crate::host::project_dirs::outer_dirs;

/// A configuration directory of the project above the working directory.
#[derive(Debug, Clone, Default)]
pub struct OuterProject {
    /// The directory, to which paths in its settings are relative.
    pub dir: PathBuf,
    pub(super) values: Map<String, Value>,
}

impl OuterProject {
    /// Those of a project that is trusted, the nearest first, and what is wrong with their settings. What the user decided
    /// about one of them counts for it; a yes that is stored for the working directory alone says nothing about those above.
    pub(super) fn read_all(cwd: &Path, home: Option<&Path>, trust_file: &Path) -> (Vec<Self>, Vec<String>) {
        let (mut projects, mut problems) = (Vec::new(), Vec::new());
        let dirs = outer_dirs(cwd, home);
        // Without it, the whole project is trusted: for this run, or by the settings.
        let is_stored = !dirs.is_empty() && !matches!(stored_decision(trust_file, cwd), Ok(None));
        let counts = |dir: &PathBuf| match dir.parent().map(|project| stored_decision(trust_file, project)) {
            Some(Ok(decision)) => decision.unwrap_or(!is_stored),
            _ => false,
        };
        for dir in dirs.into_iter().filter(counts) {
            let file = dir.join("settings.json");
            let read = read_object(&file, FileKind::Settings);
            problems.extend(read.as_ref().err().map(ToString::to_string));
            let mut values = read.ok().flatten().unwrap_or_default();
            migrate(&mut values);
            problems.extend(check(&values).into_iter().map(|problem| format!("{problem} ({})", file.display())));
            projects.push(Self { dir, values });
        }
        (projects, problems)
    }

    /// Paths of one kind of resource.
    pub(crate) fn resources(&self, kind: ResourceKind) -> Vec<String> {
        self.get(kind.setting()).unwrap_or_default()
    }

    /// Packages; entries that cannot be read are left out.
    pub(crate) fn packages(&self) -> Vec<PackageSetting> {
        self.get(&PACKAGES)
    }

    /// A setting of this directory alone.
    pub(super) fn get<T>(&self, setting: &Setting<T>) -> T {
        setting.value_of(lookup(&self.values, setting.spec.path()))
    }
}
