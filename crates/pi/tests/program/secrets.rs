//! Credentials of any source, repeated by a server in any spelling: what is printed, stored, recorded and exported shows
//! none of them.

use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::json;

use pi_test_kit::{Provider, Reply, World, answer, delta, end, open, scale, tool_call};

/// Random words that look like nothing in particular.
struct Words(u64);

impl Words {
    fn next(&mut self) -> String {
        const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
        let mut word = String::new();
        while word.len() < 12 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            word.push(char::from(LETTERS[(self.0 >> 33) as usize % LETTERS.len()]));
        }
        word
    }
}

/// A world in which each source holds a credential of its own, and these.
fn world(provider: &Provider, words: &mut Words) -> (World, Vec<String>) {
    let world = World::with(provider);
    let secrets: Vec<String> = (0..11).map(|_| words.next()).collect();
    let [key, literal, gateway, command, _variable, password, query, stored, access, refresh, other] = &secrets[..]
    else {
        panic!("eleven")
    };
    let url = provider.url().replace("http://", &format!("http://user:{password}@"));
    world.write_config(
        "models.json",
        &json!({"providers": {
            "mock": {
                "baseUrl": format!("{url}?key={query}"), "api": "anthropic-messages", "apiKey": format!("!echo {key}; echo {other} >&2"),
                "headers": {
                    "X-Auth-Token": literal, "Portkey-Api-Key": gateway, "X-Plain": format!("!printf %s {command}"),
                    "X-Named": "$MY_VARIABLE",
                },
                "models": [{"id": "m1"}],
            },
        }}),
    );
    world.write_config(
        "auth.json",
        &json!({
            "openai": {"type": "api_key", "key": stored},
            "anthropic": {"type": "oauth", "access": access, "refresh": refresh, "expires": 9_999_999_999_999_u64},
        }),
    );
    (world, secrets)
}

/// All spellings of all secrets in one text.
fn echo(secrets: &[String]) -> String {
    let spelled = secrets.iter().map(|secret| {
        let base64 = BASE64_STANDARD.encode(format!("user:{secret}:more"));
        format!("{secret} Bearer {secret} ?key={secret}& {base64} \"{secret}\" \\\"{secret}\\\"")
    });
    spelled.collect::<Vec<_>>().join(" ")
}

/// Everything in a directory, as text.
fn content(path: &Path) -> String {
    if path.is_dir() {
        let mut entries: Vec<_> = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        return entries.iter().map(|entry| content(entry)).collect();
    }
    format!("\n== {}\n{}", path.display(), String::from_utf8_lossy(&fs::read(path).unwrap_or_default()))
}

fn assert_clean(place: &str, text: &str, secrets: &[String]) {
    for (at, secret) in secrets.iter().enumerate() {
        let found = text.find(secret.as_str());
        let near = found.map(|found| text[found.saturating_sub(200)..].chars().take(400).collect::<String>());
        assert_eq!(near, None, "secret {at} in {place}");
        let base64 = BASE64_STANDARD.encode(format!("user:{secret}:more"));
        assert!(!text.contains(&base64[8..base64.len() - 8]), "secret {at} in base64 in {place}");
    }
}

#[tokio::test]
async fn no_credential_comes_out_again() {
    let mut words = Words(11);
    for round in 0..scale(3, 200) {
        let provider = Provider::start([]).await;
        let (world, secrets) = world(&provider, &mut words);
        // What a command writes to standard error nobody reads, so no server can know it.
        let echoed = echo(&secrets[..10]);
        let error = json!({"type": "error", "error": {"type": "api_error", "message": echoed}});
        let event = format!("event: error\ndata: {error}\n\n");
        let cut = event.len() * (round % 7 + 1) / 9;
        let cut = (0..=cut).rev().find(|at| event.is_char_boundary(*at)).unwrap_or(0);
        let replies = [
            Reply::plain(401, &error.to_string()),
            Reply::plain(500, &format!("<html>{echoed}</html>")),
            Reply::stream(&open()).then(&event[..cut]).then(&event[cut..]).end(),
            Reply::stream(&format!("event: message_start\ndata: {echoed}\n\n")).end(),
        ];
        provider.answer_with(replies);
        let mut printed = String::new();
        for call in 0..4 {
            let tape = format!("tape-{call}.jsonl");
            let mode: &[&str] = if call % 2 == 0 { &["-p"] } else { &["--mode", "json"] };
            let args = [mode, &["--record", &tape, "--with-tools", "hello"][..]].concat();
            let done = world.pi(&args).env("MY_VARIABLE", &secrets[4]).run().await;
            assert!(
                done.stderr.contains("REDACTED") || done.stdout.contains("REDACTED"),
                "{} {}",
                done.stdout,
                done.stderr
            );
            printed += &(done.stdout + &done.stderr);
        }
        assert_eq!(provider.requests().len(), 4, "each call was sent");
        assert_clean("output", &printed, &secrets);
        assert_clean("sessions", &content(&world.agent_dir().join("sessions")), &secrets);
        assert_clean("cassettes", &content(&world.cwd()), &secrets);
        let session = world.session_files().remove(0);
        let exported = world.run(&["--export", session.to_str().unwrap(), "page.html"]).await;
        assert_eq!(exported.code, Some(0), "{}", exported.stderr);
        assert_clean("exports", &content(&world.cwd()), &secrets);
    }
}

/// What a tool prints stays in session and export as it was, and is taken out of the cassette.
#[tokio::test]
async fn what_a_tool_printed_stays_but_not_on_the_cassette() {
    let provider = Provider::start([]).await;
    let mut words = Words(3);
    let (world, secrets) = world(&provider, &mut words);
    let command = format!("echo {} {}", secrets[1], secrets[4]);
    provider.answer_with([
        tool_call("call_1", "bash", &json!({ "command": command })),
        Reply::stream(&open()).then(&delta(&secrets[0])).then(&end()).end(),
        answer("unused"),
    ]);
    let args = ["-p", "--record", "tape.jsonl", "--with-tools", "go"];
    let done = world.pi(&args).env("MY_VARIABLE", &secrets[4]).run().await;
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert_clean("cassette", &content(&world.cwd()), &secrets);
    let session = content(&world.agent_dir().join("sessions"));
    assert!(session.contains(&secrets[1]) && session.contains(&secrets[4]), "the session is what was said and printed");
}
