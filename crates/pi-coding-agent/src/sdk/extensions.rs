//! The extensions of a session that a program makes: its own ones, those in files, those that the user has.

use std::path::PathBuf;
use std::sync::Arc;

use super::{CreateAgentSessionOptions, off_thread, resolve_options};
use crate::events::ExtensionCallError;
use crate::extension::{Earlier, Extension, ExtensionSources, LoadReport, MakeExtension};
use crate::host::paths::absolute;
use crate::sdk::Error;

/// Which extensions a session has. [`create_agent_session_async`](super::create_agent_session_async) loads them: those in
/// files first, then those of the program in the order in which they were added.
///
/// Made by `into` from one extension, from several, or from a [`LoadReport`], where the program has loaded them itself.
#[derive(Default)]
pub struct Extensions {
    loaded: LoadReport,
    program: Vec<Arc<dyn Extension>>,
    files: Vec<PathBuf>,
    configured: bool,
}

impl Extensions {
    /// None.
    pub fn none() -> Self {
        Self::default()
    }

    /// Those that the `pi` program would have: the user's, those of packages, those of the project if it is trusted.
    pub fn configured() -> Self {
        Self { configured: true, ..Self::default() }
    }

    /// And this one.
    #[must_use]
    pub fn with(mut self, extension: Arc<dyn Extension>) -> Self {
        self.program.push(extension);
        self
    }

    /// And the one in this file, or those in this directory; relative to the session's directory. The
    /// [loader](CreateAgentSessionOptions::extension_loader) says what files can be.
    #[must_use]
    pub fn with_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.files.push(path.into());
        self
    }

    /// What was loaded.
    ///
    /// # Errors
    /// [`ExtensionCallError::NotLoaded`] when something still has to be.
    pub(super) fn into_loaded(self) -> Result<LoadReport, Error> {
        if self.is_loaded() { Ok(self.loaded) } else { Err(ExtensionCallError::NotLoaded.into()) }
    }

    fn is_loaded(&self) -> bool {
        self.program.is_empty() && !self.has_files()
    }

    fn has_files(&self) -> bool {
        self.configured || !self.files.is_empty()
    }
}

impl From<LoadReport> for Extensions {
    fn from(loaded: LoadReport) -> Self {
        Self { loaded, ..Self::default() }
    }
}

impl From<Arc<dyn Extension>> for Extensions {
    fn from(extension: Arc<dyn Extension>) -> Self {
        Self::none().with(extension)
    }
}

impl From<Vec<Arc<dyn Extension>>> for Extensions {
    fn from(program: Vec<Arc<dyn Extension>>) -> Self {
        Self { program, ..Self::default() }
    }
}

impl std::fmt::Debug for Extensions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let program: Vec<&str> = self.program.iter().map(|extension| extension.name()).collect();
        f.debug_struct("Extensions")
            .field("loaded", &self.loaded)
            .field("program", &program)
            .field("files", &self.files)
            .field("configured", &self.configured)
            .finish()
    }
}

impl CreateAgentSessionOptions {
    /// Loads the extensions that the options ask for and that are not loaded yet, as
    /// [`create_agent_session_async`](super::create_agent_session_async) does before it creates the session. What is wrong
    /// with them comes back with the session. Unlike in the program, they are not asked whether the project is trusted.
    ///
    /// A reload of the session looks for those in files again, and so does a session that goes to another directory.
    ///
    /// # Errors
    /// When the thread that looks for them has failed.
    pub async fn load_extensions(self) -> Result<Self, Error> {
        if self.extensions.is_loaded() {
            return Ok(self);
        }
        let (mut options, settings) = self.with_settings().await?;
        if options.extensions.loaded.is_untouched() {
            options.extensions.loaded = LoadReport::within(settings.extensions().limits().handler);
        }
        if options.extensions.has_files() {
            let maker = options.extension_loader.maker(&settings, &resolve_options::session_host(&options));
            return options.load_from_files(maker).await;
        }
        let Extensions { loaded, mut program, .. } = std::mem::take(&mut options.extensions);
        program.splice(0..0, loaded.sources.extensions());
        options.extensions = loaded.go_on_with(ExtensionSources::of_program(program)).await.into();
        Ok(options)
    }

    /// [`Self::load_extensions`], with those that `resource_options` name and those that the user has, whatever
    /// `extensions` says of files. They come before extensions that the options have already.
    ///
    /// # Errors
    /// As [`Self::load_extensions`].
    pub async fn load_extension_files(mut self) -> Result<Self, Error> {
        self.extensions.configured = true;
        self.load_extensions().await
    }

    /// The same; `make` turns a file into an extension.
    ///
    /// # Errors
    /// As [`Self::load_extensions`].
    pub async fn load_extension_files_by(mut self, make: Arc<MakeExtension>) -> Result<Self, Error> {
        self.extensions.configured = true;
        self.load_from_files(make).await
    }

    async fn with_settings(mut self) -> Result<(Self, Arc<crate::config::settings::SettingsManager>), Error> {
        let settled = off_thread::<_, Error>(move || {
            let settings = resolve_options::settle_settings(&mut self);
            Ok((self, settings))
        });
        settled.await
    }

    async fn load_from_files(mut self, make: Arc<MakeExtension>) -> Result<Self, Error> {
        let Extensions { loaded, program, files, configured } = std::mem::take(&mut self.extensions);
        let known: Vec<_> = loaded.sources.extensions().into_iter().chain(program).collect();
        let mut sources = ExtensionSources::with_files(known, make);
        let (mut options, sources) = off_thread::<_, Error>(move || {
            let resources = resolve_options::settle_resources(&mut self);
            let files: Vec<PathBuf> = files.iter().map(|file| absolute(&resources.places().cwd, file)).collect();
            let resources = resources.with_extension_files(&files, configured);
            sources.find(&resources, Earlier::Stay);
            self.resources = Some(resources);
            Ok((self, sources))
        })
        .await?;
        sources.warnings().iter().for_each(|warning| (options.warn)(warning));
        options.extensions = loaded.go_on_with(sources).await.into();
        Ok(options)
    }
}
