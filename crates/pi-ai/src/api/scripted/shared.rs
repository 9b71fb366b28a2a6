//! What the clones of a provider and its running calls share: the script, and what a real provider would have cached.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};

use pi_guard::Unpoisoned;

use super::estimate;
use super::options::ScriptedOptions;
use super::step::{ScriptedCall, ScriptedStep};
use crate::model::Model;
use crate::options::CacheRetention;
use crate::usage::Usage;

/// What all clones and all running calls share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) options: ScriptedOptions,
    pub(super) models: Vec<Arc<Model>>,
    pub(super) state: Mutex<ScriptState>,
}

#[derive(Debug, Default)]
pub(super) struct ScriptState {
    pub(super) steps: VecDeque<ScriptedStep>,
    pub(super) call_count: u64,
    /// The last prompt of each session: what a real provider would have cached.
    prompts: HashMap<String, String>,
}

impl Shared {
    pub(super) fn state(&self) -> MutexGuard<'_, ScriptState> {
        self.state.lock().unpoisoned()
    }

    /// What the prompt of a call costs in tokens, cache included.
    pub(super) fn prompt_usage(&self, call: &ScriptedCall) -> Usage {
        let prompt = estimate::prompt_text(&call.context);
        let session = call.options.session_id.as_ref();
        let session = session.filter(|_| call.options.resolved_cache_retention() != CacheRetention::None);
        let Some(session) = session else { return estimate::prompt_usage(&prompt, None) };
        let mut state = self.state();
        let previous = state.prompts.get(session).map_or("", String::as_str);
        let usage = estimate::prompt_usage(&prompt, Some(previous));
        state.prompts.insert(session.clone(), prompt);
        usage
    }
}
