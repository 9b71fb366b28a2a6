//! Session files: entries, the append-only log, recovery, the branch that makes up the context.
//!
//! A session file is a list of JSON lines that only grows. The raw line of an entry is kept as it is; what this
//! version understands of it is parsed on demand. Everything here does blocking file I/O of small size.
//!
//! # Layout
//! `header`, `entry`, `record`: what a line is. `salvage`, `scan`, `read`, `migrate`: from bytes to entries.
//! `lock`, `log`, `repair`: from entries to bytes. `manager`, `open`, `append`: an open session. `context`: what the
//! model sees of it. `tree`: all of it, branches included. `doctor`: what is wrong with a file, and a repaired copy.
//! `recent`, `find`, `list`: which sessions there are.
//! `search`: what was said in them.

mod append;
mod context;
pub mod doctor;
mod entry;
mod find;
mod header;
mod index;
mod list;
mod lock;
mod log;
mod manager;
mod migrate;
mod open;
mod raw_object;
mod read;
mod recent;
mod record;
mod repair;
mod salvage;
mod scan;
mod search;
mod tree;

pub use append::{BranchSummary, Compaction, CustomMessageContent};
pub use context::{ModelReference, SessionContext};
pub use entry::{
    BranchSummaryEntry, CompactionEntry, CustomEntry, CustomMessageEntry, LabelEntry, MessageEntry, ModelChangeEntry,
    SessionEntry, SessionInfoEntry, ThinkingLevelEntry,
};
pub use find::SessionMatch;
pub use header::{CURRENT_VERSION, SessionHeader, check_session_id};
pub use list::SessionInfo;
pub use log::{LogFile, SessionLog, SyncJob};
pub use manager::{LoadReport, NewSession, SessionHost, SessionManager};
pub use read::{LoadedSession, load_session};
pub use record::StoredEntry;
pub(crate) use record::without_lone_surrogates;
pub use scan::LineProblem;
pub use search::{FoundSession, SearchHit, SearchOptions, SearchQuery, SearchResults, SearchRole, SearchScope};
pub use tree::{SessionTree, TreeLabel};
