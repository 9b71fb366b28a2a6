//! Chat template arguments with variables, as `compat.chatTemplateKwargs` describes them.

use serde_json::{Map, Value};

use crate::model::Model;
use crate::thinking::{LevelMapping, ThinkingLevel, level_mapping};

/// The arguments with their variables filled in. What has no value is left out.
pub(super) fn resolve(
    kwargs: Option<&Map<String, Value>>,
    model: &Model,
    effort: Option<ThinkingLevel>,
) -> Map<String, Value> {
    let resolved = kwargs.into_iter().flatten().filter_map(|(name, argument)| {
        let value = match argument {
            Value::Object(variable) => variable_value(variable, model, effort)?,
            literal => literal.clone(),
        };
        Some((name.clone(), value))
    });
    resolved.collect()
}

fn variable_value(variable: &Map<String, Value>, model: &Model, effort: Option<ThinkingLevel>) -> Option<Value> {
    if effort.is_none() && variable.get("omitWhenOff") == Some(&Value::Bool(true)) {
        return None;
    }
    match variable.get("$var")?.as_str()? {
        "thinking.enabled" => Some(effort.is_some().into()),
        "thinking.effort" => match level_mapping(model, effort.unwrap_or_default()) {
            LevelMapping::Value(word) => Some(word.into()),
            LevelMapping::Unsupported => None,
            LevelMapping::Default => effort.map(|level| level.as_str().into()),
        },
        _ => None,
    }
}
