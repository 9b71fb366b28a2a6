//! Values by their keys: how the views of the settings read and write them.

use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::manager::SettingsManager;
use super::outer::OuterProject;
use super::scope::SettingsScope;
use crate::config::Error;
use crate::env::Env;
use crate::host;

/// Access to single values. A key is one name, or several for a nested one.
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

    /// A value as it is in force.
    pub(super) fn get<T>(self, path: &[&str], read: impl FnOnce(&Value) -> Option<T>) -> Option<T> {
        self.0.with_value(None, path, read)
    }

    /// A value of one scope alone.
    pub(super) fn get_in<T>(
        self,
        scope: SettingsScope,
        path: &[&str],
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Option<T> {
        self.0.with_value(Some(scope), path, read)
    }

    pub(super) fn text(self, path: &[&str]) -> Option<String> {
        self.get(path, text)
    }

    pub(super) fn switch(self, path: &[&str], default: bool) -> bool {
        self.get(path, Value::as_bool).unwrap_or(default)
    }

    pub(super) fn number(self, path: &[&str]) -> Option<u64> {
        self.get(path, number)
    }

    pub(super) fn value<T: DeserializeOwned>(self, path: &[&str]) -> Option<T> {
        self.get(path, read)
    }

    pub(super) fn set(self, scope: SettingsScope, path: &[&str], value: Option<Value>) -> Result<(), Error> {
        self.0.set(scope, path, value)
    }

    pub(super) fn set_all<'b>(
        self,
        scope: SettingsScope,
        changes: impl IntoIterator<Item = (&'b [&'b str], Option<Value>)>,
    ) -> Result<(), Error> {
        self.0.set_all(scope, changes)
    }

    pub(super) fn set_global(self, path: &[&str], value: impl Into<Value>) -> Result<(), Error> {
        self.0.set(SettingsScope::Global, path, Some(value.into()))
    }

    pub(super) fn set_serialized(self, path: &[&str], value: &impl Serialize) -> Result<(), Error> {
        let value =
            serde_json::to_value(value).map_err(|source| host::Error::Serialize { what: "a setting", source })?;
        self.0.set(SettingsScope::Global, path, Some(value))
    }
}

/// Milliseconds: a number that is not negative, such a number as text, or `disabled`, which is 0.
pub(super) fn limit_ms(value: &Value) -> Option<u64> {
    match value.as_str().map(str::trim) {
        Some("disabled") => Some(0),
        Some(text) => text.parse().ok().and_then(whole),
        None => number(value),
    }
}

/// 0 switches a limit off.
pub(super) fn in_force(ms: u64) -> Option<Duration> {
    (ms > 0).then(|| Duration::from_millis(ms))
}

pub(super) fn text(value: &Value) -> Option<String> {
    value.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

pub(super) fn number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_f64().and_then(whole))
}

pub(super) fn whole(number: f64) -> Option<u64> {
    (number.is_finite() && number >= 0.0).then_some(number as u64)
}

pub(super) fn small(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

pub(super) fn read<T: DeserializeOwned>(value: &Value) -> Option<T> {
    T::deserialize(value).ok()
}

/// A whole number that is not negative, also when it is written with a point: 2000.0.
pub(super) fn whole_number(value: &Value) -> Option<u64> {
    let fraction = || value.as_f64().filter(|number| *number >= 0.0 && number.fract() == 0.0);
    value.as_u64().or_else(|| fraction().map(|number| number as u64))
}
