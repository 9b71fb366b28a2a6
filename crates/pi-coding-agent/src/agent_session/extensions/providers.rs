//! Providers that extensions bring.

use crate::agent_session::{AgentSession, Inner};
use crate::error::Error;
use crate::extension::{ExtensionError, HandlerError, ProviderChange};

impl AgentSession {
    /// Adds or takes back a provider of an extension.
    pub(crate) fn change_provider(&self, change: ProviderChange) -> Result<(), Error> {
        self.0.change_provider(change)
    }
}

impl Inner {
    /// Takes up what extensions said of providers while they were activated.
    pub(super) async fn take_provider_changes(&self) {
        for change in self.extensions.runner().runtime().take_provider_changes() {
            let extension = change.extension().to_owned();
            if let Err(error) = self.change_provider(change) {
                let error = ExtensionError::new(extension, "register_provider", &HandlerError::from(error));
                self.emit_extension_error(error).await;
            }
        }
    }

    fn change_provider(&self, change: ProviderChange) -> Result<(), Error> {
        self.models.change_provider(change, &self.apis)
    }
}
