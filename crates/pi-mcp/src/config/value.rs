//! Values of entries: `${NAME}` and `${NAME:-default}` stand for variables of the environment, `~/` for the user's directory,
//! and in `env` and `headers` a value that begins with `!` for what a command prints.

use std::path::Path;

use pi_ai::remember_secret;
use pi_coding_agent::config::config_value::command_output;
use pi_coding_agent::env::Env;

use crate::error::Error;

/// Puts variables in their places.
///
/// # Errors
/// [`Error::Variable`] for one that is not set.
pub(crate) fn expand(server: &str, text: &str, env: &Env) -> Result<String, Error> {
    let mut expanded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("${") {
        let Some((name, after)) = behind.split_once('}') else { break };
        expanded.push_str(before);
        let (name, default) = name.split_once(":-").map_or((name, None), |(name, default)| (name, Some(default)));
        match env.var(name).or_else(|| default.map(str::to_owned)) {
            Some(value) => expanded.push_str(&value),
            None => return Err(Error::Variable { server: server.to_owned(), variable: name.to_owned() }),
        }
        rest = after;
    }
    expanded.push_str(rest);
    Ok(expanded)
}

/// The same for the name of a file or directory, where `~/` counts, too.
///
/// # Errors
/// Those of [`expand`].
pub(crate) fn expand_path(server: &str, text: &str, env: &Env) -> Result<String, Error> {
    let expanded = expand(server, text, env)?;
    let home = env.home().map(|home| home.to_string_lossy().into_owned());
    Ok(match (expanded.strip_prefix("~/"), home) {
        (Some(below), Some(home)) => format!("{home}/{below}"),
        _ => expanded,
    })
}

/// The same for a value that may be a secret: a variable, or what a command prints, is kept out of logs and errors.
///
/// # Errors
/// Those of [`expand`]; [`Error::ValueCommand`].
pub(crate) async fn expand_secret(server: &str, text: &str, env: &Env, cwd: &Path) -> Result<String, Error> {
    let value = match text.strip_prefix('!') {
        Some(command) => command_output(command, Some(cwd))
            .await
            .ok_or_else(|| Error::ValueCommand { server: server.to_owned(), command: command.to_owned() })?,
        None => expand(server, text, env)?,
    };
    if value != text {
        remember_secret(&value);
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn variables_homes_and_commands_get_their_values() {
        let env = Env::fixed([("A", "one"), ("HOME", "/home/me")]);
        assert_eq!(expand("s", "x ${A} ${B:-two} $A ${", &env).unwrap(), "x one two $A ${");
        assert_eq!(
            expand("s", "${B}", &env).unwrap_err().to_string(),
            "MCP server \"s\" needs the environment variable B, which is not set"
        );
        assert_eq!(expand_path("s", "~/${A}", &env).unwrap(), "/home/me/one");
        let secret = |text: &'static str| {
            let env = env.clone();
            async move { expand_secret("s", text, &env, Path::new("/")).await }
        };
        assert_eq!(secret("!echo Bearer $((1+1))").await.unwrap(), "Bearer 2");
        assert_eq!(secret("plain").await.unwrap(), "plain");
        for command in ["!exit 3", "!true"] {
            assert!(secret(command).await.unwrap_err().to_string().contains(&command[1..]), "{command}");
        }
    }
}
