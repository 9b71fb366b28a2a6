//! What passes between scripts and operations of the program: arguments, values, errors, permissions. The operations
//! themselves are in `engine`, for they may call the script.

mod args;
mod callback;
mod data;
mod error;
mod permissions;

pub use args::Args;
pub use callback::Callback;
pub use data::{Data, Later};
pub use error::{OpError, OpResult};
pub use permissions::{Permission, Permissions};
