//! Logins to servers: a server and its authorization server on loopback, and a program that does what a browser does.

use std::os::unix::fs::PermissionsExt;

use pi_test_kit::{Finished, Provider, World, answer, tool_call, wait_until};
use serde_json::{Value, json};

use crate::http::HttpServer;
use crate::{prompt, results, world};

/// What a browser does with a page: it goes where it is sent.
const BROWSER: &str = "#!/usr/bin/env python3\nimport sys, urllib.request\nurllib.request.urlopen(sys.argv[1])\n";

/// Has a browser from now on.
fn browser(world: &World) -> String {
    let path = world.write("browser", BROWSER);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

async fn log_in(world: &World, more: &[&str]) -> Finished {
    let browser = browser(world);
    world.pi(&[&["mcp", "login", "h"], more].concat()).env("BROWSER", &browser).run().await
}

fn stored(world: &World) -> Value {
    let text = std::fs::read_to_string(world.agent_dir().join("mcp-auth.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn token_requests(server: &HttpServer, grant: &str) -> Vec<Value> {
    server.log().into_iter().filter(|line| line["token"]["grant_type"] == grant).collect()
}

#[tokio::test]
async fn a_login_makes_a_server_usable_and_logging_out_ends_that() {
    let provider = Provider::start([tool_call("1", "mcp__h__echo", &json!({"text": "hello"})), answer("ok")]).await;
    let server = HttpServer::start("oauth");
    let world = world(&provider, &json!({"h": server.entry()}));
    let listed = world.run(&["mcp", "list"]).await;
    assert!(listed.stdout.starts_with("h: MCP server \"h\" needs a login: pi mcp login h ("), "{}", listed.stdout);
    let done = log_in(&world, &[]).await;
    assert_eq!((done.code, done.stdout.as_str()), (Some(0), "You are logged in to h\n"), "{}", done.stderr);
    let file = world.agent_dir().join("mcp-auth.json");
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let log = server.log();
    let registered = &log.iter().find(|line| !line["register"].is_null()).unwrap()["register"];
    assert_eq!((&registered["client_name"], &registered["application_type"]), (&json!("pi"), &json!("native")));
    let asked = &log.iter().find(|line| line["get"] == "/authorize").unwrap()["query"];
    assert_eq!((&asked["code_challenge_method"], &asked["scope"]), (&json!("S256"), &json!("read")));
    assert_eq!(asked["resource"], json!(server.url()));
    let done = prompt(&world, &[]).await;
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert_eq!(results(&provider), ["hello"]);
    let done = world.run(&["mcp", "logout", "h"]).await;
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert_eq!(stored(&world), json!({}));
    let done = world.run(&["mcp", "logout", "h"]).await;
    assert!(done.stderr.contains("There is no login to MCP server \"h\""), "{}", done.stderr);
}

#[tokio::test]
async fn a_login_that_lacks_a_scope_says_how_to_get_it_and_keeps_what_it_had() {
    let replies = [tool_call("1", "mcp__h__long", &json!({})), answer("ok")];
    let provider = Provider::start(replies).await;
    let server = HttpServer::start("oauth");
    let world = world(&provider, &json!({"h": server.entry()}));
    assert_eq!(log_in(&world, &[]).await.code, Some(0));
    prompt(&world, &["--no-session"]).await;
    let sentence = "The login to MCP server \"h\" does not permit long. To permit it: pi mcp login h --scope \"write\"";
    assert_eq!(results(&provider), [sentence]);
    let done = log_in(&world, &["--scope", "write"]).await;
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert_eq!(stored(&world)[server.url()]["granted_scopes"], json!(["read", "write"]));
    provider.answer_with([tool_call("2", "mcp__h__long", &json!({})), answer("ok")]);
    prompt(&world, &["--no-session"]).await;
    assert!(results(&provider)[0].starts_with("begin"), "{:?}", results(&provider));
}

#[tokio::test]
async fn where_there_is_no_browser_the_address_is_pasted() {
    let server = HttpServer::start("oauth");
    let world = world(&Provider::start([]).await, &json!({"h": server.entry()}));
    let text = format!("{}/.well-known/x", server.url());
    let said = world.root().join("said");
    let script = format!("exec \"$PI\" mcp login h 2> '{}'", said.display());
    let mut pi = world.shell(&script).env("DISPLAY", "").start();
    pi.send(&format!("nonsense\n{text}\n")).await;
    let page = || {
        let said = std::fs::read_to_string(&said).unwrap_or_default();
        let line = said.lines().find_map(|line| line.strip_prefix("Open this page: ").map(str::to_owned));
        line.filter(|_| said.contains("another login"))
    };
    wait_until("the page is named", || page().is_some()).await;
    // What a browser elsewhere would end up at: nobody answers there.
    let sent = reqwest_location(&page().unwrap());
    pi.send(&format!("{sent}\n")).await;
    let (code, _) = pi.finish().await;
    let said = std::fs::read_to_string(&said).unwrap();
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("That is no address. It begins with http://127.0.0.1:"), "{said}");
    assert!(!stored(&world)[server.url()].is_null());
}

/// Where a page sends a browser to.
fn reqwest_location(url: &str) -> String {
    let script = "import sys, http.client, urllib.parse as p\n\
                  u = p.urlsplit(sys.argv[1])\n\
                  c = http.client.HTTPConnection(u.netloc)\n\
                  c.request('GET', u.path + '?' + u.query)\n\
                  print(c.getresponse().getheader('Location'))";
    let output = std::process::Command::new("python3").args(["-c", script, url]).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[tokio::test]
async fn a_login_is_renewed_once_however_many_programs_use_it() {
    let provider = Provider::start([]).await;
    let server = HttpServer::start("oauth-short");
    let world = world(&provider, &json!({"h": server.entry()}));
    assert_eq!(log_in(&world, &[]).await.code, Some(0));
    for _ in 0..2 {
        tokio::time::sleep(std::time::Duration::from_millis(2500)).await;
        let list = ["mcp", "list"];
        let all = tokio::join!(world.run(&list), world.run(&list), world.run(&list));
        for done in [all.0, all.1, all.2] {
            assert_eq!(done.code, Some(0), "{}{}", done.stdout, done.stderr);
        }
    }
    let renewed = token_requests(&server, "refresh_token");
    assert!(!renewed.is_empty());
    assert_eq!(renewed[0]["token"]["resource"], json!(server.url()));
}

#[tokio::test]
async fn a_login_that_cannot_be_renewed_is_asked_for_again() {
    let server = HttpServer::start("oauth-revoked");
    let world = world(&Provider::start([]).await, &json!({"h": server.entry()}));
    assert_eq!(log_in(&world, &[]).await.code, Some(0));
    tokio::time::sleep(std::time::Duration::from_millis(2500)).await;
    let listed = world.run(&["mcp", "list"]).await;
    assert!(listed.stdout.starts_with("h: MCP server \"h\" needs a login: pi mcp login h ("), "{}", listed.stdout);
    assert!(!token_requests(&server, "refresh_token").is_empty());
}

#[tokio::test]
async fn a_session_logs_in_by_its_command_and_has_the_tools_from_then_on() {
    let provider = Provider::start([answer("ok"), answer("ok"), answer("ok")]).await;
    let server = HttpServer::start("oauth");
    let world = world(&provider, &json!({"h": server.entry()}));
    let mut pi = world.pi(&["--mode", "rpc", "--no-session"]).env("BROWSER", &browser(&world)).start();
    let prompt = |text: &str| format!("{}\n", json!({"type": "prompt", "message": text}));
    pi.send(&prompt("go")).await;
    pi.event("agent_end").await;
    pi.send(&prompt("/mcp login h")).await;
    pi.until(|event| event["message"] == "You are logged in to h").await;
    pi.send(&prompt("again")).await;
    pi.event("agent_end").await;
    let requests = provider.requests();
    let has_tools = |at: usize| crate::tools(&requests[at]).contains(&"mcp__h__echo");
    assert!(!has_tools(0) && has_tools(1));
    pi.send(&prompt("/mcp logout h")).await;
    pi.until(|event| event["message"] == "The login to h is forgotten").await;
    pi.close_stdin();
    pi.finish().await;
}

#[tokio::test]
async fn what_goes_wrong_is_said() {
    for (mode, expected) in [
        ("oauth-denied", "Error: The login to MCP server \"h\" failed: it was refused: access_denied: not today"),
        ("oauth-closed", "Error: The login to MCP server \"h\" failed: the server does not let programs register"),
        ("good", "Error: The login to MCP server \"h\" failed: the server says nothing of logins"),
    ] {
        let server = HttpServer::start(mode);
        let world = world(&Provider::start([]).await, &json!({"h": server.entry(), "p": {"command": "x"}}));
        let done = log_in(&world, &[]).await;
        assert_eq!(done.code, Some(1), "{mode}: {}", done.stdout);
        assert!(done.stderr.contains(expected), "{mode}: {}", done.stderr);
        let done = world.run(&["mcp", "login", "p"]).await;
        assert!(done.stderr.contains("\"p\" is a program"), "{}", done.stderr);
        let done = world.run(&["mcp", "login", "x"]).await;
        assert!(done.stderr.contains("There is no MCP server \"x\". There are: h, p"), "{}", done.stderr);
    }
}

#[tokio::test]
async fn a_client_that_was_registered_by_hand_is_used_with_its_secret() {
    let server = HttpServer::start("oauth-closed");
    let mut entry = server.entry();
    entry["oauth"] = json!({"clientId": "mine", "clientSecret": "${SECRET:-hush}", "scope": "read extra"});
    let world = world(&Provider::start([]).await, &json!({"h": entry}));
    let done = log_in(&world, &[]).await;
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let asked = server.log().into_iter().find(|line| line["get"] == "/authorize").unwrap();
    assert_eq!((&asked["query"]["client_id"], &asked["query"]["scope"]), (&json!("mine"), &json!("read extra")));
    // "mine:hush"
    assert_eq!(token_requests(&server, "authorization_code")[0]["secret"], "Basic bWluZTpodXNo");
    let listed = world.run(&["mcp", "list"]).await;
    assert_eq!(listed.code, Some(0), "{}", listed.stdout);
}

/// A user who has a server with this under "oauth".
async fn with_oauth(server: &HttpServer, oauth: &Value) -> World {
    let mut entry = server.entry();
    entry["oauth"] = oauth.clone();
    world(&Provider::start([]).await, &json!({"h": entry}))
}

/// What the browser asked the authorization server for.
fn authorized(server: &HttpServer) -> Value {
    let mut log = server.log().into_iter();
    log.find(|line| line["get"].as_str().is_some_and(|path| path.ends_with("/authorize"))).unwrap()["query"].take()
}

fn registrations(server: &HttpServer) -> Vec<Value> {
    server.log().into_iter().map(|mut line| line["register"].take()).filter(|asked| !asked.is_null()).collect()
}

fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[tokio::test]
async fn the_browser_comes_back_to_the_address_of_the_entry() {
    let port = free_port();
    let fixed = format!("http://localhost:{port}");
    for (oauth, begin, end) in [
        (json!({}), "http://127.0.0.1:", "/callback"),
        (json!({"callbackUrl": "http://localhost/login/done"}), "http://localhost:", "/login/done"),
        (json!({"callbackUrl": fixed}), &*fixed, &*port.to_string()),
        (json!({"callbackUrl": "http://127.0.0.1/", "callbackPort": port}), "http://127.0.0.1:", &format!(":{port}/")),
    ] {
        let server = HttpServer::start("oauth");
        let world = with_oauth(&server, &oauth).await;
        let done = log_in(&world, &[]).await;
        assert_eq!(done.code, Some(0), "{oauth}: {}", done.stderr);
        let sent = authorized(&server)["redirect_uri"].take();
        let text = sent.as_str().unwrap();
        assert!(text.starts_with(begin) && text.ends_with(end), "{oauth}: {text}");
        assert_eq!(registrations(&server)[0]["redirect_uris"], json!([sent]));
    }
}

#[tokio::test]
async fn a_server_knows_pi_by_a_document_about_it() {
    let own = "https://me.example/client.json";
    for (mode, oauth, client, path) in [
        ("oauth-documents", json!({"clientRegistration": "cimd"}), "https://pi.dev/oauth/client.json", "/callback"),
        ("oauth-documents", json!({"clientMetadataUrl": own}), own, "/callback"),
        ("oauth-documents-anonymous", json!({"clientMetadataUrl": own}), own, "/callback"),
        ("oauth-documents-anonymous", json!({"clientRegistration": "cimd"}), "https://pi.dev/oauth/", "/callback/"),
    ] {
        let server = HttpServer::start(mode);
        let world = with_oauth(&server, &oauth).await;
        let done = log_in(&world, &[]).await;
        assert_eq!(done.code, Some(0), "{mode}, {oauth}: {}", done.stderr);
        let asked = authorized(&server);
        let (id, back) = (asked["client_id"].as_str().unwrap(), asked["redirect_uri"].as_str().unwrap());
        assert!(id.starts_with(client), "{mode}, {oauth}: {asked}");
        let of_server = id.strip_prefix("https://pi.dev/oauth/").and_then(|rest| rest.strip_suffix("/client.json"));
        // Where the server does not name itself, the document and the way back are this server's alone.
        let path = format!("{path}{}", of_server.unwrap_or_default());
        assert_eq!(of_server.is_some(), mode.ends_with("anonymous") && oauth["clientMetadataUrl"].is_null());
        assert!(back.starts_with("http://127.0.0.1:") && back.ends_with(&path), "{mode}, {oauth}: {back}");
        assert_eq!(token_requests(&server, "authorization_code")[0]["token"]["client_id"], json!(id));
        assert!(registrations(&server).is_empty());
        let listed = world.run(&["mcp", "list"]).await;
        assert_eq!(listed.code, Some(0), "{}", listed.stdout);
    }
}

#[tokio::test]
async fn the_entry_says_where_the_authorization_server_is_described() {
    let server = HttpServer::start("oauth-elsewhere");
    let at = |path: &str| server.url().replace("/mcp", path);
    let lost = with_oauth(&server, &json!({})).await;
    let done = log_in(&lost, &[]).await;
    assert!(done.stderr.contains("the server says nothing of logins"), "{}", done.stderr);
    let described = at("/tenant/oauth-authorization-server");
    let world = with_oauth(&server, &json!({"authServerMetadataUrl": described})).await;
    let done = log_in(&world, &[]).await;
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let asked = authorized(&server);
    assert_eq!((&asked["scope"], &asked["resource"]), (&json!("read"), &json!(server.url())));
    // Connections find the place for renewals there, too.
    let listed = world.run(&["mcp", "list"]).await;
    assert_eq!(listed.code, Some(0), "{}", listed.stdout);
    for (path, detail) in [("/nowhere", "HTTP 404"), ("/page", "expected value")] {
        let world = with_oauth(&server, &json!({"authServerMetadataUrl": at(path)})).await;
        let done = log_in(&world, &[]).await;
        let sentence = format!("{path}, is no metadata of an authorization server: {detail}");
        assert!(done.code == Some(1) && done.stderr.contains(&sentence), "{}", done.stderr);
    }
}

#[tokio::test]
async fn logins_that_cannot_be_as_the_entry_wants_them_say_what_to_change() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    for (mode, oauth, expected) in [
        (
            "oauth",
            json!({"clientRegistration": "cimd"}),
            "takes no client ID metadata documents of public clients: remove",
        ),
        ("oauth-documents", json!({}), "put \"oauth\": {\"clientRegistration\": \"cimd\"} into the entry"),
        ("oauth", json!({"callbackPort": port}), &*format!("port {port} is not to be had")),
        (
            "oauth",
            json!({"callbackUrl": format!("http://localhost:{port}/x")}),
            &*format!("port {port} is not to be had"),
        ),
    ] {
        let server = HttpServer::start(mode);
        let world = with_oauth(&server, &oauth).await;
        let done = log_in(&world, &[]).await;
        assert_eq!(done.code, Some(1), "{oauth}: {}", done.stdout);
        assert!(done.stderr.contains(expected), "{oauth}: {}", done.stderr);
        assert!(!world.agent_dir().join("mcp-auth.json").exists());
    }
}
