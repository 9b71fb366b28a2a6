//! The `pi` program. Everything happens in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    let argv = std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned());
    ExitCode::from(pi_coding_agent::cli::run(argv))
}
