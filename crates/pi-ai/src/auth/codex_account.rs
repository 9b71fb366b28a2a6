//! Which ChatGPT account an access token belongs to: for the login and for the wire format.

use base64::Engine;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde_json::Value;

use crate::error::{CredentialError, Error};

const NO_ACCOUNT: &str = "Failed to extract accountId from token: openai-codex needs the access token of a ChatGPT login, \
    not an API key.";

/// The claim that holds what OpenAI adds to a token.
const CLAIM: &str = "https://api.openai.com/auth";
/// Tokens come with and without padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// The ChatGPT account id in a token. Its signature is the server's business.
///
/// # Errors
/// [`CredentialError::UnusableKey`] when the token is no JSON Web Token of ChatGPT.
pub(crate) fn id(token: &str) -> Result<String, Error> {
    claim(token).ok_or_else(|| Error::Credential(CredentialError::UnusableKey { message: NO_ACCOUNT.to_owned() }))
}

fn claim(token: &str) -> Option<String> {
    let mut parts = token.split('.');
    let (_, payload, _, None) = (parts.next()?, parts.next()?, parts.next()?, parts.next()) else { return None };
    // Some encoders use the other alphabet.
    let payload = BASE64.decode(payload.replace('+', "-").replace('/', "_")).ok()?;
    let payload: Value = serde_json::from_slice(&payload).ok()?;
    let id = payload[CLAIM]["chatgpt_account_id"].as_str()?;
    (!id.is_empty()).then(|| id.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(payload: &str) -> String {
        format!("e30.{}.sig", base64::engine::general_purpose::STANDARD.encode(payload))
    }

    #[test]
    fn the_account_is_in_the_payload() {
        // "?>" makes the two alphabets differ.
        let good = r#"{"x":"ü?>~~","https://api.openai.com/auth":{"chatgpt_account_id":"acct-1"}}"#;
        let padded = token(good);
        let url_safe = padded.replace('+', "-").replace('/', "_");
        for token in [padded.clone(), padded.replace('=', ""), url_safe] {
            assert_eq!(id(&token).unwrap(), "acct-1", "{token}");
        }
    }

    #[test]
    fn anything_else_is_no_token_and_is_not_shown() {
        let no_account = r#"{"https://api.openai.com/auth":{"chatgpt_account_id":""}}"#;
        for bad in ["sk-secret", "a.b", "a.!!.c", &token("{}"), &token("[]"), &token(no_account), "a.e30.c.d"] {
            let error = id(bad).unwrap_err().to_string();
            assert!(error.starts_with("Failed to extract accountId from token"), "{error}");
            assert!(!error.contains(bad));
        }
    }
}
