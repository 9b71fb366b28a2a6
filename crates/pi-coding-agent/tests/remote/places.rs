//! The places where the same calls are made, each with a directory of its own on the disk of this machine.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pi_agent_core::{NestedCalls, ToolError, ToolInvocation, ToolOutput, ToolUpdates};
use pi_ai::{InputKind, Model};
use pi_coding_agent::tools::{ContainerOptions, ContainerShell, RemoteMachine, ToolOptions, create_tool};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use crate::sshd::Sshd;

/// Long enough for a loaded machine, short enough not to be the sleep of a test command (600 s).
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// Somewhere the tools work.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) name: &'static str,
    /// `None` for this machine.
    pub(crate) machine: Option<Arc<RemoteMachine>>,
    pub(crate) root: TempDir,
    pub(crate) _sshd: Option<Sshd>,
}

impl Place {
    fn new(name: &'static str, machine: Option<RemoteMachine>) -> Self {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("work")).unwrap();
        Self { name, machine: machine.map(Arc::new), root, _sshd: None }
    }

    /// This machine, without anything in between.
    pub(crate) fn local() -> Self {
        Self::new("local", None)
    }

    /// This machine, seen as another one.
    pub(crate) fn on(machine: RemoteMachine) -> Self {
        Self::new("this one", Some(machine))
    }

    /// A server on loopback, where there is one.
    pub(crate) fn ssh() -> Option<Self> {
        let sshd = Sshd::start("")?;
        let place = Self::new("ssh", Some(sshd.machine()));
        Some(Self { _sshd: Some(sshd), ..place })
    }

    /// A shell of this machine in an empty environment, as a container has it.
    pub(crate) fn container() -> Self {
        Self::new("container", Some(contained(&["env", "-i", "PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/root"])))
    }

    /// The tools of busybox and nothing else; `None`, with a notice, where it is not installed.
    pub(crate) fn busybox() -> Option<Self> {
        let place = Self::new("busybox", None);
        let bin = place.root.path().join("bin");
        fs::create_dir(&bin).unwrap();
        let installed = Command::new("busybox").arg("--install").arg("-s").arg(&bin).status();
        if !installed.is_ok_and(|status| status.success()) {
            absent("busybox");
            return None;
        }
        let path = format!("PATH={}", bin.display());
        let machine = contained(&["env", "-i", &path, "HOME=/root"]);
        Some(Self { machine: Some(Arc::new(machine)), ..place })
    }

    /// Another shell in the part of `sh`; `None`, with a notice, where it is not installed.
    pub(crate) fn with_shell(name: &'static str) -> Option<Self> {
        let place = Self::new(name, None);
        let bin = place.root.path().join("bin");
        fs::create_dir(&bin).unwrap();
        let Some(shell) = std::env::split_paths("/usr/bin:/bin").map(|dir| dir.join(name)).find(|path| path.exists())
        else {
            notice(&format!("{name} is not installed"));
            return None;
        };
        symlink(shell, bin.join("sh")).unwrap();
        let path = format!("PATH={}:/usr/bin:/bin", bin.display());
        let machine = contained(&["env", "-i", &path, "HOME=/root"]);
        Some(Self { machine: Some(Arc::new(machine)), ..place })
    }

    /// All that this machine can offer.
    pub(crate) fn all() -> Vec<Self> {
        let always = [Self::local(), Self::container()];
        always.into_iter().chain(Self::remote_ones()).collect()
    }

    /// The same without this machine itself.
    pub(crate) fn elsewhere() -> Vec<Self> {
        [Self::container()].into_iter().chain(Self::remote_ones()).collect()
    }

    fn remote_ones() -> impl Iterator<Item = Self> {
        let shells = ["dash", "bash", "mksh"].into_iter().filter_map(Self::with_shell);
        [Self::ssh(), Self::busybox()].into_iter().flatten().chain(shells)
    }

    /// The operations of another machine.
    pub(crate) fn machine(&self) -> &Arc<RemoteMachine> {
        self.machine.as_ref().unwrap()
    }

    /// The working directory, real path.
    pub(crate) fn work(&self) -> PathBuf {
        self.root.path().canonicalize().unwrap().join("work")
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.work().join(name)
    }

    pub(crate) fn put(&self, name: &str, content: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(crate) fn link(&self, target: &str, name: &str) {
        symlink(target, self.path(name)).unwrap();
    }

    pub(crate) fn options(&self) -> ToolOptions {
        let options = ToolOptions::builder().cwd(self.work()).home(self.work()).temp_dir(self.root.path()).build();
        match &self.machine {
            Some(machine) => options.on(machine),
            None => options,
        }
    }

    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Result<ToolOutput, ToolError> {
        self.call_until(tool, arguments, CancellationToken::new()).await
    }

    pub(crate) async fn call_until(
        &self,
        tool: &str,
        arguments: Value,
        cancel: CancellationToken,
    ) -> Result<ToolOutput, ToolError> {
        let tool = create_tool(tool, &self.options()).unwrap();
        let arguments = tool.prepare_arguments(arguments)?;
        let model = Arc::new(Model { input: vec![InputKind::Text, InputKind::Image], ..Model::default() });
        let updates = ToolUpdates::ignored();
        tool.execute(ToolInvocation {
            id: "call".into(),
            arguments,
            cancel,
            updates,
            model,
            calls: NestedCalls::none(),
        })
        .await
    }

    /// What a tool answers, with the directory's name taken out.
    pub(crate) async fn answer(&self, tool: &str, arguments: Value) -> String {
        let answer = match self.call(tool, arguments).await {
            Ok(output) => json!(output),
            Err(error) => json!({ "error": error.to_string() }),
        };
        self.masked(&answer.to_string())
    }

    pub(crate) fn masked(&self, text: &str) -> String {
        text.replace(&self.work().display().to_string(), "<WORK>")
    }
}

/// A container that is no more than a command of this machine.
pub(crate) fn contained(command: &[&str]) -> RemoteMachine {
    let options = ContainerOptions::builder().command(command.iter().copied()).name("a container").build();
    RemoteMachine::new(ContainerShell::new(options))
}

/// Says that something is not installed. `.ci/run` installs what it can; only where it could not, a test may do without.
pub(crate) fn absent(what: &str) {
    let set = |name: &str, value: &str| std::env::var(name).is_ok_and(|is| is == value);
    assert!(!set("CI", "true") || set("PROGRAMS_OF_TESTS", "absent"), "{what}: not installed");
    notice(&format!("{what}: not installed"));
}

#[allow(clippy::print_stdout)] // a test that was skipped must not look like one that passed
fn notice(text: &str) {
    println!("SKIPPED: {text}");
}

/// Waits until a condition holds.
pub(crate) async fn eventually(what: &str, condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < PATIENCE, "waited in vain: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Whether a process of this id runs (and is not a zombie).
pub(crate) fn is_alive(pid: &str) -> bool {
    let stat = fs::read_to_string(Path::new("/proc").join(pid).join("stat")).unwrap_or_default();
    stat.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.trim_start().starts_with('Z'))
}

/// The text of an answer, whether it is a success or not.
pub(crate) fn text(answer: &Result<ToolOutput, ToolError>) -> String {
    match answer {
        Ok(output) => output.content[0].as_text().unwrap().to_owned(),
        Err(error) => error.to_string(),
    }
}
