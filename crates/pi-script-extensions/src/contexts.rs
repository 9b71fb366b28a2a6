//! The sessions that an extension serves, by the numbers by which its script knows them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use pi_guard::Unpoisoned;
use pi_script::OpError;

use super::errors::to_op;
use pi_coding_agent::ExtensionCallError;
use pi_coding_agent::agent_session::Error;
use pi_coding_agent::extension::{CommandContext, ExtensionApi, ExtensionContext, ExtensionUi, TrustContext};

/// What a number stands for.
#[derive(Clone, Debug)]
pub(super) enum Entry {
    /// An activation: the script has its API.
    Activation(ExtensionApi),
    /// A session that took the place of another one, as `withSession` sees it.
    Session(ExtensionContext),
    /// A question about a project, before there is a session.
    Trust(TrustContext),
}

/// The numbers of one extension.
#[derive(Debug, Default)]
pub(super) struct Contexts(Mutex<Numbers>);

#[derive(Debug, Default)]
struct Numbers {
    last: u32,
    entries: HashMap<u32, Entry>,
}

impl Contexts {
    /// Gives it a number. What belongs to sessions that were replaced is forgotten: to the script it is stale. The second
    /// value has the numbers of that.
    pub(super) fn add(&self, entry: Entry) -> (u32, Vec<u32>) {
        let mut numbers = self.lock();
        let gone: Vec<u32> =
            numbers.entries.extract_if(|_, entry| entry.is_stale()).map(|(number, _)| number).collect();
        numbers.last += 1;
        let number = numbers.last;
        numbers.entries.insert(number, entry);
        (number, gone)
    }

    pub(super) fn remove(&self, number: u32) {
        self.lock().entries.remove(&number);
    }

    pub(super) fn get(&self, number: u32) -> Result<Entry, OpError> {
        let entry = self.lock().entries.get(&number).cloned();
        entry.ok_or_else(|| to_op(&ExtensionCallError::Stale.into()))
    }

    /// The API, for an activation whose session was not replaced.
    pub(super) fn api(&self, number: u32) -> Result<ExtensionApi, OpError> {
        match self.get(number)? {
            Entry::Activation(api) if is_stale(&api.context()) => Err(to_op(&ExtensionCallError::Stale.into())),
            Entry::Activation(api) => Ok(api),
            Entry::Session(_) | Entry::Trust(_) => Err(OpError::new("This context has no API")),
        }
    }

    /// The context, whose session was not replaced.
    pub(super) fn context(&self, number: u32) -> Result<ExtensionContext, OpError> {
        let context = match self.get(number)? {
            Entry::Activation(api) => api.context(),
            Entry::Session(context) => context,
            Entry::Trust(_) => return Err(OpError::new("There is no session yet")),
        };
        if is_stale(&context) {
            return Err(to_op(&ExtensionCallError::Stale.into()));
        }
        Ok(context)
    }

    /// The context with what commands can do.
    pub(super) fn command_context(&self, number: u32) -> Result<CommandContext, OpError> {
        self.context(number).map(CommandContext::of)
    }

    /// The user. Who kept hold of them for longer than the session lasts talks to them in the session that took its
    /// place.
    ///
    /// # Errors
    /// When there is no session any more.
    pub(super) fn ui(&self, number: u32) -> Result<Arc<dyn ExtensionUi>, OpError> {
        if let Ok(Entry::Trust(context)) = self.get(number) {
            return Ok(context.ui);
        }
        match (self.context(number), self.activations().pop()) {
            (Ok(context), _) => Ok(context.ui()),
            (Err(_), Some(api)) => Ok(api.context().ui()),
            (Err(gone), None) => Err(gone),
        }
    }

    /// The activation for the session that the extension serves, and its number, as soon as that is there.
    pub(super) fn serving(&self) -> Option<(u32, ExtensionApi)> {
        let numbers = self.lock();
        let there = numbers.entries.iter().filter_map(|(number, entry)| match entry {
            Entry::Activation(api) if api.context().session().is_ok() => Some((*number, api.clone())),
            _ => None,
        });
        there.min_by_key(|(number, _)| *number)
    }

    /// The activations that are in force: of each session the last one, for a reload does not make others stale.
    pub(super) fn activations(&self) -> Vec<ExtensionApi> {
        let numbers = self.lock();
        let mut live: Vec<_> = numbers.entries.iter().filter(|(_, entry)| !entry.is_stale()).collect();
        live.sort_by_key(|(number, _)| **number);
        let apis = live.into_iter().filter_map(|(_, entry)| match entry {
            Entry::Activation(api) => Some((api.context().session().ok().map(|session| session.downgrade()), api)),
            Entry::Session(_) | Entry::Trust(_) => None,
        });
        let mut last: Vec<(Option<_>, &ExtensionApi)> = Vec::new();
        for (session, api) in apis {
            last.retain(|(other, _)| *other != session);
            last.push((session, api));
        }
        last.into_iter().map(|(_, api)| api.clone()).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Numbers> {
        self.0.lock().unpoisoned()
    }
}

impl Entry {
    fn is_stale(&self) -> bool {
        match self {
            Self::Activation(api) => is_stale(&api.context()),
            Self::Session(context) => is_stale(context),
            Self::Trust(_) => false,
        }
    }
}

fn is_stale(context: &ExtensionContext) -> bool {
    matches!(context.session(), Err(Error::Extension(ExtensionCallError::Stale)))
}
