//! A world whose processes carry a mark in their environment, so that none of them can hide.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use pi_test_kit::{Live, Pi, World};

/// Long enough for any machine, and much shorter than what the commands sleep.
const PATIENCE: Duration = Duration::from_secs(120);

/// A world and its mark.
pub(crate) struct Marked {
    pub(crate) world: World,
    mark: String,
}

/// A process that carries the mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) pid: i32,
    pub(crate) parent: i32,
    pub(crate) line: String,
}

impl Marked {
    pub(crate) fn new(world: World) -> Self {
        let mark = world.root().to_string_lossy().into_owned();
        Self { world, mark }
    }

    /// `pi` with the mark, not started.
    pub(crate) fn pi(&self, arguments: &[&str]) -> Pi<'_> {
        self.world.pi(arguments).env("PI_TEST_MARK", &self.mark).env("PI", env!("CARGO_BIN_EXE_pi"))
    }

    pub(crate) fn rpc(&self) -> Live {
        self.pi(&["--mode", "rpc"]).start()
    }

    /// All living processes with the mark.
    pub(crate) fn processes(&self) -> Vec<Found> {
        let mark = format!("PI_TEST_MARK={}", self.mark);
        let pids = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
        let found = |pid: i32| {
            let dir = PathBuf::from(format!("/proc/{pid}"));
            let env = fs::read(dir.join("environ")).ok()?;
            env.split(|byte| *byte == 0).any(|entry| entry == mark.as_bytes()).then_some(())?;
            let stat = fs::read_to_string(dir.join("stat")).ok()?;
            let (_, rest) = stat.rsplit_once(") ")?;
            let fields: Vec<&str> = rest.split(' ').collect();
            (fields[0] != "Z").then_some(())?;
            let line = fs::read(dir.join("cmdline")).ok()?;
            let line = String::from_utf8_lossy(&line).replace('\0', " ").trim().to_owned();
            Some(Found { pid, parent: fields[1].parse().ok()?, line })
        };
        pids.filter_map(found).collect()
    }

    /// The processes that sleep for long.
    pub(crate) fn sleepers(&self) -> Vec<Found> {
        self.processes().into_iter().filter(|process| process.line == "sleep 1000").collect()
    }

    /// The spawner of this `pi`.
    pub(crate) fn spawner(&self, pi: &Live) -> Option<Found> {
        let parent = i32::try_from(pi.id()).unwrap();
        self.processes().into_iter().find(|it| it.parent == parent && it.line.contains("__command-spawner"))
    }

    pub(crate) async fn until(&self, what: &str, condition: impl Fn() -> bool) {
        let begin = std::time::Instant::now();
        while !condition() {
            assert!(begin.elapsed() < PATIENCE, "{what}: {:#?}", self.processes());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    pub(crate) async fn nothing_is_left(&self) {
        self.until("left over", || self.processes().is_empty()).await;
    }

    pub(crate) async fn sleeping(&self, count: usize) {
        self.until(&format!("{count} processes sleep"), || self.sleepers().len() == count).await;
    }
}

impl Drop for Marked {
    fn drop(&mut self) {
        // Whatever a failed test leaves.
        self.processes().iter().for_each(|process| signal(process.pid, Signal::KILL));
    }
}

/// Sends a signal; whoever is gone does not mind.
pub(crate) fn signal(pid: i32, signal: Signal) {
    let _ = kill_process(Pid::from_raw(pid).unwrap(), signal);
}

/// A command of the user.
pub(crate) fn bash(id: &str, command: &str) -> Value {
    json!({"id": id, "type": "bash", "command": command})
}

pub(crate) async fn send(pi: &mut Live, commands: &[Value]) {
    pi.send(&commands.iter().map(|command| format!("{command}\n")).collect::<String>()).await;
}

/// The response to the command of this id.
pub(crate) async fn response(pi: &mut Live, id: &str) -> Value {
    pi.until(|line| line["type"] == "response" && line["id"] == id).await.pop().unwrap()
}
