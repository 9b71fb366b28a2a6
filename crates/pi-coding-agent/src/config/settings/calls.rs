//! What goes on around model calls: summaries of history, and retries.

use std::time::Duration;

use pi_ai::Model;

use super::manager::SettingsManager;
use super::scope::SettingsScope;
use super::table::{
    BRANCH_SUMMARY_RESERVE_TOKENS, BRANCH_SUMMARY_SKIP_PROMPT, COMPACTION_ENABLED, COMPACTION_KEEP_RECENT_TOKENS,
    COMPACTION_MODEL_OVERRIDES, COMPACTION_RESERVE_TOKENS, RETRY_BASE_DELAY_MS, RETRY_ENABLED,
    RETRY_MAX_AGENT_DELAY_MS, RETRY_MAX_RETRIES,
};
use super::values::{BranchSummarySettings, CompactionSettings, ModelBudget, RetrySettings};
use crate::config::Error;

impl SettingsManager {
    /// When and how history is summarised, for models without figures of their own.
    pub fn compaction(&self) -> CompactionSettings {
        self.compaction_with(ModelBudget::default())
    }

    /// When and how history is summarised for a model: `compaction.modelOverrides` has figures for it, each of which
    /// may be absent.
    pub fn compaction_for(&self, model: &Model) -> CompactionSettings {
        let name = format!("{}/{}", model.provider, model.id);
        let of_model = self.keys().get(&COMPACTION_MODEL_OVERRIDES).remove(&name);
        self.compaction_with(of_model.unwrap_or_default())
    }

    fn compaction_with(&self, of_model: ModelBudget) -> CompactionSettings {
        let figure = |of_model: Option<u64>, setting| of_model.unwrap_or_else(|| self.keys().get(setting));
        CompactionSettings {
            enabled: self.keys().get(&COMPACTION_ENABLED),
            reserve_tokens: figure(of_model.reserve_tokens, &COMPACTION_RESERVE_TOKENS),
            keep_recent_tokens: figure(of_model.keep_recent_tokens, &COMPACTION_KEEP_RECENT_TOKENS),
        }
    }

    /// How branches that are left are summarised.
    pub fn branch_summary(&self) -> BranchSummarySettings {
        BranchSummarySettings {
            reserve_tokens: self.keys().get(&BRANCH_SUMMARY_RESERVE_TOKENS),
            skip_prompt: self.keys().get(&BRANCH_SUMMARY_SKIP_PROMPT),
        }
    }

    /// How often a failed call is repeated by the session.
    pub fn retry(&self) -> RetrySettings {
        RetrySettings {
            enabled: self.keys().get(&RETRY_ENABLED),
            max_retries: u32::try_from(self.keys().get(&RETRY_MAX_RETRIES)).unwrap_or(u32::MAX),
            base_delay: Duration::from_millis(self.keys().get(&RETRY_BASE_DELAY_MS)),
            max_delay: Duration::from_millis(self.keys().get(&RETRY_MAX_AGENT_DELAY_MS)),
        }
    }
}

/// Setters write the user's settings; a project's own value for the same key stays in force.
///
/// # Errors
/// Those of [`SettingsManager::set`]; the value is in force all the same.
impl SettingsManager {
    /// Whether history is summarised by itself.
    pub fn set_compaction_enabled(&self, enabled: bool) -> Result<(), Error> {
        self.keys().set(SettingsScope::Global, &COMPACTION_ENABLED, enabled)
    }

    /// Whether failed calls are repeated.
    pub(crate) fn set_retry_enabled(&self, enabled: bool) -> Result<(), Error> {
        self.keys().set(SettingsScope::Global, &RETRY_ENABLED, enabled)
    }
}
