//! How much the model shall think, in this format's terms. Only Anthropic's models are told.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::model::Model;
use crate::options::StreamOptions;
use crate::thinking::{LevelMapping, ThinkingLevel, allowance, default_budget, level_mapping};

use super::family::Family;
use super::options::BedrockOptions;

const INTERLEAVED: &str = "interleaved-thinking-2025-05-14";
const DEFAULT_DISPLAY: &str = "summarized";

/// What the options say, resolved for a model.
#[derive(Debug, Clone)]
pub(super) struct Settings {
    pub(super) family: Family,
    /// Output limit in tokens; `None` leaves it to the provider.
    pub(super) max_tokens: Option<u64>,
    /// `None` when nothing is said about thinking.
    thinking: Option<Thinking>,
    interleaved: bool,
    display: String,
    pub(super) tool_choice: Option<Value>,
    pub(super) metadata: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Copy)]
struct Thinking {
    level: ThinkingLevel,
    /// In tokens, for models with explicit budgets.
    budget: u64,
}

impl Settings {
    /// From the general options. A budget comes on top of the output limit.
    pub(super) fn from_level(model: &Model, options: &StreamOptions) -> Self {
        let mut settings = Self::new(model, options, options.reasoning);
        if let Some(thinking) = settings.thinking.as_mut().filter(|_| !settings.family.is_adaptive()) {
            let budgets = options.thinking_budgets.as_ref();
            let allowance = allowance(options.max_tokens, model.max_tokens, thinking.level, budgets);
            settings.max_tokens = Some(allowance.max_tokens);
            thinking.budget = allowance.budget;
        }
        settings
    }

    /// From the options of this format.
    pub(super) fn explicit(model: &Model, explicit: &BedrockOptions, base: &StreamOptions) -> Self {
        let mut settings = Self::new(model, base, explicit.reasoning);
        settings.interleaved = explicit.interleaved_thinking;
        settings.metadata.clone_from(&explicit.request_metadata);
        if let Some(display) = &explicit.thinking_display {
            settings.display.clone_from(display);
        }
        if let Some(choice) = &explicit.tool_choice {
            settings.tool_choice = Some(choice.clone());
        }
        settings
    }

    /// A level for a model that cannot be told to think has no meaning.
    fn new(model: &Model, options: &StreamOptions, level: ThinkingLevel) -> Self {
        let family = Family::of(model);
        let level = level.enabled().filter(|_| model.reasoning && family.is_claude());
        let budget = |level: ThinkingLevel| {
            let custom = options.thinking_budgets.as_ref();
            let custom = custom.and_then(|budgets| budgets.get(&level.min(ThinkingLevel::High)).copied());
            custom.unwrap_or_else(|| default_budget(level))
        };
        Self {
            max_tokens: options.max_tokens.or_else(|| family.is_claude().then_some(model.max_tokens)),
            thinking: level.map(|level| Thinking { level, budget: budget(level) }),
            interleaved: true,
            display: DEFAULT_DISPLAY.to_owned(),
            tool_choice: options.tool_choice.clone(),
            metadata: BTreeMap::new(),
            family,
        }
    }

    /// The body's `additionalModelRequestFields`.
    pub(super) fn to_wire(&self, model: &Model, region: &str) -> Option<Value> {
        let Thinking { level, budget } = self.thinking?;
        let adaptive = self.family.is_adaptive();
        let mut thinking =
            if adaptive { json!({"type": "adaptive"}) } else { json!({"type": "enabled", "budget_tokens": budget}) };
        if !is_government(&model.id, region) {
            thinking["display"] = self.display.as_str().into();
        }
        let mut fields = json!({"thinking": thinking});
        if adaptive {
            fields["output_config"] = json!({"effort": self.effort(model, level)});
        } else if self.interleaved {
            fields["anthropic_beta"] = json!([INTERLEAVED]);
        }
        Some(fields)
    }

    /// The model's word for a level, else the nearest of the three words that every such model knows.
    fn effort<'a>(&self, model: &'a Model, level: ThinkingLevel) -> &'a str {
        match (level_mapping(model, level), level) {
            (_, ThinkingLevel::Xhigh) if self.family.knows_xhigh() => "xhigh",
            (LevelMapping::Value(word), _) => word,
            (_, ThinkingLevel::Off | ThinkingLevel::Minimal | ThinkingLevel::Low) => "low",
            (_, ThinkingLevel::Medium) => "medium",
            (_, ThinkingLevel::High | ThinkingLevel::Xhigh | ThinkingLevel::Max) => "high",
        }
    }
}

/// Whether the call goes to the government's partition, which does not know how thinking is shown.
fn is_government(id: &str, region: &str) -> bool {
    region.starts_with("us-gov-") || id.starts_with("us-gov.") || id.starts_with("arn:aws-us-gov:")
}
