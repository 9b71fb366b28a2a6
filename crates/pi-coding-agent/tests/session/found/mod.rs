//! Finding sessions: lists, what `--session` means, search.

mod find;
mod generated;
mod list;
mod naive;
mod same;
mod search;
mod support;
