//! The reasoning parameter, in the endpoint's dialect.

use serde_json::{Map, Value, json};

use crate::api::effort::{mapped, off_or_none, word};
use crate::model::Model;
use crate::thinking::{LevelMapping, ThinkingLevel, level_mapping};

use super::compat::{Compat, ThinkingFormat};
use super::template;

const TEMPLATE_KEY: &str = "chat_template_kwargs";

/// Adds the keys that ask for `effort` (or for none) to a body. Models that cannot think get none.
pub(super) fn apply(body: &mut Map<String, Value>, model: &Model, compat: &Compat<'_>, effort: Option<ThinkingLevel>) {
    if model.reasoning {
        let (switch, word) = dialect(model, compat, effort);
        let word = word.filter(|_| compat.supports_reasoning_effort).map(|word| ("reasoning_effort", word.into()));
        body.extend(switch.into_iter().chain(word).map(|(key, value)| (key.to_owned(), value)));
    }
}

/// A key of the body with its value.
type Entry = (&'static str, Value);

/// The dialect's own key, and the word for `reasoning_effort` where the dialect uses that, too.
fn dialect<'a>(
    model: &'a Model,
    compat: &Compat<'_>,
    effort: Option<ThinkingLevel>,
) -> (Option<Entry>, Option<&'a str>) {
    let on = effort.is_some();
    let word = effort.map(|level| word(model, level));
    let word_or_none = || word.or_else(|| off_or_none(model));
    let is_supported = |level| level_mapping(model, level) != LevelMapping::Unsupported;
    match compat.thinking_format {
        ThinkingFormat::OpenAi => (None, word.or_else(|| mapped(model, ThinkingLevel::Off))),
        ThinkingFormat::OpenRouter => (word_or_none().map(|word| ("reasoning", json!({"effort": word}))), None),
        ThinkingFormat::DeepSeek => {
            let may_switch = on || is_supported(ThinkingLevel::Off);
            (may_switch.then(|| ("thinking", switch(on))), word)
        }
        ThinkingFormat::Zai => (Some(("thinking", switch(on))), word.filter(|_| effort.is_some_and(is_supported))),
        ThinkingFormat::Together => (Some(("reasoning", json!({"enabled": on}))), word),
        ThinkingFormat::Qwen => (Some(("enable_thinking", on.into())), None),
        ThinkingFormat::QwenChatTemplate => {
            // Thoughts of earlier turns stay in the prompt either way: cutting them would void the provider's cache.
            (Some((TEMPLATE_KEY, json!({"enable_thinking": on, "preserve_thinking": true}))), None)
        }
        ThinkingFormat::ChatTemplate => {
            let kwargs = template::resolve(compat.chat_template_kwargs, model, effort);
            ((!kwargs.is_empty()).then(|| (TEMPLATE_KEY, kwargs.into())), None)
        }
        ThinkingFormat::StringThinking => (word_or_none().map(|word| ("thinking", word.into())), None),
        ThinkingFormat::AntLing => {
            let word = effort.and_then(|level| mapped(model, level));
            (word.map(|word| ("reasoning", json!({"effort": word}))), None)
        }
    }
}

fn switch(on: bool) -> Value {
    json!({"type": if on { "enabled" } else { "disabled" }})
}
