//! What scripts can ask of the program: named operations, and the values that pass between the two.

mod args;
mod data;
mod error;
mod table;

pub use args::Args;
pub use data::{Data, Later};
pub use error::{OpError, OpResult};
pub use table::{Op, OpContext, OpTable};
