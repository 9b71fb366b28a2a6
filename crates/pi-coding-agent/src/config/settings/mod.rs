//! Settings: global and project files, defaults, writing back without losing what others wrote.
//!
//! # Layout
//! `manager`: loading, merging, saving; `object`: nested values; `outer`: the project's directories further up. `getters`,
//! `setters`: one method per key, `calls`: those for summaries and repetitions of model calls. `values`, `limits`: their types.
//! `migrate`: older spellings. `check`: warnings about values of the wrong kind, a table.

mod calls;
mod check;
mod getters;
mod limits;
mod manager;
mod migrate;
mod object;
mod outer;
mod setters;
mod values;

pub use check::known_keys;
pub use getters::proxy_variable;
pub use limits::{Limit, Limits};
pub use manager::{SettingsManager, SettingsProblem, SettingsScope};
pub use outer::OuterProject;
pub use values::{
    BranchSummarySettings, CompactionSettings, DEFAULT_HANDLER_TIMEOUT, DoubleEscapeAction, ExtensionLimits,
    ExtensionPermissions, ImageSettings, PackageFilter, PackageSetting, ProjectTrust, ProviderRetrySettings,
    ResourceKind, RetrySettings, TerminalSettings, TreeFilterMode,
};
