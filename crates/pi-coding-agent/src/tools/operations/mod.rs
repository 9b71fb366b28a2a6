//! The seam between a tool and the machine on which it works: one trait per tool, local by default.
//!
//! Implement these to run the tools on another host, in a container or in memory. Nothing here touches a file.

mod bash;
mod error;
mod files;
mod machine;
mod search;

pub use bash::{BashError, BashExit, BashOperations, BashRequest, BashSpawn, SpawnHook};
pub use error::{OperationError, OperationResult};
pub use files::{
    ByteStream, DirectoryEntry, EditOperations, EntryKind, LsOperations, PathOperations, ReadOperations,
    WriteOperations,
};
pub use machine::Machine;
pub use search::{
    FindOperations, FindReport, FindRequest, FoundPath, GrepMatch, GrepOperations, GrepReport, GrepRequest,
};
