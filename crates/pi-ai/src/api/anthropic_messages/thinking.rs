//! How much the model shall think, in this format's terms.

use serde_json::{Value, json};

use crate::model::Model;
use crate::options::StreamOptions;
use crate::thinking::{LevelMapping, ThinkingLevel, allowance, level_mapping};

use super::compat::Compat;
use super::options::AnthropicOptions;

/// Budget in tokens when thinking is on and none is given.
const DEFAULT_BUDGET: u64 = 1024;
const DEFAULT_DISPLAY: &str = "summarized";

/// What the options say, resolved for a model.
#[derive(Debug, Clone)]
pub(super) struct Settings {
    /// Output limit in tokens.
    pub(super) max_tokens: u64,
    /// Thinking on, off, or left to the provider.
    thinking: Option<bool>,
    budget: u64,
    effort: Option<String>,
    display: String,
    pub(super) interleaved: bool,
    pub(super) tool_choice: Option<Value>,
}

impl Settings {
    /// From the general options: a level becomes an effort or a budget, whichever the model understands.
    pub(super) fn from_level(model: &Model, options: &StreamOptions) -> Self {
        let mut settings = Self {
            max_tokens: options.max_tokens.unwrap_or(model.max_tokens),
            thinking: Some(false),
            budget: DEFAULT_BUDGET,
            effort: None,
            display: DEFAULT_DISPLAY.to_owned(),
            interleaved: true,
            tool_choice: options.tool_choice.clone(),
        };
        // A level for a model that cannot think has no meaning; it must not move the output limit either.
        let Some(level) = options.reasoning.enabled().filter(|_| model.reasoning) else { return settings };
        settings.thinking = Some(true);
        if Compat::of(model).adaptive_thinking {
            settings.effort = Some(effort(model, level).to_owned());
        } else {
            let budgets = options.thinking_budgets.as_ref();
            let allowance = allowance(options.max_tokens, model.max_tokens, level, budgets);
            settings.max_tokens = allowance.max_tokens;
            settings.budget = allowance.budget;
        }
        settings
    }

    /// From the options of this format.
    pub(super) fn explicit(model: &Model, explicit: &AnthropicOptions, base: &StreamOptions) -> Self {
        Self {
            max_tokens: base.max_tokens.unwrap_or(model.max_tokens),
            thinking: explicit.thinking,
            budget: explicit.thinking_budget.unwrap_or(DEFAULT_BUDGET),
            effort: explicit.effort.clone(),
            display: explicit.thinking_display.clone().unwrap_or_else(|| DEFAULT_DISPLAY.to_owned()),
            interleaved: explicit.interleaved_thinking,
            tool_choice: explicit.tool_choice.clone().or_else(|| base.tool_choice.clone()),
        }
    }

    /// Whether the request switches thinking on.
    pub(super) fn thinks(&self) -> bool {
        self.thinking == Some(true)
    }

    /// The body's `thinking`, and its `output_config` where the model thinks adaptively.
    pub(super) fn to_wire(&self, model: &Model, compat: Compat) -> (Option<Value>, Option<Value>) {
        match self.thinking {
            _ if !model.reasoning => (None, None),
            Some(true) if compat.adaptive_thinking => {
                let effort = self.effort.as_ref().filter(|effort| !effort.is_empty());
                let config = effort.map(|effort| json!({"effort": effort}));
                (Some(json!({"type": "adaptive", "display": self.display})), config)
            }
            Some(true) => {
                let budget = if self.budget == 0 { DEFAULT_BUDGET } else { self.budget };
                (Some(json!({"type": "enabled", "budget_tokens": budget, "display": self.display})), None)
            }
            Some(false) if level_mapping(model, ThinkingLevel::Off) != LevelMapping::Unsupported => {
                (Some(json!({"type": "disabled"})), None)
            }
            Some(false) | None => (None, None),
        }
    }
}

/// The model's word for a level, else the nearest of the three words that every such model knows.
fn effort(model: &Model, level: ThinkingLevel) -> &str {
    match (level_mapping(model, level), level) {
        (LevelMapping::Value(word), _) => word,
        (_, ThinkingLevel::Off | ThinkingLevel::Minimal | ThinkingLevel::Low) => "low",
        (_, ThinkingLevel::Medium) => "medium",
        (_, ThinkingLevel::High | ThinkingLevel::Xhigh | ThinkingLevel::Max) => "high",
    }
}
