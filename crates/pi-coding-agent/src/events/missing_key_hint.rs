//! Parts of error texts that depend on the case: the way out.

/// Providers that people log in to; no key is sold for them.
const LOGIN_ONLY: [&str; 2] = ["github-copilot", "openai-codex"];

/// Providers that people log in to, or have a key of.
const LOGIN_OR_KEY: [&str; 4] = ["anthropic", "kimi-coding", "openrouter", "xai"];

/// What a model without a key needs: a login where there are only logins, else all the ways to a key.
pub(super) fn way_to_key(provider: &str) -> String {
    let login = format!("pi auth login {provider}");
    match provider {
        provider if LOGIN_ONLY.contains(&provider) => format!("a login: {login}"),
        provider if LOGIN_OR_KEY.contains(&provider) => format!(
            "one: {login}, {}pass --api-key, or add the provider to auth.json or models.json",
            set_variable(provider)
        ),
        _ => format!(
            "one: {}pass --api-key, or add the provider to auth.json (pi auth login) or models.json",
            set_variable(provider)
        ),
    }
}

/// The first thing to try.
fn set_variable(provider: &str) -> String {
    match (provider, pi_ai::auth::env::env_key_names(provider).last()) {
        ("amazon-bedrock", _) => {
            "set AWS_BEARER_TOKEN_BEDROCK, AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, ".to_owned()
        }
        ("google-vertex", Some(name)) => format!(
            "set {name}, or GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION where application default credentials exist, "
        ),
        (_, Some(name)) => format!("set {name}, "),
        (_, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use crate::events::Error;

    #[test]
    fn the_way_out_fits_the_provider() {
        for (provider, expected) in [
            ("openai", "needs one: set OPENAI_API_KEY, pass --api-key"),
            ("amazon-bedrock", "needs one: set AWS_BEARER_TOKEN_BEDROCK, AWS_PROFILE, or AWS_ACCESS_KEY_ID"),
            ("google-vertex", "needs one: set GOOGLE_CLOUD_API_KEY, or GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION"),
            ("my-own", "needs one: pass --api-key"),
            ("github-copilot", "needs a login: pi auth login github-copilot."),
            ("openai-codex", "needs a login: pi auth login openai-codex."),
            ("anthropic", "needs one: pi auth login anthropic, set ANTHROPIC_API_KEY, pass --api-key"),
            ("kimi-coding", "needs one: pi auth login kimi-coding, set KIMI_API_KEY, pass --api-key"),
            ("openrouter", "needs one: pi auth login openrouter, set OPENROUTER_API_KEY, pass --api-key"),
            ("xai", "needs one: pi auth login xai, set XAI_API_KEY, pass --api-key"),
        ] {
            let text = Error::NoApiKey { provider: provider.to_owned(), model: "m".to_owned() }.to_string();
            assert!(text.contains(expected), "{text}");
        }
    }
}
