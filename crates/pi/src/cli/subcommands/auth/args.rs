//! The commands of `pi auth` as typed values.

use clap::{Parser, Subcommand};

/// Logs in to providers, stores and shows keys.
#[derive(Debug, Parser)]
#[command(name = "pi auth", disable_help_subcommand = true, after_help = AFTER_HELP)]
pub(in crate::cli) struct AuthArgs {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Log in with a subscription, or store an API key
    Login {
        /// For example anthropic, openai-codex, openrouter, openai; asked for without it
        provider: Option<String>,
        /// Store an API key also where there is a login; without a terminal it is read from standard input
        #[arg(long)]
        with_key: bool,
    },
    /// Forget what is stored for a provider
    Logout {
        /// May be left out when only one is stored
        provider: Option<String>,
    },
    /// Say which providers have a key or a login, and until when; nothing is sent
    #[command(visible_alias = "status")]
    Check {
        /// Only this one
        provider: Option<String>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Print the key that requests to a provider use; a login is renewed if it has expired
    PrintApiKey {
        /// Default: that of the default model
        provider: Option<String>,
    },
    /// Print the access token of a login, renewed if it has expired
    PrintBearerToken {
        /// Default: that of the default model
        provider: Option<String>,
    },
}

const AFTER_HELP: &str = "\
Exit codes: 0 done (check: there is a key or a login), 1 not done (check: there is none, or something is wrong),
            2 wrong usage, 130 cancelled

Examples:
  pi auth login
  pi auth login anthropic
  pi auth login openai --with-key < key.txt
  pi auth check --json | jq -r '.providers[] | select(.ok) | .provider'
  curl -H \"Authorization: Bearer $(pi auth print-api-key openrouter)\" …";
