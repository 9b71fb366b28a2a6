//! `pi auth login`: what the user of a terminal goes through. The flows themselves are `pi-ai`'s.

use std::io::{self, IsTerminal, Read};

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_ai::auth::env::env_key_names;
use pi_ai::auth::oauth::{AuthPage, DeviceCode, OAuthCallbacks, SelectPrompt, TextPrompt};
use tokio_util::sync::CancellationToken;

use super::{Failure, complain_of_file, providers};
use crate::cli::console::diagnostics::complain;
use crate::cli::console::terminal::Terminal;
use crate::cli::startup::Foundation;
use crate::common::browser;
use crate::common::credentials::checked_key;
use pi_coding_agent::env::Env;

/// Logs in to a provider, or stores a key for it.
pub(super) async fn login(
    provider: Option<&str>,
    with_key: bool,
    foundation: &mut Foundation,
    cancel: &CancellationToken,
) -> Result<(), Failure> {
    // A file that cannot be read would not be overwritten: not after the user has gone through all of it.
    foundation.models().auth().providers();
    complain_of_file(foundation.models().auth())?;
    let provider = match provider {
        Some(name) => Some(providers::find(name, foundation).await?),
        None => None,
    };
    if let Some(provider) = provider.as_ref().filter(|_| with_key)
        && !providers::has_key(provider, foundation)
    {
        return Err(Failure::Said(takes_no_key(provider, foundation)));
    }
    if let (Some(provider), true, false) = (&provider, with_key, io::stdin().is_terminal()) {
        return store(provider, &piped_key()?, foundation);
    }
    let terminal = Terminal::open().map_err(|error| Failure::Said(format!("cannot read the terminal: {error}")))?;
    let Some(terminal) = terminal else {
        return Err(Failure::Said(without_terminal(provider.as_deref(), foundation)));
    };
    let provider = match provider {
        Some(provider) => provider,
        None => choose(&terminal, foundation).await?,
    };
    match (providers::has_login(&provider, foundation) && !with_key, providers::has_key(&provider, foundation)) {
        (true, _) => sign_in(&provider, &terminal, foundation, cancel).await,
        (false, true) => enter_key(&provider, &terminal, foundation).await,
        (false, false) => Err(Failure::Said(takes_no_key(&provider, foundation))),
    }
}

fn takes_no_key(provider: &str, foundation: &Foundation) -> String {
    match providers::has_login(provider, foundation) {
        true => format!("{provider} takes no API key: leave out --with-key to log in"),
        false => format!("{provider} takes its credentials from its cloud's own configuration; see docs/models.md"),
    }
}

/// What a script is told.
fn without_terminal(provider: Option<&str>, foundation: &Foundation) -> String {
    let alone = "a login needs a terminal, and standard input or standard error is none";
    match provider {
        Some(provider) if providers::has_key(provider, foundation) => {
            let variable = env_key_names(provider).last();
            let variable = variable.map_or_else(String::new, |name| format!(", or set {name}"));
            format!("{alone}. To store an API key: pi auth login {provider} --with-key < FILE{variable}")
        }
        _ => format!("{alone}. Log in on a terminal; the login in auth.json then counts for scripts, too"),
    }
}

/// An API key on standard input.
fn piped_key() -> Result<String, Failure> {
    let mut text = String::new();
    io::stdin()
        .read_to_string(&mut text)
        .map_err(|error| Failure::Said(format!("cannot read the key from standard input: {error}")))?;
    Ok(checked_key(&text)?)
}

fn store(provider: &str, key: &str, foundation: &Foundation) -> Result<(), Failure> {
    foundation.models().auth().set_api_key(provider, key)?;
    complain(&format!("Stored an API key for {provider} in {}", foundation.paths().auth_file().display()));
    Ok(())
}

async fn enter_key(provider: &str, terminal: &Terminal, foundation: &Foundation) -> Result<(), Failure> {
    let key = terminal.ask_secret(&format!("API key for {provider} (it is not shown):")).await;
    store(provider, &checked_key(&key.ok_or(Failure::Cancelled)?)?, foundation)
}

