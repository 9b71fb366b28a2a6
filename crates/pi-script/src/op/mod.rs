//! What passes between scripts and operations of the program: arguments, values, errors, permissions. The operations
//! themselves are in `engine`, for they may call the script.

mod args;
mod callback;
mod data;
mod error;
mod json_text;
mod permissions;

pub use args::Args;
pub use callback::Callback;
pub use data::{Data, Later};
pub use error::{OpError, OpResult};
pub use json_text::{TooDeep, parse_json};
pub use permissions::{Permission, Permissions};
