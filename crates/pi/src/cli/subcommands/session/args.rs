//! The commands of `pi session` as typed values.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

/// Looks at, checks, copies and removes session files; nothing here changes one that stays.
///
/// FILE is a path, the id of a session, or the beginning of one.
#[derive(Debug, Parser)]
#[command(name = "pi session", disable_help_subcommand = true, after_help = AFTER_HELP)]
pub(in crate::cli) struct SessionArgs {
    #[command(subcommand)]
    pub(super) command: Command,
    /// Print JSON: one object, or, for lists, one object per line
    #[arg(long, global = true)]
    pub(super) json: bool,
    /// Look for session files in this directory
    #[arg(long, value_name = "DIR", global = true)]
    pub(super) session_dir: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List the sessions of this directory, the newest first
    Ls {
        /// Of all directories
        #[arg(long)]
        all: bool,
    },
    /// Print the current branch of a session
    Show {
        /// Path, id, or beginning of an id
        file: String,
        /// Print the branch that ends at this entry
        #[arg(long, value_name = "ENTRY")]
        branch: Option<String>,
        /// Print this entry alone, whole
        #[arg(long, value_name = "ENTRY", conflicts_with = "branch")]
        entry: Option<String>,
    },
    /// Print all branches of a session, one line per message
    Tree {
        /// Path, id, or beginning of an id
        file: String,
    },
    /// Search what was said in the sessions of this directory
    Search {
        /// Words, "phrases in quotes", -exclusions, re:pattern
        #[arg(required = true)]
        query: Vec<String>,
        /// In the sessions of all directories
        #[arg(long)]
        all: bool,
    },
    /// Check a session file, and repair it into a new one
    Doctor {
        /// Path, id, or beginning of an id
        file: String,
        /// Write a repaired copy (default: NAME.repaired.jsonl beside the file)
        #[arg(long, value_name = "TARGET")]
        repair: Option<Option<String>>,
    },
    /// Make a page of a session, or a session file of its current branch
    Export {
        /// Path, id, or beginning of an id
        file: String,
        /// Where to (default: pi-session-NAME.html); a name that ends in .jsonl gets a session file
        out: Option<PathBuf>,
    },
    /// Move sessions into the trash, where one is installed, else delete them
    #[command(group = clap::ArgGroup::new("which").required(true))]
    Rm {
        /// Paths, ids, or beginnings of ids
        #[arg(value_name = "FILE", group = "which")]
        files: Vec<String>,
        /// All sessions of this directory in which nothing was said for so long, such as 30d or 8w
        #[arg(long, value_name = "AGE", group = "which", conflicts_with = "files")]
        older_than: Option<String>,
        /// Do not ask
        #[arg(long, short)]
        yes: bool,
    },
    /// Copy a session file in among the sessions of this directory
    Import {
        /// Path of the file
        file: String,
    },
}

const AFTER_HELP: &str = "\
Exit codes: 0 done, 1 something is wrong (the doctor: the session has errors), 2 wrong usage

Examples:
  pi session ls
  pi session show 01a1ffbe
  pi session search --all \"out of memory\" -docker
  pi session doctor broken.jsonl --repair
  pi session ls --all --json | jq -r .path";
