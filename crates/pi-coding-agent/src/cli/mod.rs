//! The command line: arguments, start-up, input assembly, exit codes.

mod args;
mod scan;

pub use args::Args;
pub use scan::{CommandLine, scan};
