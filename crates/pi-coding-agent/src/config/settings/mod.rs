//! Settings: global and project files, defaults, writing back without losing what others wrote.
//!
//! # Layout
//! `manager`, `state`: loading, merging, saving; `scope`: whose settings; `object`: nested values; `outer`: the project's directories further up. `sections`:
//! the keys by topic; `calls`: those for summaries and retries of model calls; `keys`: how all of them read and write single
//! values. `proxy`: variables that name proxies. `values`, `limits`: types of values. `migrate`: older spellings. `check`:
//! warnings about values of the wrong kind, a table.

mod calls;
mod check;
mod keys;
mod limits;
mod manager;
mod migrate;
mod object;
mod outer;
mod proxy;
mod scope;
mod sections;
mod state;
mod values;

pub use check::known_keys;
pub use limits::{Limit, Limits};
pub use manager::SettingsManager;
pub use outer::OuterProject;
pub use proxy::proxy_variable;
pub use scope::{SettingsProblem, SettingsScope};
pub use sections::{
    ExtensionSettings, InterfaceSettings, ModelSettings, NetworkSettings, ResourceSettings, SessionSettings,
    TelemetrySettings, ToolSettings,
};
pub(crate) use values::DEFAULT_HANDLER_TIMEOUT;
pub use values::{
    BranchSummarySettings, CompactionSettings, DoubleEscapeAction, ExtensionLimits, ExtensionPermissions,
    ImageSettings, PackageFilter, PackageSetting, ProjectTrust, ProviderRetrySettings, ResourceKind, RetrySettings,
    TerminalSettings, TreeFilterMode,
};
