//! Proxies and certificates that cannot be used: said at once, without useless tries, and only where they matter.

use serde_json::json;

use pi_test_kit::{Provider, World, answer};

/// Failures are tried again, as they are without settings.
fn with_retries(world: &World) {
    world.write_config("settings.json", &json!({"defaultProvider": "mock", "defaultModel": "m1"}));
}

#[cfg(target_os = "linux")] // elsewhere the system is asked
#[tokio::test]
async fn without_certificates_servers_without_tls_still_answer() {
    let provider = Provider::start([answer("an answer")]).await;
    let world = World::with(&provider);
    let pi = world.pi(&["-p", "hi"]).env("SSL_CERT_FILE", "/nothing").env("SSL_CERT_DIR", "/nothing");
    assert_eq!(pi.run().await.success(), "an answer\n");
}

#[cfg(target_os = "linux")] // elsewhere the system is asked
#[tokio::test]
async fn missing_certificates_are_named_without_further_tries() {
    let world = World::at("https://127.0.0.1:9");
    with_retries(&world);
    let pi = world.pi(&["-p", "--stream", "hi"]).env("SSL_CERT_FILE", "/nothing").env("SSL_CERT_DIR", "/nothing");
    let run = pi.run().await;
    insta::assert_snapshot!(run.stderr, @r"
    Network setup: HTTPS cannot be used: unexpected error: No CA certificates were loaded from the system. Install the system's CA certificates, or see SSL_CERT_FILE and SSL_CERT_DIR.
    pi doctor shows the proxies and certificates in force.
    ");
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
}

#[tokio::test]
async fn a_proxy_that_is_none_is_named_without_further_tries() {
    for (value, what) in [("http://[bad", "is not a URL"), ("socks5://localhost:1", "unsupported proxy protocol")] {
        let world = World::at("https://model.invalid");
        with_retries(&world);
        let run = world.pi(&["-p", "--stream", "hi"]).env("HTTPS_PROXY", value).run().await;
        assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{value}");
        assert!(run.stderr.starts_with("Network setup: The variable HTTPS_PROXY"), "{}", run.stderr);
        assert!(run.stderr.contains(what) && !run.stderr.contains("retry"), "{}", run.stderr);
    }
}
