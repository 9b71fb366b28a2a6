//! Where keys come from: real files, processes and HTTP over loopback.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use futures::future::BoxFuture;
use pi_ai::transport::cassette::Recorder;
use pi_ai::transport::{HttpRequest, HttpResponse, HttpTransport, ReqwestTransport};
use pi_ai::{BedrockConverseStream, BedrockOptions, Error, FixedClock, StopReason, StreamOptions};
use serde_json::json;

use super::server::Server;
use super::signatures::claimed_and_right;
use super::{NOW, frame_of, model, run, sealed, text_headers};
use crate::formats::run::{Canned, End};

const INCOMPLETE: &str = "Bedrock stream ended without messageStop";

/// What a call was signed with, or why it was not.
#[derive(Debug, PartialEq)]
enum Access {
    /// Key id, region, session token.
    Signed(String, String, Option<String>),
    Refused(String),
}

impl Access {
    fn key(&self) -> &str {
        match self {
            Self::Signed(key, ..) => key,
            Self::Refused(reason) => reason,
        }
    }
}

/// The real network for keys, a canned answer for the call.
#[derive(Debug)]
struct Split(Arc<Canned>);

impl HttpTransport for Split {
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, Error>> {
        self.0.send(request)
    }

    fn for_credentials(&self) -> Option<Arc<dyn HttpTransport>> {
        Some(ReqwestTransport::shared())
    }
}

/// Makes a call in an environment and looks at what would be sent.
fn access(api: &BedrockConverseStream, env: BTreeMap<String, String>, profile: Option<&str>) -> Access {
    let transport = Canned::stream("", 0, End::Closed);
    let http = Arc::new(Split(Arc::clone(&transport))) as Arc<dyn HttpTransport>;
    let clock = Arc::new(FixedClock(NOW));
    let base = StreamOptions { env, http: Some(http), clock, ..StreamOptions::default() };
    let options = BedrockOptions { base, profile: profile.map(str::to_owned), ..BedrockOptions::default() };
    let message = run(api, model(), options);
    match message.error_message.as_deref() {
        Some(INCOMPLETE) => {}
        other => return Access::Refused(other.unwrap_or("").to_owned()),
    }
    let headers = text_headers(&transport.request().headers);
    let (_, credential) = headers["authorization"].split_once("Credential=").unwrap();
    let parts: Vec<&str> = credential.split('/').collect();
    Access::Signed(parts[0].to_owned(), parts[2].to_owned(), headers.get("x-amz-security-token").cloned())
}

fn access_once(variables: &[(&str, &str)], profile: Option<&str>) -> Access {
    access(&BedrockConverseStream::default(), sealed(variables), profile)
}

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

const CREDENTIALS: &str = "[default]\naws_access_key_id = of-default\naws_secret_access_key = s\n\n\
    [work]\naws_access_key_id = of-work\naws_secret_access_key = s\naws_session_token = token-of-work\n";

#[test]
fn the_environment_counts_before_profiles() {
    let home = tempfile::tempdir().unwrap();
    write(home.path(), ".aws/credentials", CREDENTIALS);
    let home = ("HOME", home.path().to_str().unwrap());
    let keys = [home, ("AWS_PROFILE", "work"), ("AWS_ACCESS_KEY_ID", "of-env"), ("AWS_SECRET_ACCESS_KEY", "s")];
    assert_eq!(access_once(&keys, None).key(), "of-env");
    // Half a pair is none.
    assert_eq!(access_once(&keys[..3], None).key(), "of-work");
    assert_eq!(access_once(&[home], None).key(), "of-default");
    assert_eq!(access_once(&[home], Some("work")).key(), "of-work");
    assert_eq!(access_once(&[home, ("AWS_PROFILE", "work")], Some("default")).key(), "of-default");
}

