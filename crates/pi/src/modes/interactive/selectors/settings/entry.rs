//! What a setting in the list is: its key, its values, and what happens when it changes.

use pi_coding_agent::config;
use pi_coding_agent::settings::{SettingsManager, SettingsScope};
use pi_tui::widgets::settings_list::SettingItem;
use serde_json::Value;

use super::super::super::app::App;
use super::Shown;

/// A setting.
pub(super) struct Entry {
    /// Its name in the file; nested ones with points.
    pub(super) key: &'static str,
    pub(super) label: &'static str,
    pub(super) description: &'static str,
    pub(super) kind: Kind,
}

/// How a setting is changed.
pub(super) enum Kind {
    /// Through values in turn. What they mean is in force at once, or made so by `apply`.
    Turn { values: Values, in_force: fn(&SettingsManager) -> Value, apply: fn(&mut App) },
    /// In a list of its own.
    Own { in_force: fn(&App) -> String, open: fn(&mut App, Shown) },
}

/// The values of a setting.
pub(super) enum Values {
    /// Yes or no.
    Switch,
    /// Words, as the file has them.
    Words(&'static [&'static str]),
    /// Numbers.
    Numbers(&'static [u64]),
    /// Numbers, and how they are shown.
    Named(&'static [(&'static str, u64)]),
}

impl Values {
    /// All values, as they are shown.
    pub(super) fn labels(&self) -> Vec<String> {
        match self {
            Self::Switch => vec!["true".to_owned(), "false".to_owned()],
            Self::Words(words) => words.iter().map(|word| (*word).to_owned()).collect(),
            Self::Numbers(numbers) => numbers.iter().map(u64::to_string).collect(),
            Self::Named(named) => named.iter().map(|(name, _)| (*name).to_owned()).collect(),
        }
    }

    /// A value, as it is shown; also one that is not among the usual ones.
    pub(super) fn label(&self, value: &Value) -> String {
        let named = match self {
            Self::Named(named) => named.iter().find(|(_, number)| value.as_u64() == Some(*number)),
            _ => None,
        };
        match (named, value) {
            (Some((name, _)), _) => (*name).to_owned(),
            (None, Value::String(text)) => text.clone(),
            (None, other) => other.to_string(),
        }
    }

    /// What a label means in the file.
    pub(super) fn value(&self, label: &str) -> Option<Value> {
        match self {
            Self::Switch => label.parse::<bool>().ok().map(Value::from),
            Self::Words(words) => words.contains(&label).then(|| Value::from(label)),
            Self::Numbers(_) => label.parse::<u64>().ok().map(Value::from),
            Self::Named(named) => named.iter().find(|(name, _)| *name == label).map(|(_, number)| Value::from(*number)),
        }
    }
}

impl Entry {
    /// A row of the list.
    pub(super) fn item(&self, app: &App) -> SettingItem {
        SettingItem {
            id: self.key.to_owned(),
            label: self.label.to_owned(),
            description: self.description.to_owned(),
            value: self.shown(app),
            values: match &self.kind {
                Kind::Turn { values, .. } => values.labels(),
                Kind::Own { .. } => Vec::new(),
            },
        }
    }

    /// The value in force, as it is shown.
    pub(super) fn shown(&self, app: &App) -> String {
        match &self.kind {
            Kind::Turn { values, in_force, .. } => values.label(&in_force(app.settings())),
            Kind::Own { in_force, .. } => in_force(app),
        }
    }

    /// Stores a value for the user, and puts it in force.
    pub(super) fn store(&self, app: &mut App, label: &str) -> Result<(), config::Error> {
        let Kind::Turn { values, apply, .. } = &self.kind else { return Ok(()) };
        let path: Vec<&str> = self.key.split('.').collect();
        let stored = app.settings().set(SettingsScope::Global, &path, values.value(label));
        apply(app);
        stored
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_and_values() {
        const TIMES: Values = Values::Named(&[("30 s", 30_000), ("disabled", 0)]);
        for (values, label, value) in [
            (&Values::Switch, "true", Value::from(true)),
            (&Values::Words(&["all", "one"]), "one", Value::from("one")),
            (&Values::Numbers(&[3, 5]), "5", Value::from(5)),
            (&TIMES, "disabled", Value::from(0)),
        ] {
            assert_eq!(values.value(label), Some(value.clone()), "{label}");
            assert_eq!(values.label(&value), label);
            assert!(values.labels().iter().any(|other| other == label), "{label}");
        }
        // One that somebody wrote into the file.
        assert_eq!(TIMES.label(&Value::from(45_000)), "45000");
        assert_eq!(Values::Words(&["all"]).value("none"), None);
    }
}
