//! All operations of one place in one type.

use super::bash::BashOperations;
use super::files::{EditOperations, LsOperations, ReadOperations, WriteOperations};
use super::search::{FindOperations, GrepOperations};

/// Somewhere all tools can work: this machine, another one, a container.
pub trait Machine:
    ReadOperations + WriteOperations + EditOperations + LsOperations + GrepOperations + FindOperations + BashOperations
{
}

impl<T> Machine for T where
    T: ReadOperations
        + WriteOperations
        + EditOperations
        + LsOperations
        + GrepOperations
        + FindOperations
        + BashOperations
{
}
