//! A file as an extension, and what makes extensions out of files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_coding_agent::extension::{Extension, ExtensionApi, ExtensionLoader, HandlerError, MakeExtension};
use pi_coding_agent::prompt::{ResourcePlaces, SourceInfo};
use pi_coding_agent::settings::SettingsManager;
use serde_json::Value;

use crate::host::ScriptHost;
use crate::limits;

/// How the words of a command line are read, for `parseArgs` of scripts: the program's own grammar, as JSON.
pub type ParseCommandLine = fn(Vec<String>) -> Value;

/// Loads extensions from files of TypeScript and JavaScript. Sessions take it as their loader.
#[derive(Debug, Clone, Default)]
pub struct Scripts {
    parse_command_line: Option<ParseCommandLine>,
}

impl Scripts {
    /// The grammar that scripts get as `parseArgs`; without it the call fails.
    #[must_use]
    pub fn with_command_line(mut self, parse: ParseCommandLine) -> Self {
        self.parse_command_line = Some(parse);
        self
    }
}

impl ExtensionLoader for Scripts {
    fn maker(&self, settings: &Arc<SettingsManager>) -> Arc<MakeExtension> {
        let (settings, parse_command_line) = (Arc::clone(settings), self.parse_command_line);
        Arc::new(move |path: &Path, source_info: SourceInfo, places: &ResourcePlaces| {
            let options = ScriptOptions {
                agent_dir: places.agent_dir.clone(),
                cwd: places.cwd.clone(),
                limits: limits::limits(&settings),
                permissions: limits::permissions(&settings, path, &source_info, &places.agent_dir),
                http_proxy: settings.network().http_proxy(),
                parse_command_line,
            };
            ScriptExtension::new(path, source_info, options)
        })
    }
}

/// How scripts run.
#[derive(Debug, Clone, Default)]
pub struct ScriptOptions {
    /// The user's configuration directory.
    pub agent_dir: PathBuf,
    /// The session's working directory.
    pub cwd: PathBuf,
    /// What it may use up.
    pub limits: pi_script::Limits,
    /// What it may do on the machine.
    pub permissions: pi_script::Permissions,
    /// The proxy of its requests where the environment names none.
    pub http_proxy: Option<String>,
    /// What `parseArgs` does; absent: it fails.
    pub parse_command_line: Option<ParseCommandLine>,
}

/// Turns a file into an extension. Nothing is read or started before it is prepared or activated.
pub struct ScriptExtension {
    name: String,
    source_info: SourceInfo,
    host: Arc<ScriptHost>,
}

impl ScriptExtension {
    /// The extension in the file at `path`, which is absolute.
    #[allow(clippy::new_ret_no_self, reason = "nobody needs the type")]
    pub fn new(path: &Path, source_info: SourceInfo, options: ScriptOptions) -> Arc<dyn Extension> {
        let name = path.to_string_lossy().into_owned();
        Arc::new(Self { host: ScriptHost::new(name.clone(), options), name, source_info })
    }
}

impl Extension for ScriptExtension {
    fn name(&self) -> &str {
        &self.name
    }

    fn source_info(&self) -> SourceInfo {
        self.source_info.clone()
    }

    fn prepare(&self) -> BoxFuture<'_, Result<(), HandlerError>> {
        self.host.load().boxed()
    }

    fn activate(&self, pi: ExtensionApi) -> BoxFuture<'_, Result<(), HandlerError>> {
        self.host.activate(pi).boxed()
    }
}

impl std::fmt::Debug for ScriptExtension {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ScriptExtension").field("name", &self.name).finish_non_exhaustive()
    }
}
