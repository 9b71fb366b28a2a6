//! Extensions in files of TypeScript and JavaScript.
//!
//! Each has an engine of its own (`pi-script`), started when the extension is prepared, kept while sessions come and go,
//! and ended when nobody holds the extension any more. What scripts find there is in `js/`; what that asks of the program
//! is in `ops/`. Without the feature `typescript` such extensions are refused.
//!
//! | File | What is in it |
//! |---|---|
//! | `host` | the engine of one extension, and what it needs |
//! | `contexts` | the sessions that an extension serves, by number |
//! | `link`, `outbox` | the way to functions of the script; what it says without waiting |
//! | `limits` | what an extension may use up, and do on the machine |
//! | `ops/` | what scripts ask of the program |
//! | `events`, `tool`, `operations`, `provider/` | what the program asks of scripts |
//! | `modules`, `exports`, `text` | the modules that scripts can import, and the tables of Unicode for them |
//! | `errors` | failures on their way between the two |

use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;

use crate::extension::{Extension, ExtensionApi, HandlerError, MakeExtension};
use crate::prompt::{ResourcePlaces, SourceInfo};
use crate::settings::SettingsManager;

#[cfg(feature = "typescript")]
mod contexts;
#[cfg(feature = "typescript")]
mod errors;
#[cfg(feature = "typescript")]
mod events;
#[cfg(feature = "typescript")]
mod exports;
#[cfg(feature = "typescript")]
mod fetch;
#[cfg(feature = "typescript")]
mod host;
#[cfg(feature = "typescript")]
mod limits;
#[cfg(feature = "typescript")]
mod link;
#[cfg(feature = "typescript")]
pub(crate) mod modules;
#[cfg(feature = "typescript")]
mod operations;
#[cfg(feature = "typescript")]
mod ops;
#[cfg(feature = "typescript")]
mod outbox;
#[cfg(feature = "typescript")]
mod provider;
#[cfg(feature = "typescript")]
mod text;
#[cfg(feature = "typescript")]
mod tool;

#[cfg(feature = "typescript")]
use host::ScriptHost;

/// Gives an engine the modules that extensions can import without a file, such as `typebox` and `pi-tui`. The engines of
/// extensions have them; this is for programs that run scripts of their own.
#[cfg(feature = "typescript")]
pub fn provide_modules(options: &mut pi_script::EngineOptions) {
    options.modules = modules::table();
    text::add(&mut options.ops);
}

/// How scripts run.
#[derive(Debug, Clone, Default)]
pub struct ScriptOptions {
    /// The user's configuration directory.
    pub agent_dir: PathBuf,
    /// The session's working directory.
    pub cwd: PathBuf,
    /// What it may use up.
    #[cfg(feature = "typescript")]
    pub limits: pi_script::Limits,
    /// What it may do on the machine.
    #[cfg(feature = "typescript")]
    pub permissions: pi_script::Permissions,
    /// The proxy of its requests where the environment names none.
    pub http_proxy: Option<String>,
}

/// Turns a file into an extension. Nothing is read or started before it is prepared or activated.
pub struct ScriptExtension {
    name: String,
    source_info: SourceInfo,
    #[cfg(feature = "typescript")]
    host: Arc<ScriptHost>,
}

impl ScriptExtension {
    /// The extension in the file at `path`, which is absolute.
    #[allow(clippy::new_ret_no_self, reason = "nobody needs the type")]
    pub fn new(path: &Path, source_info: SourceInfo, options: ScriptOptions) -> Arc<dyn Extension> {
        let name = path.to_string_lossy().into_owned();
        #[cfg(feature = "typescript")]
        return Arc::new(Self { host: ScriptHost::new(name.clone(), options), name, source_info });
        #[cfg(not(feature = "typescript"))]
        {
            drop(options);
            Arc::new(Self { name, source_info })
        }
    }

    /// Makes them for sessions with these places, as the user's settings allow.
    pub fn maker(settings: &Arc<SettingsManager>) -> Arc<MakeExtension> {
        let settings = Arc::clone(settings);
        Arc::new(move |path: &Path, source_info: SourceInfo, places: &ResourcePlaces| {
            let options = ScriptOptions {
                agent_dir: places.agent_dir.clone(),
                cwd: places.cwd.clone(),
                #[cfg(feature = "typescript")]
                limits: limits::limits(&settings),
                #[cfg(feature = "typescript")]
                permissions: limits::permissions(&settings, path, &source_info, &places.agent_dir),
                http_proxy: settings.http_proxy(),
            };
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

    #[cfg(feature = "typescript")]
    fn prepare(&self) -> BoxFuture<'_, Result<(), HandlerError>> {
        self.host.load().boxed()
    }

    #[cfg(feature = "typescript")]
    fn activate(&self, pi: ExtensionApi) -> BoxFuture<'_, Result<(), HandlerError>> {
        self.host.activate(pi).boxed()
    }

    #[cfg(not(feature = "typescript"))]
    fn activate(&self, _: ExtensionApi) -> BoxFuture<'_, Result<(), HandlerError>> {
        let reason = "This build cannot load script extensions; it was made without the feature \"typescript\"";
        async move { Err(HandlerError::new(reason)) }.boxed()
    }
}

impl std::fmt::Debug for ScriptExtension {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ScriptExtension").field("name", &self.name).finish_non_exhaustive()
    }
}
