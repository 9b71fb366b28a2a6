//! What happens in a script outside of any call of the program.

use crate::error::ScriptError;

/// Something that the program should know, or keep in its log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// What kind of thing.
    pub kind: ReportKind,
    /// What it is.
    pub error: ScriptError,
}

/// The kinds of reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportKind {
    /// A promise was rejected and nobody took care of it.
    UnhandledRejection,
    /// A timer's function or another one that nobody waits for threw.
    Uncaught,
    /// The engine was stopped.
    Stopped,
    /// `console.*`; the name of the error is the level: `log`, `info`, `warn`, `error`, `debug`.
    Console,
}
