//! Recognises that a prompt did not fit the model's context window, from what providers say or report.

use std::sync::LazyLock;

use regex::{RegexSet, RegexSetBuilder};

use crate::message::{AssistantMessage, StopReason};

/// Errors that mention limits but are about load, not about the prompt. Case is ignored.
const NOT_OVERFLOW: [&str; 3] = [r"^(Throttling error|Service unavailable):", "rate limit", "too many requests"];

/// How providers say that a prompt is too long. Case is ignored.
const OVERFLOW: [&str; 23] = [
    // Anthropic, also as HTTP 413.
    "prompt is too long",
    "request_too_large",
    // Bedrock.
    "input is too long for requested model",
    // OpenAI.
    "exceeds the context window",
    // LiteLLM and its like.
    r"exceeds (?:the )?(?:model'?s )?maximum context length(?: of [\d,]+ tokens?|\s*\([\d,]+\))",
    // Gemini.
    "input token count.*exceeds the maximum",
    // xAI.
    r"maximum prompt length is \d+",
    // Groq.
    "reduce the length of the messages",
    // OpenRouter and models behind it.
    r"maximum context length is \d+ tokens",
    r"exceeds (?:the )?maximum allowed input length of [\d,]+ tokens?",
    // Together.
    r"input \(\d+ tokens\) is longer than the model'?s context length \(\d+ tokens\)",
    // GitHub Copilot.
    r"exceeds the limit of \d+",
    // llama.cpp.
    "exceeds the available context size",
    // LM Studio.
    "greater than the context length",
    // MiniMax.
    "context window exceeds limit",
    // Kimi.
    "exceeded model token limit",
    // Mistral.
    r"too large for model with \d+ maximum context length",
    // z.ai, and Anthropic's stop reason surfaced as an error.
    "model_context_window_exceeded",
    // Ollama.
    "prompt too long; exceeded (?:max )?context length",
    // Many.
    "context[_ ]length[_ ]exceeded",
    "too many tokens",
    "token limit exceeded",
    // Cerebras.
    r"^4(?:00|13)\s*(?:status code)?\s*\(no body\)",
];

static NOT_OVERFLOW_SET: LazyLock<RegexSet> = LazyLock::new(|| any_case(&NOT_OVERFLOW));
static OVERFLOW_SET: LazyLock<RegexSet> = LazyLock::new(|| any_case(&OVERFLOW));

/// Compiles fixed patterns; a test shows that each compiles.
pub(crate) fn any_case(patterns: &[&str]) -> RegexSet {
    RegexSetBuilder::new(patterns).case_insensitive(true).build().unwrap_or_else(|_| RegexSet::empty())
}

/// The patterns by which an error text counts as an overflow, case ignored.
pub fn overflow_patterns() -> &'static [&'static str] {
    &OVERFLOW
}

/// Whether an error text says that the prompt did not fit.
pub fn is_overflow_text(text: &str) -> bool {
    !NOT_OVERFLOW_SET.is_match(text) && OVERFLOW_SET.is_match(text)
}

/// Whether a message shows that the prompt did not fit, by its error text or, for providers that cut silently, by
/// its usage against the window in tokens.
pub fn is_context_overflow(message: &AssistantMessage, context_window: Option<u64>) -> bool {
    let prompt = message.usage.input + message.usage.cache_read;
    match (&message.stop_reason, context_window) {
        (StopReason::Error, _) => message.error_message.as_deref().is_some_and(is_overflow_text),
        (StopReason::Stop, Some(window)) => prompt > window,
        // Cut before the first token of the answer: the prompt filled (nearly) all of the window.
        (StopReason::Length, Some(window)) => message.usage.output == 0 && prompt as f64 >= 0.99 * window as f64,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    //! What the patterns mean is tested in `tests/suite/formats/classification.rs`.

    use super::*;

    #[test]
    fn every_pattern_compiles() {
        assert_eq!(NOT_OVERFLOW_SET.len(), NOT_OVERFLOW.len());
        assert_eq!(OVERFLOW_SET.len(), OVERFLOW.len());
    }
}
