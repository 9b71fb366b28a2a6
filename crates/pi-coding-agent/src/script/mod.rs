//! Extensions in files of TypeScript and JavaScript.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;

use crate::extension::{Extension, ExtensionApi, HandlerError, MakeExtension};
use crate::prompt::{ResourcePlaces, SourceInfo};

/// How scripts run.
#[derive(Debug, Clone, Default)]
pub struct ScriptOptions {
    /// The user's configuration directory.
    pub agent_dir: PathBuf,
    /// The session's working directory.
    pub cwd: PathBuf,
}

/// Turns a file into an extension. Nothing is read or started before it is prepared or activated.
pub struct ScriptExtension {
    name: String,
    source_info: SourceInfo,
}

impl ScriptExtension {
    /// The extension in the file at `path`, which is absolute.
    #[allow(clippy::new_ret_no_self, reason = "nobody needs the type")]
    pub fn new(path: &Path, source_info: SourceInfo, _options: ScriptOptions) -> Arc<dyn Extension> {
        Arc::new(Self { name: path.to_string_lossy().into_owned(), source_info })
    }

    /// Makes them for sessions with these places.
    pub fn maker() -> Arc<MakeExtension> {
        Arc::new(|path: &Path, source_info: SourceInfo, places: &ResourcePlaces| {
            let options = ScriptOptions { agent_dir: places.agent_dir.clone(), cwd: places.cwd.clone() };
            Self::new(path, source_info, options)
        })
    }
}

impl Extension for ScriptExtension {
    fn name(&self) -> &str {
        &self.name
    }

    fn source_info(&self) -> SourceInfo {
        self.source_info.clone()
    }

    fn activate(&self, _: ExtensionApi) -> BoxFuture<'_, Result<(), HandlerError>> {
        async { Err(HandlerError::new("no engine")) }.boxed()
    }
}

impl std::fmt::Debug for ScriptExtension {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ScriptExtension").field("name", &self.name).finish_non_exhaustive()
    }
}