#[test]
fn profiles_know_regions_and_session_tokens() {
    let folder = tempfile::tempdir().unwrap();
    let config =
        write(folder.path(), "config", "[profile work]\nregion = eu-north-1\n[default]\nregion = eu-south-1\n");
    let credentials = write(folder.path(), "credentials", CREDENTIALS);
    let files = [("AWS_CONFIG_FILE", config.as_str()), ("AWS_SHARED_CREDENTIALS_FILE", credentials.as_str())];
    let work = |more: &[(&str, &str)]| access_once(&[&files[..], &[("AWS_PROFILE", "work")], more].concat(), None);
    let signed =
        |region: &str| Access::Signed("of-work".to_owned(), region.to_owned(), Some("token-of-work".to_owned()));
    assert_eq!(work(&[]), signed("eu-north-1"));
    assert_eq!(work(&[("AWS_REGION", "us-west-2")]), signed("us-west-2"));
    // A profile that only the call names does not move the call elsewhere.
    assert_eq!(access_once(&files, Some("work")), signed("us-east-1"));
}

#[test]
fn a_profile_that_cannot_be_used_says_why() {
    let home = tempfile::tempdir().unwrap();
    let config = "[profile sso]\nsso_session = corp\n[profile mfa]\nrole_arn = arn:r\nmfa_serial = arn:m\n\
        [profile a]\nrole_arn = arn:a\nsource_profile = b\n[profile b]\nrole_arn = arn:b\nsource_profile = a\n\
        [profile bare]\nregion = eu-north-1\n[profile ec2]\nrole_arn = arn:c\ncredential_source = Ec2InstanceMetadata\n\
        [profile lost]\nrole_arn = arn:d\nsource_profile = nowhere\n[profile alone]\nrole_arn = arn:e\n\
        [profile env]\nrole_arn = arn:f\ncredential_source = Environment\n\
        [profile program]\ncredential_process = print-keys\n";
    write(home.path(), ".aws/config", config);
    let home = home.path().to_str().unwrap();
    for (profile, expected) in [
        ("program", "\"program\" has its keys from a program (credential_process)"),
        ("program", "eval \"$(aws configure export-credentials --profile program --format env)\""),
        ("sso", "\"sso\" uses a sign-in in the browser (SSO)"),
        ("mfa", "\"mfa\" asks for a code of a second factor"),
        ("a", "\"a\" is its own source_profile"),
        ("bare", "\"bare\" has no keys"),
        ("ec2", "\"ec2\" has the credential_source Ec2InstanceMetadata"),
        ("lost", "\"nowhere\" is not in "),
        ("alone", "\"alone\" has a role_arn but no source_profile"),
        ("env", "the credential_source of the AWS profile \"env\" has no keys"),
    ] {
        let Access::Refused(reason) = access_once(&[("HOME", home)], Some(profile)) else { panic!("{profile}") };
        assert!(reason.contains(expected), "{reason}");
    }
}

fn issued(key: &str, expiration: &str) -> Vec<u8> {
    format!(
        "<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>{key}</AccessKeyId>\
         <SecretAccessKey>secret-of-{key}</SecretAccessKey><SessionToken>token-of-{key}</SessionToken>\
         <Expiration>{expiration}</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>"
    )
    .into_bytes()
}

const LATER: &str = "2030-01-02T04:04:05Z";

#[test]
fn roles_are_assumed_one_with_the_keys_of_the_other() {
    let server = Server::start(vec![(200, issued("inner", LATER)), (200, issued("outer", LATER))]);
    let home = tempfile::tempdir().unwrap();
    let config = "[profile outer]\nrole_arn = arn:aws:iam::1:role/outer\nsource_profile = inner\nrole_session_name = me\n\
        [profile inner]\nrole_arn = arn:aws:iam::1:role/inner\nsource_profile = base\nexternal_id = a&b\n\
        duration_seconds = 900\n[profile base]\naws_access_key_id = base\naws_secret_access_key = secret-of-base\n";
    write(home.path(), ".aws/config", config);
    let url = format!("{}/", server.url);
    let env = [("HOME", home.path().to_str().unwrap()), ("AWS_ENDPOINT_URL_STS", url.as_str())];
    let found = access_once(&env, Some("outer"));
    assert_eq!(found, Access::Signed("outer".into(), "us-east-1".into(), Some("token-of-outer".into())));
    let [first, second] = &server.requests()[..] else { panic!("two requests") };
    for (request, key) in [(first, "base"), (second, "inner")] {
        let body = request.body.as_bytes();
        let [claimed, right] = claimed_and_right("POST", &url, &request.headers, body, &format!("secret-of-{key}"));
        assert_eq!(claimed, right);
        assert!(request.headers["authorization"].contains(&format!("Credential={key}/20300102/us-east-1/sts/")));
    }
    assert_eq!(
        first.body,
        "Action=AssumeRole&Version=2011-06-15&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Finner&RoleSessionName=pi\
         &DurationSeconds=900&ExternalId=a%26b"
    );
    assert!(second.body.ends_with("&RoleSessionName=me") && second.headers["x-amz-security-token"] == "token-of-inner");
}

