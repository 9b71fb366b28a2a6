//! Files that hold the whole of a long command output: their names and their limit.

use std::fmt::Debug;

use uuid::Uuid;

/// Default limit of such a file: 1 GiB.
pub(crate) const COMMAND_LOG_MAX_BYTES: u64 = 1 << 30;

/// Source of names that do not repeat.
pub trait SpillNames: Debug + Send + Sync {
    /// Sixteen hexadecimal digits.
    fn next(&self) -> String;
}

/// Random names.
#[derive(Debug, Clone, Copy, Default)]
pub struct RandomSpillNames;

impl SpillNames for RandomSpillNames {
    fn next(&self) -> String {
        #[expect(clippy::disallowed_methods, reason = "names of files, which must be free; sessions may count instead")]
        let (high, low) = Uuid::new_v4().as_u64_pair();
        format!("{:016x}", high ^ low)
    }
}
