//! The settings in memory: what was read from where, merged, and what is not written yet.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pi_ai::Clock;
use serde_json::{Map, Value};

use super::ancestors::OuterProject;
use super::check::check;
use super::migrate::migrate;
use super::object::{lookup, merged, put};
use super::scope::{SettingsProblem, SettingsScope};
use crate::config::Error;
use crate::config::storage::{FileStorage, Storage};
use crate::host::json_file::{parse_object, render_object};
use crate::host::paths::TRUST_FILE;

#[derive(Debug, Default)]
pub(super) struct SettingsState {
    pub(super) global: Scope,
    pub(super) project: Scope,
    /// The project's directories above that one, the nearest first.
    pub(super) outer: Vec<OuterProject>,
    /// The user's, which is no project's.
    pub(super) home: Option<PathBuf>,
    pub(super) trusted: bool,
    pub(super) refuses_projects: bool,
    pub(super) overrides: Map<String, Value>,
    /// All of the above, merged.
    pub(super) effective: Map<String, Value>,
    pub(super) problems: Vec<SettingsProblem>,
}

#[derive(Debug, Default)]
pub(super) struct Scope {
    /// `None` keeps the settings in memory only.
    pub(super) storage: Option<Arc<dyn Storage>>,
    pub(super) values: Map<String, Value>,
    /// Keys that were set and are not in the file yet: one name, or two for a nested key.
    pub(super) unsaved: Vec<Vec<String>>,
    /// What is stored could not be read.
    pub(super) broken: bool,
}

impl SettingsState {
    pub(super) fn scope(&self, scope: SettingsScope) -> &Scope {
        match scope {
            SettingsScope::Global => &self.global,
            SettingsScope::Project => &self.project,
        }
    }

    pub(super) fn scope_mut(&mut self, scope: SettingsScope) -> &mut Scope {
        match scope {
            SettingsScope::Global => &mut self.global,
            SettingsScope::Project => &mut self.project,
        }
    }

    pub(super) fn reload(&mut self) {
        self.reload_scope(SettingsScope::Global);
        self.reload_scope(SettingsScope::Project);
        self.merge();
    }

    pub(super) fn reload_scope(&mut self, scope: SettingsScope) {
        let counts = scope == SettingsScope::Global || self.trusted;
        let messages = match self.scope_mut(scope).reload(counts) {
            Ok(()) => check(&self.scope(scope).values),
            Err(error) => vec![error.to_string()],
        };
        self.problems.extend(messages.into_iter().map(|message| SettingsProblem { scope, message }));
        if scope == SettingsScope::Project {
            self.reload_outer();
        }
    }

    pub(super) fn reload_outer(&mut self) {
        let dir = |scope: &Scope| scope.file().and_then(|file| file.path().parent()).map(Path::to_owned);
        let dirs = dir(&self.project).zip(dir(&self.global)).filter(|_| self.trusted);
        let Some((project, agent_dir)) = dirs else { return self.outer.clear() };
        let cwd = project.parent().unwrap_or(&project);
        let (outer, problems) = OuterProject::read_all(cwd, self.home.as_deref(), &agent_dir.join(TRUST_FILE));
        self.outer = outer;
        let scope = SettingsScope::Project;
        self.problems.extend(problems.into_iter().map(|message| SettingsProblem { scope, message }));
    }

    pub(super) fn merge(&mut self) {
        let outer = self.outer.iter().rev().map(|project| &project.values);
        let project = outer.chain([&self.project.values, &self.overrides]);
        self.effective = project.fold(self.global.values.clone(), |below, above| merged(&below, above));
    }
}

pub(super) fn file(path: PathBuf, clock: Arc<dyn Clock>) -> Arc<dyn Storage> {
    Arc::new(FileStorage::settings(path, clock))
}

impl Scope {
    pub(super) fn file(&self) -> Option<&FileStorage> {
        self.storage.as_deref().and_then(Storage::as_file)
    }

    /// Reads what is stored; one that does not count is as good as empty. On failure the settings stay as they were.
    pub(super) fn reload(&mut self, counts: bool) -> Result<(), Error> {
        let Some(storage) = self.storage.as_deref() else { return Ok(()) };
        self.unsaved.clear();
        let read = if counts { read(storage) } else { Ok(None) };
        self.broken = read.is_err();
        self.values = read?.unwrap_or_default();
        migrate(&mut self.values);
        Ok(())
    }

    pub(super) fn change(&mut self, path: &[&str], value: Option<Value>) {
        put(&mut self.values, path, value);
        let path: Vec<String> = path.iter().map(|name| (*name).to_owned()).collect();
        if !self.unsaved.contains(&path) {
            self.unsaved.push(path);
        }
    }

    pub(super) fn save(&mut self) -> Result<(), Error> {
        let Some(storage) = self.storage.as_deref().filter(|_| !self.unsaved.is_empty()) else { return Ok(()) };
        if self.broken {
            return Err(Error::NotOverwritten { path: storage.name().into() });
        }
        storage.update(&mut |text| {
            let parsed = text.map(|text| parse_object(text, Path::new(&storage.name()))).transpose();
            let mut current = parsed?.unwrap_or_default();
            migrate(&mut current);
            for path in &self.unsaved {
                let path: Vec<&str> = path.iter().map(String::as_str).collect();
                put(&mut current, &path, lookup(&self.values, path.iter().copied()).cloned());
            }
            render_object(text, &current).map_err(Into::into)
        })?;
        self.unsaved.clear();
        Ok(())
    }
}

fn read(storage: &dyn Storage) -> Result<Option<Map<String, Value>>, Error> {
    let text = storage.read()?;
    text.map(|text| parse_object(&text, Path::new(&storage.name()))).transpose().map_err(Into::into)
}
