//! The one door to the system: environment, directories, ids, JSON files, locks, secrets, the files of strangers and programs
//! that are started. Nothing here knows what a session, a setting or a tool is.

pub(crate) mod counted;
pub(crate) mod dir_lock;
pub mod env;
pub(crate) mod files;
pub mod ids;
pub(crate) mod iso_time;
pub(crate) mod json_comments;
pub(crate) mod json_depth;
pub(crate) mod json_file;
pub mod paths;
pub mod processes;
pub(crate) mod project_dirs;
pub(crate) mod secret;
pub(crate) mod unfinished;

pub(crate) use files::*;
