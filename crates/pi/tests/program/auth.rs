//! `pi auth`: logins and keys, on a terminal and without one.

use std::fs;

use pi_ai::{Clock, SystemClock};
use serde_json::{Value, json};

use pi_test_kit::{Live, World};

/// An extension with a provider that has every step of a login.
const PROVIDER: &str = r#"
export default function (pi) {
    pi.registerProvider("house", {
        baseUrl: "http://127.0.0.1:9", api: "anthropic-messages",
        models: [{ id: "h1", name: "H1", reasoning: false, input: ["text"], contextWindow: 1000, maxTokens: 100,
            cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } }],
        oauth: {
            name: "The House",
            async login(callbacks) {
                callbacks.onAuth({ url: "https://house.example/login?state=1", instructions: "Come in." });
                const name = await callbacks.onPrompt({ message: "Your name" });
                return { refresh: "r-" + name, access: "a-" + name, expires: Date.now() + 3600000 };
            },
            async refreshToken(login) {
                return { ...login, access: "renewed", expires: Date.now() + 3600000 };
            },
            getApiKey(login) { return "key-" + login.access; },
        },
    });
}
"#;

fn stored(world: &World) -> Value {
    let text = fs::read_to_string(world.agent_dir().join("auth.json")).unwrap_or_else(|_| "{}".to_owned());
    serde_json::from_str(&text).unwrap()
}

/// The program on a terminal of its own.
fn on_terminal(world: &World, line: &str) -> Live {
    // The shell between the two gets interrupts, too.
    world.shell(&format!("exec script -qefc 'trap : INT; \"$PI\" {line}' /dev/null")).start()
}

#[tokio::test]
async fn a_key_is_entered_without_being_shown() {
    let world = World::empty();
    let mut pi = on_terminal(&world, "auth login openai");
    pi.until_text("it is not shown):").await;
    pi.send("sk-typed$1\r").await;
    let shown = pi.rest_of_text().await;
    assert_eq!(pi.finish_unread().await.0, 0, "{shown}");
    assert!(shown.contains("Stored an API key for openai") && !shown.contains("sk-typed"), "{shown}");
    assert_eq!(stored(&world)["openai"], json!({"type": "api_key", "key": "sk-typed$$1"}));
    assert_eq!(world.run(&["auth", "print-api-key", "openai"]).await.success(), "sk-typed$1\n");
}

#[tokio::test]
async fn an_interrupted_login_changes_nothing() {
    let world = World::empty();
    let mut pi = on_terminal(&world, "auth login openai; echo code $?; stty -a");
    pi.until_text("it is not shown):").await;
    pi.send("half\x03").await;
    let shown = pi.rest_of_text().await;
    assert!(shown.contains("Cancelled; nothing was changed") && shown.contains("code 130"), "{shown}");
    assert!(shown.contains(" echo ") && !shown.contains(" -echo "), "the terminal shows again what is typed: {shown}");
    assert!(stored(&world).get("openai").is_none());
}

#[tokio::test]
async fn a_login_of_an_extension_goes_through_the_terminal() {
    let world = World::empty();
    fs::create_dir_all(world.agent_dir().join("extensions")).unwrap();
    fs::write(world.agent_dir().join("extensions/house.ts"), PROVIDER).unwrap();
    let mut pi = on_terminal(&world, "auth login house");
    let shown = pi.until_text("Your name:").await;
    assert!(shown.contains("https://house.example/login?state=1") && shown.contains("Come in."), "{shown}");
    pi.send("ada\r").await;
    let shown = pi.rest_of_text().await;
    assert!(pi.finish_unread().await.0 == 0 && shown.contains("Logged in to The House."), "{shown}");
    assert_eq!(stored(&world)["house"]["access"], "a-ada");
    assert_eq!(world.run(&["auth", "print-api-key", "house"]).await.success(), "key-a-ada\n");
    assert_eq!(world.run(&["auth", "print-bearer-token", "house"]).await.success(), "a-ada\n");
    let mut expired = stored(&world);
    expired["house"]["expires"] = 1.into();
    world.write_config("auth.json", &expired);
    assert_eq!(world.run(&["auth", "print-bearer-token", "house"]).await.success(), "renewed\n");
    assert_eq!(stored(&world)["house"]["access"], "renewed");
}

