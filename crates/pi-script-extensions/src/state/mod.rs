//! What lives between the calls of one extension's script, by the numbers by which the script knows it. Only data is here:
//! what is done with it is in `ops/`, `provider/`, `tool` and `operations`.

mod agents;
mod answers;
mod logins;
mod numbered;
mod sessions;
mod writers;

use std::sync::Arc;

use pi_agent_core::ToolUpdates;
use pi_guard::lock;
use pi_script::{Args, OpError};
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::sync::CancellationToken;

use pi_coding_agent::auth_storage::{AuthStorage, LockedFile};
use pi_coding_agent::models::{ModelRegistry, ProviderOwner};
use pi_coding_agent::settings::SettingsManager;

pub(crate) use agents::{Agents, Beside};
pub(crate) use answers::{Answers, Listener, Said};
pub(crate) use logins::{Ask, Logins};
pub(crate) use numbered::Numbered;
pub(crate) use sessions::{Held, Holding};
pub(crate) use writers::{Step, Writers};

use crate::view::OpenView;

/// Of one extension.
#[derive(Debug, Default)]
pub(crate) struct HostState {
    pub(crate) updates: Arc<Updates>,
    pub(crate) writers: Writers,
    /// Answers of wire formats that scripts implement.
    pub(crate) answers: Arc<Answers>,
    /// Logins that scripts are making.
    pub(crate) logins: Logins,
    /// Where commands that scripts run send what they print.
    pub(crate) outputs: Arc<Outputs>,
    /// Sessions that scripts run.
    pub(crate) agents: Agents,
    /// Sessions that scripts opened.
    pub(crate) sessions: Numbered<Held>,
    /// Settings that scripts made.
    pub(crate) settings: Numbered<Arc<SettingsManager>>,
    /// Credentials that scripts made or asked a registry for.
    pub(crate) auth: Numbered<Arc<AuthStorage>>,
    /// Files of credentials that scripts are changing.
    pub(crate) auth_files: Numbered<Arc<LockedFile>>,
    /// Registries of models that scripts made or asked a session for.
    pub(crate) registries: Numbered<Arc<ModelRegistry>>,
    /// Who brings providers to registries that scripts made.
    pub(crate) provider_owner: ProviderOwner,
    pub(crate) tokens: Numbered<CancellationToken>,
    /// What scripts draw.
    pub(crate) views: Numbered<OpenView>,
}

/// Where running calls of tools report their progress.
pub(crate) type Updates = Numbered<ToolUpdates>;
/// Where the output of commands goes.
pub(crate) type Outputs = Numbered<UnboundedSender<Vec<u8>>>;

impl HostState {
    /// The token behind an abort signal that a script gave along, as `js/bridge/signals.js` numbered it.
    pub(crate) fn token(&self, args: &mut Args, place: usize) -> Result<Option<CancellationToken>, OpError> {
        let number: Option<u32> = args.parse(place)?;
        Ok(number.and_then(|number| self.tokens.get(number)))
    }
}
