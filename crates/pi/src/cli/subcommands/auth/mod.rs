//! `pi auth …`: logins and keys for people and scripts.
//!
//! # Layout
//! `args` declares the commands, `providers` knows what can be logged in to; `login` is what the user of a terminal goes
//! through; `check` says what there is, `secret` prints it.

mod args;
mod check;
mod login;
mod providers;
mod secret;

use std::sync::Arc;

pub(in crate::cli) use self::args::AuthArgs;
use self::args::Command;
use crate::cli::console::diagnostics::complain;
use crate::cli::console::interrupt::{INTERRUPTED, on_interrupt};
use crate::cli::console::screen::plain;
use crate::cli::console::usage::parse;
use crate::cli::grammar::scan::CommandLine;
use crate::cli::startup::Foundation;
use crate::common::credentials::NoKey;
use pi_coding_agent::auth_storage::AuthStorage;
use pi_coding_agent::config;
use pi_coding_agent::extension::Extension;

/// Why a command did not get to its end.
#[derive(Debug)]
enum Failure {
    /// A sentence that names the thing and the way out.
    Said(String),
    /// The user did not want to go on.
    Cancelled,
}

impl From<config::Error> for Failure {
    fn from(error: config::Error) -> Self {
        match error {
            config::Error::Login(pi_ai::Error::Login(pi_ai::LoginError::Cancelled)) => Self::Cancelled,
            error => Self::Said(error.to_string()),
        }
    }
}

impl From<NoKey> for Failure {
    fn from(error: NoKey) -> Self {
        Self::Said(error.to_string())
    }
}

/// Runs a command; `argv` are its arguments. Returns the exit code.
pub(in crate::cli) fn run(argv: Vec<String>, extensions: Vec<Arc<dyn Extension>>) -> u8 {
    let args: AuthArgs = match parse("auth", argv) {
        Ok(args) => args,
        Err(code) => return code,
    };
    if let Command::Check { provider, json } = &args.command {
        return check::run(provider.as_deref(), *json);
    }
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return fail(Failure::Said(format!("cannot start: {error}"))),
    };
    let done = Foundation::new(CommandLine::default(), extensions).map_err(Failure::Said).and_then(|mut foundation| {
        runtime.block_on(async {
            let cancel = on_interrupt();
            let command = command(args.command, &mut foundation, &cancel);
            tokio::select! {
                done = command => done,
                () = cancel.cancelled() => Err(Failure::Cancelled),
            }
        })
    });
    // A read of the terminal that nobody waits for any more must not hold up the end.
    runtime.shutdown_background();
    done.unwrap_or_else(fail)
}

async fn command(
    command: Command,
    foundation: &mut Foundation,
    cancel: &tokio_util::sync::CancellationToken,
) -> Result<u8, Failure> {
    match command {
        Command::Login { provider, with_key } => {
            login::login(provider.as_deref(), with_key, foundation, cancel).await?;
            Ok(0)
        }
        Command::Logout { provider } => logout(provider.as_deref(), foundation).await,
        Command::PrintApiKey { provider } => secret::print_api_key(provider.as_deref(), foundation).await,
        Command::PrintBearerToken { provider } => secret::print_bearer_token(provider.as_deref(), foundation).await,
        // It needs no runtime, and is done above.
        Command::Check { provider, json } => Ok(check::run(provider.as_deref(), json)),
    }
}

async fn logout(provider: Option<&str>, foundation: &Foundation) -> Result<u8, Failure> {
    let auth = foundation.models().auth();
    let stored = auth.providers();
    complain_of_file(auth)?;
    let provider = match (provider, stored.as_slice()) {
        (Some(provider), _) => provider,
        (None, [only]) => only,
        (None, []) => {
            return Err(Failure::Said("nothing is stored: there is no login and no key to forget".to_owned()));
        }
        (None, several) => {
            let names = several.join(", ");
            return Err(Failure::Said(format!(
                "several are stored ({names}): name one, pi auth logout {}",
                several[0]
            )));
        }
    };
    if !stored.iter().any(|name| name == provider) {
        return Err(Failure::Said(providers::nothing_stored(provider, &stored, foundation)));
    }
    auth.forget(provider).await?;
    complain(&format!("Forgotten: what was stored for {}", plain(provider)));
    if let Some(source) = providers::other_source(provider, foundation) {
        complain(&format!("{provider} still has a key: {source}"));
    }
    Ok(0)
}

/// Keys in a file that cannot be read are neither used nor overwritten.
fn complain_of_file(auth: &AuthStorage) -> Result<(), Failure> {
    match auth.drain_problems().into_iter().next() {
        Some(problem) => Err(Failure::Said(problem.to_string())),
        None => Ok(()),
    }
}

fn fail(failure: Failure) -> u8 {
    match failure {
        Failure::Said(message) => {
            complain(&format!("Error: {}", plain(&message)));
            1
        }
        Failure::Cancelled => {
            complain("Cancelled; nothing was changed");
            INTERRUPTED
        }
    }
}
