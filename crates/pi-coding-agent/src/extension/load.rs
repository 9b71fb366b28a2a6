//! From extensions to a runner: activates them in order and looks for conflicts.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::api::ExtensionApi;
use super::bus::EventBus;
use super::definition::Extension;
use super::flag::FlagValue;
use super::guard::guarded;
use super::registered::LoadedExtension;
use super::runner::ExtensionRunner;
use super::runtime::{DEFAULT_HANDLER_TIMEOUT, ExtensionRuntime};

/// How extensions are loaded.
#[derive(Debug, Clone)]
pub struct LoadOptions {
    /// Flags that are set already, by the command line or by the session before.
    pub flags: BTreeMap<String, FlagValue>,
    /// Where the extensions meet.
    pub bus: EventBus,
    /// How long a handler may take, questions to the user not counted; `None` waits for ever.
    pub handler_timeout: Option<Duration>,
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self { flags: BTreeMap::new(), bus: EventBus::default(), handler_timeout: Some(DEFAULT_HANDLER_TIMEOUT) }
    }
}

/// An extension that could not be loaded, or that got in the way of another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadError {
    /// The extension.
    pub path: String,
    /// What is wrong.
    pub error: String,
}

impl std::fmt::Display for LoadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.path, self.error)
    }
}

/// What became of loading.
pub struct LoadReport {
    /// The extensions that were loaded.
    pub runner: Arc<ExtensionRunner>,
    /// All of them, to be activated again for a session that takes the place of the first one.
    pub(crate) sources: Vec<Arc<dyn Extension>>,
    /// What went wrong. Programs that speak to users treat this as fatal.
    pub errors: Vec<LoadError>,
}

impl LoadReport {
    /// No extensions.
    pub fn none() -> Self {
        let LoadOptions { flags, bus, handler_timeout } = LoadOptions::default();
        let runtime = Arc::new(ExtensionRuntime::new(flags, bus, handler_timeout));
        Self { runner: Arc::new(ExtensionRunner::new(Vec::new(), runtime)), sources: Vec::new(), errors: Vec::new() }
    }
}

impl Default for LoadReport {
    fn default() -> Self {
        Self::none()
    }
}

impl std::fmt::Debug for LoadReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LoadReport").field("runner", &self.runner).field("errors", &self.errors).finish_non_exhaustive()
    }
}

/// Activates extensions in order. One that fails is left out, the others are loaded all the same.
pub async fn load_extensions(extensions: &[Arc<dyn Extension>], options: LoadOptions) -> LoadReport {
    let runtime = Arc::new(ExtensionRuntime::new(options.flags, options.bus, options.handler_timeout));
    let mut loaded: Vec<Arc<LoadedExtension>> = Vec::with_capacity(extensions.len());
    let mut errors = Vec::new();
    for extension in extensions {
        let name = extension.name().to_owned();
        let record = Arc::new(LoadedExtension::new(name.clone(), extension.source_info()));
        let api = ExtensionApi::new(Arc::clone(&runtime), &record);
        let owner = Arc::clone(extension);
        let activated = guarded(&runtime, None, || Box::pin(async move { owner.activate(api).await })).await;
        match activated {
            Ok(()) => {
                errors.extend(conflicts(&record, &loaded));
                loaded.push(record);
            }
            Err(error) => errors.push(LoadError { path: name, error: format!("Failed to load extension: {error}") }),
        }
    }
    LoadReport { runner: Arc::new(ExtensionRunner::new(loaded, runtime)), sources: extensions.to_vec(), errors }
}

/// Names that an earlier extension has taken. The earlier one counts.
fn conflicts(new: &LoadedExtension, loaded: &[Arc<LoadedExtension>]) -> Vec<LoadError> {
    let holder_of_tool = |name: &str| loaded.iter().find(|other| other.tools().iter().any(|tool| tool.name() == name));
    let holder_of_flag = |name: &str| loaded.iter().find(|other| other.flags().iter().any(|flag| flag.name == name));
    let mut errors = Vec::new();
    let mut report = |what: String, holder: &LoadedExtension| {
        errors
            .push(LoadError { path: new.name().to_owned(), error: format!("{what} conflicts with {}", holder.name()) });
    };
    for tool in new.tools() {
        if let Some(holder) = holder_of_tool(tool.name()) {
            report(format!("Tool \"{}\"", tool.name()), holder);
        }
    }
    for flag in new.flags() {
        if let Some(holder) = holder_of_flag(&flag.name) {
            report(format!("Flag \"--{}\"", flag.name), holder);
        }
    }
    errors
}
