//! Thinking levels: ranking, what a model supports, clamping, token budgets.
//!
//! How a level looks on the wire is each wire format's own business.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::Model;

/// How much a model should think. The order of the variants is the ranking.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ThinkingLevel {
    /// No thinking.
    #[default]
    Off,
    /// The least.
    Minimal,
    /// Little.
    Low,
    /// The usual.
    Medium,
    /// Much.
    High,
    /// More than much; only models that map it support it.
    Xhigh,
    /// The most; only models that map it support it.
    Max,
}

impl ThinkingLevel {
    /// All levels, ranked.
    pub const ALL: [Self; 7] = [Self::Off, Self::Minimal, Self::Low, Self::Medium, Self::High, Self::Xhigh, Self::Max];

    /// The spelling used in JSON, settings and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Minimal => "minimal",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Xhigh => "xhigh",
            Self::Max => "max",
        }
    }

    /// Reads the spelling of [`ThinkingLevel::as_str`].
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.as_str() == text)
    }

    /// `None` for `off`.
    pub fn enabled(self) -> Option<Self> {
        (self != Self::Off).then_some(self)
    }
}

/// What a model's map says about a level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LevelMapping<'a> {
    /// The wire value to send.
    Value(&'a str),
    /// The level is not supported.
    Unsupported,
    /// The map has no entry: the wire format's default applies.
    Default,
}

/// Looks a level up in the model's map.
pub fn level_mapping(model: &Model, level: ThinkingLevel) -> LevelMapping<'_> {
    match model.thinking_level_map.as_ref().and_then(|map| map.get(level.as_str())) {
        Some(Some(value)) => LevelMapping::Value(value),
        Some(None) => LevelMapping::Unsupported,
        None => LevelMapping::Default,
    }
}

/// The levels that a model supports, ranked; only `off` for a model that cannot think.
pub fn supported_levels(model: &Model) -> Vec<ThinkingLevel> {
    if !model.reasoning {
        return vec![ThinkingLevel::Off];
    }
    let supported = |level: &ThinkingLevel| match level_mapping(model, *level) {
        LevelMapping::Value(_) => true,
        LevelMapping::Unsupported => false,
        LevelMapping::Default => *level <= ThinkingLevel::High,
    };
    ThinkingLevel::ALL.into_iter().filter(supported).collect()
}

/// The level itself if supported, else the nearest higher supported one, else the nearest lower one.
pub fn clamp_level(model: &Model, level: ThinkingLevel) -> ThinkingLevel {
    let supported = supported_levels(model);
    let higher = supported.iter().find(|candidate| **candidate >= level);
    let lower = || supported.iter().rev().find(|candidate| **candidate < level);
    higher.or_else(lower).copied().unwrap_or(ThinkingLevel::Off)
}

/// Token budgets per level that replace the defaults (1024, 2048, 8192, 16384).
pub type ThinkingBudgets = BTreeMap<ThinkingLevel, u64>;

/// An output limit and the part of it that may go into thinking, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThinkingAllowance {
    /// Output limit of the request.
    pub max_tokens: u64,
    /// Thinking budget, always leaving room for an answer.
    pub budget: u64,
}

/// Tokens that stay reserved for the answer when the budget would fill the whole output limit.
const ANSWER_RESERVE: u64 = 1024;

/// Default budget of a level in tokens; `xhigh` and `max` count as `high`.
pub fn default_budget(level: ThinkingLevel) -> u64 {
    match level {
        ThinkingLevel::Off | ThinkingLevel::Minimal => 1024,
        ThinkingLevel::Low => 2048,
        ThinkingLevel::Medium => 8192,
        ThinkingLevel::High | ThinkingLevel::Xhigh | ThinkingLevel::Max => 16384,
    }
}

/// Raises an output limit by the budget of a level, within the model's own limit.
pub fn allowance(
    requested: Option<u64>,
    model_max: u64,
    level: ThinkingLevel,
    custom: Option<&ThinkingBudgets>,
) -> ThinkingAllowance {
    let level = level.min(ThinkingLevel::High);
    let budget = custom.and_then(|budgets| budgets.get(&level).copied()).unwrap_or_else(|| default_budget(level));
    let max_tokens = requested.map_or(model_max, |base| (base + budget).min(model_max));
    let budget = if max_tokens <= budget { max_tokens.saturating_sub(ANSWER_RESERVE) } else { budget };
    ThinkingAllowance { max_tokens, budget }
}
