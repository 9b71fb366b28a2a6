//! Where things are: the workspace root, its build directory, the shared data beside the checkout.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// The workspace root.
pub(crate) fn root() -> Result<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    Ok(here.parent().context("the xtask crate must lie below the workspace root")?.to_path_buf())
}

/// A directory of the shared data that lies beside the checkout (`../shared`), if it is there.
///
/// # Errors
/// When it is absent although `CI` is `true`: a check that silently checks nothing is worse than none.
pub(crate) fn shared(name: &str) -> Result<Option<PathBuf>> {
    let in_ci = std::env::var("CI").is_ok_and(|value| value == "true");
    shared_beside(&root()?, name, in_ci)
}

fn shared_beside(root: &Path, name: &str, in_ci: bool) -> Result<Option<PathBuf>> {
    let directory = root.join("../shared").join(name);
    if directory.is_dir() {
        return Ok(Some(directory.canonicalize()?));
    }
    if in_ci {
        bail!("{} is missing, and CI=true wants it: put the shared data beside the checkout", directory.display());
    }
    println!("{name}: skipped, {} is not there", directory.display());
    Ok(None)
}

/// The program under test as an absolute path.
///
/// # Errors
/// When there is no such file.
pub(crate) fn program(path: &Path) -> Result<PathBuf> {
    path.canonicalize().with_context(|| {
        format!("no program at {}: build it first (`cargo build --release --bin pi`) and pass its path", path.display())
    })
}

/// A path as a harness that splits like a shell reads it.
pub(crate) fn quoted(path: &Path) -> Result<String> {
    let path = path.to_str().with_context(|| format!("{} is not UTF-8", path.display()))?;
    Ok(format!("'{}'", path.replace('\'', r"'\''")))
}

/// Runs a command to its end with our own output and returns its exit code.
pub(crate) fn exit_code(command: &mut Command) -> Result<i32> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("cannot run {name}: is it installed?"))?;
    status.code().with_context(|| format!("{name} was killed"))
}

/// Runs a command to its end and returns what it printed.
///
/// # Errors
/// When it cannot be run, fails, or prints something other than UTF-8.
pub(crate) fn output_of(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("cannot run {name}: is it installed?"))?;
    if !output.status.success() {
        bail!("{name} failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    String::from_utf8(output.stdout).with_context(|| format!("{name} printed something other than UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_shared_data_skips_at_home_and_fails_in_ci() {
        let parent = tempfile::tempdir().unwrap();
        let root = parent.path().join("checkout");
        std::fs::create_dir(&root).unwrap();
        assert_eq!(shared_beside(&root, "wire", false).unwrap(), None);
        let error = shared_beside(&root, "wire", true).unwrap_err().to_string();
        assert!(error.contains("put the shared data beside the checkout"), "{error}");

        std::fs::create_dir_all(parent.path().join("shared/wire")).unwrap();
        assert!(shared_beside(&root, "wire", true).unwrap().is_some());
    }

    #[test]
    fn a_missing_program_is_named_with_the_way_out() {
        let error = format!("{:#}", program(Path::new("no/such/pi")).unwrap_err());
        assert!(error.contains("no/such/pi") && error.contains("build it first"), "{error}");
    }

    #[test]
    fn paths_survive_shell_splitting() {
        assert_eq!(quoted(Path::new("/a b/it's")).unwrap(), r"'/a b/it'\''s'");
    }
}
