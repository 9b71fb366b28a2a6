//! Headers that this format sets whatever the model or the caller say.

use std::sync::LazyLock;

use http::HeaderMap;

use crate::api::headers::Headers;
use crate::auth::codex_account;
use crate::error::Error;
use crate::options::StreamOptions;

/// Marks requests that want server-sent events.
const SSE_BETA: &str = "responses=experimental";
/// Headers by which the server recognises a conversation.
const SESSION: [&str; 2] = ["session-id", "x-client-request-id"];

/// `pi (linux 6.1.0; x64)`: the system in the words of Node.js, which the server is used to.
static USER_AGENT: LazyLock<String> =
    LazyLock::new(|| format!("pi ({} {}; {})", platform(), release(), architecture()));

/// Account, session and what goes with server-sent events.
///
/// # Errors
/// [`CredentialError::UnusableKey`](crate::CredentialError::UnusableKey) for a key that names no account,
/// [`RequestError::InvalidHeader`](crate::RequestError::InvalidHeader) for values that are not legal in HTTP.
pub(super) fn own(options: &StreamOptions) -> Result<HeaderMap, Error> {
    // The driver made sure that there is one.
    let key = options.given_api_key().unwrap_or_default().trim();
    let mut headers = Headers::default();
    headers.set_bearer("authorization", key)?;
    headers.set("chatgpt-account-id", &codex_account::id(key)?)?;
    headers.set("originator", "pi")?;
    headers.set("user-agent", &USER_AGENT)?;
    headers.set("openai-beta", SSE_BETA)?;
    headers.set("accept", "text/event-stream")?;
    headers.set("content-type", "application/json")?;
    if let Some(session) = options.session_id.as_deref().filter(|id| !id.is_empty()) {
        SESSION.iter().try_for_each(|name| headers.set(name, session))?;
    }
    Ok(headers.finish())
}

fn platform() -> &'static str {
    match std::env::consts::OS {
        "macos" => "darwin",
        "windows" => "win32",
        other => other,
    }
}

fn architecture() -> &'static str {
    match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        "x86" => "ia32",
        other => other,
    }
}

/// The kernel's version, where it can be read without a system call of its own.
fn release() -> String {
    let version = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let version: String = version.trim().chars().filter(char::is_ascii_graphic).collect();
    if version.is_empty() { "unknown".to_owned() } else { version }
}

#[cfg(feature = "codex-ws")]
mod handshake {
    use http::{HeaderName, HeaderValue, header};

    use super::{HeaderMap, SESSION};
    use crate::random::Random;

    /// Marks requests that open a WebSocket.
    const BETA: &str = "responses_websockets=2026-02-06";

    /// The headers of a request for server-sent events as those of one that opens a WebSocket. A connection without a
    /// session gets a name of its own.
    pub(in super::super) fn of(mut headers: HeaderMap, random: &dyn Random) -> HeaderMap {
        headers.remove(header::ACCEPT);
        headers.remove(header::CONTENT_TYPE);
        headers.insert(HeaderName::from_static("openai-beta"), HeaderValue::from_static(BETA));
        if !headers.contains_key(SESSION[0])
            && let Ok(id) = HeaderValue::from_str(&uuid(random))
        {
            for name in SESSION {
                headers.insert(HeaderName::from_static(name), id.clone());
            }
        }
        headers
    }

    /// A random UUID (version 4).
    fn uuid(random: &dyn Random) -> String {
        let (high, low) = (random.next_u64(), random.next_u64());
        let version = 0x4000 | (high & 0x0FFF);
        let variant = 0x8000 | ((low >> 48) & 0x3FFF);
        format!(
            "{:08x}-{:04x}-{version:04x}-{variant:04x}-{:012x}",
            high >> 32,
            (high >> 16) & 0xFFFF,
            low & 0xFFFF_FFFF_FFFF
        )
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use crate::random::SeededRandom;

        #[test]
        fn uuids_have_the_standard_form() {
            // Reference values of SplitMix64 for seed 0: e220a8397b1dcdaf 6e789e6aa1b965f4.
            assert_eq!(uuid(&SeededRandom::new(0)), "e220a839-7b1d-4daf-ae78-9e6aa1b965f4");
        }
    }
}

#[cfg(feature = "codex-ws")]
pub(super) use handshake::of as for_websocket;
