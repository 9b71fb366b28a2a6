//! `pi install`, `remove`, `update`, `list`, `config`: packages for people and scripts.
//!
//! # Layout
//! `args` declares and reads the arguments, `scope` opens the settings that are worked with; `change` installs, removes
//! and updates, `trial` tries what was installed, `list` lists, `config` switches single resources.

mod args;
mod change;
mod config;
mod list;
mod scope;
mod trial;

pub(in crate::cli) use self::args::{declared, table};

use self::args::Arguments;
use self::scope::CommandScope;
use crate::cli::console::diagnostics::complain;
use crate::cli::console::interrupt::INTERRUPTED;
use crate::cli::console::screen::plain;
use pi_coding_agent::{PackageError, config as configuration, resources};

/// The names of the commands.
pub(in crate::cli) const NAMES: &[&str] = &["install", "remove", "uninstall", "update", "list", "config"];

/// Why a command did not get to its end.
#[derive(Debug)]
enum Failure {
    /// A sentence that names the thing and the way out.
    Said(String),
    /// A sentence of the package manager.
    Error(resources::Error),
}

impl From<resources::Error> for Failure {
    fn from(error: resources::Error) -> Self {
        Self::Error(error)
    }
}

impl From<configuration::Error> for Failure {
    fn from(error: configuration::Error) -> Self {
        Self::Error(error.into())
    }
}

impl From<PackageError> for Failure {
    fn from(error: PackageError) -> Self {
        Self::Error(error.into())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::Said(format!("Error: cannot write to standard output: {error}"))
    }
}

/// Runs the command `name` with the arguments behind it. Returns the exit code.
pub(in crate::cli) fn run(name: &'static str, argv: impl IntoIterator<Item = String>) -> u8 {
    let arguments = match args::read(name, argv) {
        Ok(arguments) => arguments,
        Err(code) => return code,
    };
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return fail(Failure::Said(format!("Error: cannot start: {error}"))),
    };
    let done = runtime.block_on(command(arguments));
    // A blocking read that nobody waits for any more must not hold up the end.
    runtime.shutdown_background();
    done.unwrap_or_else(fail)
}

async fn command(arguments: Arguments) -> Result<u8, Failure> {
    let place = CommandScope::open(arguments.trust())?;
    match arguments {
        Arguments::Install(install) => change::install(&install, &place).await,
        Arguments::Remove(remove) => change::remove(&remove, &place).await,
        Arguments::Update(update) => change::update(&update, &place).await,
        Arguments::List(_) => list::run(&place),
        Arguments::Config(config) => config::run(&config, &place).await,
    }
}

fn fail(failure: Failure) -> u8 {
    match failure {
        Failure::Said(sentence) => complain(&plain(&sentence)),
        Failure::Error(resources::Error::Package(PackageError::Cancelled)) => {
            complain("Cancelled");
            return INTERRUPTED;
        }
        Failure::Error(resources::Error::Package(error @ PackageError::NotTrusted)) => {
            // Clients match on the whole text.
            complain(&error.to_string());
            complain("To trust it from now on: pi trust");
        }
        Failure::Error(error) => complain(&format!("Error: {}", plain(&error.to_string()))),
    }
    1
}
