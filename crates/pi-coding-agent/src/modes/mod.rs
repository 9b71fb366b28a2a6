//! The ways to run: print, JSON, RPC.

mod output;

pub use output::{Output, OutputThread};
