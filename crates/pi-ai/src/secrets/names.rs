//! Names of headers, fields and query parameters that carry a credential: a rule about their words, because every
//! gateway has a header of its own.

/// A word of a name that makes it one of a credential, wherever it stands.
const WORDS: [&str; 16] = [
    "apikey",
    "assertion",
    "auth",
    "authorization",
    "authtoken",
    "bearer",
    "cookie",
    "cookie2",
    "credential",
    "credentials",
    "jwt",
    "passphrase",
    "passwd",
    "password",
    "secret",
    "token",
];
/// How the last word of such a name ends.
const ENDINGS: [&str; 10] =
    ["key", "token", "secret", "auth", "authorization", "cookie", "password", "credential", "signature", "sig"];

/// Whether a header, a field or a query parameter of this name carries a credential: `X-Auth-Token`,
/// `Portkey-Api-Key`, `x-goog-api-key`, `cf-aig-authorization`, `apiKey`, `access_token`, `sig`. Case is ignored.
pub fn is_secret_name(name: &str) -> bool {
    let name = separated(name);
    let mut words = name.split(['-', '_', '.', ' ']).filter(|word| !word.is_empty());
    let last = words.clone().next_back().unwrap_or_default();
    words.any(|word| WORDS.contains(&word)) || ENDINGS.iter().any(|ending| last.ends_with(ending))
}

/// In lower case, with a hyphen where a word of camel case begins.
fn separated(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    let mut after_lower = false;
    for letter in name.chars() {
        if after_lower && letter.is_ascii_uppercase() {
            out.push('-');
        }
        after_lower = letter.is_ascii_lowercase() || letter.is_ascii_digit();
        out.push(letter.to_ascii_lowercase());
    }
    out
}