#[test]
fn a_refused_role_says_why() {
    let refusal = "<ErrorResponse><Error><Code>AccessDenied</Code><Message>not you</Message></Error></ErrorResponse>";
    let server = Server::start(vec![(403, refusal.into()), (200, b"<html>".to_vec())]);
    let home = tempfile::tempdir().unwrap();
    let token = write(home.path(), "token", "identity-token\n");
    let env = [
        ("AWS_ENDPOINT_URL_STS", server.url.as_str()),
        ("AWS_WEB_IDENTITY_TOKEN_FILE", &token),
        ("AWS_ROLE_ARN", "arn:w"),
    ];
    for expected in
        ["keys of the role arn:w were refused: 403 not you", "keys of the role arn:w were refused: 200 no reason given"]
    {
        assert!(access_once(&env, None).key().contains(expected), "{expected}");
    }
}

#[test]
fn a_web_identity_is_exchanged_for_keys() {
    let server = Server::start(vec![(200, issued("web", LATER))]);
    let home = tempfile::tempdir().unwrap();
    let token = write(home.path(), "token", "identity-token\n");
    let sts = ("AWS_ENDPOINT_URL_STS", server.url.as_str());
    let role = ("AWS_ROLE_ARN", "arn:w");
    let file = ("AWS_WEB_IDENTITY_TOKEN_FILE", token.as_str());
    assert_eq!(access_once(&[sts, role, file], None).key(), "web");
    let request = &server.requests()[0];
    assert_eq!(
        request.body,
        "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn=arn%3Aw&RoleSessionName=pi&WebIdentityToken=identity-token"
    );
    assert!(!request.headers.contains_key("authorization"));

    let config = format!("[profile web]\nrole_arn = arn:p\nweb_identity_token_file = {token}\n");
    write(home.path(), ".aws/config", &config);
    let home = ("HOME", home.path().to_str().unwrap());
    assert_eq!(access_once(&[sts, home], Some("web")).key(), "web");
    assert!(server.requests()[1].body.contains("RoleArn=arn%3Ap&"));

    let missing = access_once(&[sts, role, ("AWS_WEB_IDENTITY_TOKEN_FILE", "/nonexistent/token")], None);
    assert!(missing.key().contains("/nonexistent/token cannot be read"), "{missing:?}");
    assert!(access_once(&[sts, file], None).key().contains("AWS_ROLE_ARN is not"));
}

fn container_keys(key: &str, expiration: &str) -> (u16, Vec<u8>) {
    let json = json!({"AccessKeyId": key, "SecretAccessKey": "s", "Token": "t", "Expiration": expiration});
    (200, json.to_string().into_bytes())
}

#[test]
fn a_container_hands_out_keys() {
    let home = tempfile::tempdir().unwrap();
    let token = write(home.path(), "token", "token-in-file\n");
    for (variable, value, sent) in [
        ("AWS_CONTAINER_AUTHORIZATION_TOKEN", "token-in-env", "token-in-env"),
        ("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", &token, "token-in-file"),
    ] {
        let server = Server::start(vec![container_keys("of-container", LATER)]);
        let url = format!("{}/keys", server.url);
        let found = access_once(&[("AWS_CONTAINER_CREDENTIALS_FULL_URI", &url), (variable, value)], None);
        assert_eq!(found, Access::Signed("of-container".into(), "us-east-1".into(), Some("t".into())));
        let request = &server.requests()[0];
        assert!(request.line.starts_with("GET /keys "), "{}", request.line);
        assert_eq!(request.headers["authorization"], sent);
    }
    for (status, body, expected) in [(404, "no", "with status 404"), (200, "{}", "did not answer with keys")] {
        let server = Server::start(vec![(status, body.into())]);
        let found = access_once(&[("AWS_CONTAINER_CREDENTIALS_FULL_URI", &server.url)], None);
        assert!(found.key().contains(expected), "{found:?}");
    }
    let stranger = access_once(&[("AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://keys.example/")], None);
    assert!(stranger.key().contains("must be an https URL"), "{stranger:?}");
}

