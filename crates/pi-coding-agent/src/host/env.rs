//! The process environment behind a handle, so that logic never reads it by itself and tests need no `set_var`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Where environment variables come from. Cloning is cheap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Env(Source);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Source {
    Process,
    Fixed(Arc<BTreeMap<String, String>>),
}

impl Env {
    /// The environment of this process.
    pub fn process() -> Self {
        Self(Source::Process)
    }

    /// A fixed set of variables.
    pub fn fixed<K: Into<String>, V: Into<String>>(variables: impl IntoIterator<Item = (K, V)>) -> Self {
        let variables = variables.into_iter().map(|(name, value)| (name.into(), value.into()));
        Self(Source::Fixed(Arc::new(variables.collect())))
    }

    /// The value of a variable. An empty value counts as unset, and so does one that is not Unicode.
    pub fn var(&self, name: &str) -> Option<String> {
        let value = match &self.0 {
            #[expect(clippy::disallowed_methods, reason = "the door itself")]
            Source::Process => std::env::var(name).ok(),
            Source::Fixed(variables) => variables.get(name).cloned(),
        };
        value.filter(|value| !value.is_empty())
    }

    /// Whether `PI_OFFLINE` forbids the network, besides that to models.
    pub fn is_offline(&self) -> bool {
        self.var("PI_OFFLINE").is_some_and(|value| matches!(value.to_lowercase().as_str(), "1" | "true" | "yes"))
    }

    /// The user's home directory: `HOME`, for the process environment also what the system's user database says.
    pub fn home(&self) -> Option<PathBuf> {
        let named = self.var("HOME").map(PathBuf::from);
        match self.0 {
            Source::Process => named.or_else(std::env::home_dir),
            Source::Fixed(_) => named,
        }
    }
}
