//! The command line as data: options, what stands between them, and the way to run that they choose. Nothing here does
//! what they say.
//!
//! # Layout
//! `args` declares the options, `scan` reads a line of them, `mode` picks the way to run; `suggest` recognises typing errors,
//! `parsed` is what scripts see of a line.

pub(super) mod args;
pub(super) mod mode;
#[cfg(feature = "typescript")]
pub(super) mod parsed;
pub(super) mod scan;
pub(super) mod suggest;
