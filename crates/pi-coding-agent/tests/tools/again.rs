//! Runs one test of this binary again in a process of its own: as another user, with limits, or to measure its memory.

use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output};
use std::{env, fs};

/// Tells the inner run that it is one.
const INNER: &str = "PI_TEST_INNER";
/// The user `nobody`, nearly everywhere.
const NOBODY: u32 = 65_534;

/// Whether this is the inner run.
pub(crate) fn is_inner() -> bool {
    env::var_os(INNER).is_some()
}

/// The inner run of a test, started by `sh` after these commands.
pub(crate) fn run(test: &str, setup: &str) -> Output {
    let mut command = shell(setup, &env::current_exe().unwrap(), test);
    command.output().unwrap()
}

/// Runs a test as a user whom permissions bind. `false`: that was done, by root.
pub(crate) fn permissions_bind(test: &str) -> bool {
    if is_inner() || !rustix::process::geteuid().is_root() {
        return true;
    }
    as_nobody(test, "");
    false
}

/// The inner run of a test as a user whom permissions bind, started by `sh` after these commands. Only root can.
pub(crate) fn as_nobody(test: &str, setup: &str) {
    // The binary may lie where that user cannot look.
    let dir = tempfile::tempdir().unwrap();
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let binary = dir.path().join("tests");
    // Copied by another process: one that other tests start meanwhile could inherit our handle of the copy, and a program
    // that is open for writing does not start.
    let copied = Command::new("cp").arg(env::current_exe().unwrap()).arg(&binary).status().unwrap();
    assert!(copied.success());
    let mut command = shell(setup, &binary, test);
    let output = command.uid(NOBODY).gid(NOBODY).current_dir("/").env("HOME", dir.path()).output().unwrap();
    passed(&output);
}

/// Fails unless the inner run did what it should.
pub(crate) fn passed(output: &Output) {
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && told.contains("1 passed"), "{told}{}", String::from_utf8_lossy(&output.stderr));
}

/// Most memory that this process has had, in KiB.
pub(crate) fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

fn shell(setup: &str, binary: &Path, test: &str) -> Command {
    let mut command = Command::new("bash");
    command.arg("-c").arg(format!("{setup}\nexec \"$0\" \"$@\"")).arg(binary).args([test, "--exact", "--nocapture"]);
    command.env(INNER, "1");
    command
}
