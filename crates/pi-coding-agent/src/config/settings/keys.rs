//! How the views of the settings read and write single ones.

use serde::Serialize;
use serde_json::Value;

use super::ancestors::OuterProject;
use super::manager::SettingsManager;
use super::scope::SettingsScope;
use super::setting::Setting;
use crate::config::Error;
use crate::host;
use crate::host::env::Env;

/// Access to single settings.
#[derive(Debug, Clone, Copy)]
pub(super) struct Keys<'a>(pub(super) &'a SettingsManager);

impl<'a> Keys<'a> {
    pub(super) fn env(self) -> &'a Env {
        self.0.env()
    }

    /// The project's directories above the working directory that count, the nearest first.
    pub(super) fn outer_projects(self) -> Vec<OuterProject> {
        self.0.outer_projects()
    }

    /// A value as it is in force: the user's own where nothing else counts.
    pub(super) fn get<T>(self, setting: &Setting<T>) -> T {
        let scope = setting.spec.is_users_own.then_some(SettingsScope::Global);
        self.0.with_value(scope, setting.spec.path(), |found| setting.value_of(found))
    }

    /// A value of one scope alone.
    pub(super) fn get_in<T>(self, scope: SettingsScope, setting: &Setting<T>) -> T {
        self.0.with_value(Some(scope), setting.spec.path(), |found| setting.value_of(found))
    }

    /// Writes a value; JSON's `null` removes the key.
    pub(super) fn set<T>(self, scope: SettingsScope, setting: &Setting<T>, value: impl Serialize) -> Result<(), Error> {
        let value =
            serde_json::to_value(value).map_err(|source| host::Error::Serialize { what: "a setting", source })?;
        let path: Vec<&str> = setting.spec.path().collect();
        self.0.set(scope, &path, Some(value).filter(|value| *value != Value::Null))
    }

    /// Writes texts to settings of the user's at once.
    pub(super) fn set_texts(self, changes: [(&Setting<Option<String>>, &str); 2]) -> Result<(), Error> {
        let changes = changes.map(|(setting, text)| (setting.spec.path().collect::<Vec<_>>(), text));
        let changes = changes.iter().map(|(path, text)| (path.as_slice(), Some(Value::from(*text))));
        self.0.set_all(SettingsScope::Global, changes)
    }
}
