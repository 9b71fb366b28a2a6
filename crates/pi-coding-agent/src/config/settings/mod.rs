//! Settings: global and project files, defaults, writing back without losing what others wrote.
//!
//! # Layout
//! `table`: every setting, declared once. A new one is an entry there; its getter, the check of its value, its row in
//! `docs/settings.md` and its place in `docs/settings.schema.json` come from it (`UPDATE_SETTINGS=1 cargo test -p
//! pi-coding-agent --lib settings` writes the two files). `spec`, `kind`, `setting`, `constructors`: what a declaration says;
//! `readers`: values of JSON as settings mean them; `check`: warnings about values of the wrong kind.
//!
//! `sections`: views of the settings by topic, with what is put together from several; `calls`: the same for summaries and
//! retries of model calls; `keys`: how all of them read and write. `values`, `limits`: types of values. `manager`, `state`:
//! loading, merging, saving; `scope`: whose settings; `object`: nested values; `ancestors`: the project's directories further
//! up; `migrate`: older spellings; `proxy`: variables that name proxies.

mod ancestors;
mod calls;
mod check;
mod constructors;
mod keys;
mod kind;
mod limits;
mod manager;
mod migrate;
mod object;
mod proxy;
mod readers;
mod scope;
mod sections;
mod setting;
mod spec;
mod state;
mod table;
#[cfg(test)]
mod tests;
mod values;

pub use ancestors::OuterProject;
pub use check::known_keys;
pub use limits::{Limit, Limits};
pub use manager::SettingsManager;
pub use proxy::proxy_variable;
pub use scope::{SettingsProblem, SettingsScope};
pub use sections::{
    ExtensionSettings, InterfaceSettings, ModelSettings, NetworkSettings, ResourceSettings, SessionSettings,
    TelemetrySettings, ToolSettings,
};
pub(crate) use values::DEFAULT_HANDLER_TIMEOUT;
pub use values::{
    BranchSummarySettings, CompactionSettings, DoubleEscapeAction, EditorMode, ExtensionLimits, ExtensionPermissions,
    ImageSettings, PackageFilter, PackageSetting, ProjectTrust, ProviderRetrySettings, ResourceKind, RetrySettings,
    TerminalNotify, TerminalSettings, TreeFilterMode,
};
