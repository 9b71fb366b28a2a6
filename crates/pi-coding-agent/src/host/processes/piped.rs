//! Starts a program to talk with: a server that reads requests and writes answers.

use std::io;
use std::process::{Command, ExitStatus};
use std::time::Duration;

use rustix::process::Signal;
use tokio::net::unix::pipe;

use super::child::{Child, start};
use super::launch::{Launch, ProcessGroup};

/// A program that runs, and its pipes. It leads a session of its own, without a terminal; all that it has started ends with
/// it. Dropping it kills it.
#[derive(Debug)]
pub struct PipedProgram {
    /// Its standard input; absent once somebody has taken it.
    pub stdin: Option<pipe::Sender>,
    /// Its standard output; absent once somebody has taken it.
    pub stdout: Option<pipe::Receiver>,
    /// Its standard error; absent once somebody has taken it.
    pub stderr: Option<pipe::Receiver>,
    child: Child,
}

/// Starts what a command says: program, arguments, directory, changes of the environment of this process. Its streams are
/// pipes to here.
///
/// # Errors
/// Those of the system, for example that there is no such program.
pub async fn start_piped(command: &Command) -> io::Result<PipedProgram> {
    let (stdin, our_stdin) = io::pipe()?;
    let (our_stdout, stdout) = io::pipe()?;
    let (our_stderr, stderr) = io::pipe()?;
    let launch = Launch::of(command, ProcessGroup::Session, (stdout.into(), stderr.into()));
    let child = start(launch.stdin(stdin.into())).await?;
    Ok(PipedProgram {
        stdin: Some(pipe::Sender::from_owned_fd(our_stdin.into())?),
        stdout: Some(pipe::Receiver::from_owned_fd(our_stdout.into())?),
        stderr: Some(pipe::Receiver::from_owned_fd(our_stderr.into())?),
        child,
    })
}

impl PipedProgram {
    /// Waits for its end. Nothing is lost if the future is dropped.
    ///
    /// # Errors
    /// When nobody can tell any more: the process that starts commands was killed.
    pub async fn wait(&mut self) -> io::Result<ExitStatus> {
        self.child.wait().await
    }

    /// Asks it to end: closes its standard input, sends SIGTERM after the first `grace`, SIGKILL after the second.
    pub async fn end(mut self, grace: Duration) {
        self.stdin = None;
        if tokio::time::timeout(grace, self.child.wait()).await.is_err() {
            self.child.signal(Signal::TERM);
            // What is left then is killed on drop.
            let _ = tokio::time::timeout(grace, self.child.wait()).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    async fn sh(script: &str) -> PipedProgram {
        start_piped(Command::new("/bin/sh").args(["-c", script])).await.unwrap()
    }

    #[tokio::test]
    async fn a_program_answers_and_ends_with_its_input() {
        let mut program = sh("while read line; do echo \"got $line\"; done; echo bye >&2").await;
        program.stdin.as_mut().unwrap().write_all(b"one\n").await.unwrap();
        let mut answer = [0; 8];
        program.stdout.as_mut().unwrap().read_exact(&mut answer).await.unwrap();
        assert_eq!(&answer, b"got one\n");
        let mut stderr = program.stderr.take().unwrap();
        program.end(Duration::from_secs(30)).await;
        let mut said = String::new();
        stderr.read_to_string(&mut said).await.unwrap();
        assert_eq!(said, "bye\n");
    }

    #[tokio::test]
    async fn one_that_hears_nothing_is_killed_with_what_it_has_started() {
        let mut program = sh("trap '' TERM; sleep 600 & echo $!; wait; while :; do sleep 1; done").await;
        let (mut stdout, mut pid) = (program.stdout.take().unwrap(), String::new());
        while !pid.ends_with('\n') {
            pid.push(char::from(stdout.read_u8().await.unwrap()));
        }
        program.end(Duration::from_millis(50)).await;
        // The pipe closes when the last one that holds it is gone.
        let mut rest = Vec::new();
        tokio::time::timeout(Duration::from_secs(60), stdout.read_to_end(&mut rest)).await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn what_is_not_there_is_an_error() {
        let error = start_piped(&Command::new("no-such-program")).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
