//! Names, spellings and shapes of credentials.

use proptest::prelude::*;

use super::*;

#[test]
fn names_of_credentials() {
    for name in [
        "Authorization",
        "Proxy-Authorization",
        "cf-aig-authorization",
        "X-Api-Key",
        "x-goog-api-key",
        "api-key",
        "Portkey-Api-Key",
        "x-portkey-virtual-key",
        "Ocp-Apim-Subscription-Key",
        "X-Auth-Token",
        "X-AuthToken",
        "X-Amz-Security-Token",
        "X-Vault-Token",
        "PRIVATE-TOKEN",
        "Helicone-Auth",
        "CF-Access-Client-Secret",
        "X-Goog-IAP-JWT-Assertion",
        "Cookie",
        "Set-Cookie",
        "x-amz-signature",
        "apiKey",
        "APIKEY",
        "accessToken",
        "access_token",
        "refresh_token",
        "client_secret",
        "OPENAI_API_KEY",
        "AWS_SECRET_ACCESS_KEY",
        "password",
        "sig",
        "key",
    ] {
        assert!(is_secret_name(name), "{name}");
    }
    for name in [
        "Accept",
        "Content-Type",
        "User-Agent",
        "anthropic-version",
        "anthropic-beta",
        "x-request-id",
        "retry-after",
        "x-ratelimit-remaining-tokens",
        "max_tokens",
        "HTTP-Referer",
        "X-Title",
        "WWW-Authenticate",
        "alt",
        "authority",
        "openai-organization",
        "keyboard",
        "monkeys",
        "",
        "-",
    ] {
        assert!(!is_secret_name(name), "{name}");
    }
}

fn secrets(values: &[&str]) -> Secrets {
    let mut secrets = Secrets::default();
    values.iter().for_each(|value| secrets.add(value));
    secrets
}

#[test]
fn values_and_what_they_consist_of() {
    let basic = "dXNlcjpwYXNzLXdvcmQtMQ=="; // user:pass-word-1
    for (value, text, expected) in [
        ("Bearer abcdefgh", "abcdefgh", "REDACTED"),
        ("abcdefg", "abcdefg", "abcdefg"),
        (&format!("Basic {basic}"), &format!("{basic} pass-word-1"), "REDACTED REDACTED"),
        ("correct horse", "my correct horse", "my REDACTED"),
        ("  padded-key \n", "padded-key", "REDACTED"),
    ] {
        assert_eq!(secrets(&[value]).redact(text), expected, "{value}");
    }
    let mut cookies = Secrets::default();
    cookies.add_header("Cookie", "id=1; session=abcdefgh12; other=\"quoted-one\"");
    cookies.add_header("X-Title", "a harmless title");
    assert_eq!(
        cookies.redact("id 1 abcdefgh12 quoted-one a harmless title"),
        "id 1 REDACTED REDACTED a harmless title"
    );
    let mut url = Secrets::default();
    url.add_url("https://us%40er:p%40ss-word@host/path?alt=sse-sse-sse&access_token=tok%2Ben-1#frag");
    assert_eq!(url.redact("p%40ss-word p@ss-word sse-sse-sse tok+en-1"), "REDACTED REDACTED sse-sse-sse REDACTED");
    url.add_url("https://host?key=query-key-1/v1/messages");
    assert_eq!(url.redact("query-key-1 here"), "REDACTED here");
    assert_eq!(format!("{url:?}"), "Secrets");
}

#[test]
fn what_is_remembered_is_taken_out_and_the_oldest_is_forgotten() {
    remember_secret("remembered-secret-1");
    remember_secret("short");
    assert_eq!(without_known_secrets("remembered-secret-1 is short"), "REDACTED is short");
    let mut many = Secrets::default();
    (0..40).for_each(|n| many.add(&format!("number-{n:04}")));
    many.forget_oldest(10);
    assert_eq!(many.redact("number-0029 number-0030"), "number-0029 REDACTED");
}

proptest! {
    /// A credential is found in every spelling in which servers and clients write it.
    #[test]
    fn every_spelling_is_found(secret in "[ -~]{8,40}", before in "[a-z]{0,5}", after in "[a-z]{0,5}") {
        prop_assume!(secret.trim().len() >= SHORTEST && !secret.contains(' '));
        use base64::Engine as _;
        use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
        let known = secrets(&[&secret]);
        let value = secret.trim();
        let json = |text: &str| serde_json::to_string(text).unwrap();
        let texts = [
            format!("{before} {value} {after}"),
            json(value),
            json(&json(value)),
            json(&json(&format!("{before} {value}"))),
        ];
        for text in texts {
            prop_assert!(!known.redact(&text).contains(value), "{text}");
        }
        let wrapped = format!("{before}:{value}:{after}");
        for encoded in [BASE64_STANDARD.encode(&wrapped), BASE64_URL_SAFE_NO_PAD.encode(&wrapped)] {
            let clean = known.redact(&encoded);
            prop_assert!(clean.contains(REDACTED) && clean != encoded, "{encoded}");
        }
    }
}
