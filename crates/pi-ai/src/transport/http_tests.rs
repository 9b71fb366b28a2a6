//! Tests of the HTTP transport against real sockets: pooling, redirects, proxies, error texts.

use bytes::Bytes;
use futures::stream::TryStreamExt;
use http::{HeaderMap, HeaderValue, Method};

use super::*;
use crate::testing::{Reply, Server};

fn post(url: &str) -> HttpRequest {
    let headers = HeaderMap::from_iter([(http::header::AUTHORIZATION, HeaderValue::from_static("Bearer s3cret"))]);
    HttpRequest { method: Method::POST, url: url.to_owned(), headers, body: Bytes::from_static(b"{}") }
}

fn transport(variables: &[(&str, &str)]) -> ReqwestTransport {
    ReqwestTransport::new(&|name| variables.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned()))
}

/// Sends a request and reads the whole body.
async fn fetch(transport: &ReqwestTransport, url: &str) -> Result<(u16, String), Error> {
    let response = transport.send(post(url)).await?;
    let body: Vec<Bytes> = response.body.try_collect().await?;
    Ok((response.status, String::from_utf8_lossy(&body.concat()).into_owned()))
}

#[tokio::test]
async fn a_connection_is_used_again() {
    let server =
        Server::start([Reply::plain(200, "", "one"), Reply::plain(404, "", "two"), Reply::events("three")]).await;
    let transport = transport(&[]);
    for expected in [(200, "one"), (404, "two"), (200, "three")] {
        let (status, body) = fetch(&transport, &server.url()).await.unwrap();
        assert_eq!((status, body.as_str()), expected);
    }
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn a_redirect_within_the_origin_is_followed() {
    let replies = [Reply::plain(307, "location: /elsewhere\r\n", ""), Reply::plain(200, "", "here")];
    let server = Server::start(replies).await;
    assert_eq!(fetch(&transport(&[]), &server.url()).await.unwrap(), (200, "here".to_owned()));
    let second = &server.requests()[1];
    assert!(second.head.starts_with("POST /elsewhere"), "{}", second.head);
    assert_eq!(second.body, "{}");
}

#[tokio::test]
async fn a_redirect_to_somebody_else_is_not() {
    let other = Server::start([Reply::plain(200, "", "stolen")]).await;
    let moved = Reply::plain(307, &format!("location: {}\r\n", other.url()), "moved");
    let server = Server::start([moved]).await;
    assert_eq!(fetch(&transport(&[]), &server.url()).await.unwrap(), (307, "moved".to_owned()));
    assert_eq!(other.connections(), 0);
}

#[tokio::test]
async fn redirects_end() {
    let server = Server::start((0..20).map(|_| Reply::plain(307, "location: /again\r\n", ""))).await;
    assert_eq!(fetch(&transport(&[]), &server.url()).await.unwrap().0, 307);
    assert_eq!(server.requests().len(), MAX_REDIRECTS + 1);
}

#[tokio::test]
async fn a_proxy_gets_requests_for_other_hosts_only() {
    let proxy = Server::start([Reply::plain(200, "", "by proxy"), Reply::plain(200, "", "by proxy")]).await;
    let direct = Server::start([Reply::plain(200, "", "direct"), Reply::plain(200, "", "direct")]).await;
    for variable in ["http_proxy", "ALL_PROXY"] {
        let transport = transport(&[(variable, &proxy.url())]);
        // A name that no resolver knows: only the proxy can answer.
        assert_eq!(fetch(&transport, "http://model.invalid/v1").await.unwrap().1, "by proxy");
        assert_eq!(fetch(&transport, &direct.url()).await.unwrap().1, "direct");
    }
    let request = &proxy.requests()[0];
    assert!(request.head.starts_with("POST http://model.invalid/v1 HTTP/1.1"), "{}", request.head);
}

#[tokio::test]
async fn tls_goes_through_the_proxy_as_a_tunnel() {
    let proxy = Server::start([Reply::plain(403, "", "")]).await;
    let address = proxy.url().replace("http://", "http://me:pa55word@");
    let error =
        fetch(&transport(&[("HTTPS_PROXY", &address)]), "https://model.invalid/v1?key=s3cret").await.unwrap_err();
    assert!(proxy.requests()[0].head.starts_with("CONNECT model.invalid:443"), "{:?}", proxy.requests());
    let text = error.to_string();
    assert!(text.starts_with("Connection error. model.invalid (proxy: see HTTPS_PROXY): "), "{text}");
    assert!(!text.contains("pa55word") && !text.contains("s3cret"), "{text}");
}

#[tokio::test]
async fn no_proxy_exempts_hosts() {
    let proxy = Server::start([]).await;
    for exempt in ["model.invalid", ".invalid", "other.invalid *.invalid", "*"] {
        let transport = transport(&[("HTTP_PROXY", &proxy.url()), ("NO_PROXY", exempt)]);
        assert!(
            matches!(
                fetch(&transport, "http://model.invalid").await,
                Err(Error::Network(NetworkError::Connection { .. }))
            ),
            "{exempt}"
        );
    }
    assert_eq!(proxy.connections(), 0);
}

#[tokio::test]
async fn a_bad_proxy_setting_fails_each_request_with_the_same_words() {
    let transport = transport(&[("HTTP_PROXY", "socks5://127.0.0.1:9")]);
    for _ in 0..2 {
        let error = fetch(&transport, "http://model.invalid").await.unwrap_err().to_string();
        assert!(error.contains("HTTP_PROXY names an unsupported proxy protocol, socks5"), "{error}");
    }
}

#[tokio::test]
async fn error_texts_name_the_host_and_no_secret() {
    let server = Server::start([Reply::silent().cut()]).await;
    let cases = [
        (format!("{}/?key=s3cret", server.url()), server.address().to_string()),
        ("http://me:s3cret@127.0.0.1:9".to_owned(), "127.0.0.1:9: ".to_owned()),
        ("http://model.invalid/s3cret".to_owned(), "model.invalid: ".to_owned()),
        ("http://me:s3cret@host name/?x".to_owned(), "\"host name/\" is not a URL".to_owned()),
    ];
    for (url, expected) in cases {
        let shown = format!("{:?}", post(&url));
        assert!(!shown.contains("me:s3cret") && !shown.contains("key=") && !shown.contains("Bearer"), "{shown}");
        let error = fetch(&transport(&[]), &url).await.unwrap_err().to_string();
        assert!(error.starts_with(&format!("Connection error. {expected}")), "{error}");
        assert!(!error.contains("s3cret"), "{error}");
    }
}

#[tokio::test]
async fn a_broken_body_is_not_the_end_of_it() {
    let server = Server::start([Reply::stream().chunk(b"half").cut()]).await;
    let response = transport(&[]).send(post(&server.url())).await.unwrap();
    let mut body = response.body;
    assert_eq!(body.next().await.unwrap().unwrap(), "half");
    let error = body.next().await.unwrap().unwrap_err();
    assert!(matches!(error, Error::Network(NetworkError::Body { .. })), "{error}");
}

#[tokio::test]
async fn a_bad_proxy_setting_leaves_this_machine_alone() {
    let server = Server::start([Reply::plain(200, "", "here")]).await;
    let transport = transport(&[("httpProxy", "socks5://127.0.0.1:9")]);
    assert_eq!(fetch(&transport, &server.url()).await.unwrap(), (200, "here".to_owned()));
    let error = fetch(&transport, "http://model.invalid").await.unwrap_err().to_string();
    assert!(error.contains("The setting httpProxy names an unsupported proxy protocol, socks5"), "{error}");
}
