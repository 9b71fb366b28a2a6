//! Sessions for elsewhere: a page for people, a file of one branch for other programs, and the way back.
//!
//! An export reads and never opens a session for writing: no lock is taken, nothing is repaired or migrated on disk.
//! Everything here blocks; asynchronous callers take a [`SessionSnapshot`] and export it on another thread.
//!
//! # Layout
//! `source` is what can be exported, `html` makes the page, `jsonl` the file of a branch, `import` takes one in.
//! `file` puts results on disk, `names` says where they go by default.

mod error;
mod file;
mod html;
mod import;
mod jsonl;
mod names;
mod source;

pub use error::Error;
pub use file::export_file;
pub(crate) use file::{export_html_to, export_jsonl_to};
pub use html::{HtmlOptions, write_html};
pub use import::{ImportTarget, import_jsonl};
pub use jsonl::write_jsonl;
pub use names::{default_html_name, default_jsonl_name};
pub use source::{SessionSnapshot, SessionSource};