#[tokio::test]
async fn what_to_log_in_to_is_asked() {
    let world = World::empty();
    let mut pi = on_terminal(&world, "auth login");
    pi.until_text("Provider:").await;
    pi.send("opnai\r").await;
    let shown = pi.until_text("Provider:").await;
    assert!(shown.contains("did you mean openai"), "{shown}");
    pi.send("openai\r").await;
    pi.until_text("it is not shown):").await;
    pi.send("sk-1\r").await;
    pi.rest_of_text().await;
    assert_eq!(stored(&world)["openai"]["key"], "sk-1");
    // Claude's login: the page is shown, and the code may be pasted; the end of the input cancels.
    let mut pi = on_terminal(&world, "auth login anthropic");
    let shown = pi.until_text("Or paste the code").await;
    assert!(shown.contains("https://claude.ai/oauth/authorize?"), "{shown}");
    pi.send("\x04").await;
    let shown = pi.rest_of_text().await;
    assert!(shown.contains("Cancelled"), "{shown}");
}

#[tokio::test]
async fn without_a_terminal_every_command_says_what_is_wrong() {
    let world = World::empty();
    world.write_config(
        "auth.json",
        &json!({"openai": {"type": "api_key", "key": "sk-stored"}, "groq": {"type": "api_key", "key": "k"}}),
    );
    let mut text = String::new();
    for args in [
        &["auth"][..],
        &["auth", "login"],
        &["auth", "login", "openai"],
        &["auth", "login", "github-copilot"],
        &["auth", "login", "github-copilot", "--with-key"],
        &["auth", "login", "claude"],
        &["auth", "login", "opnai"],
        &["auth", "login", "openai", "--with-key"],
        &["auth", "logout"],
        &["auth", "logout", "opnai"],
        &["auth", "logout", "mistral"],
        &["auth", "print-api-key", "mistral"],
        &["auth", "print-api-key", "github-copilot"],
        &["auth", "print-api-key", "nobody"],
        &["auth", "print-bearer-token", "openai"],
        &["auth", "print-bearer-token", "anthropic"],
        &["auth", "check", "mistral"],
        &["auth", "check", "mistrall"],
        &["auth", "chekc"],
    ] {
        let run = world.run(args).await;
        text.push_str(&format!("$ pi {}\n{}{}[{}]\n\n", args.join(" "), run.stdout, run.stderr, run.code.unwrap()));
    }
    insta::assert_snapshot!(text);
    assert_eq!(stored(&world).as_object().unwrap().len(), 2);
    assert!(!text.contains("sk-stored"));
}

