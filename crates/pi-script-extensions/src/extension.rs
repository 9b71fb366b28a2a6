//! A file as an extension, and what makes extensions out of files.

use std::path::Path;
use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_ai::Clock;
use pi_coding_agent::extension::{Extension, ExtensionApi, ExtensionLoader, HandlerError, MakeExtension};
use pi_coding_agent::prompt::{ResourcePlaces, SourceInfo};
use pi_coding_agent::session::SessionHost;
use pi_coding_agent::settings::SettingsManager;

use crate::host::ScriptHost;
use crate::options::{ParseCommandLine, ScriptOptions};
use crate::{limits, ops};

/// Loads extensions from files of TypeScript and JavaScript. Sessions take it as their loader.
#[derive(Debug, Clone, Default)]
pub struct Scripts {
    parse_command_line: Option<ParseCommandLine>,
    clock: Option<Arc<dyn Clock>>,
}

impl Scripts {
    /// The grammar that scripts get as `parseArgs`; without it the call fails.
    #[must_use]
    pub fn with_command_line(mut self, parse: ParseCommandLine) -> Self {
        self.parse_command_line = Some(parse);
        self
    }

    /// The clock of files and logins, for runs whose sessions have a time of their own, such as a replay. Without it they
    /// have that of the sessions.
    #[must_use]
    pub fn with_clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = Some(clock);
        self
    }
}

impl ExtensionLoader for Scripts {
    fn maker(&self, settings: &Arc<SettingsManager>, host: &SessionHost) -> Arc<MakeExtension> {
        let (settings, host, parse_command_line) = (Arc::clone(settings), host.clone(), self.parse_command_line);
        let clock = Arc::clone(self.clock.as_ref().unwrap_or(&host.clock));
        Arc::new(move |path: &Path, source_info: SourceInfo, places: &ResourcePlaces| {
            let options = ScriptOptions {
                // A branch for each file: they are prepared side by side, and none must change the ids of another.
                host: SessionHost { ids: host.ids.branch(), ..host.clone() },
                clock: Arc::clone(&clock),
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
        Arc::new(Self { host: ScriptHost::new(name.clone(), options, ops::table), name, source_info })
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