async fn sign_in(
    provider: &str,
    terminal: &Terminal,
    foundation: &Foundation,
    cancel: &CancellationToken,
) -> Result<(), Failure> {
    let auth = foundation.models().auth();
    if providers::has_key(provider, foundation) {
        terminal.print(&format!("To store an API key instead: pi auth login {provider} --with-key"));
    }
    let talk = ConsoleCallbacks { terminal: terminal.clone(), env: auth.env().clone() };
    auth.login(provider, &talk, cancel).await?;
    terminal.print(&format!("Logged in to {}.", foundation.models().display_name(provider)));
    terminal.print(&format!("Its models: pi models {provider}/. To log out: pi auth logout {provider}"));
    Ok(())
}

/// Asks which provider.
async fn choose(terminal: &Terminal, foundation: &mut Foundation) -> Result<String, Failure> {
    let logins = foundation.models().auth().oauth_providers().list();
    terminal.print("Log in with a subscription:");
    for (number, login) in (1..).zip(&logins) {
        terminal.print(&format!("{number:>3}  {} ({})", login.name(), login.id()));
    }
    terminal.print("Or type the name of a provider that takes an API key: openai, google, deepseek, mistral, …");
    loop {
        let answer = terminal.ask("Provider:").await.filter(|answer| !answer.is_empty()).ok_or(Failure::Cancelled)?;
        let numbered = answer.parse::<usize>().ok().and_then(|number| logins.get(number.checked_sub(1)?));
        match numbered {
            Some(login) => return Ok(login.id().to_owned()),
            None => match providers::find(&answer, foundation).await {
                Err(Failure::Said(message)) => terminal.print(&message),
                found => return found,
            },
        }
    }
}

/// The user's side of a login, on a terminal.
struct ConsoleCallbacks {
    terminal: Terminal,
    env: Env,
}

impl ConsoleCallbacks {
    async fn answer(&self, question: &str) -> Result<String, pi_ai::Error> {
        self.terminal.ask(question).await.ok_or(pi_ai::Error::Login(pi_ai::LoginError::Cancelled))
    }
}

impl OAuthCallbacks for ConsoleCallbacks {
    fn on_auth(&self, page: AuthPage) {
        let opened = browser::open(&page.url, &self.env);
        let what = if opened { "The browser opens this page; if it does not, open it:" } else { "Open this page:" };
        self.terminal.print(&format!("{what}\n\n{}\n", page.url));
        if let Some(instructions) = &page.instructions {
            self.terminal.print(instructions);
        }
    }

    fn on_device_code(&self, code: DeviceCode) {
        let DeviceCode { user_code, verification_uri, expires_in, .. } = code;
        let limit = expires_in.map_or_else(String::new, |time| format!(" within {} minutes", time.as_secs() / 60));
        let text = format!("Open {verification_uri} on any device and enter this code{limit}:\n\n    {user_code}\n");
        self.terminal.print(&text);
        self.terminal.print("Waiting for it… (Ctrl+C cancels)");
    }

    fn on_prompt(&self, prompt: TextPrompt) -> BoxFuture<'_, Result<String, pi_ai::Error>> {
        async move {
            let example = prompt.placeholder.map_or_else(String::new, |example| format!(" (for example {example})"));
            loop {
                let answer = self.answer(&format!("{}{example}:", prompt.message)).await?;
                if prompt.allow_empty || !answer.is_empty() {
                    return Ok(answer);
                }
            }
        }
        .boxed()
    }

    fn on_select(&self, prompt: SelectPrompt) -> BoxFuture<'_, Result<Option<String>, pi_ai::Error>> {
        async move {
            self.terminal.print(&prompt.message);
            for (number, option) in (1..).zip(&prompt.options) {
                self.terminal.print(&format!("{number:>3}  {}", option.label));
            }
            loop {
                let answer = self.answer(&format!("[1-{}, Enter is 1]:", prompt.options.len())).await?;
                let number = if answer.is_empty() { Some(1) } else { answer.parse::<usize>().ok() };
                if let Some(option) = number.and_then(|number| prompt.options.get(number.checked_sub(1)?)) {
                    return Ok(Some(option.id.clone()));
                }
                self.terminal.print(&format!("\"{answer}\" is not on the list"));
            }
        }
        .boxed()
    }

    fn on_progress(&self, text: &str) {
        self.terminal.print(text);
    }

    fn on_manual_code_input(&self) -> Option<BoxFuture<'_, Result<String, pi_ai::Error>>> {
        let question = "Or paste the code, or the address that the browser ended up at:";
        Some(async move { self.answer(question).await }.boxed())
    }
}
