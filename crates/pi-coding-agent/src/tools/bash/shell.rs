//! Which shell runs a command, and in which environment.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::tools::operations::BashError;

/// The shell that nearly every system has.
const SYSTEM_BASH: &str = "/bin/bash";

/// The configured shell, `/bin/bash`, the first `bash` on the path, or `sh`.
#[expect(clippy::disallowed_methods, reason = "commands have the path of this process")]
pub fn choose_shell(configured: Option<&Path>) -> Result<PathBuf, BashError> {
    match configured {
        Some(path) if path.exists() => Ok(path.to_owned()),
        Some(path) => Err(BashError::Failed(format!("Custom shell path not found: {}", path.display()))),
        None => Ok(default_shell(Path::new(SYSTEM_BASH), env::var_os("PATH").as_deref())),
    }
}

fn default_shell(system: &Path, search_path: Option<&OsStr>) -> PathBuf {
    if system.exists() {
        return system.to_owned();
    }
    let mut found = search_path.into_iter().flat_map(env::split_paths).map(|dir| dir.join("bash"));
    found.find(|bash| bash.is_file()).unwrap_or_else(|| PathBuf::from("sh"))
}

/// The process's environment with the agent's own programs first on the `PATH`.
#[expect(clippy::disallowed_methods, reason = "commands inherit the environment of this process")]
pub fn command_env(agent_bin_dir: Option<&Path>) -> Vec<(OsString, OsString)> {
    with_first_on_path(env::vars_os().collect(), agent_bin_dir)
}

fn with_first_on_path(mut vars: Vec<(OsString, OsString)>, dir: Option<&Path>) -> Vec<(OsString, OsString)> {
    let Some(dir) = dir else { return vars };
    match vars.iter_mut().find(|(name, _)| name.eq_ignore_ascii_case("PATH")) {
        Some((_, path)) => *path = prepend(path, dir),
        None => vars.push(("PATH".into(), dir.into())),
    }
    vars
}

fn prepend(path: &OsStr, dir: &Path) -> OsString {
    if env::split_paths(path).any(|entry| entry == dir) {
        return path.to_owned();
    }
    // A directory with a `:` in its name cannot be on a path.
    env::join_paths(std::iter::once(dir.to_owned()).chain(env::split_paths(path))).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path_after(path: Option<(&str, &str)>, dir: &str) -> Vec<(String, String)> {
        let vars = path.map(|(name, value)| (name.into(), value.into())).into_iter().collect();
        let out = with_first_on_path(vars, Some(Path::new(dir)));
        out.into_iter().map(|(n, v)| (n.into_string().unwrap(), v.into_string().unwrap())).collect()
    }

    #[test]
    fn agent_programs_come_first_on_the_path() {
        for (before, after) in [
            (Some(("PATH", "/usr/bin:/bin")), ("PATH", "/agent/bin:/usr/bin:/bin")),
            (Some(("Path", "/bin")), ("Path", "/agent/bin:/bin")),
            (Some(("PATH", "/bin:/agent/bin")), ("PATH", "/bin:/agent/bin")),
            (None, ("PATH", "/agent/bin")),
        ] {
            assert_eq!(path_after(before, "/agent/bin"), [(after.0.to_owned(), after.1.to_owned())]);
        }
    }

    #[test]
    fn shell_falls_back_to_the_path_and_then_to_sh() {
        let dir = tempfile::tempdir().unwrap();
        let bash = dir.path().join("bash");
        assert_eq!(default_shell(Path::new("/no/such/bash"), Some(dir.path().as_os_str())), Path::new("sh"));
        std::fs::write(&bash, "").unwrap();
        assert_eq!(default_shell(Path::new("/no/such/bash"), Some(dir.path().as_os_str())), bash);
        assert_eq!(default_shell(&bash, None), bash);
    }

    #[test]
    fn a_configured_shell_must_exist() {
        let error = choose_shell(Some(Path::new("/no/such/shell"))).unwrap_err();
        assert_eq!(error.to_string(), "Custom shell path not found: /no/such/shell");
        assert_eq!(choose_shell(Some(Path::new("/bin/sh"))).unwrap(), Path::new("/bin/sh"));
    }
}
