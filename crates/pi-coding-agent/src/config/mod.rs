//! What the user configured: settings, models, credentials, and whether a project's own configuration counts. Nothing here
//! runs a model or knows a session under way.

pub mod auth_storage;
pub mod config_value;
mod error;
pub mod models;
pub mod settings;
pub mod storage;
pub mod trust;
pub(crate) mod trust_file;

pub use error::Error;
