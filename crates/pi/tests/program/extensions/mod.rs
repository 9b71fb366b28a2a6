//! Extensions as clients and users meet them: over RPC, in print and JSON mode, on the command line; real programs for
//! the examples, a served session in this process for everything else.

mod checkpoint;
mod commands;
mod compaction;
mod delegation;
mod dialogs;
mod failures;
mod gate;
mod lifecycle;
mod options;
mod planning;
mod programs;
mod protected;
mod provider;
mod served;
#[allow(dead_code, unused_imports, reason = "other tests use more of it")]
mod todo;
