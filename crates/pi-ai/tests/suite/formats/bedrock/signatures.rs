//! Signatures, calculated from the published rules and not by the crate that made them; retries and proxies.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;
use futures::stream::{self, StreamExt};
use http::{HeaderMap, HeaderValue};
use pi_ai::transport::{HttpRequest, HttpResponse, HttpTransport};
use pi_ai::{Api, BedrockConverseStream, BedrockOptions, Context, Error, FixedClock, Model, StopReason, StreamOptions};
use sha2::{Digest, Sha256};

use super::server::Server;
use super::{NOW, frame_of, model, run, sealed, text_headers};
use crate::formats::run::{Canned, End, call, collect};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

fn hmac(key: &[u8], text: &str) -> [u8; 32] {
    let mut block = [0; 64];
    if key.len() > block.len() {
        block[..32].copy_from_slice(&sha256(key));
    } else {
        block[..key.len()].copy_from_slice(key);
    }
    let inner = sha256(&[&block.map(|byte| byte ^ 0x36), text.as_bytes()].concat());
    sha256(&[&block.map(|byte| byte ^ 0x5c)[..], &inner].concat())
}

/// A path with everything escaped once more but letters, digits and `-._~`.
fn escaped_again(path: &str) -> String {
    let escape = |byte: u8| match byte {
        b'/' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        _ if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    path.bytes().map(escape).collect()
}

/// What a signature is made of.
struct Signed<'a> {
    path: &'a str,
    /// Lower-case names, sorted.
    headers: BTreeMap<&'a str, &'a str>,
    body: &'a [u8],
    /// `<date>/<region>/<service>`
    scope: [&'a str; 3],
    time: &'a str,
}

impl Signed<'_> {
    fn signature(&self, method: &str, secret: &str) -> String {
        let names: Vec<&str> = self.headers.keys().copied().collect();
        let lines: String = self.headers.iter().map(|(name, value)| format!("{name}:{}\n", value.trim())).collect();
        let (path, names, body) = (escaped_again(self.path), names.join(";"), hex(&sha256(self.body)));
        let canonical = format!("{method}\n{path}\n\n{lines}\n{names}\n{body}");
        let [date, region, service] = self.scope;
        let (time, hash) = (self.time, hex(&sha256(canonical.as_bytes())));
        let text = format!("AWS4-HMAC-SHA256\n{time}\n{date}/{region}/{service}/aws4_request\n{hash}");
        let parts = [region, service, "aws4_request"];
        let key = parts.iter().fold(hmac(format!("AWS4{secret}").as_bytes(), date), |key, part| hmac(&key, part));
        hex(&hmac(&key, &text))
    }
}

