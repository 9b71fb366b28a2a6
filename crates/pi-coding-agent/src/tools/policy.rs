//! What the tools may touch: everything, as in the reference, or one directory.

use std::path::{Path, PathBuf};

use pi_agent_core::ToolError;

use super::operations::PathOperations;

/// What the tools may touch. By default everything that the process may.
///
/// Confinement holds for the tools that name files. It is judged before the file is opened, with all symbolic links
/// resolved; it does not hold against another process that exchanges a directory for a link in between. A shell cannot
/// be confined by looking at paths, so `bash` refuses to run unless [`ToolPolicy::with_bash`] lets it. The files in which
/// `bash` keeps long output may be read in any case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolPolicy {
    root: Option<PathBuf>,
    bash: bool,
}

impl ToolPolicy {
    /// Files below `root` only, and no `bash`.
    pub fn confined_to(root: impl Into<PathBuf>) -> Self {
        Self { root: Some(root.into()), bash: false }
    }

    /// The same, with `bash`, which is not confined: for shells that a container or another user confines.
    #[must_use]
    pub fn with_bash(mut self) -> Self {
        self.bash = true;
        self
    }

    /// Whether `path`, absolute and normalised, may be touched.
    ///
    /// # Errors
    /// When it is outside of the root, by its text or through a symbolic link, or cannot be judged, for example because
    /// the root does not exist.
    pub(crate) async fn admit(&self, operations: &dyn PathOperations, path: &Path) -> Result<(), ToolError> {
        let Some(root) = &self.root else { return Ok(()) };
        if !operations.is_dir(root).await? {
            return Err(no_root(root));
        }
        let real_root = operations.real_path(root).await?;
        let real = operations.real_path(path).await?;
        if real.starts_with(&real_root) { Ok(()) } else { Err(outside(root, path, &real)) }
    }

    /// Whether commands may run.
    ///
    /// # Errors
    /// When the tools are confined and `bash` was not let through.
    pub(crate) fn admit_bash(&self) -> Result<(), ToolError> {
        match &self.root {
            Some(root) if !self.bash => Err(ToolError::new(format!(
                "Commands may not run here: the tools are confined to {}. Use the file tools.",
                root.display()
            ))),
            _ => Ok(()),
        }
    }
}

fn no_root(root: &Path) -> ToolError {
    let root = root.display();
    ToolError::new(format!(
        "The tools are confined to {root}, which is no directory. Create it, or choose another one."
    ))
}

fn outside(root: &Path, path: &Path, real: &Path) -> ToolError {
    let leads = if real == path { String::new() } else { format!(" (it leads to {})", real.display()) };
    let (path, root) = (path.display(), root.display());
    ToolError::new(format!("{path}{leads} is outside of {root}, to which the tools are confined."))
}