#[tokio::test]
async fn keys_are_stored_checked_printed_and_forgotten_by_scripts() {
    let world = World::empty();
    let stored_key = world.pi(&["auth", "login", "openai", "--with-key"]).stdin("sk-piped\n").run().await;
    assert_eq!((stored_key.code, stored_key.stdout.as_str()), (Some(0), ""));
    assert_eq!(world.run(&["auth", "print-api-key", "openai"]).await.success(), "sk-piped\n");
    assert_eq!(world.run(&["auth", "print-api-key"]).await.success(), "sk-piped\n", "that of the default model");
    let expires = SystemClock.now_ms() + 3_600_000;
    let mut auth = stored(&world);
    auth["anthropic"] = json!({"type": "oauth", "refresh": "r", "access": "sk-ant-oat", "expires": expires});
    world.write_config("auth.json", &auth);
    for command in ["check", "status"] {
        let checked = world.run(&["auth", command]).await.success();
        assert!(checked.contains("openai: from auth.json") && checked.contains("anthropic: a login"), "{checked}");
    }
    let checked = world.pi(&["auth", "check", "--json"]).env("GROQ_API_KEY", "sk-groq").run().await.success();
    let checked: Value = serde_json::from_str(&checked).unwrap();
    assert_eq!(checked["ok"], true);
    let of =
        |name: &str| checked["providers"].as_array().unwrap().iter().find(|it| it["provider"] == name).unwrap().clone();
    assert_eq!((&of("anthropic")["type"], &of("anthropic")["expired"]), (&"oauth".into(), &false.into()));
    assert_eq!((&of("openai")["source"], &of("groq")["source"]), (&"auth.json".into(), &"GROQ_API_KEY".into()));
    assert!(!checked.to_string().contains("sk-"), "{checked}");
    assert_eq!(world.run(&["auth", "print-bearer-token", "anthropic"]).await.success(), "sk-ant-oat\n");
    let out = world.pi(&["auth", "logout", "openai"]).env("OPENAI_API_KEY", "x").run().await;
    assert!(out.code == Some(0) && out.stderr.contains("still has a key: OPENAI_API_KEY is set"), "{}", out.stderr);
    assert!(stored(&world).get("openai").is_none() && stored(&world).get("anthropic").is_some());
    assert_eq!(world.run(&["auth", "logout"]).await.code, Some(0), "the only one that is left");
    let none = world.run(&["auth", "check", "--json"]).await;
    let value: Value = serde_json::from_str(&none.stdout).unwrap();
    assert_eq!((none.code, &value["ok"], value["providers"].as_array().unwrap().len()), (Some(1), &false.into(), 0));
}

/// Credentials of a cloud are there without a key, and a stored key that cannot be resolved gives way to the environment.
#[tokio::test]
async fn keys_that_only_the_environment_has_are_known() {
    let world = World::empty();
    let checked = async |args: &[&str], variable: (&str, &str)| {
        let ended = world.pi(&[&["auth", "check"], args].concat()).env(variable.0, variable.1).run().await;
        (ended.code, ended.stdout)
    };
    let (code, text) = checked(&["amazon-bedrock"], ("AWS_PROFILE", "work")).await;
    assert!(code == Some(0) && text.contains("from the environment, AWS_PROFILE"), "{text}");
    let (_, json) = checked(&["amazon-bedrock", "--json"], ("AWS_PROFILE", "work")).await;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["ok"], &json["providers"][0]["source"]), (&true.into(), &"AWS_PROFILE".into()));
    let doctor = world.pi(&["doctor"]).env("AWS_PROFILE", "work").run().await.stdout;
    assert!(doctor.contains("from the environment, AWS_PROFILE"), "{doctor}");
    assert_eq!(checked(&["amazon-bedrock"], ("AWS_REGION", "eu-west-1")).await.0, Some(1), "a region is no key");

    world.write_config("auth.json", &json!({"openai": {"type": "api_key", "key": "$NOPE"}}));
    let (code, text) = checked(&["openai"], ("OPENAI_API_KEY", "sk-env")).await;
    assert!(code == Some(0) && text.contains("NOPE; OPENAI_API_KEY from the environment is used"), "{text}");
    let (code, text) = checked(&["openai"], ("OTHER", "x")).await;
    assert!(code == Some(1) && text.contains("names a variable that is not set: NOPE"), "{text}");
    let (code, text) = checked(&["openai"], ("NOPE", "sk-1")).await;
    assert!(code == Some(0) && text.contains("from auth.json"), "{text}");
}

#[tokio::test]
async fn a_file_of_keys_that_cannot_be_read_is_left_alone() {
    let world = World::empty();
    let file = world.agent_dir().join("auth.json");
    fs::write(&file, "{ broken").unwrap();
    for args in [
        &["auth", "login", "openai", "--with-key"][..],
        &["auth", "logout", "openai"],
        &["auth", "print-bearer-token", "anthropic"],
        &["auth", "check"],
    ] {
        let run = world.pi(args).stdin("sk-1").run().await;
        let said = format!("{}{}", run.stdout, run.stderr);
        assert!(run.code == Some(1) && said.contains("auth.json") && !said.contains("sk-1"), "{args:?}: {said}");
        assert_eq!(fs::read_to_string(&file).unwrap(), "{ broken");
    }
}
