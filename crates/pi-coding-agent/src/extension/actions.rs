//! What an extension can do to its session. Everything here fails before the session began, and after it was replaced.

use pi_ai::{ThinkingLevel, UserContent};
use serde_json::{Map, Value};

use super::api::ExtensionApi;
use super::options::{SendMessageOptions, SendUserMessageOptions};
use crate::config::models::ModelChoice;
use crate::events::{Error, ExtensionCallError, ToolSummary};
use crate::host::processes::{ExecOptions, ExecResult, exec};
use crate::resources::prompt::SlashCommand;
use crate::session::CustomMessageContent;

impl ExtensionApi {
    /// Puts a message into the conversation. A run that it starts goes on in the background; what goes wrong there is
    /// reported.
    ///
    /// # Errors
    /// [`ExtensionCallError::NotReady`](crate::ExtensionCallError), [`ExtensionCallError::Stale`](crate::ExtensionCallError).
    pub async fn send_message(&self, message: CustomMessageContent, options: SendMessageOptions) -> Result<(), Error> {
        self.runtime.connected()?.post(message, options).await
    }

    /// Sends a prompt in the user's name, in the background. Commands, skills and templates are not expanded. What goes
    /// wrong is reported.
    ///
    /// # Errors
    /// [`ExtensionCallError::NotReady`](crate::ExtensionCallError), [`ExtensionCallError::Stale`](crate::ExtensionCallError).
    pub fn send_user_message(
        &self,
        content: impl Into<UserContent>,
        options: SendUserMessageOptions,
    ) -> Result<(), Error> {
        self.runtime.connected()?.post_prompt(content.into(), options.deliver_as);
        Ok(())
    }

    /// Stores data in the session file; the model does not see it. Returns the id of the entry.
    ///
    /// # Errors
    /// [`ExtensionCallError::NotReady`](crate::ExtensionCallError),
    /// [`ExtensionCallError::Stale`](crate::ExtensionCallError), those of
    /// [`Append::custom_entry`](crate::session::Append::custom_entry).
    pub fn append_entry(&self, custom_type: &str, data: Option<Value>) -> Result<String, Error> {
        self.runtime.connected()?.append_entry(custom_type, data)
    }

    /// Names the session.
    ///
    /// # Errors
    /// [`ExtensionCallError::NotReady`](crate::ExtensionCallError),
    /// [`ExtensionCallError::Stale`](crate::ExtensionCallError), and when the name cannot be stored.
    pub async fn set_session_name(&self, name: &str) -> Result<(), Error> {
        self.runtime.connected()?.rename(name).await
    }

    /// The session's name.
    ///
    /// # Errors
    /// [`ExtensionCallError::NotReady`](crate::ExtensionCallError), [`ExtensionCallError::Stale`](crate::ExtensionCallError).
    pub fn session_name(&self) -> Result<Option<String>, Error> {
        Ok(self.runtime.connected()?.name())
    }

    /// Sets or clears the label of an entry.
    ///
    /// # Errors
    /// [`ExtensionCallError::NotReady`](crate::ExtensionCallError),
    /// [`ExtensionCallError::Stale`](crate::ExtensionCallError), [`session::Error::EntryNotFound`](crate::session::Error::EntryNotFound).
    pub fn set_label(&self, entry_id: &str, label: Option<&str>) -> Result<(), Error> {
        self.runtime.connected()?.label(entry_id, label)
    }

    /// Runs a program, without a shell and without input, in the session's directory unless told otherwise; before the
    /// session began that is the program's own. An extension whose session was replaced runs nothing: the result says so.
    pub async fn exec(&self, program: &str, arguments: &[&str], options: ExecOptions) -> ExecResult {
        let directory = options.cwd.clone().unwrap_or_default();
        match self.runtime.resolve(&directory) {
            Ok(directory) => exec(program, arguments, &directory, options).await,
            Err(Error::Extension(ExtensionCallError::NotReady)) => exec(program, arguments, &directory, options).await,
            Err(error) => ExecResult { code: 1, stderr: error.to_string(), ..ExecResult::default() },
        }
    }

    /// Names of the active tools.
    ///
    /// # Errors
    /// [`ExtensionCallError::NotReady`](crate::ExtensionCallError), [`ExtensionCallError::Stale`](crate::ExtensionCallError).
    pub fn active_tools(&self) -> Result<Vec<String>, Error> {
        Ok(self.runtime.connected()?.active())
    }

    /// All tools that the user's choice leaves.
    ///
    /// # Errors
    /// [`ExtensionCallError::NotReady`](crate::ExtensionCallError), [`ExtensionCallError::Stale`](crate::ExtensionCallError).
    pub fn all_tools(&self) -> Result<Vec<ToolSummary>, Error> {
        Ok(self.runtime.connected()?.tools())
    }

    /// Chooses the active tools, from the next model call on. Unknown names are ignored.
    ///
    /// # Errors
    /// [`ExtensionCallError::NotReady`](crate::ExtensionCallError), [`ExtensionCallError::Stale`](crate::ExtensionCallError).
    pub fn set_active_tools(&self, names: &[String]) -> Result<(), Error> {
        self.runtime.connected()?.activate(names);
        Ok(())
    }

    /// The servers of MCP that extensions have registered, by name.
    ///
    /// # Errors
    /// [`ExtensionCallError::NotReady`](crate::ExtensionCallError), [`ExtensionCallError::Stale`](crate::ExtensionCallError).
    pub fn mcp_servers(&self) -> Result<Map<String, Value>, Error> {
        Ok(self.runtime.connected()?.mcp_servers())
    }

    /// What the user can call with a slash: commands of extensions, prompt templates, skills.
    ///
    /// # Errors
    /// [`ExtensionCallError::NotReady`](crate::ExtensionCallError), [`ExtensionCallError::Stale`](crate::ExtensionCallError).
    pub fn commands(&self) -> Result<Vec<SlashCommand>, Error> {
        Ok(self.runtime.connected()?.slash_commands())
    }

    /// Selects a model; false when no key is configured for it.
    ///
    /// # Errors
    /// [`config::Error::ModelNotFound`](crate::config::Error::ModelNotFound), [`ExtensionCallError::NotReady`](crate::ExtensionCallError), [`ExtensionCallError::Stale`](crate::ExtensionCallError).
    pub async fn set_model(&self, model: impl Into<ModelChoice>) -> Result<bool, Error> {
        match self.runtime.connected()?.select_model(model.into()).await {
            Ok(()) => Ok(true),
            Err(Error::NoApiKey { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The thinking level in force.
    ///
    /// # Errors
    /// [`ExtensionCallError::NotReady`](crate::ExtensionCallError), [`ExtensionCallError::Stale`](crate::ExtensionCallError).
    pub fn thinking_level(&self) -> Result<ThinkingLevel, Error> {
        Ok(self.runtime.connected()?.current_level())
    }

    /// Selects a thinking level, or the nearest that the model has.
    ///
    /// # Errors
    /// [`ExtensionCallError::NotReady`](crate::ExtensionCallError), [`ExtensionCallError::Stale`](crate::ExtensionCallError).
    pub async fn set_thinking_level(&self, level: ThinkingLevel) -> Result<(), Error> {
        self.runtime.connected()?.select_level(level).await;
        Ok(())
    }
}
