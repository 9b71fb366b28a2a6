//! The built-in tools and what they share.
//!
//! `registry` knows them by name, `selection` says which of them a session has. `read` (with `image`), `bash`, `edit` (with `diff`) and `write` are the tools that work
//! on files, `grep`, `find` and `ls` (with `listing`, `collation`) those that search them. Shared: `options`, `path`,
//! `policy`, `truncate`, `mutation_queue`, the seams `operations`, `local_files` (with `real_path`, `regular_file` and
//! `store`), `search` and `remote`, what commands are given and leave (`session_env`, `command_log`), and the small helpers
//! `arguments`, `background`, `decoder`, `errno`, `image_kind`, `impl_tool`, `schema`.

mod arguments;
mod background;
mod bash;
mod collation;
mod command_log;
mod decoder;
mod diff;
mod edit;
mod errno;
mod find;
mod grep;
mod image;
mod image_kind;
mod impl_tool;
mod listing;
mod local_files;
mod ls;
mod mutation_queue;
mod operations;
mod options;
mod path;
mod policy;
mod read;
mod real_path;
mod registry;
mod regular_file;
#[cfg(any(feature = "container", feature = "ssh"))]
mod remote;
mod schema;
mod search;
mod selection;
mod session_env;
mod store;
mod truncate;
mod write;

pub use crate::host::processes::kill_all;
#[cfg(feature = "acp")]
pub(crate) use bash::EXITED;
pub(crate) use bash::{BashRun, BashRunner};
pub use bash::{BashTool, LocalBash, OutputSnapshot, PieceListener, choose_shell, command_env};
pub(crate) use command_log::COMMAND_LOG_MAX_BYTES;
pub use command_log::{RandomSpillNames, SpillNames};
pub use diff::display_diff_within;
pub use diff::{DisplayDiff, PatchHunk, display_diff, patch_hunks, unified_patch};
pub use edit::EditTool;
pub use find::FindTool;
pub use grep::GrepTool;
pub use image::{FittedImage, ImageError, ImageLimits, Resized, as_png, fit_image, fit_within, image_dimensions};
pub use image_kind::{ImageKind, SNIFF_BYTES};
pub use local_files::LocalFiles;
pub use ls::LsTool;
pub use mutation_queue::with_file_mutation_queue;
pub use operations::{
    BashError, BashExit, BashOperations, BashRequest, BashSpawn, ByteStream, DirectoryEntry, EditOperations, EntryKind,
    FindOperations, FindReport, FindRequest, FoundPath, GrepMatch, GrepOperations, GrepReport, GrepRequest,
    LsOperations, Machine, OperationError, OperationResult, PathOperations, ReadOperations, SpawnHook, WriteOperations,
};
pub use options::ToolOptions;
pub use path::is_typographic_space;
pub use path::{PathBase, read_fallbacks, resolve_read_path};
pub use policy::ToolPolicy;
pub use read::ReadTool;
use registry::builtin_tools;
pub use registry::{ToolInfo, UnknownToolError, create_tool, create_tools};
#[cfg(feature = "container")]
pub use remote::{ContainerOptions, ContainerShell};
#[cfg(any(feature = "container", feature = "ssh"))]
pub use remote::{RemoteMachine, RemoteShell, ShellCommand};
#[cfg(feature = "ssh")]
pub use remote::{SshOptions, SshShell};
pub use search::{WalkedPath, walk_files};
pub use selection::{ToolChange, ToolSelection, WrapTool};
pub(crate) use selection::{is_meant, is_pattern};
pub use session_env::SessionEnv;
pub use truncate::{
    TruncatedBy, TruncationLimits, TruncationResult, format_size, truncate_head, truncate_line, truncate_tail,
};
pub use write::WriteTool;

builtin_tools! {
    /// Reads text files and images.
    Read: ReadTool, ToolInfo {
        name: "read",
        snippet: "Look at the content of files",
        guidelines: &["To look at a file, use read rather than cat or sed."],
    };
    /// Runs shell commands.
    Bash: BashTool, ToolInfo { name: "bash", snippet: "Run shell commands, such as ls, grep and find", guidelines: &[] };
    /// Replaces text in a file.
    Edit: EditTool, ToolInfo {
        name: "edit",
        snippet: "Change exact pieces of a file, also several separate ones in one call",
        guidelines: &[
            "In edit, every oldText has to match the file exactly.",
            "To change several places of one file, make one edit call with several entries in edits.",
            "All entries of an edit call are matched against the original file. Entries that overlap or touch the same \
             lines belong into one entry.",
            "Keep each oldText as short as it can be while still occurring only once in the file.",
        ],
    };
    /// Creates and overwrites files.
    Write: WriteTool, ToolInfo {
        name: "write",
        snippet: "Create files or replace them whole",
        guidelines: &["Use write for new files and complete rewrites only."],
    };
    /// Searches the content of files.
    Grep: GrepTool, ToolInfo {
        name: "grep",
        snippet: "Search the content of files, leaving out what .gitignore names",
        guidelines: &[],
    };
    /// Finds files by name.
    Find: FindTool, ToolInfo {
        name: "find",
        snippet: "Find files by glob, leaving out what .gitignore names",
        guidelines: &[],
    };
    /// Lists directories.
    Ls: LsTool, ToolInfo { name: "ls", snippet: "List the entries of a directory", guidelines: &[] };
}

/// The examples of the page about tools, so that they are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/rust-tools.md")]
struct ToolsPage;
