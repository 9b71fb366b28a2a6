//! Values of keys and headers in configuration files: literal text, references to the environment, shell commands.
//!
//! `!command` is replaced by what the command prints, `$NAME` and `${NAME}` by environment variables, `$$` and `$!`
//! by `$` and `!`. Everything else is literal, also a bare upper-case word.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;

use pi_ai::remember_secret;
use pi_guard::Unpoisoned;
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe;
use tokio::time::timeout;

use crate::config::Error;
use crate::host::env::Env;
use crate::host::processes::{self, Launch, ProcessGroup};
use crate::host::secret::Secret;

/// Commands that take longer count as failed.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(10);

/// A value, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfigValue {
    /// What this command line prints.
    Command(String),
    /// These pieces, one after the other.
    Text(Vec<Part>),
}

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// As it stands there.
    Literal(String),
    /// The value of the variable of this name.
    Variable(String),
}

/// What values are resolved with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Resolver<'a> {
    /// Variables that come before the environment.
    pub(crate) own: &'a BTreeMap<String, String>,
    pub(crate) env: &'a Env,
    /// Remembers what commands printed; without it they run each time.
    pub(crate) commands: Option<&'a CommandCache>,
}

/// Why a value has no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Unresolved {
    Command(String),
    Variables(Vec<String>),
    Empty,
}

impl ConfigValue {
    /// Takes a value of a configuration file apart.
    pub fn parse(text: &str) -> Self {
        match text.strip_prefix('!') {
            Some(command) => Self::Command(command.to_owned()),
            None => Self::Text(parse_text(text)),
        }
    }

    /// Whether the value can be expected to resolve. Commands are not run, and count.
    pub fn is_configured(&self, env: &Env) -> bool {
        match self {
            Self::Command(_) => true,
            Self::Text(parts) => variables(parts).all(|name| env.var(name).is_some()),
        }
    }

    /// The first variable in it.
    pub fn variable(&self) -> Option<&str> {
        match self {
            Self::Command(_) => None,
            Self::Text(parts) => variables(parts).next(),
        }
    }

    /// The names of the variables in it that are not set.
    pub fn missing(&self, env: &Env) -> Vec<String> {
        match self {
            Self::Command(_) => Vec::new(),
            Self::Text(parts) => variables(parts).filter(|name| env.var(name).is_none()).map(str::to_owned).collect(),
        }
    }
}

impl Resolver<'_> {
    /// The result of a value. Commands are stopped when the future is dropped.
    pub(crate) async fn resolve(&self, text: &str) -> Result<Secret, Unresolved> {
        let result = match ConfigValue::parse(text) {
            ConfigValue::Command(command) => {
                let output = match self.commands {
                    Some(cache) => cache.output(&command).await,
                    None => command_output(&command, None).await,
                };
                // What a command prints and what a variable holds is taken for a secret.
                let output = output.ok_or(Unresolved::Command(command))?;
                remember_secret(&output);
                output
            }
            ConfigValue::Text(parts) => self.expand(&parts)?,
        };
        if result.is_empty() { Err(Unresolved::Empty) } else { Ok(Secret::new(result)) }
    }

    fn expand(&self, parts: &[Part]) -> Result<String, Unresolved> {
        let missing: Vec<_> = variables(parts).filter(|name| self.var(name).is_none()).map(str::to_owned).collect();
        if !missing.is_empty() {
            return Err(Unresolved::Variables(missing));
        }
        let expanded = parts.iter().map(|part| match part {
            Part::Literal(text) => text.clone(),
            Part::Variable(name) => {
                let value = self.var(name).unwrap_or_default();
                remember_secret(&value);
                value
            }
        });
        Ok(expanded.collect())
    }

    fn var(&self, name: &str) -> Option<String> {
        self.own.get(name).filter(|value| !value.is_empty()).cloned().or_else(|| self.env.var(name))
    }
}

impl Unresolved {
    /// The error for a value that stands for `what`.
    pub(crate) fn error(self, what: impl Into<String>) -> Error {
        let cause = match self {
            Self::Command(command) => format!(" from shell command: {command}"),
            Self::Variables(names) if names.len() == 1 => format!(" from environment variable: {}", names.concat()),
            Self::Variables(names) => format!(" from environment variables: {}", names.join(", ")),
            Self::Empty => String::new(),
        };
        Error::ConfigValue { what: what.into(), cause }
    }
}

fn variables(parts: &[Part]) -> impl Iterator<Item = &str> {
    parts.iter().filter_map(|part| match part {
        Part::Variable(name) => Some(name.as_str()),
        Part::Literal(_) => None,
    })
}

fn parse_text(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut literal = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        literal.push_str(before);
        rest = match reference(after) {
            Some((name, after)) => {
                if !literal.is_empty() {
                    parts.push(Part::Literal(std::mem::take(&mut literal)));
                }
                parts.push(Part::Variable(name.to_owned()));
                after
            }
            None => push_escape(after, &mut literal),
        };
    }
    literal.push_str(rest);
    if !literal.is_empty() {
        parts.push(Part::Literal(literal));
    }
    parts
}

/// The variable that a text after `$` names, and what follows it.
fn reference(after: &str) -> Option<(&str, &str)> {
    let (name, rest) = match after.strip_prefix('{') {
        Some(braced) => braced.split_once('}')?,
        None => {
            let end = after.find(|c: char| !is_name_char(c)).unwrap_or(after.len());
            after.split_at(end)
        }
    };
    let starts_well = name.starts_with(|c: char| is_name_char(c) && !c.is_ascii_digit());
    (starts_well && name.chars().all(is_name_char)).then_some((name, rest))
}

fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// A `$` that names nothing: `$$` and `$!` lose their first character, any other is literal.
fn push_escape<'a>(after: &'a str, literal: &mut String) -> &'a str {
    match after.strip_prefix(['$', '!']) {
        Some(rest) => {
            literal.push_str(&after[..1]);
            rest
        }
        None => {
            literal.push('$');
            after
        }
    }
}

/// What commands printed, failures included, for as long as the program runs.
#[derive(Default)]
pub(crate) struct CommandCache(Mutex<HashMap<String, Option<Secret>>>);

impl std::fmt::Debug for CommandCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("CommandCache")
    }
}

impl CommandCache {
    async fn output(&self, command: &str) -> Option<String> {
        let known = self.0.lock().unpoisoned().get(command).cloned();
        let output = match known {
            Some(output) => output,
            None => {
                let output = command_output(command, None).await.map(Secret::new);
                self.0.lock().unpoisoned().insert(command.to_owned(), output.clone());
                output
            }
        };
        output.map(|secret| secret.expose().to_owned())
    }
}

/// Standard output of a shell command without blanks around it; `None` when it fails, prints nothing or takes longer than
/// 10 s. Standard error is ignored. It runs in `cwd`, or where this process does, and is stopped when the future is dropped.
pub async fn command_output(command: &str, cwd: Option<&Path>) -> Option<String> {
    timeout(COMMAND_TIMEOUT, output(command, cwd)).await.ok()?
}

async fn output(command: &str, cwd: Option<&Path>) -> Option<String> {
    let (reader, writer) = std::io::pipe().ok()?;
    let mut stdout = pipe::Receiver::from_owned_fd(reader.into()).ok()?;
    let nowhere = File::options().write(true).open("/dev/null").ok()?;
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(command);
    if let Some(cwd) = cwd {
        shell.current_dir(cwd);
    }
    // Whatever it has started ends with it, however waiting for it ends.
    let mut child =
        processes::start(Launch::of(&shell, ProcessGroup::Group, (writer.into(), nowhere.into()))).await.ok()?;
    let mut bytes = Vec::new();
    stdout.read_to_end(&mut bytes).await.ok()?;
    child.wait().await.ok()?.success().then_some(())?;
    let text = String::from_utf8_lossy(&bytes).trim().to_owned();
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env() -> Env {
        Env::fixed([("A", "a"), ("B_2", "b"), ("EMPTY", "")])
    }

    async fn resolve(text: &str) -> Result<String, String> {
        let own = BTreeMap::from([("OWN".to_owned(), "own".to_owned()), ("A".to_owned(), String::new())]);
        let resolver = Resolver { own: &own, env: &env(), commands: None };
        let error = |unresolved: Unresolved| unresolved.error("API key for provider \"p\"").to_string();
        resolver.resolve(text).await.map(|secret| secret.expose().to_owned()).map_err(error)
    }

    #[tokio::test]
    async fn texts_are_expanded() {
        for (text, expected) in [
            ("plain", "plain"),
            ("UPPER_CASE", "UPPER_CASE"),
            ("$A", "a"),
            ("${A}x$B_2-$OWN", "axb-own"),
            ("$$A$!", "$A!"),
            ("cost: $5 ${5} ${} ${A", "cost: $5 ${5} ${} ${A"),
            ("a$", "a$"),
            ("a!b", "a!b"),
            ("!printf ' two\\nlines \\n'", "two\nlines"),
            ("!echo a | tr a b", "b"),
        ] {
            assert_eq!(resolve(text).await.as_deref(), Ok(expected), "{text}");
        }
    }

    #[tokio::test]
    async fn failures_name_their_cause() {
        for (text, cause) in [
            ("$NOPE", " from environment variable: NOPE"),
            ("$NOPE$A${EMPTY}", " from environment variables: NOPE, EMPTY"),
            ("!exit 3", " from shell command: exit 3"),
            ("!echo x; false", " from shell command: echo x; false"),
            ("!true", " from shell command: true"),
            ("!no-such-program-here", " from shell command: no-such-program-here"),
            ("", ""),
        ] {
            let expected = format!("Failed to resolve API key for provider \"p\"{cause}");
            assert_eq!(resolve(text).await, Err(expected), "{text}");
        }
    }

    #[test]
    fn availability_runs_no_command() {
        for (text, expected) in [("!exit 1", true), ("$A", true), ("$NOPE", false), ("literal", true), ("$OWN", false)]
        {
            assert_eq!(ConfigValue::parse(text).is_configured(&env()), expected, "{text}");
        }
    }

    #[tokio::test]
    async fn a_cache_runs_each_command_once() {
        let dir = tempfile::tempdir().unwrap();
        let log = dir.path().join("log");
        let command = format!("!echo x >> {0}; wc -l < {0}", log.display());
        let (cache, own) = (CommandCache::default(), BTreeMap::new());
        let cached = Resolver { own: &own, env: &env(), commands: Some(&cache) };
        for _ in 0..3 {
            assert_eq!(cached.resolve(&command).await.unwrap().expose(), "1");
        }
        let uncached = Resolver { commands: None, ..cached };
        assert_eq!(uncached.resolve(&command).await.unwrap().expose(), "2");
        let failing = format!("!echo x >> {0}; false", log.display());
        for _ in 0..2 {
            cached.resolve(&failing).await.unwrap_err();
        }
        assert_eq!(std::fs::read_to_string(log).unwrap().lines().count(), 3);
    }
}
