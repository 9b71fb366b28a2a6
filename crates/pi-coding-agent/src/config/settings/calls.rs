//! What goes on around model calls: summaries of history, and retries.

use std::time::Duration;

use pi_ai::Model;

use super::keys::{small, whole_number};
use super::manager::SettingsManager;
use super::values::{BranchSummarySettings, CompactionSettings, RetrySettings};
use crate::config::Error;

impl SettingsManager {
    /// When and how history is summarised, for models without figures of their own.
    pub fn compaction(&self) -> CompactionSettings {
        self.compaction_with(|_| None)
    }

    /// When and how history is summarised for a model: `compaction.modelOverrides` has figures for it, each of which
    /// may be absent.
    pub fn compaction_for(&self, model: &Model) -> CompactionSettings {
        let name = format!("{}/{}", model.provider, model.id);
        self.compaction_with(|key| self.keys().get(&["compaction", "modelOverrides", &name, key], whole_number))
    }

    fn compaction_with(&self, of_model: impl Fn(&str) -> Option<u64>) -> CompactionSettings {
        let default = CompactionSettings::default();
        let number = |key, default| {
            let ordinary = || self.keys().get(&["compaction", key], whole_number);
            of_model(key).or_else(ordinary).unwrap_or(default)
        };
        CompactionSettings {
            enabled: self.keys().switch(&["compaction", "enabled"], default.enabled),
            reserve_tokens: number("reserveTokens", default.reserve_tokens),
            keep_recent_tokens: number("keepRecentTokens", default.keep_recent_tokens),
        }
    }

    /// How branches that are left are summarised.
    pub fn branch_summary(&self) -> BranchSummarySettings {
        BranchSummarySettings {
            reserve_tokens: self.keys().get(&["branchSummary", "reserveTokens"], whole_number).unwrap_or(16_384),
            skip_prompt: self.keys().switch(&["branchSummary", "skipPrompt"], false),
        }
    }

    /// How often a failed call is repeated by the session.
    pub fn retry(&self) -> RetrySettings {
        RetrySettings {
            enabled: self.keys().switch(&["retry", "enabled"], true),
            max_retries: small(self.keys().number(&["retry", "maxRetries"]).unwrap_or(3)),
            base_delay: Duration::from_millis(self.keys().number(&["retry", "baseDelayMs"]).unwrap_or(2000)),
            max_delay: Duration::from_millis(
                self.keys().get(&["retry", "maxAgentDelayMs"], whole_number).unwrap_or(60_000),
            ),
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
        self.keys().set_global(&["compaction", "enabled"], enabled)
    }

    /// Whether failed calls are repeated.
    pub(crate) fn set_retry_enabled(&self, enabled: bool) -> Result<(), Error> {
        self.keys().set_global(&["retry", "enabled"], enabled)
    }
}
