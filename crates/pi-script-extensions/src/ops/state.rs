//! What lives between calls: tokens that scripts cancel, and where tools report their progress.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pi_agent_core::ToolUpdates;
use pi_script::{Args, Data, OpError};
use serde_json::json;
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::sync::CancellationToken;

use super::Ops;
use super::agents::Agents;
use super::sessions::Held;
use super::setup::Writers;
use crate::errors::failed;
use crate::provider::{Answers, Logins};
use crate::tool::output;
use pi_coding_agent::auth_storage::{AuthStorage, LockedFile};
use pi_coding_agent::models::{ModelRegistry, ProviderOwner};
use pi_coding_agent::settings::SettingsManager;

/// Of one extension.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) updates: Arc<Updates>,
    pub(super) writers: Writers,
    /// Answers of wire formats that scripts implement.
    pub(crate) answers: Arc<Answers>,
    /// Logins that scripts are making.
    pub(crate) logins: Logins,
    /// Where commands that scripts run send what they print.
    pub(crate) outputs: Arc<Outputs>,
    /// Sessions that scripts run.
    pub(crate) agents: Agents,
    /// Sessions that scripts opened.
    pub(super) sessions: Numbered<Held>,
    /// Settings that scripts made.
    pub(crate) settings: Numbered<Arc<SettingsManager>>,
    /// Credentials that scripts made or asked a registry for.
    pub(crate) auth: Numbered<Arc<AuthStorage>>,
    /// Files of credentials that scripts are changing.
    pub(super) auth_files: Numbered<Arc<LockedFile>>,
    /// Registries of models that scripts made or asked a session for.
    pub(crate) registries: Numbered<Arc<ModelRegistry>>,
    /// Who brings providers to registries that scripts made.
    pub(super) provider_owner: ProviderOwner,
    tokens: Numbered<CancellationToken>,
}

/// Where running calls of tools report their progress.
pub(crate) type Updates = Numbered<ToolUpdates>;
/// Where the output of commands goes.
pub(crate) type Outputs = Numbered<UnboundedSender<Vec<u8>>>;

/// Things by number.
#[derive(Debug)]
pub(crate) struct Numbered<T>(Mutex<(u32, HashMap<u32, T>)>);

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Self(Mutex::new((0, HashMap::new())))
    }
}

impl<T> Numbered<T> {
    pub(super) fn add(&self, thing: T) -> u32 {
        let mut numbers = self.lock();
        numbers.0 += 1;
        let number = numbers.0;
        numbers.1.insert(number, thing);
        number
    }

    pub(super) fn remove(&self, number: u32) {
        self.take(number);
    }

    /// Takes one out.
    pub(super) fn take(&self, number: u32) -> Option<T> {
        self.lock().1.remove(&number)
    }

    /// Takes out all that are meant.
    pub(super) fn extract(&self, mut is_meant: impl FnMut(&T) -> bool) -> Vec<T> {
        self.lock().1.extract_if(|_, thing| is_meant(thing)).map(|(_, thing)| thing).collect()
    }

    /// Gives it a number as long as the place is held.
    pub(crate) fn open(&self, thing: T) -> Place<'_, T> {
        Place(self, self.add(thing))
    }

    fn lock(&self) -> MutexGuard<'_, (u32, HashMap<u32, T>)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Clone> Numbered<T> {
    pub(crate) fn get(&self, number: u32) -> Option<T> {
        self.lock().1.get(&number).cloned()
    }
}

/// A number that is taken.
#[derive(Debug)]
pub(crate) struct Place<'a, T>(&'a Numbered<T>, u32);

impl<T> Place<'_, T> {
    pub(crate) fn number(&self) -> u32 {
        self.1
    }
}

impl<T> Drop for Place<'_, T> {
    fn drop(&mut self) {
        self.0.remove(self.1);
    }
}

impl State {
    /// The token behind an abort signal that a script gave along, as `js/bridge/signals.js` numbered it.
    pub(super) fn token(&self, args: &mut Args, place: usize) -> Result<Option<CancellationToken>, OpError> {
        let number: Option<u32> = args.parse(place)?;
        Ok(number.and_then(|number| self.tokens.get(number)))
    }
}

pub(super) fn add(ops: &mut Ops<'_>) {
    ops.sync("token.new", |host, _, _| Ok(json!(host.state.tokens.add(CancellationToken::new())).into()));
    ops.sync("token.cancel", |host, _, mut args| {
        if let Some(token) = host.state.tokens.get(args.parse(0)?) {
            token.cancel();
        }
        Ok(Data::Undefined)
    });
    ops.sync("token.drop", |host, _, mut args| {
        host.state.tokens.remove(args.parse(0)?);
        Ok(Data::Undefined)
    });
    ops.sync("tool.update", |host, _, mut args| {
        let number: u32 = args.parse(0)?;
        let updates = host.state.updates.get(number);
        // A call that is over reports nothing any more.
        if let Some(updates) = updates {
            updates.send(output(args.json(1)).map_err(failed)?);
        }
        Ok(Data::Undefined)
    });
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::ScriptOptions;
    use crate::host::ScriptHost;

    /// What a script holds no more is let go; what it still holds is not.
    #[tokio::test]
    async fn objects_of_scripts_go_with_the_script_s_own() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("extension.ts");
        let source = "import { AuthStorage, ModelRegistry, SettingsManager } from '@earendil-works/pi-coding-agent';
            const make = () => ModelRegistry.inMemory(AuthStorage.inMemory()) && SettingsManager.inMemory({ theme: 'x' });
            for (let n = 0; n < 50; n++) make();
            globalThis.kept = [ModelRegistry.inMemory(AuthStorage.inMemory()), make()];
            export default () => {};";
        std::fs::write(&file, source).unwrap();
        let host = ScriptHost::new(file.to_string_lossy().into_owned(), ScriptOptions::default());
        host.load().await.unwrap();
        let state = &host.state;
        let counts = || (state.settings.lock().1.len(), state.auth.lock().1.len(), state.registries.lock().1.len());
        let dropped = async {
            while counts() != (1, 1, 1) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let waited = tokio::time::timeout(Duration::from_secs(20), dropped).await;
        assert!(waited.is_ok(), "still there: {:?}", counts());
    }
}
