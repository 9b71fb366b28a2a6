//! Quirks of endpoints that speak `anthropic-messages`: defaults by provider, overridden one by one by the model.

use crate::api::quirks::flag;
use crate::model::Model;

/// The quirks in force for a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Compat {
    /// Tools may ask for their input to be streamed eagerly; otherwise a beta header asks for all of them.
    pub(super) eager_tool_input: bool,
    /// The prompt may be cached for an hour.
    pub(super) long_cache_retention: bool,
    /// Requests of one session carry a header that ties them together.
    pub(super) session_affinity: bool,
    /// Tool definitions may carry a cache marker.
    pub(super) cache_control_on_tools: bool,
    /// A temperature may be sent.
    pub(super) temperature: bool,
    /// The model decides by itself how much to think.
    pub(super) adaptive_thinking: bool,
    /// Unsigned thinking may be sent back as thinking.
    pub(super) empty_signature: bool,
}

impl Compat {
    pub(super) fn of(model: &Model) -> Self {
        let fireworks = model.provider == "fireworks";
        Self {
            eager_tool_input: flag(model, "supportsEagerToolInputStreaming").unwrap_or(!fireworks),
            long_cache_retention: flag(model, "supportsLongCacheRetention").unwrap_or(!fireworks),
            session_affinity: flag(model, "sendSessionAffinityHeaders").unwrap_or(fireworks),
            cache_control_on_tools: flag(model, "supportsCacheControlOnTools").unwrap_or(!fireworks),
            temperature: flag(model, "supportsTemperature").unwrap_or(true),
            adaptive_thinking: flag(model, "forceAdaptiveThinking").unwrap_or(false),
            empty_signature: flag(model, "allowEmptySignature").unwrap_or(false),
        }
    }
}
