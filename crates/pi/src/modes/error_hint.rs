//! What a user can do about a failed model call, in one line.
//!
//! The texts of failures are the provider's or the transport's; they do not know which file to look into.

use pi_ai::{AssistantMessage, StopReason};

/// The way out, where there is one besides trying again.
pub(super) fn advice(message: &AssistantMessage) -> Option<String> {
    let text = message.error_message.as_deref().filter(|_| message.stop_reason == StopReason::Error)?;
    let provider = &message.provider;
    match text {
        text if text.starts_with("401") || text.starts_with("403") => Some(format!(
            "Check the API key of provider {provider}: --api-key, its environment variable, auth.json or models.json."
        )),
        text if text.starts_with("404") => Some(format!(
            "Check the model and the base URL of provider {provider}; --list-models shows what is configured."
        )),
        // `/login` is how programs with a screen do it.
        text if text.starts_with("Authentication failed for ") => Some(format!(
            "Log in again: pi auth login {provider}. Or give provider {provider} an API key with --api-key; it wins over auth.json."
        )),
        text if text.starts_with("Connection error.") => Some(format!(
            "Check the network, the proxy variables and the base URL of provider {provider} (models.json)."
        )),
        text if text.starts_with("Network setup:") => {
            Some("pi doctor shows the proxies and certificates in force.".to_owned())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_failures_with_a_way_out_have_one() {
        let failed = |text: &str, stop_reason| AssistantMessage {
            provider: "acme".into(),
            error_message: Some(text.to_owned()),
            stop_reason,
            ..AssistantMessage::default()
        };
        for (text, word) in [
            ("401 no", "API key"),
            ("404 no", "base URL"),
            ("Connection error. x", "network"),
            ("Authentication failed for \"acme\". x", "--api-key"),
        ] {
            let advice = advice(&failed(text, StopReason::Error)).unwrap();
            assert!(advice.contains(word) && advice.contains("acme"), "{advice}");
        }
        assert!(advice(&failed("Network setup: x", StopReason::Error)).unwrap().contains("pi doctor"));
        assert_eq!(advice(&failed("529 overloaded", StopReason::Error)), None);
        assert_eq!(advice(&failed("401 no", StopReason::Aborted)), None);
    }
}
