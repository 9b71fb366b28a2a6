//! A `pi` program in RPC mode with a home of its own.
#![allow(clippy::disallowed_methods, reason = "a program makes clock, ids and environment")]

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

/// Clock ticks per second in `/proc/PID/stat`; Linux has told programs this number for decades.
const TICKS: u64 = 100;

/// A home with one model, that of the server.
pub(crate) struct Home(TempDir);

impl Home {
    pub(crate) fn new(url: &str) -> io::Result<Self> {
        let home = TempDir::new()?;
        let agent = home.path().join(".pi/agent");
        fs::create_dir_all(&agent)?;
        let models = serde_json::json!({"providers": {"here": {
            "baseUrl": url, "apiKey": "none", "api": "anthropic-messages",
            "models": [{"id": "m", "contextWindow": 100_000_000}],
        }}});
        fs::write(agent.join("models.json"), models.to_string())?;
        let settings = r#"{"defaultProvider":"here","defaultModel":"m","compaction":{"enabled":false}}"#;
        fs::write(agent.join("settings.json"), settings)?;
        Ok(Self(home))
    }
}

/// The running program. It does not keep its sessions.
pub(crate) struct Pi {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Pi {
    pub(crate) fn start(program: &Path, home: &Home) -> io::Result<Self> {
        let mut command = Command::new(program);
        command.args(["--mode", "rpc", "--no-session", "--no-tools"]).current_dir(home.0.path());
        command.env_clear().env("HOME", home.0.path()).env("PATH", std::env::var_os("PATH").unwrap_or_default());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let missing = || io::Error::other("the program has no input or output");
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = BufReader::with_capacity(1 << 20, child.stdout.take().ok_or_else(missing)?);
        Ok(Self { child, input, output })
    }

    /// Sends a command and reads one line, its answer.
    pub(crate) fn ask(&mut self, command: &str) -> io::Result<()> {
        writeln!(self.input, "{command}")?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        if line.contains(r#""success":true"#) { Ok(()) } else { Err(io::Error::other(line)) }
    }

    /// Sends a prompt and reads until its run is over. Returns the number of bytes.
    pub(crate) fn prompt(&mut self, text: &str) -> io::Result<u64> {
        writeln!(self.input, r#"{{"type":"prompt","message":"{text}"}}"#)?;
        let (mut bytes, mut line) = (0, Vec::new());
        loop {
            line.clear();
            let length = self.output.read_until(b'\n', &mut line)?;
            bytes += length as u64;
            let has_failed = line.windows(15).any(|window| window == br#""success":false"#) && line.len() < 1000;
            if length == 0 || has_failed {
                return Err(io::Error::other(String::from_utf8_lossy(&line).into_owned()));
            }
            if line.starts_with(br#"{"type":"agent_end""#) {
                return Ok(bytes);
            }
        }
    }

    /// Memory in bytes.
    pub(crate) fn resident(&self) -> io::Result<u64> {
        self.status("VmRSS:")
    }

    /// The most that it was, in bytes.
    pub(crate) fn peak(&self) -> io::Result<u64> {
        self.status("VmHWM:")
    }

    /// Time on the processor so far.
    pub(crate) fn cpu(&self) -> io::Result<Duration> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        // The name may hold blanks; what follows its parenthesis does not.
        let fields = stat.rsplit(')').next().unwrap_or_default();
        let ticks: u64 = fields.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
        Ok(Duration::from_millis(ticks * 1000 / TICKS))
    }

    fn status(&self, field: &str) -> io::Result<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap_or_default();
        let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse().map_err(io::Error::other)?;
        Ok(kilobytes * 1024)
    }

    /// Ends it and waits.
    pub(crate) fn end(mut self) -> io::Result<()> {
        drop(self.input);
        self.output.read_to_end(&mut Vec::new())?;
        let status = self.child.wait()?;
        if status.success() { Ok(()) } else { Err(io::Error::other(format!("pi ended with {status}"))) }
    }
}
