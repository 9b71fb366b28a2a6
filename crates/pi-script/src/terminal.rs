//! The terminal of the program, for children that a script waits for.

use futures::future::BoxFuture;

/// Lends the program's terminal.
pub trait TerminalLender: Send + Sync {
    /// Gives the terminal up until what this returns is dropped: the program neither reads nor writes there meanwhile.
    /// Nothing where there is no terminal to be given.
    fn lend(&self) -> BoxFuture<'static, Option<Box<dyn Send>>>;
}
