//! Runs the programs that fetch packages: no shell, no input, an end for everything.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::host::processes::{EXEC_KILL_GRACE as KILL_GRACE, ExecOptions, run_command};
use crate::resources::PackageError;
use crate::resources::locate::package_source::shown;

/// So much of the end of what a failed program printed is told, in lines.
const TOLD: usize = 20;

/// How programs are run.
#[derive(Debug, Clone)]
pub(super) struct Programs {
    /// What one run of a program may take.
    pub(super) timeout: Duration,
    /// Ends the program that runs.
    pub(super) cancel: CancellationToken,
    /// Whether programs may ask for passwords, on the terminal.
    pub(super) may_ask: bool,
}

/// A program, what needs it, and what to do where it is missing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Needed {
    pub(super) purpose: &'static str,
    pub(super) way_out: &'static str,
}

impl Programs {
    /// Runs a program to its end, and returns its standard output.
    ///
    /// # Errors
    /// [`PackageError::MissingProgram`], [`PackageError::Start`], [`PackageError::Failed`], [`PackageError::TimedOut`],
    /// [`PackageError::Cancelled`].
    pub(super) async fn run(&self, argv: &[String], cwd: &Path, needed: Needed) -> Result<String, PackageError> {
        let Some((program, arguments)) = argv.split_first() else {
            return Err(missing("", needed));
        };
        let mut command = Command::new(program);
        command.args(arguments).current_dir(cwd);
        // A pi that was started by a hook of git must not work on that repository.
        ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"].iter().for_each(|name| {
            command.env_remove(name);
        });
        // npm would ask for its own newest version.
        command.env("npm_config_update_notifier", "false");
        if !self.may_ask {
            // Otherwise they would ask on the terminal that somebody else draws on.
            command.env("GIT_TERMINAL_PROMPT", "0").env("SSH_ASKPASS_REQUIRE", "force").env("SSH_ASKPASS", "false");
        }
        let options =
            ExecOptions { timeout: Some(self.timeout), cancel: Some(self.cancel.clone()), ..ExecOptions::default() };
        let done = run_command(&command, &options, KILL_GRACE).await.map_err(|source| match source.kind() {
            std::io::ErrorKind::NotFound if cwd.exists() => missing(program, needed),
            _ => PackageError::Start { program: program.clone(), source },
        })?;
        let line = || command_line(argv);
        let output = || end_of(if done.stderr.trim().is_empty() { &done.stdout } else { &done.stderr });
        match (done.killed, done.code) {
            (true, _) if self.cancel.is_cancelled() => Err(PackageError::Cancelled),
            (true, _) => {
                let (command, seconds) = (line(), self.timeout.as_secs());
                Err(PackageError::TimedOut { command, seconds, output: output() })
            }
            (false, 0) => Ok(done.stdout),
            (false, code) => Err(PackageError::Failed { command: line(), code, output: output() }),
        }
    }
}

fn missing(program: &str, needed: Needed) -> PackageError {
    PackageError::MissingProgram { program: program.to_owned(), purpose: needed.purpose, way_out: needed.way_out }
}

/// What a user would type: without passwords, and without the configuration that every call of git is given.
fn command_line(argv: &[String]) -> String {
    let is_git = argv.first().is_some_and(|program| program == "git");
    let is_configuration = |at: usize| argv.get(at).is_some_and(|argument| argument == "-c");
    let is_said = |at: &usize| !is_git || !(is_configuration(*at) || at.checked_sub(1).is_some_and(is_configuration));
    (0..argv.len()).filter(is_said).map(|at| shown(&argv[at])).collect::<Vec<_>>().join(" ")
}

/// The last lines, without passwords.
fn end_of(output: &str) -> String {
    let lines: Vec<&str> = output.trim().lines().collect();
    let told = &lines[lines.len().saturating_sub(TOLD)..];
    let words = |line: &&str| line.split(' ').map(shown).collect::<Vec<_>>().join(" ");
    told.iter().map(words).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEEDED: Needed = Needed { purpose: "packages of tests", way_out: "Install it." };

    async fn run(argv: &[&str], programs: &Programs) -> String {
        let argv: Vec<String> = argv.iter().map(|argument| (*argument).to_owned()).collect();
        match programs.run(&argv, Path::new("/"), NEEDED).await {
            Ok(output) => output,
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn command_lines_are_what_a_user_would_type() {
        for (argv, expected) in [
            ("git -c gc.auto=0 -c a=b clone -- https://me:secret@host/a", "git clone -- https://me:***@host/a"),
            ("sh -c true", "sh -c true"),
        ] {
            let argv: Vec<String> = argv.split(' ').map(str::to_owned).collect();
            assert_eq!(command_line(&argv), expected);
        }
    }

    #[tokio::test]
    async fn what_becomes_of_a_program_is_told() {
        let programs =
            Programs { timeout: Duration::from_millis(1500), cancel: CancellationToken::new(), may_ask: false };
        for (argv, expected) in [
            (&["sh", "-c", "echo out; echo no >&2"][..], "out\n"),
            (&["sh", "-c", "echo $GIT_TERMINAL_PROMPT"], "0\n"),
            (
                &["no-such-program"],
                "The program \"no-such-program\" was not found, and packages of tests need it. Install it.",
            ),
            (
                &["sh", "-c", "echo at https://me:secret@host/a >&2; exit 3"],
                "sh -c echo at https://me:***@host/a >&2; exit 3 failed with code 3:\nat https://me:***@host/a",
            ),
            (&["sleep", "60"], "sleep 60 was ended after 1 s without an end. Try again when the network is faster"),
        ] {
            assert_eq!(run(argv, &programs).await, expected);
        }
        programs.cancel.cancel();
        assert_eq!(run(&["sleep", "60"], &programs).await, "Cancelled");
    }
}
