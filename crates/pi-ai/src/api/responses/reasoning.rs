//! The body's `reasoning`, and what must be included for it.

use serde_json::{Map, Value, json};

use crate::api::content::object;
use crate::api::effort::{off_or_none, word};
use crate::model::Model;
use crate::thinking::ThinkingLevel;

/// Asks for reasoning that can be sent back although the server stores nothing.
pub(crate) const ENCRYPTED_CONTENT: &str = "reasoning.encrypted_content";

/// What the caller wants of a model that can think.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Wish<'a> {
    /// How much thinking; `None` for none.
    pub(crate) effort: Option<ThinkingLevel>,
    /// How the thinking is summarised; asking for it is asking for thinking.
    pub(crate) summary: Option<&'a str>,
}

/// Adds `reasoning` and `include`. Without a wish, a model that can be told not to think is told so if
/// `says_off`.
pub(crate) fn apply(body: &mut Map<String, Value>, model: &Model, wish: Wish<'_>, says_off: bool) {
    if !model.reasoning {
        return;
    }
    if wish.effort.is_some() || wish.summary.is_some() {
        let effort = word(model, wish.effort.unwrap_or(ThinkingLevel::Medium));
        body.insert("reasoning".into(), thinking(effort, wish.summary));
        body.insert("include".into(), json!([ENCRYPTED_CONTENT]));
    } else if let Some(off) = off_or_none(model).filter(|_| says_off) {
        body.insert("reasoning".into(), json!({"effort": off}));
    }
}

/// The value of `reasoning` for an effort in the model's own words.
pub(crate) fn thinking(effort: &str, summary: Option<&str>) -> Value {
    object([("effort", effort.into()), ("summary", summary.unwrap_or("auto").into())])
}