/// A default profile without keys does not stand in the way of other sources.
#[test]
fn a_default_profile_may_hold_a_region_only() {
    let server = Server::start(vec![container_keys("of-container", LATER)]);
    let home = tempfile::tempdir().unwrap();
    write(home.path(), ".aws/config", "[default]\nregion = eu-north-1\n");
    let home = ("HOME", home.path().to_str().unwrap());
    assert_eq!(access_once(&[home, ("AWS_CONTAINER_CREDENTIALS_FULL_URI", &server.url)], None).key(), "of-container");
}

#[test]
fn temporary_keys_are_kept_until_shortly_before_they_expire() {
    let soon = "2030-01-02T03:08:00Z";
    let answers = vec![container_keys("first", soon), container_keys("second", LATER), container_keys("third", LATER)];
    let server = Server::start(answers);
    let api = BedrockConverseStream::default();
    let env = sealed(&[("AWS_CONTAINER_CREDENTIALS_FULL_URI", &server.url)]);
    let keys: Vec<String> = (0..4).map(|_| access(&api, env.clone(), None).key().to_owned()).collect();
    assert_eq!(keys, ["first", "second", "second", "second"]);
    // Another source has keys of its own.
    let other = sealed(&[("AWS_CONTAINER_CREDENTIALS_FULL_URI", &format!("{}/other", server.url))]);
    assert_eq!(access(&api, other, None).key(), "third");
    assert_eq!(server.requests().len(), 3);
}

#[test]
fn a_service_that_keeps_silent_can_be_cancelled() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    let env = sealed(&[("AWS_CONTAINER_CREDENTIALS_FULL_URI", &url)]);
    let base = StreamOptions { env, ..StreamOptions::default() };
    let cancel = base.cancel.clone();
    std::thread::spawn(move || {
        let connection = silent.accept().unwrap();
        cancel.cancel();
        // It stays open until the client closes it.
        std::io::copy(&mut &connection.0, &mut std::io::sink()).unwrap();
    });
    let message = run(&BedrockConverseStream::default(), model(), BedrockOptions { base, ..Default::default() });
    assert_eq!(message.stop_reason, StopReason::Aborted);
}

/// What a recorder writes down holds neither the request for keys nor the keys.
#[test]
fn a_recording_holds_no_keys() {
    let done = frame_of("{\"messageStop\":{\"stopReason\":\"end_turn\"}}");
    let server = Server::start(vec![container_keys("ASIAOFCONTAINER", LATER), (200, done)]);
    let folder = tempfile::tempdir().unwrap();
    let cassette = folder.path().join("calls.jsonl");
    let recorder = Recorder::open(&cassette, ReqwestTransport::shared()).unwrap();
    let env = sealed(&[("AWS_CONTAINER_CREDENTIALS_FULL_URI", &server.url)]);
    let base = StreamOptions { env, http: Some(Arc::new(recorder)), ..StreamOptions::default() };
    let mut model = (*model()).clone();
    model.base_url.clone_from(&server.url);
    let options = BedrockOptions { base, ..BedrockOptions::default() };
    let message = run(&BedrockConverseStream::default(), Arc::new(model), options);
    assert_eq!(message.error_message, None);
    let recorded = std::fs::read_to_string(&cassette).unwrap();
    assert_eq!(recorded.lines().count(), 1);
    assert!(!recorded.contains("ASIAOFCONTAINER") && !recorded.contains("AccessKeyId"), "{recorded}");
}

#[test]
fn options_do_not_show_their_secrets() {
    let options = BedrockOptions { bearer_token: Some("bearer-s3cret".into()), ..BedrockOptions::default() };
    assert!(!format!("{options:?}").contains("s3cret"));
}
