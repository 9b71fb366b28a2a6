//! Views of the settings by topic. Most of their getters and setters come from the declarations in `table.rs`; here stand
//! those that put several settings together or convert a value.
//!
//! A value of the wrong kind counts as absent (`check.rs` has warned about it).

mod extensions;
mod interface;
mod models;
mod network;
mod resources;
mod sessions;
mod telemetry;
mod tools;

pub use extensions::ExtensionSettings;
pub use interface::InterfaceSettings;
pub use models::ModelSettings;
pub use network::NetworkSettings;
pub use resources::ResourceSettings;
pub use sessions::SessionSettings;
pub use telemetry::TelemetrySettings;
pub use tools::ToolSettings;
