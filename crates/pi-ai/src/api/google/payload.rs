//! The request in the shape of the provider's SDK: `{model, contents, config}`.

use serde_json::{Map, Value};

use crate::api::content::object;
use crate::context::{Context, ToolDefinition};
use crate::model::Model;
use crate::options::StreamOptions;

use super::{METHOD, convert};

/// What the options say, resolved for a model.
#[derive(Debug, Clone, Default)]
pub(in crate::api) struct Settings {
    /// `thinkingConfig`.
    pub(in crate::api) thinking: Option<Value>,
    /// A word or a whole `functionCallingConfig`.
    pub(in crate::api) tool_choice: Option<Value>,
}

/// Builds the payload.
pub(in crate::api) fn build(model: &Model, context: &Context, options: &StreamOptions, settings: &Settings) -> Value {
    let contents = convert::contents(context, model, options.clock.now_ms());
    object([
        ("model", model.id.as_str().into()),
        ("contents", contents.into()),
        ("config", config(context, options, settings).into()),
    ])
}

/// The URL for the model that the payload names: a hook may have chosen another one. `resource` is the path of a model.
pub(in crate::api) fn retarget(url: String, payload: &Value, model: &Model, resource: fn(&str) -> String) -> String {
    let old = resource(&model.id) + METHOD;
    match (payload["model"].as_str().filter(|id| *id != model.id), url.strip_suffix(old.as_str())) {
        (Some(id), Some(base)) => format!("{base}{}{METHOD}", resource(id)),
        _ => url,
    }
}

fn config(context: &Context, options: &StreamOptions, settings: &Settings) -> Map<String, Value> {
    let prompt = context.system_prompt.as_deref().filter(|prompt| !prompt.is_empty());
    let has_tools = !context.tools.is_empty();
    let choice = settings.tool_choice.as_ref().filter(|_| has_tools);
    let entries = [
        ("temperature", options.temperature.map(Value::from)),
        ("maxOutputTokens", options.max_tokens.map(Value::from)),
        ("systemInstruction", prompt.map(Value::from)),
        ("tools", has_tools.then(|| declarations(context))),
        ("toolConfig", choice.map(|choice| object([("functionCallingConfig", calling_config(choice))]))),
        ("thinkingConfig", settings.thinking.clone()),
    ];
    entries.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
}

fn declarations(context: &Context) -> Value {
    let declarations: Vec<Value> = context.tools.iter().map(|tool| declaration(tool)).collect();
    vec![object([("functionDeclarations", declarations.into())])].into()
}

/// The schema goes as it is: the field takes JSON Schema, not only the subset of OpenAPI.
fn declaration(tool: &ToolDefinition) -> Value {
    object([
        ("name", tool.name.as_str().into()),
        ("description", tool.description.as_str().into()),
        ("parametersJsonSchema", tool.parameters.clone()),
    ])
}

/// `auto`, `none` and `any` become modes; `required`, as others say, is `any`. An object is sent as it is.
fn calling_config(choice: &Value) -> Value {
    match choice.as_str() {
        Some("required") => object([("mode", "ANY".into())]),
        Some(word) => object([("mode", word.to_uppercase().into())]),
        None => choice.clone(),
    }
}
