//! Tests of the scrubber, and of everything under `fixtures/` by means of it.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use proptest::prelude::*;

use super::*;

/// Keys of all shapes, put together here so that no file of the repository holds one.
fn keys() -> Vec<String> {
    let filler = "Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4fGh7jKl0n";
    let take = |prefix: &str, length: usize| format!("{prefix}{}", &filler[..length]);
    let jwt = ["ey".to_owned() + "J" + &filler[..20], filler[..24].to_owned(), filler[..12].to_owned()].join(".");
    vec![
        take("sk-", 24),
        take("sk-ant-api03-", 30),
        take("sk-proj-", 30),
        take("AIza", 35),
        take("ghp_", 36),
        take("gho_", 36),
        take("github_pat_", 30),
        take("xoxb-", 24),
        "AKIA".to_owned() + "IOSFODNN7EXAMPL3",
        take("gsk_", 30),
        jwt,
    ]
}

fn scrubber() -> &'static Scrubber {
    static SHAPES_ONLY: LazyLock<Scrubber> = LazyLock::new(|| Scrubber::new().unwrap());
    &SHAPES_ONLY
}

#[test]
fn keys_are_found_wherever_they_stand() {
    for key in keys() {
        for text in [
            key.clone(),
            format!("key is {key}."),
            format!("{{\"text\":\"line\\n{key}\\nline\"}}"),
            format!("https://host/v1?x=1&y={key}"),
            format!("A=\\u0022{key}\\u0022"),
        ] {
            let scrubbed = scrubber().text(&text);
            assert!(!scrubbed.contains(&key) && scrubbed.contains(REDACTED), "{text} -> {scrubbed}");
            assert!(scrubber().find(scrubbed.as_bytes()).is_empty(), "what was scrubbed is clean: {scrubbed}");
        }
    }
}

#[test]
fn secrets_are_found_by_their_surroundings() {
    for (text, expected) in [
        ("Authorization: Bearer abcdefgh.1", "Authorization: Bearer REDACTED"),
        ("{\"api_key\":\"0123456789abcdef\"}", "{\"api_key\":\"REDACTED\"}"),
        ("{\"a\":\"{\\\"apiKey\\\": \\\"0123456789abcdef\\\"}\"}", "{\"a\":\"{\\\"apiKey\\\": \\\"REDACTED\\\"}\"}"),
        ("export OPENAI_API_KEY=0123456789abcdef\\nls", "export OPENAI_API_KEY=REDACTED\\nls"),
        ("client_secret: '0123456789abcdef'", "client_secret: 'REDACTED'"),
        ("https://h/p?key=abc&alt=sse", "https://h/p?key=REDACTED&alt=sse"),
        ("https://h/p?alt=sse&access_token=abc", "https://h/p?alt=sse&access_token=REDACTED"),
        ("https://me:pw@h/p", "https://REDACTED@h/p"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA", "-----BEGIN RSA PRIVATE KEY-----REDACTED-----END RSA"),
    ] {
        assert_eq!(scrubber().text(text), expected);
    }
}

#[test]
fn what_is_no_secret_stays() {
    for text in [
        "the risk-management-is-important-here task-list-with-many-words",
        "{\"max_tokens\":4096,\"usage\":{\"input_tokens\":12}}",
        "{\"signature\":\"EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pk\"}",
        "{\"id\":\"msg_01XFDUDYJgAACzvnptvVoYEL\",\"tool_use_id\":\"toolu_01A09q90qw90lq917835lq9\"}",
        "{\"password\":{\"type\":\"string\"}}",
        "the bearer of news",
        "api_key: String,",
        "https://host/path?alt=sse&q=key",
        "a: b@c, https://host/@scope/name",
    ] {
        assert_eq!(scrubber().text(text), text);
    }
}

#[test]
fn the_requests_own_credentials_are_found_by_value() {
    let headers = [("authorization", "Basic plain-looking"), ("x-api-key", "correct horse"), ("cookie", "id=1")];
    let headers = headers
        .into_iter()
        .map(|(name, value)| (http::HeaderName::from_static(name), http::HeaderValue::from_static(value)));
    let headers = headers.collect();
    let request = HttpRequest { method: http::Method::POST, url: String::new(), headers, body: Bytes::new() };
    let scrubbed = scrubber().for_request(&request).text("my key is plain-looking, id=1 is too short to tell");
    assert_eq!(scrubbed, "my key is REDACTED, id=1 is too short to tell");
}

#[test]
fn a_secret_may_span_pieces() {
    let key = &keys()[0];
    let text = format!("before {key} after");
    for size in 1..text.len() {
        let pieces: Vec<Bytes> = text.as_bytes().chunks(size).map(Bytes::copy_from_slice).collect();
        let scrubbed = scrubber().pieces(&pieces);
        assert_eq!(scrubbed.len(), pieces.len());
        assert_eq!(String::from_utf8(scrubbed.concat()).unwrap(), "before REDACTED after", "pieces of {size}");
    }
}

proptest! {
    #[test]
    fn pieces_do_not_matter(parts in prop::collection::vec("[ -~]{0,12}|\\?key=[a-z]{1,9}&|Bearer [a-z]{9}", 0..12)) {
        let pieces: Vec<Bytes> = parts.iter().map(|part| Bytes::copy_from_slice(part.as_bytes())).collect();
        let scrubbed = String::from_utf8(scrubber().pieces(&pieces).concat()).unwrap();
        prop_assert_eq!(scrubbed, scrubber().text(&parts.concat()));
    }
}

/// Every file below a directory that holds something of the shape of a key.
fn files_with_secrets(directory: &Path) -> Vec<PathBuf> {
    let (mut found, mut open) = (Vec::new(), vec![directory.to_owned()]);
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if !scrubber().find(&std::fs::read(&path).unwrap()).is_empty() {
            found.push(path);
        }
    }
    found
}

#[test]
fn no_fixture_holds_a_secret() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    assert!(fixtures.is_dir(), "{} is missing", fixtures.display());
    assert_eq!(files_with_secrets(&fixtures), Vec::<PathBuf>::new());
}

#[test]
fn a_fixture_with_a_secret_would_be_found() {
    for key in keys() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("a/b/c.jsonl");
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, [b"\xff\xfe binary ", key.as_bytes(), b"\"}\n"].concat()).unwrap();
        std::fs::write(directory.path().join("clean.txt"), "nothing here").unwrap();
        assert_eq!(files_with_secrets(directory.path()), [file]);
    }
}
