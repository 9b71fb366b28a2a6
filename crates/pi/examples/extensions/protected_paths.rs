//! `pi` with files that the model does not change: keys, what git keeps, what a package manager installed.
//!
//! `cargo run -p pi --example protected_paths -- --mode rpc`
//!
//! It watches the tools that change files, `write` and `edit`. A shell can change anything: together with
//! `permission_gate`, or without the tool `bash`, this is a guard rail and still no sandbox.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use pi::cli;
use pi_coding_agent::extension::events::{ToolCallEvent, ToolCallOutcome};
use pi_coding_agent::extension::{Extension, ExtensionContext, HandlerError, NotifyKind, extension_fn};

/// Names of directories in which nothing is changed.
const DIRECTORIES: [&str; 2] = [".git", "node_modules"];
/// The file with keys; others begin with its name and a dot.
const SECRETS: &str = ".env";
/// Shows which keys there are, and holds none.
const SAMPLE: &str = ".env.example";

fn main() -> ExitCode {
    ExitCode::from(cli::run_with(std::env::args().skip(1), vec![protected_paths()]))
}

fn protected_paths() -> Arc<dyn Extension> {
    extension_fn("protected-paths", |pi| async move {
        pi.on(decide);
        Ok(())
    })
}

/// Handlers of `tool_call` fail closed: whatever goes wrong in here blocks the call, too.
async fn decide(call: ToolCallEvent, ctx: ExtensionContext) -> Result<ToolCallOutcome, HandlerError> {
    if !matches!(call.tool_name.as_str(), "write" | "edit") {
        return Ok(ToolCallOutcome::allow());
    }
    let path = call.input["path"].as_str().unwrap_or_default().to_owned();
    let (cwd, asked) = (ctx.cwd()?, path.clone());
    let look = tokio::task::spawn_blocking(move || is_protected(&cwd, &asked));
    if !look.await.map_err(|error| error.to_string())? {
        return Ok(ToolCallOutcome::allow());
    }
    let tool = &call.tool_name;
    ctx.ui().notify(&format!("Protected: {tool} of {path} was blocked."), Some(NotifyKind::Warning)).await;
    Ok(ToolCallOutcome::block(format!(
        "{path} is protected and was not changed. If it has to change, tell the user what to do."
    )))
}

/// Whether a path, as the model wrote it, leads to something protected, by its names or through links. Looks at the disk.
fn is_protected(cwd: &Path, path: &str) -> bool {
    // The tools take a leading @ for the sign by which users name files.
    let asked = tidy(&cwd.join(path.strip_prefix('@').unwrap_or(path)));
    let real_cwd = cwd.canonicalize().unwrap_or_else(|_| cwd.to_owned());
    has_protected_name(cwd, &asked) || has_protected_name(&real_cwd, &real(&asked))
}

/// The path without `.` and `..`.
fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(tidy.pop()),
            Component::CurDir => {}
            other => tidy.push(other),
        }
    }
    tidy
}

/// Where a path leads when links are followed; what does not exist yet has the names it was given.
fn real(path: &Path) -> PathBuf {
    for there in path.ancestors() {
        if let (Ok(real), Ok(rest)) = (there.canonicalize(), path.strip_prefix(there)) {
            return real.join(rest);
        }
    }
    path.to_owned()
}

/// Names above the working directory do not count: somebody may be at work inside of a package.
fn has_protected_name(cwd: &Path, path: &Path) -> bool {
    let path = path.strip_prefix(cwd).unwrap_or(path);
    let names = path.components().map(|part| part.as_os_str().to_owned()).map(OsString::into_string);
    // Some file systems do not tell upper from lower case.
    let mut names = names.filter_map(Result::ok).map(|name| name.to_lowercase());
    names.any(|name| {
        DIRECTORIES.contains(&name.as_str()) || name == SECRETS || (name.starts_with(".env.") && name != SAMPLE)
    })
}
