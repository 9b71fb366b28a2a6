//! Session affinity: the headers by which routers recognise the requests of one session.
//!
//! Whether they are sent is each wire format's own business; which ones is said by `compat.sessionAffinityFormat`, or
//! guessed from the address.

use crate::api::quirks::word;
use crate::model::Model;

/// What a router looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(clippy::enum_variant_names, reason = "the names that models.json has for them")]
pub(crate) enum Affinity {
    /// `openai`: all headers that servers of that kind know.
    OpenAi,
    /// `openai-nosession`: for servers that refuse the header `session_id`.
    OpenAiNoSession,
    /// `openrouter`: one header of its own.
    OpenRouter,
}

impl Affinity {
    /// What the model asks for, else what its server is known for. An unknown word counts as absent.
    pub(crate) fn of(model: &Model) -> Option<Self> {
        let asked = match word(model, "sessionAffinityFormat") {
            Some("openai") => Some(Self::OpenAi),
            Some("openai-nosession") => Some(Self::OpenAiNoSession),
            Some("openrouter") => Some(Self::OpenRouter),
            _ => None,
        };
        let known = model.provider == "openrouter" || model.base_url.contains("openrouter.ai");
        asked.or_else(|| known.then_some(Self::OpenRouter))
    }

    /// The headers of `openai-completions`.
    pub(crate) fn completions(self) -> &'static [&'static str] {
        match self {
            Self::OpenAi => &["session_id", "x-client-request-id", "x-session-affinity"],
            Self::OpenAiNoSession => &["x-client-request-id", "x-session-affinity"],
            Self::OpenRouter => &["x-session-id"],
        }
    }

    /// The headers of `openai-responses`.
    pub(crate) fn responses(self) -> &'static [&'static str] {
        match self {
            Self::OpenAi => &["session_id", "x-client-request-id"],
            Self::OpenAiNoSession => &["x-client-request-id"],
            Self::OpenRouter => &["x-session-id"],
        }
    }

    /// The header of `anthropic-messages`, where OpenAI's formats mean the usual one.
    pub(crate) fn messages(self) -> &'static str {
        match self {
            Self::OpenAi | Self::OpenAiNoSession => "x-session-affinity",
            Self::OpenRouter => "x-session-id",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_is_asked_before_the_address() {
        let format = |url: &str, word: Option<&str>| {
            let compat = word.map(|word| serde_json::json!({"sessionAffinityFormat": word}));
            Affinity::of(&Model {
                base_url: url.into(),
                compat: compat.and_then(|compat| compat.as_object().cloned()),
                ..Model::default()
            })
        };
        let (local, router) = ("http://localhost:1/v1", "https://openrouter.ai/api/v1");
        assert_eq!(format(local, None), None);
        assert_eq!(format(router, None), Some(Affinity::OpenRouter));
        assert_eq!(format(router, Some("openai")), Some(Affinity::OpenAi));
        assert_eq!(format(router, Some("openai-nosession")), Some(Affinity::OpenAiNoSession));
        assert_eq!(format(local, Some("openrouter")), Some(Affinity::OpenRouter));
        assert_eq!(format(local, Some("carrier-pigeon")), None);
    }
}
