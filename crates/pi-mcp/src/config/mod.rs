//! Configuration of servers: the files, their entries, and the values in them. Nothing is started here.
//!
//! | File | What is in it |
//! |---|---|
//! | `files` | which files there are, and reading them |
//! | `entry` | one entry, checked |
//! | `callback` | where a browser is sent back to |
//! | `value` | `${NAME}`, `!command` and `~/` |

pub(crate) mod callback;
pub(crate) mod entry;
pub(crate) mod files;
pub(crate) mod value;

pub(crate) use callback::CallbackAddress;
pub(crate) use entry::{Exposure, OAuthConfig, Registration, ServerEntry, TransportConfig};
pub use files::has_servers;
pub(crate) use files::{Configuration, SERVERS, files, read, servers_of};
