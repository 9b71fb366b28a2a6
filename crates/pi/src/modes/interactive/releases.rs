//! News of a newer version: the project's releases are asked once, after the start, and nothing of the user is sent.
//!
//! Nothing is said when there is no answer: a version is not worth an error.

use std::time::Duration;

use futures::StreamExt;
use pi_ai::transport::{HttpRequest, HttpTransport, ReqwestTransport};
use pi_coding_agent::env::Env;
use serde_json::Value;

use super::app::App;
use super::chat::NoteKind;
use super::whats_new;
use crate::common::network::with_proxy;

/// The newest release, as GitHub tells it.
const LATEST: &str = "https://api.github.com/repos/pi-agent/pi/releases/latest";
/// The first frame and the first keys come first.
const DELAY: Duration = Duration::from_secs(1);
/// How long the answer may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// The longest answer that is read, in bytes.
const LONGEST: usize = 1 << 20;

/// Looks for a newer version and tells of it, unless the environment forbids it.
pub(super) fn look(app: &mut App) {
    let Some(url) = address(app.env()) else { return };
    let (env, proxy) = (app.env().clone(), app.settings().network().http_proxy());
    let work = tokio::spawn(async move {
        tokio::time::sleep(DELAY).await;
        // Reading the system's certificates takes longer than a key may wait, and the loop shares its thread with this.
        let network = tokio::task::spawn_blocking(move || {
            let network = with_proxy(&env, proxy.as_deref());
            network.check().is_ok().then_some(network)
        });
        let network = network.await.ok().flatten()?;
        tokio::time::timeout(PATIENCE, latest(&network, url)).await.ok().flatten()
    });
    app.spawn(work, |app, found| {
        let Some(found) = found.ok().flatten() else { return };
        let current = env!("CARGO_PKG_VERSION");
        if let Some(version) = newer(&found, current) {
            let place = concat!(env!("CARGO_PKG_REPOSITORY"), "/releases");
            app.note(NoteKind::Warning, format!("pi {version} is there, this is {current}: {place}"));
        }
    });
}

/// Where to ask: nowhere when the user wants that.
fn address(env: &Env) -> Option<String> {
    if env.is_offline() || env.var("PI_SKIP_VERSION_CHECK").is_some() {
        return None;
    }
    Some(env.var("PI_RELEASES_URL").unwrap_or_else(|| LATEST.to_owned()))
}

/// The name of the newest release.
async fn latest(network: &ReqwestTransport, url: String) -> Option<String> {
    let mut request = HttpRequest {
        method: "GET".parse().unwrap_or_default(),
        url,
        headers: Default::default(),
        body: Default::default(),
    };
    // GitHub answers nobody without a name.
    let name = concat!("pi/", env!("CARGO_PKG_VERSION"));
    request.headers.insert("user-agent", name.parse().ok()?);
    request.headers.insert("accept", "application/json".parse().ok()?);
    let mut response = network.send(request).await.ok().filter(|response| response.status == 200)?;
    let mut body = Vec::new();
    while let Some(chunk) = response.body.next().await {
        body.extend_from_slice(&chunk.ok()?);
        if body.len() > LONGEST {
            return None;
        }
    }
    let release: Value = serde_json::from_slice(&body).ok()?;
    Some(release.get("tag_name")?.as_str()?.to_owned())
}

/// The version that a tag names, if it is newer. Only its numbers are shown: the text is a server's.
fn newer(tag: &str, current: &str) -> Option<String> {
    let version = whats_new::numbers(tag.strip_prefix('v').unwrap_or(tag));
    let parts: Vec<String> = version.iter().map(u64::to_string).collect();
    (version > whats_new::numbers(current)).then(|| parts.join("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_newer_version_is_told_of() {
        for (tag, expected) in [
            ("v1.10.0", Some("1.10.0")),
            ("1.9.1", Some("1.9.1")),
            ("v1.9.0", None),
            ("v1.8.9", None),
            ("nightly", None),
            ("", None),
            ("v2\x1b[2J", None),
        ] {
            assert_eq!(newer(tag, "1.9.0").as_deref(), expected, "{tag:?}");
        }
    }

    #[test]
    fn the_environment_decides() {
        let asked = |variables: &[(&str, &str)]| address(&Env::fixed(variables.iter().copied()));
        assert_eq!(asked(&[]).as_deref(), Some(LATEST));
        assert_eq!(asked(&[("PI_RELEASES_URL", "http://mirror/")]).as_deref(), Some("http://mirror/"));
        for name in ["PI_OFFLINE", "PI_SKIP_VERSION_CHECK"] {
            assert_eq!(asked(&[(name, "1"), ("PI_RELEASES_URL", "http://mirror/")]), None, "{name}");
        }
    }
}
