//! From extensions to a runner: prepares them all at once, activates them in order and looks for conflicts.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use futures::future::join_all;

use super::api::ExtensionApi;
use super::bus::EventBus;
use super::definition::Extension;
use super::flag::FlagValue;
use super::guard::guarded;
use super::registered::LoadedExtension;
use super::runner::ExtensionRunner;
use super::runtime::ExtensionRuntime;
use super::sources::ExtensionSources;
use crate::config::settings::DEFAULT_HANDLER_TIMEOUT;
use crate::events::HandlerError;

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

/// How the failure begins of an extension that brings nothing to call. Clients know the text, which the path follows.
pub(crate) const NO_FACTORY: &str = "Extension does not export a valid factory function: ";

/// What became of loading.
#[doc(alias = "LoadExtensionsResult")]
pub struct LoadReport {
    /// The extensions that were loaded.
    pub runner: Arc<ExtensionRunner>,
    /// All of them, to be activated again for a session that takes the place of the first one.
    pub(crate) sources: ExtensionSources,
    /// What became of each extension.
    attempts: Vec<Attempt>,
    /// What went wrong. Programs that speak to users treat this as fatal.
    pub errors: Vec<LoadError>,
}

/// An extension that was to be loaded, and what came of it.
struct Attempt {
    extension: Arc<dyn Extension>,
    outcome: Result<Arc<LoadedExtension>, LoadError>,
}

impl LoadReport {
    /// No extensions.
    pub fn none() -> Self {
        Self::with(LoadOptions::default())
    }

    /// No extensions yet, whose handlers will have this long.
    pub(crate) fn within(handler_timeout: Option<Duration>) -> Self {
        Self::with(LoadOptions { handler_timeout, ..LoadOptions::default() })
    }

    /// Whether nothing was loaded so far.
    pub(crate) fn is_untouched(&self) -> bool {
        self.attempts.is_empty()
    }

    /// No extensions yet.
    fn with(options: LoadOptions) -> Self {
        let LoadOptions { flags, bus, handler_timeout } = options;
        let runtime = Arc::new(ExtensionRuntime::new(flags, bus, handler_timeout));
        Self {
            runner: Arc::new(ExtensionRunner::new(Vec::new(), runtime)),
            sources: ExtensionSources::default(),
            attempts: Vec::new(),
            errors: Vec::new(),
        }
    }

    /// Loads what is in `sources`, in their order. What was loaded or refused before is not loaded again; it is forgotten
    /// where it is not among them any more.
    #[must_use = "the extensions are in what is returned"]
    pub fn go_on_with(self, sources: ExtensionSources) -> BoxFuture<'static, Self> {
        Box::pin(async move {
            let runtime = Arc::clone(self.runner.runtime());
            let extensions = sources.extensions();
            let mut known = self.attempts;
            let is_known = |extension: &&Arc<dyn Extension>| known.iter().any(|known| known.is_of(extension));
            let new: Vec<_> = extensions.iter().filter(|extension| !is_known(extension)).cloned().collect();
            known.extend(attempt(new, &runtime).await);
            let place = |attempt: &Attempt| extensions.iter().position(|extension| attempt.is_of(extension));
            known.retain(|attempt| place(attempt).is_some());
            known.sort_by_key(place);
            let (mut loaded, mut errors) = (Vec::with_capacity(known.len()), Vec::new());
            for attempt in &known {
                match &attempt.outcome {
                    Ok(record) => {
                        errors.extend(conflicts(record, &loaded));
                        loaded.push(Arc::clone(record));
                    }
                    Err(error) => errors.push(error.clone()),
                }
            }
            errors.extend(sources.errors().iter().cloned());
            Self { runner: Arc::new(ExtensionRunner::new(loaded, runtime)), sources, attempts: known, errors }
        })
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

impl Attempt {
    fn is_of(&self, extension: &Arc<dyn Extension>) -> bool {
        Arc::ptr_eq(&self.extension, extension)
    }
}

/// Activates extensions in order. One that fails is left out, the others are loaded all the same.
pub async fn load_extensions(extensions: &[Arc<dyn Extension>], options: LoadOptions) -> LoadReport {
    load_sources(ExtensionSources::of_program(extensions.to_vec()), options).await
}

/// The same with those that were found in files.
pub async fn load_sources(sources: ExtensionSources, options: LoadOptions) -> LoadReport {
    LoadReport::with(options).go_on_with(sources).await
}

async fn attempt(extensions: Vec<Arc<dyn Extension>>, runtime: &Arc<ExtensionRuntime>) -> Vec<Attempt> {
    let prepared = join_all(extensions.iter().map(|extension| {
        let owner = Arc::clone(extension);
        guarded(runtime, None, || async move { owner.prepare().await }.boxed())
    }));
    let mut attempts = Vec::with_capacity(extensions.len());
    for (extension, prepared) in extensions.iter().zip(prepared.await) {
        let outcome = match prepared {
            Ok(()) => activate(extension, runtime).await,
            Err(error) => Err(error),
        };
        let outcome = outcome.map_err(|error| failure(&**extension, &error));
        attempts.push(Attempt { extension: Arc::clone(extension), outcome });
    }
    attempts
}

async fn activate(
    extension: &Arc<dyn Extension>,
    runtime: &Arc<ExtensionRuntime>,
) -> Result<Arc<LoadedExtension>, HandlerError> {
    let record = Arc::new(LoadedExtension::new(extension.name().to_owned(), extension.source_info()));
    let api = ExtensionApi::new(Arc::clone(runtime), &record);
    let owner = Arc::clone(extension);
    guarded(runtime, None, || async move { owner.activate(api).await }.boxed()).await?;
    Ok(record)
}

fn failure(extension: &dyn Extension, error: &HandlerError) -> LoadError {
    let text = error.to_string();
    let place = error.place().map(|place| format!("\n{place}")).unwrap_or_default();
    let error = if text.starts_with(NO_FACTORY) { text } else { format!("Failed to load extension: {text}{place}") };
    LoadError { path: extension.name().to_owned(), error }
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
