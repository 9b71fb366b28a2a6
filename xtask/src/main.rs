//! Checks of the pi workspace, run as `cargo xtask <command>`.
//!
//! # Layout
//! [`layers`] who may depend on whom, crates, folders and floors · [`features`] builds with parts of the features · [`tidy`]
//! rules about files · [`code`] Rust source as data for both · [`conformance`], [`screens`] and [`wire`] comparison with
//! recorded behaviour, the first two by lists of [`scenarios`] · [`models`] the model catalogue · [`workspace`] where things
//! are. Nothing here ships: no crate depends on it.
#![allow(clippy::disallowed_methods, reason = "a tool of developers is not replayed")]
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line program reports to its terminal")]

mod code;
mod conformance;
mod features;
mod layers;
mod models;
mod scenarios;
mod screens;
mod tidy;
mod wire;
mod workspace;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// Checks of the pi workspace.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// What to check.
#[derive(Debug, Subcommand)]
enum Command {
    /// Generates the model catalogue from the committed snapshot, without network unless asked to refresh.
    CodegenModels(models::Options),
    /// Builds the model layer with parts of its features.
    Features(features::Options),
    /// Checks that no crate, and no folder inside one, knows what it must not know; prints their sizes.
    Layers,
    /// Checks the rules about source files and prints their sizes.
    Tidy,
    /// Compares a built program with recorded behaviour; fails when a scenario that passed before no longer does.
    Conformance(conformance::Options),
    /// Feeds recorded provider streams to a built program and compares what it makes of them.
    Wire(wire::Options),
    /// Runs the scenarios of the interactive mode in a pseudo-terminal and compares with the committed list.
    Screens(screens::Options),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::CodegenModels(options) => models::run(&options),
        Command::Features(options) => features::run(&options),
        Command::Layers => layers::run(),
        Command::Tidy => tidy::run(),
        Command::Conformance(options) => conformance::run(&options),
        Command::Wire(options) => wire::run(&options),
        Command::Screens(options) => screens::run(&options),
    };
    // Not returned from `main`: what failed is a rule, not this program, so a backtrace would only be noise.
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Prints one line per problem and fails when there is any; `advice` ends the run's last line.
fn settle(check: &str, problems: &[String], advice: &str) -> Result<()> {
    for problem in problems {
        println!("{check}: {problem}");
    }
    match problems.len() {
        0 => Ok(()),
        1 => anyhow::bail!("{check}: 1 problem. {advice}"),
        n => anyhow::bail!("{check}: {n} problems. {advice}"),
    }
}
