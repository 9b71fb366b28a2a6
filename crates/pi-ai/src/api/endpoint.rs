//! Where a request goes: base URL, placeholders, path.

use std::sync::LazyLock;

use regex::Regex;

use crate::error::{Error, RequestError};
use crate::model::Model;
use crate::options::StreamOptions;

/// Providers whose base URLs hold `{NAME}` placeholders for account data.
pub(crate) const CLOUDFLARE_GATEWAY: &str = "cloudflare-ai-gateway";
const CLOUDFLARE_WORKERS: &str = "cloudflare-workers-ai";

static PLACEHOLDER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\{([A-Z0-9_]+)\}").ok());

/// The model's base URL with `path` (which begins with a slash) appended.
///
/// # Errors
/// [`RequestError::MissingVariable`] for a placeholder without a value.
pub(crate) fn url(model: &Model, options: &StreamOptions, path: &str) -> Result<String, Error> {
    let base = match model.provider.as_str() {
        CLOUDFLARE_GATEWAY | CLOUDFLARE_WORKERS => fill(model, options)?,
        _ => model.base_url.clone(),
    };
    Ok(base.trim_end_matches('/').to_owned() + path)
}

/// Replaces the placeholders by variables.
fn fill(model: &Model, options: &StreamOptions) -> Result<String, Error> {
    let template = &model.base_url;
    let mut filled = String::with_capacity(template.len());
    let mut copied = 0;
    for found in PLACEHOLDER.iter().flat_map(|pattern| pattern.find_iter(template)) {
        let name = found.as_str().trim_matches(['{', '}']);
        let missing = || {
            Error::Request(RequestError::MissingVariable { name: name.to_owned(), provider: model.provider.clone() })
        };
        filled.push_str(&template[copied..found.start()]);
        filled.push_str(&options.env_var(name).ok_or_else(missing)?);
        copied = found.end();
    }
    filled.push_str(&template[copied..]);
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(provider: &str, base_url: &str) -> Model {
        Model { provider: provider.into(), base_url: base_url.into(), ..Model::default() }
    }

    #[test]
    fn a_trailing_slash_is_not_doubled() {
        for base in ["https://a.example/v1", "https://a.example/v1/"] {
            let url = url(&model("p", base), &StreamOptions::default(), "/messages").unwrap();
            assert_eq!(url, "https://a.example/v1/messages");
        }
    }

    #[test]
    fn placeholders_come_from_the_options_and_must_exist() {
        let model = model(CLOUDFLARE_GATEWAY, "https://g.example/{ACCOUNT_FOR_TEST}/x");
        let mut options = StreamOptions::default();
        let error = url(&model, &options, "/p").unwrap_err();
        assert_eq!(
            error.to_string(),
            "ACCOUNT_FOR_TEST is required for provider cloudflare-ai-gateway but is not set."
        );
        options.env.insert("ACCOUNT_FOR_TEST".into(), "acc".into());
        assert_eq!(url(&model, &options, "/p").unwrap(), "https://g.example/acc/x/p");
    }
}
