//! How much a Gemini shall think: a level or a budget, whichever the model takes.
//!
//! The model's generation is told by its id, as the provider's own documentation does.

use serde_json::{Value, json};

use crate::model::Model;
use crate::options::StreamOptions;
use crate::thinking::{ThinkingLevel, clamp_level};

use super::Flavor;

/// A budget that leaves the amount to the model.
const DYNAMIC_BUDGET: i64 = -1;

/// Thinking in the provider's own terms.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GoogleThinking {
    /// Whether the model shall think and show its thoughts. Models that always think do as little as they can.
    pub enabled: bool,
    /// Budget in tokens for models before Gemini 3; -1 leaves it to the model. Ignored where `level` is given.
    pub budget_tokens: Option<i64>,
    /// Level for Gemini 3 and later: `MINIMAL`, `LOW`, `MEDIUM`, `HIGH`.
    pub level: Option<String>,
}

/// How a model is told how much to think.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    /// By one of two levels.
    Gemini3Pro,
    /// By one of four levels.
    Gemini3Flash,
    /// By one of two levels that are called otherwise.
    Gemma4,
    /// By a budget in tokens.
    Budget,
}

impl Family {
    fn of(model: &Model, flavor: Flavor) -> Self {
        let id = model.id.to_lowercase();
        if is_gemini_3(&id, "-pro") {
            Self::Gemini3Pro
        } else if is_gemini_3(&id, "-flash") || matches!(&*id, "gemini-flash-latest" | "gemini-flash-lite-latest") {
            Self::Gemini3Flash
        } else if flavor == Flavor::GenerativeAi && (id.contains("gemma4") || id.contains("gemma-4")) {
            Self::Gemma4
        } else {
            Self::Budget
        }
    }

    /// The level that stands for ours; `None` where there are budgets.
    fn level(self, level: ThinkingLevel) -> Option<&'static str> {
        use ThinkingLevel as L;
        Some(match (self, level) {
            (Self::Gemini3Pro, L::Minimal | L::Low) | (Self::Gemini3Flash, L::Low) => "LOW",
            (Self::Gemma4, L::Minimal | L::Low) | (Self::Gemini3Flash, L::Minimal) => "MINIMAL",
            (Self::Gemini3Flash, L::Medium) => "MEDIUM",
            (Self::Gemini3Pro | Self::Gemini3Flash | Self::Gemma4, _) => "HIGH",
            (Self::Budget, _) => return None,
        })
    }

    /// The least that the model can do.
    fn off(self) -> Value {
        match self {
            Self::Gemini3Pro => json!({"thinkingLevel": "LOW"}),
            Self::Gemini3Flash | Self::Gemma4 => json!({"thinkingLevel": "MINIMAL"}),
            Self::Budget => json!({"thinkingBudget": 0}),
        }
    }
}

/// `gemini-3` or `gemini-3.N`, followed by `variant`.
fn is_gemini_3(id: &str, variant: &str) -> bool {
    id.match_indices("gemini-3").any(|(at, name)| {
        let rest = &id[at + name.len()..];
        let minor = rest.strip_prefix('.').map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
        let after_minor = minor.filter(|after| after.len() + 1 < rest.len());
        rest.starts_with(variant) || after_minor.is_some_and(|after| after.starts_with(variant))
    })
}

/// The `thinkingConfig` that the general options ask for.
pub(in crate::api) fn from_level(model: &Model, options: &StreamOptions, flavor: Flavor) -> Option<Value> {
    if !model.reasoning {
        return None;
    }
    let family = Family::of(model, flavor);
    let Some(requested) = options.reasoning.enabled() else { return Some(family.off()) };
    // A model that supports no level but "off" was nevertheless asked to think.
    let level = clamp_level(model, requested).enabled().unwrap_or(ThinkingLevel::High).min(ThinkingLevel::High);
    Some(match family.level(level) {
        Some(word) => json!({"includeThoughts": true, "thinkingLevel": word}),
        None => json!({"includeThoughts": true, "thinkingBudget": budget(model, options, level, flavor)}),
    })
}

/// The `thinkingConfig` that the options of the format ask for.
pub(in crate::api) fn explicit(model: &Model, thinking: Option<&GoogleThinking>, flavor: Flavor) -> Option<Value> {
    let thinking = thinking.filter(|_| model.reasoning)?;
    if !thinking.enabled {
        return Some(Family::of(model, flavor).off());
    }
    Some(match (&thinking.level, thinking.budget_tokens) {
        (Some(level), _) => json!({"includeThoughts": true, "thinkingLevel": level}),
        (None, Some(budget)) => json!({"includeThoughts": true, "thinkingBudget": budget}),
        (None, None) => json!({"includeThoughts": true}),
    })
}

/// Budget of a level in tokens.
fn budget(model: &Model, options: &StreamOptions, level: ThinkingLevel, flavor: Flavor) -> i64 {
    let custom = options.thinking_budgets.as_ref().and_then(|budgets| budgets.get(&level));
    if let Some(custom) = custom {
        return i64::try_from(*custom).unwrap_or(i64::MAX);
    }
    let is = |name: &str| model.id.contains(name);
    let [minimal, low, medium, high] = if is("2.5-pro") {
        [128, 2048, 8192, 32768]
    } else if is("2.5-flash-lite") && flavor == Flavor::GenerativeAi {
        [512, 2048, 8192, 24576]
    } else if is("2.5-flash") {
        [128, 2048, 8192, 24576]
    } else {
        [DYNAMIC_BUDGET; 4]
    };
    match level {
        ThinkingLevel::Off | ThinkingLevel::Minimal => minimal,
        ThinkingLevel::Low => low,
        ThinkingLevel::Medium => medium,
        ThinkingLevel::High | ThinkingLevel::Xhigh | ThinkingLevel::Max => high,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_by_id() {
        let family = |id: &str, flavor| Family::of(&Model { id: id.into(), ..Model::default() }, flavor);
        for (id, expected) in [
            ("gemini-3-pro-preview", Family::Gemini3Pro),
            ("Gemini-3.1-Pro-preview-customtools", Family::Gemini3Pro),
            ("google/gemini-3-pro", Family::Gemini3Pro),
            ("gemini-3-flash-preview", Family::Gemini3Flash),
            ("gemini-3.5-flash", Family::Gemini3Flash),
            ("gemini-3.1-flash-lite", Family::Gemini3Flash),
            ("gemini-flash-latest", Family::Gemini3Flash),
            ("gemini-flash-lite-latest", Family::Gemini3Flash),
            ("gemini-flash-latest-2", Family::Budget),
            ("gemini-3.-pro", Family::Budget),
            ("gemini-30-pro", Family::Budget),
            ("gemini-2.5-pro", Family::Budget),
            ("gemma-4-31b-it", Family::Gemma4),
            ("gemma4", Family::Gemma4),
            ("gemma-3", Family::Budget),
        ] {
            assert_eq!(family(id, Flavor::GenerativeAi), expected, "{id}");
            let on_vertex = if expected == Family::Gemma4 { Family::Budget } else { expected };
            assert_eq!(family(id, Flavor::Vertex), on_vertex, "{id}");
        }
    }
}
