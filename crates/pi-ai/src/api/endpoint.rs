//! Where a request goes: base URL, placeholders, path.

use std::sync::LazyLock;

use http::Uri;
use regex::Regex;

use crate::error::Error;
use crate::model::Model;
use crate::options::StreamOptions;

/// Providers whose base URLs hold `{NAME}` placeholders for account data.
pub(crate) const CLOUDFLARE_GATEWAY: &str = "cloudflare-ai-gateway";
const CLOUDFLARE_WORKERS: &str = "cloudflare-workers-ai";

static PLACEHOLDER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\{([A-Z0-9_]+)\}").ok());

/// The model's base URL with `path` (which begins with a slash) appended.
///
/// # Errors
/// [`Error::MissingVariable`] for a placeholder without a value, [`Error::InvalidUrl`] when the result is no URL.
pub(crate) fn url(model: &Model, options: &StreamOptions, path: &str) -> Result<String, Error> {
    let base = match model.provider.as_str() {
        CLOUDFLARE_GATEWAY | CLOUDFLARE_WORKERS => fill(model, options)?,
        _ => model.base_url.clone(),
    };
    let url = base.trim_end_matches('/').to_owned() + path;
    check(&url).map_err(|detail| Error::InvalidUrl {
        url: base.split('?').next().unwrap_or_default().to_owned(),
        provider: model.provider.clone(),
        detail,
    })?;
    Ok(url)
}

/// Replaces the placeholders by variables.
fn fill(model: &Model, options: &StreamOptions) -> Result<String, Error> {
    let template = &model.base_url;
    let mut filled = String::with_capacity(template.len());
    let mut copied = 0;
    for found in PLACEHOLDER.iter().flat_map(|pattern| pattern.find_iter(template)) {
        let name = found.as_str().trim_matches(['{', '}']);
        let missing = || Error::MissingVariable { name: name.to_owned(), provider: model.provider.clone() };
        filled.push_str(&template[copied..found.start()]);
        filled.push_str(&options.env_var(name).ok_or_else(missing)?);
        copied = found.end();
    }
    filled.push_str(&template[copied..]);
    Ok(filled)
}

fn check(url: &str) -> Result<(), String> {
    let uri = url.parse::<Uri>().map_err(|e| e.to_string())?;
    match uri.scheme_str() {
        Some("http" | "https") => Ok(()),
        Some(other) => Err(format!("the scheme is {other}, not http or https")),
        None => Err("it does not begin with http:// or https://".to_owned()),
    }
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

    #[test]
    fn a_bad_url_is_named_without_its_query() {
        for base in ["", "localhost:1234", "ftp://x.example?key=secret", "https://a b"] {
            let error = url(&model("mine", base), &StreamOptions::default(), "/p").unwrap_err().to_string();
            assert!(error.starts_with("Invalid base URL"), "{error}");
            assert!(error.contains("mine") && !error.contains("secret"), "{error}");
        }
    }
}
