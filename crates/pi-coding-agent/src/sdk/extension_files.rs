//! Extensions in files, for sessions that a program makes.

use std::sync::Arc;

use super::{CreateAgentSessionOptions, defaults, off_thread};
use crate::error::Error;
use crate::extension::{Earlier, ExtensionSources, LoadReport, MakeExtension};
use crate::script::ScriptExtension;

impl CreateAgentSessionOptions {
    /// Loads the extensions that lie in files, as the `pi` program does: those that `resource_options` name, those of the
    /// project if it is trusted, and the user's. They come before extensions that the options have already. What is wrong
    /// with them comes back with the session. Unlike in the program, they are not asked whether the project is trusted.
    ///
    /// A reload of the session looks for them again, and so does a session that goes to another directory.
    ///
    /// # Errors
    /// When the thread that looks for them has failed.
    pub async fn load_extension_files(mut self) -> Result<Self, Error> {
        let (mut options, settings) = off_thread(move || {
            let settings = defaults::settle_settings(&mut self);
            Ok((self, settings))
        })
        .await?;
        if options.extensions.is_untouched() {
            options.extensions = LoadReport::within(settings.extension_limits().handler);
        }
        options.load_extension_files_by(ScriptExtension::maker(&settings)).await
    }

    /// The same; `make` turns a file into an extension.
    ///
    /// # Errors
    /// As [`Self::load_extension_files`].
    pub async fn load_extension_files_by(mut self, make: Arc<MakeExtension>) -> Result<Self, Error> {
        let loaded = std::mem::take(&mut self.extensions);
        let mut sources = ExtensionSources::with_files(loaded.sources.extensions(), make);
        let (mut options, sources) = off_thread(move || {
            sources.find(defaults::settle_resources(&mut self), Earlier::Stay);
            Ok((self, sources))
        })
        .await?;
        sources.warnings().iter().for_each(|warning| (options.warn)(warning));
        options.extensions = loaded.go_on_with(sources).await;
        Ok(options)
    }
}