/// The rules as coded above agree with Amazon's published test suite (`get-vanilla`).
#[test]
fn the_rules_agree_with_the_published_example() {
    let headers = [("host", "example.amazonaws.com"), ("x-amz-date", "20150830T123600Z")].into();
    let scope = ["20150830", "us-east-1", "service"];
    let signed = Signed { path: "/", headers, body: b"", scope, time: "20150830T123600Z" };
    let signature = signed.signature("GET", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY");
    assert_eq!(signature, "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31");
}

/// The signature that a header claims, and the one that it should be.
pub(super) fn claimed_and_right(
    method: &str,
    url: &str,
    all: &BTreeMap<String, String>,
    body: &[u8],
    secret: &str,
) -> [String; 2] {
    let (host, path) = url.split_once("://").unwrap().1.split_once('/').unwrap();
    let authorization = &all["authorization"];
    let part = |name: &str| authorization.split_once(&format!("{name}=")).unwrap().1.split(',').next().unwrap();
    let (credential, names, claimed) = (part("Credential"), part("SignedHeaders"), part("Signature"));
    let value = |name| if name == "host" { host } else { all[name].as_str() };
    let headers: BTreeMap<&str, &str> = names.split(';').map(|name| (name, value(name))).collect();
    for needed in ["content-type", "host", "x-amz-content-sha256", "x-amz-date"] {
        assert!(headers.contains_key(needed), "{needed} is not signed: {authorization}");
    }
    assert_eq!(all["x-amz-content-sha256"], hex(&sha256(body)));
    let scope: Vec<&str> = credential.split('/').collect();
    let scope = [scope[1], scope[2], scope[3]];
    let path = format!("/{path}");
    let signed = Signed { path: &path, headers, body, scope, time: &all["x-amz-date"] };
    [claimed.to_owned(), signed.signature(method, secret)]
}

#[test]
fn requests_carry_the_right_signature() {
    let arn = "arn:aws:bedrock:us-west-2:123456789012:application-inference-profile/a b";
    let title =
        BTreeMap::from([("x-title".to_owned(), "  Mine  ".to_owned()), ("TE".to_owned(), "trailers".to_owned())]);
    for (id, base_url, headers, token) in [
        ("anthropic.claude-own-v1:0", "https://bedrock-runtime.us-east-1.amazonaws.com", BTreeMap::new(), ""),
        (arn, "https://bedrock-runtime.us-east-1.amazonaws.com", title, "session-for-tests"),
        ("own", "http://127.0.0.1:8080/proxy/", BTreeMap::new(), ""),
    ] {
        let mut model = (*model()).clone();
        (model.id, model.base_url) = (id.to_owned(), base_url.to_owned());
        let keys = [
            ("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE"),
            ("AWS_SECRET_ACCESS_KEY", "secret/for+tests"),
            ("AWS_SESSION_TOKEN", token),
        ];
        let options = StreamOptions { env: sealed(&keys), headers, ..StreamOptions::default() };
        let transport = Canned::stream("", 0, End::Closed);
        call(&Arc::new(model), &Context::prompt("Grüße"), options, &transport);
        let HttpRequest { url, headers, body, .. } = transport.request();
        let headers = text_headers(&headers);
        let [claimed, right] = claimed_and_right("POST", &url, &headers, &body, "secret/for+tests");
        assert_eq!(claimed, right, "{id}");
        let signed = |name: &str| headers["authorization"].contains(name);
        assert_eq!((signed("x-amz-security-token"), signed("x-title")), (id == arn, id == arn));
        assert!(!signed("user-agent") && !signed(";te;"), "{}", headers["authorization"]);
    }
}

/// Refuses every request.
#[derive(Debug)]
struct Refusing {
    status: u16,
    exception: &'static str,
    count: Mutex<u32>,
}

impl HttpTransport for Refusing {
    fn send(&self, _: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, Error>> {
        *self.count.lock().unwrap() += 1;
        let headers =
            HeaderMap::from_iter([("x-amzn-errortype".parse().unwrap(), HeaderValue::from_static(self.exception))]);
        let body = stream::iter([Ok(br#"{"message":"M"}"#.to_vec().into())]).boxed();
        Box::pin(std::future::ready(Ok(HttpResponse { status: self.status, headers, body })))
    }
}

#[test]
fn throttling_and_failures_of_the_server_are_tried_three_times() {
    for (status, exception, max_retries, tries, text) in [
        (429, "ThrottlingException", 0, 3, "Throttling error: M"),
        (503, "ServiceUnavailableException:http://x", 1, 3, "Service unavailable: M"),
        (500, "InternalServerException", 4, 5, "Internal server error: M"),
        (400, "ValidationException", 4, 1, "Validation error: M"),
        (403, "AccessDeniedException", 0, 1, "AccessDeniedException: M"),
    ] {
        let transport = Arc::new(Refusing { status, exception, count: Mutex::new(0) });
        let env = sealed(&[("AWS_BEDROCK_SKIP_AUTH", "1")]);
        let mut options = StreamOptions { env, max_retries, ..StreamOptions::default() };
        options.http = Some(Arc::clone(&transport) as Arc<dyn HttpTransport>);
        let outcome = collect(BedrockConverseStream::default().stream(model(), Context::prompt("hi"), options));
        assert_eq!(outcome.message().error_message.as_deref(), Some(text));
        assert_eq!(*transport.count.lock().unwrap(), tries, "{exception}");
    }
}

fn at(url: &str) -> Arc<Model> {
    let mut model = (*model()).clone();
    url.clone_into(&mut model.base_url);
    Arc::new(model)
}

#[test]
fn a_signed_call_over_the_network() {
    let answer =
        ["{\"contentBlockDelta\":{\"delta\":{\"text\":\"ok\"}}}", "{\"messageStop\":{\"stopReason\":\"end_turn\"}}"];
    let server = Server::start(vec![(200, answer.iter().flat_map(|line| frame_of(line)).collect())]);
    let env = sealed(&[("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE"), ("AWS_SECRET_ACCESS_KEY", "secret-for-tests")]);
    let base = StreamOptions { env, clock: Arc::new(FixedClock(NOW)), ..StreamOptions::default() };
    let message =
        run(&BedrockConverseStream::default(), at(&server.url), BedrockOptions { base, ..Default::default() });
    assert_eq!((message.text().as_str(), &message.stop_reason), ("ok", &StopReason::Stop));
    let received = &server.requests()[0];
    let path = received.line.split(' ').nth(1).unwrap();
    let url = format!("{}{path}", server.url);
    let body = received.body.as_bytes();
    let [claimed, right] = claimed_and_right("POST", &url, &received.headers, body, "secret-for-tests");
    assert_eq!(claimed, right);
    assert!(received.headers["authorization"].contains("/20300102/us-east-1/bedrock/aws4_request"));
}

#[test]
fn the_proxy_of_the_call_is_used() {
    let proxy = Server::start(vec![(200, frame_of("{\"messageStop\":{\"stopReason\":\"end_turn\"}}"))]);
    let env = sealed(&[("AWS_BEDROCK_SKIP_AUTH", "1"), ("http_proxy", &proxy.url), ("no_proxy", "")]);
    let options = BedrockOptions { base: StreamOptions { env, ..StreamOptions::default() }, ..Default::default() };
    let message = run(&BedrockConverseStream::default(), at("http://bedrock.example"), options);
    assert_eq!(message.error_message, None);
    assert!(proxy.requests()[0].line.starts_with("POST http://bedrock.example/model/"), "{:?}", proxy.requests());

    let env = sealed(&[("AWS_BEDROCK_SKIP_AUTH", "1"), ("all_proxy", "socks5://127.0.0.1:1")]);
    let options = BedrockOptions { base: StreamOptions { env, ..StreamOptions::default() }, ..Default::default() };
    let message = run(&BedrockConverseStream::default(), at("http://bedrock.example"), options);
    assert!(message.error_message.as_deref().unwrap().contains("unsupported proxy protocol"), "{message:?}");
}
