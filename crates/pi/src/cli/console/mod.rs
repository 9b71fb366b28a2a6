//! How the program talks: what it prints and complains about, how it asks on a terminal, how it is interrupted. Nothing here
//! knows what a command does.
//!
//! # Layout
//! `diagnostics` collects complaints, `screen` paints lines, `terminal` asks, `interrupt` is how commands end, `usage` reads the
//! arguments of a command and says what is wrong with them.

pub(super) mod diagnostics;
pub(super) mod interrupt;
pub(super) mod screen;
pub(super) mod terminal;
pub(super) mod usage;

use std::io::{self, Write};

/// Prints a text; a reader that went away is not an error.
pub(super) fn print(text: &str) -> u8 {
    match io::stdout().write_all(text.as_bytes()).and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            diagnostics::complain(&format!("Error: cannot write to standard output: {error}"));
            1
        }
        _ => 0,
    }
}
