//! A running `pi`: lines in, lines out, signals.

use std::path::Path;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout};

use crate::PATIENCE;

/// A running program.
pub struct Live {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: Option<Lines<BufReader<ChildStdout>>>,
}

impl Live {
    pub(super) fn new(mut child: Child) -> Self {
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().map(|stdout| BufReader::new(stdout).lines());
        Self { child, stdin, stdout }
    }

    /// Writes text to its standard input.
    pub async fn send(&mut self, text: &str) {
        self.send_bytes(text.as_bytes()).await;
    }

    /// Writes bytes to its standard input. One that has ended does not read them; its output says why.
    pub async fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        let written = tokio::time::timeout(PATIENCE, stdin.write_all(bytes)).await.expect("pi does not read");
        assert!(written.is_ok() || written.is_err_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe));
    }

    /// Ends its standard input.
    pub fn close_stdin(&mut self) {
        self.stdin = None;
    }

    /// Stops reading its standard output.
    pub fn close_stdout(&mut self) {
        self.stdout = None;
    }

    /// So many bytes of its output.
    pub async fn read(&mut self, count: usize) -> String {
        let mut bytes = vec![0; count];
        let read = self.stdout.as_mut().unwrap().get_mut().read_exact(&mut bytes);
        tokio::time::timeout(PATIENCE, read).await.expect("pi says nothing").unwrap();
        String::from_utf8(bytes).unwrap()
    }

    /// What it has written since; `None` at the end.
    pub async fn some(&mut self) -> Option<Vec<u8>> {
        let mut bytes = vec![0; 16 << 10];
        let read = self.stdout.as_mut().unwrap().get_mut().read(&mut bytes);
        let count = tokio::time::timeout(PATIENCE, read).await.expect("pi says nothing").unwrap();
        bytes.truncate(count);
        (count > 0).then_some(bytes)
    }

    /// Its output up to and including this text, as a terminal gets it.
    pub async fn until_text(&mut self, text: &str) -> String {
        let mut bytes = Vec::new();
        while !String::from_utf8_lossy(&bytes).ends_with(text) {
            let stdout = self.stdout.as_mut().unwrap().get_mut();
            let read = tokio::time::timeout(PATIENCE, stdout.read_u8()).await;
            let Ok(Ok(byte)) = read else { panic!("no {text:?}, but {}", String::from_utf8_lossy(&bytes)) };
            bytes.push(byte);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The rest of its output.
    pub async fn rest_of_text(&mut self) -> String {
        let mut bytes = Vec::new();
        let stdout = self.stdout.as_mut().unwrap().get_mut();
        let read = tokio::time::timeout(PATIENCE, stdout.read_to_end(&mut bytes)).await;
        read.expect("pi does not end").unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The next line of its output; `None` at the end.
    pub async fn line(&mut self) -> Option<Value> {
        let stdout = self.stdout.as_mut().unwrap();
        let line = tokio::time::timeout(PATIENCE, stdout.next_line()).await.expect("pi says nothing").unwrap();
        line.map(|line| serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}")))
    }

    /// Lines up to and including the first that fits.
    pub async fn until(&mut self, fits: impl Fn(&Value) -> bool) -> Vec<Value> {
        let mut lines = Vec::new();
        loop {
            let Some(line) = self.line().await else {
                let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
                panic!("the output ended:\n{}", lines.join("\n"))
            };
            lines.push(line);
            if fits(&lines[lines.len() - 1]) {
                return lines;
            }
        }
    }

    /// Lines up to and including the first of this type; the last of them.
    pub async fn event(&mut self, kind: &str) -> Value {
        self.until(|line| line["type"] == kind).await.pop().unwrap()
    }

    /// The lines that are left.
    pub async fn rest(&mut self) -> Vec<Value> {
        let mut lines = Vec::new();
        while let Some(line) = self.line().await {
            lines.push(line);
        }
        lines
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.child.id().unwrap()
    }

    /// Ends its input and waits for its end.
    pub async fn end(mut self) -> (i32, String) {
        self.close_stdin();
        self.finish().await
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(self.id().try_into().unwrap()).unwrap();
        kill_process(pid, signal).unwrap();
    }

    /// Waits for the end; exit code (128 + n after a deadly signal n) and standard error.
    pub async fn finish(self) -> (i32, String) {
        self.wait(true).await
    }

    /// The same without taking what it still says.
    pub async fn finish_unread(self) -> (i32, String) {
        self.wait(false).await
    }

    async fn wait(mut self, read: bool) -> (i32, String) {
        use std::os::unix::process::ExitStatusExt;
        let mut complaints = String::new();
        let mut stderr = self.child.stderr.take().unwrap();
        let end = async {
            let drain = async {
                if let (true, Some(stdout)) = (read, &mut self.stdout) {
                    while stdout.next_line().await.is_ok_and(|line| line.is_some()) {}
                }
            };
            let (status, _, ()) = tokio::join!(self.child.wait(), stderr.read_to_string(&mut complaints), drain);
            status.unwrap()
        };
        let status = tokio::time::timeout(PATIENCE, end).await.expect("pi does not end");
        (status.code().unwrap_or_else(|| 128 + status.signal().unwrap()), complaints)
    }
}

/// Waits until a condition holds.
pub async fn wait_until(what: &str, condition: impl Fn() -> bool) {
    let wait = async {
        while !condition() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    assert!(tokio::time::timeout(PATIENCE, wait).await.is_ok(), "{what}");
}

/// Whether a process of this id, as written in the file, runs.
pub fn is_running(pid_file: &Path) -> bool {
    let pid = std::fs::read_to_string(pid_file).unwrap();
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    !stat.is_empty() && !stat.contains(") Z ")
}
