//! The keys by topic: a view of the settings for each, with one getter per key and its default, and the setters of keys
//! that the program itself changes.
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
