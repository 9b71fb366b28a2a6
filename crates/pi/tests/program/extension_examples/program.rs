//! The two programs that run the examples: `pi`, and the reference for recordings.

use std::path::{Path, PathBuf};

use pi_test_kit::{Pi, World};

/// A program that loads extensions.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    file: PathBuf,
    first_arguments: Vec<String>,
}

impl Program {
    pub(crate) fn ours() -> Self {
        Self { file: env!("CARGO_BIN_EXE_pi").into(), first_arguments: Vec::new() }
    }

    /// What `PI_REFERENCE_CLI` says, split at spaces.
    pub(crate) fn reference() -> Self {
        let command = std::env::var("PI_REFERENCE_CLI").expect("PI_REFERENCE_CLI is the command line of the reference");
        let mut words = command.split_whitespace().map(str::to_owned);
        Self { file: words.next().unwrap().into(), first_arguments: words.collect() }
    }

    /// Serving a client, with these extensions and arguments; not started.
    pub(crate) fn rpc<'w>(&self, world: &'w World, extensions: &[&Path], arguments: &[String]) -> Pi<'w> {
        let extensions = extensions.iter().flat_map(|path| ["-e".to_owned(), path.to_str().unwrap().to_owned()]);
        let mode = ["--mode", "rpc"].map(str::to_owned);
        let all = self.first_arguments.iter().cloned().chain(mode).chain(extensions).chain(arguments.iter().cloned());
        let all: Vec<String> = all.collect();
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        // Git needs an author for the examples that commit.
        let pi = world.program(&self.file, &all);
        let names = ["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"];
        names.into_iter().fold(pi, |pi, name| pi.env(name, "tester@example.org"))
    }
}
