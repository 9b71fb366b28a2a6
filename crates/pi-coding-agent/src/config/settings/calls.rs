//! Getters for what goes on around model calls: summaries of history, and repetitions.

use std::time::Duration;

use pi_ai::Model;
use serde_json::Value;

use super::getters::small;
use super::manager::SettingsManager;
use super::values::{BranchSummarySettings, CompactionSettings, ProviderRetrySettings, RetrySettings};

impl SettingsManager {
    /// When and how history is summarised, for models without figures of their own.
    pub fn compaction(&self) -> CompactionSettings {
        self.compaction_with(|_| None)
    }

    /// When and how history is summarised for a model: `compaction.modelOverrides` has figures for it, each of which
    /// may be absent.
    pub fn compaction_for(&self, model: &Model) -> CompactionSettings {
        let name = format!("{}/{}", model.provider, model.id);
        self.compaction_with(|key| self.get(&["compaction", "modelOverrides", &name, key], whole_number))
    }

    fn compaction_with(&self, of_model: impl Fn(&str) -> Option<u64>) -> CompactionSettings {
        let default = CompactionSettings::default();
        let number = |key, default| {
            let ordinary = || self.get(&["compaction", key], whole_number);
            of_model(key).or_else(ordinary).unwrap_or(default)
        };
        CompactionSettings {
            enabled: self.switch(&["compaction", "enabled"], default.enabled),
            reserve_tokens: number("reserveTokens", default.reserve_tokens),
            keep_recent_tokens: number("keepRecentTokens", default.keep_recent_tokens),
        }
    }

    /// How branches that are left are summarised.
    pub fn branch_summary(&self) -> BranchSummarySettings {
        BranchSummarySettings {
            reserve_tokens: self.get(&["branchSummary", "reserveTokens"], whole_number).unwrap_or(16_384),
            skip_prompt: self.switch(&["branchSummary", "skipPrompt"], false),
        }
    }

    /// How often a failed call is repeated by the session.
    pub fn retry(&self) -> RetrySettings {
        RetrySettings {
            enabled: self.switch(&["retry", "enabled"], true),
            max_retries: small(self.number(&["retry", "maxRetries"]).unwrap_or(3)),
            base_delay: Duration::from_millis(self.number(&["retry", "baseDelayMs"]).unwrap_or(2000)),
            max_delay: Duration::from_millis(self.get(&["retry", "maxAgentDelayMs"], whole_number).unwrap_or(60_000)),
        }
    }

    /// Limits of one HTTP request.
    pub fn provider_retry(&self) -> ProviderRetrySettings {
        let delay = self.number(&["retry", "provider", "maxRetryDelayMs"]);
        ProviderRetrySettings {
            timeout: self.number(&["retry", "provider", "timeoutMs"]).map(Duration::from_millis),
            max_retries: small(self.number(&["retry", "provider", "maxRetries"]).unwrap_or(0)),
            max_retry_delay: Duration::from_millis(delay.unwrap_or(60_000)),
        }
    }
}

/// A whole number that is not negative, also when it is written with a point: 2000.0.
pub(super) fn whole_number(value: &Value) -> Option<u64> {
    let fraction = || value.as_f64().filter(|number| *number >= 0.0 && number.fract() == 0.0);
    value.as_u64().or_else(|| fraction().map(|number| number as u64))
}
