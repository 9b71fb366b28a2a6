//! Containers, and whatever else starts a program elsewhere from a command line: a template to which the shell is appended.

use std::time::Duration;

use futures::future::{BoxFuture, FutureExt, ready};
use tokio::process::Command;
use typed_builder::TypedBuilder;

use super::shell::{RemoteShell, ShellCommand};
use crate::tools::operations::OperationError;

/// How to start a program in a container.
#[derive(Debug, Clone, TypedBuilder)]
pub struct ContainerOptions {
    /// Program and arguments to which `sh -c …` is appended, such as `docker exec -i web`, `podman exec -i web`,
    /// `kubectl exec -i pod --` or `nsenter -t 1 -a`. It must pass standard input on (`-i`) and must not make a
    /// terminal (no `-t`).
    #[builder(setter(transform = |words: impl IntoIterator<Item = impl Into<String>>| words.into_iter().map(Into::into).collect()))]
    pub command: Vec<String>,
    /// What to call the container in messages; by default the program and the template's last word.
    #[builder(default, setter(strip_option, into))]
    pub name: Option<String>,
    /// How long a shell may take to start.
    #[builder(default = Duration::from_secs(30))]
    pub start_timeout: Duration,
}

/// Starts shells in a container.
#[derive(Clone)]
pub struct ContainerShell {
    options: ContainerOptions,
    name: String,
}

impl ContainerShell {
    /// A container reached with these options.
    pub fn new(options: ContainerOptions) -> Self {
        let name = options.name.clone().unwrap_or_else(|| default_name(&options.command));
        Self { options, name }
    }
}

impl std::fmt::Debug for ContainerShell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The template may hold secrets.
        f.debug_struct("ContainerShell").field("name", &self.name).finish_non_exhaustive()
    }
}

impl RemoteShell for ContainerShell {
    fn name(&self) -> &str {
        &self.name
    }

    fn command<'a>(&'a self, script: &'a str) -> BoxFuture<'a, Result<ShellCommand, OperationError>> {
        let command = match self.options.command.split_first() {
            Some((program, arguments)) => {
                let mut command = Command::new(program);
                command.args(arguments).args(["sh", "-c", script]);
                Ok(ShellCommand::new(command))
            }
            None => Err(OperationError::new(
                "The command that reaches the container is empty. Give one such as `docker exec -i NAME`.",
            )),
        };
        ready(command).boxed()
    }

    fn explain(&self, said: &str) -> String {
        let name = &self.name;
        let said = said.trim().trim_end_matches('.');
        let (what, way_out) = match said {
            "" => (
                "ended without a word".to_owned(),
                "Check that it runs, and that the command passes standard input on (`-i`)",
            ),
            _ if contains_any(
                said,
                &["not running", "is paused", "no such container", "no container with", "not found"],
            ) =>
            {
                (format!("answers: {said}"), "Start it, or correct its name")
            }
            _ if contains_any(said, &["permission denied", "cannot connect to the docker daemon"]) => {
                (format!("answers: {said}"), "Check that the container service runs and that you may use it")
            }
            _ => (format!("answers: {said}"), "The command that reaches it must start `sh` there"),
        };
        format!("No shell in {name}: it {what}. {way_out}.")
    }

    fn patience(&self) -> Duration {
        self.options.start_timeout
    }
}

fn contains_any(said: &str, words: &[&str]) -> bool {
    let said = said.to_ascii_lowercase();
    words.iter().any(|word| said.contains(word))
}

/// The program and the last word, which names the container. The options between them may hold secrets.
fn default_name(command: &[String]) -> String {
    let mut words = command.iter().filter(|word| !word.starts_with('-'));
    let program = words.next().map_or("", |program| program.rsplit('/').next().unwrap_or(program));
    match words.next_back() {
        Some(last) => format!("{program} {last}"),
        None => program.to_owned(),
    }
}
