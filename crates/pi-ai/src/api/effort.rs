//! The words by which a model is asked for a thinking level.

use crate::model::Model;
use crate::options::StreamOptions;
use crate::thinking::{LevelMapping, ThinkingLevel, clamp_level, level_mapping};

/// The level that the general options ask for, as far as the model supports it; `off` asks for nothing, also of a model
/// that cannot be told not to think.
pub(crate) fn wanted(model: &Model, options: &StreamOptions) -> ThinkingLevel {
    options.reasoning.enabled().map_or(ThinkingLevel::Off, |level| clamp_level(model, level))
}

/// The model's word for a level, else the level's own name.
pub(crate) fn word(model: &Model, level: ThinkingLevel) -> &str {
    mapped(model, level).unwrap_or(level.as_str())
}

/// The model's word for a level, if it has one.
pub(crate) fn mapped(model: &Model, level: ThinkingLevel) -> Option<&str> {
    match level_mapping(model, level) {
        LevelMapping::Value(word) => Some(word),
        LevelMapping::Unsupported | LevelMapping::Default => None,
    }
}

/// The word for no thinking; `None` for models that always think.
pub(crate) fn off_or_none(model: &Model) -> Option<&str> {
    match level_mapping(model, ThinkingLevel::Off) {
        LevelMapping::Value(word) => Some(word),
        LevelMapping::Unsupported => None,
        LevelMapping::Default => Some("none"),
    }
}
