//! The one door to the system: environment, directories, ids, JSON files, locks, secrets, the files of strangers and programs
//! that are started. Nothing here knows what a session, a setting or a tool is.

pub(crate) mod dir_lock;
pub mod env;
mod error;
pub(crate) mod files;
pub mod ids;
pub mod iso_time;
pub(crate) mod json_comments;
pub mod json_depth;
pub mod json_file;
pub mod paths;
pub mod plural;
pub mod processes;
pub mod project_dirs;
pub(crate) mod secret;
pub mod temp_file_registry;

pub use error::Error;
pub(crate) use error::convert_through;
pub use files::*;
