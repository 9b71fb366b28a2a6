//! Summarises old history so that a conversation fits its model's context window.
//!
//! # Layout
//! `tokens` estimates sizes and says when it is time · `entry` is what this module wants to know of a branch ·
//! `cut_point` chooses where the kept part begins · `prepare` collects what is to be summarised · `file_ops`
//! remembers which files were touched · `serialize` turns messages into text, `chunks`
//! divides what is too long · `prompts` holds our words ·
//! `summarize` makes the requests and puts the result together, `summary_footer` what we add to it · `store` puts that
//! into a session · `branch_summary` does the same for branches that are left.
//!
//! No network, no clock: completions are made by a closure of the caller.

mod branch_summary;
mod chunks;
mod cut_point;
mod entry;
mod file_ops;
mod prepare;
mod prompts;
mod serialize;
mod store;
mod summarize;
mod summary_footer;
mod tokens;

pub use branch_summary::{
    BranchPreparation, BranchRequest, BranchSummaryError, left_behind, prepare_branch_summary, summarize_branch,
};
pub use cut_point::{CutPoint, find_cut_point};
pub(crate) use entry::branch_entries_of;
pub use entry::{BranchEntry, EntryContent, branch_entries, is_pin};
pub use file_ops::{CompactionDetails, FileOps};
pub use prepare::{NothingToCompact, Preparation, prepare};
pub use serialize::serialize_conversation;
pub use store::store_compaction;
pub use summarize::{CompactionError, SummaryOptions, SummaryRequest, compact};
pub use tokens::estimate_text_tokens;
pub use tokens::{
    CompactionSettings, ContextEstimate, EstimateError, context_tokens, estimate_context_tokens, estimate_tokens,
    estimate_total_tokens, estimate_used_tokens, should_compact,
};
