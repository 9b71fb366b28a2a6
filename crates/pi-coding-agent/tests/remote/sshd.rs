//! An SSH server of our own: on loopback, with keys that exist for one test.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use pi_coding_agent::tools::{RemoteMachine, SshOptions, SshShell};
use tempfile::TempDir;

use crate::places::absent;

/// A running server. Dropping it ends it with all its connections.
#[derive(Debug)]
pub(crate) struct Sshd {
    dir: TempDir,
    port: u16,
    child: Child,
}

impl Sshd {
    /// Starts a server; `None`, with a notice, where the programs are not installed.
    pub(crate) fn start(extra_config: &str) -> Option<Self> {
        let Some(program) = installed() else {
            absent("ssh, ssh-keygen or sshd");
            return None;
        };
        let dir = tempfile::tempdir().unwrap();
        for key in ["host", "user", "stranger"] {
            let made = Command::new("ssh-keygen")
                .args(["-q", "-t", "ed25519", "-N", "", "-f"])
                .arg(dir.path().join(key))
                .status();
            assert!(made.unwrap().success());
        }
        // Start-up files that talk must not disturb anything, and those of whoever runs the test have no place here.
        fs::write(dir.path().join(".bashrc"), "echo Welcome; echo Beware >&2\n").unwrap();
        // As root the server wants this directory, which the system's own start-up makes.
        let _ = fs::create_dir_all("/run/sshd");
        let (port, child) = serve(&program, dir.path(), extra_config, None);
        let sshd = Self { dir, port, child };
        let key = fs::read_to_string(sshd.path("host.pub")).unwrap();
        fs::write(sshd.path("known_hosts"), format!("[127.0.0.1]:{port} {key}")).unwrap();
        Some(sshd)
    }

    /// The same server again, after it was killed.
    pub(crate) fn restart(&mut self) {
        let (_, child) = serve(&installed().unwrap(), self.dir.path(), "", Some(self.port));
        self.child = child;
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Options that reach it, known host and all.
    pub(crate) fn options(&self) -> SshOptions {
        self.options_with("user", "known_hosts")
    }

    /// Options with this key and this list of known hosts.
    pub(crate) fn options_with(&self, key: &str, known_hosts: &str) -> SshOptions {
        let known_hosts = format!("UserKnownHostsFile={}", self.path(known_hosts).display());
        SshOptions::builder()
            .destination("127.0.0.1")
            .port(self.port)
            .identity_file(self.path(key))
            .config_file("/dev/null")
            .extra_args(["-o", "IdentitiesOnly=yes", "-o", &known_hosts])
            .build()
    }

    pub(crate) fn machine(&self) -> RemoteMachine {
        RemoteMachine::new(SshShell::new(self.options()).unwrap())
    }

    /// Connections that the server has now: its own child processes.
    pub(crate) fn connections(&self) -> usize {
        children(self.child.id()).len()
    }

    /// Kills the server and whatever holds a connection, but not what the connections had started.
    pub(crate) fn kill(&mut self) {
        let mut doomed = vec![self.child.id()];
        let mut at = 0;
        while at < doomed.len() {
            doomed.extend(children(doomed[at]).into_iter().filter(|pid| is_sshd(*pid)));
            at += 1;
        }
        for pid in doomed {
            let _ = Command::new("kill").args(["-9", &pid.to_string()]).stderr(Stdio::null()).status();
        }
        let _ = self.child.wait();
    }
}

impl Drop for Sshd {
    fn drop(&mut self) {
        self.kill();
    }
}

fn installed() -> Option<PathBuf> {
    let has = |program: &str| Command::new(program).arg("-?").output().is_ok();
    let paths = ["/usr/sbin/sshd", "/usr/local/sbin/sshd", "/usr/bin/sshd"];
    let sshd = paths.iter().map(PathBuf::from).find(|path| path.exists());
    sshd.filter(|_| has("ssh") && has("ssh-keygen"))
}

#[allow(clippy::zombie_processes)] // the caller waits
fn serve(program: &Path, dir: &Path, extra_config: &str, port: Option<u16>) -> (u16, Child) {
    // The port is free when it is chosen; somebody may be faster.
    for _ in 0..20 {
        let port = port.unwrap_or_else(|| TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port());
        let config = format!(
            "{extra_config}\nPort {port}\nListenAddress 127.0.0.1\nHostKey {dir}/host\nAuthorizedKeysFile {dir}/user.pub\n\
             StrictModes no\nUsePAM no\nPidFile none\nPasswordAuthentication no\nKbdInteractiveAuthentication no\n\
             SetEnv HOME={dir}\nPermitRootLogin yes\nMaxStartups 100\nLogLevel ERROR\n",
            dir = dir.display()
        );
        fs::write(dir.join("sshd_config"), config).unwrap();
        let log = fs::File::create(dir.join("log")).unwrap();
        let mut command = Command::new(program);
        command.args(["-D", "-e", "-f"]).arg(dir.join("sshd_config"));
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn().unwrap();
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(20) {
            if let Ok(Some(_)) = child.try_wait() {
                break;
            }
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return (port, child);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = child.kill();
        let _ = child.wait();
    }
    panic!("sshd does not start: {}", fs::read_to_string(dir.join("log")).unwrap_or_default());
}

fn children(pid: u32) -> Vec<u32> {
    let tasks = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    tasks.split_whitespace().map(|pid| pid.parse().unwrap()).collect()
}

fn is_sshd(pid: u32) -> bool {
    fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|name| name.starts_with("sshd"))
}
