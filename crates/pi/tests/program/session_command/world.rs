//! A home and a project of one's own, and `pi session` running in them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use crate::session_command::samples::write;
use pi_test_kit::output::Finished;

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_pi");

/// Directories that nobody else uses; gone with the value.
pub(crate) struct World {
    root: TempDir,
}

/// The time of the samples' entries: 2026-11-21T20:15:00Z.
fn written() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_795_292_100)
}
impl World {
    pub(crate) fn new() -> Self {
        let world = Self { root: tempfile::tempdir().unwrap() };
        for dir in [world.cwd(), world.sessions()] {
            fs::create_dir_all(dir).unwrap();
        }
        world
    }

    pub(crate) fn root(&self) -> &Path {
        self.root.path()
    }

    pub(crate) fn cwd(&self) -> PathBuf {
        self.root().join("project")
    }

    /// Where the project's sessions are by default.
    pub(crate) fn sessions(&self) -> PathBuf {
        let encoded = self.cwd().to_str().unwrap().trim_start_matches('/').replace('/', "-");
        self.root().join("agent/sessions").join(format!("--{encoded}--"))
    }

    /// A session of the project with these lines; the header's directory becomes the project.
    pub(crate) fn session(&self, name: &str, lines: &[String]) -> PathBuf {
        let mut lines = lines.to_vec();
        lines[0] = lines[0].replace("/srv/app", self.cwd().to_str().unwrap());
        let path = write(&self.sessions(), name, &lines);
        // Written when its last entry says, whatever day it is: how well a hit fits depends on its age.
        fs::File::options().append(true).open(&path).and_then(|file| file.set_modified(written())).unwrap();
        path
    }

    /// A file of the project.
    pub(crate) fn file(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.cwd().join(name);
        fs::write(&path, content).unwrap();
        path
    }

    /// `pi session` with these arguments, not started.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command.arg("session").args(args).current_dir(self.cwd()).env_clear().stdin(Stdio::null());
        command.env("HOME", self.root()).env("PI_CODING_AGENT_DIR", self.root().join("agent"));
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Finished {
        self.finish(self.command(args))
    }

    pub(crate) fn finish(&self, command: Command) -> Finished {
        Finished::of(command, |text| self.mask(text))
    }

    fn mask(&self, text: &str) -> String {
        let root = self.root().to_str().unwrap();
        text.replace(root, "ROOT").replace(&root.replace('/', "-"), "-ROOT")
    }

    /// What a run that went well printed.
    pub(crate) fn success(&self, args: &[&str]) -> String {
        self.run(args).success()
    }

    /// Several runs, as on a terminal.
    pub(crate) fn transcript(&self, lines: &[&[&str]]) -> String {
        let transcript = |args: &&[&str]| {
            let line = self.mask(&format!("pi session {}", args.join(" ")));
            self.run(args).transcript(&line)
        };
        lines.iter().map(transcript).collect()
    }
}
