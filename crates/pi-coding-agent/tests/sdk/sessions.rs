//! Going to other sessions: in files, of other directories, forks, copies, and refusals that change nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pi_ai::ThinkingLevel;
use pi_ai::scripted::model;
use pi_coding_agent::agent_session::{AgentSession, BashOptions, ForkPosition};
use pi_coding_agent::prompt::{PromptResources, ResourceOptions, ResourcePlaces};
use pi_coding_agent::sdk::CreateAgentSessionOptions;
use pi_coding_agent::session::SessionManager;
use pi_coding_agent::settings::SettingsManager;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Stage, host, made, runs, says};

/// Two project directories, each with instructions of its own.
struct Projects(TempDir);

impl Projects {
    fn new() -> Self {
        let projects = Self(tempfile::tempdir().unwrap());
        for name in ["here", "there"] {
            fs::create_dir_all(projects.dir(name).join(".pi")).unwrap();
            fs::write(projects.dir(name).join(".pi/APPEND_SYSTEM.md"), format!("orders of {name}")).unwrap();
            fs::write(projects.dir(name).join("AGENTS.md"), format!("rules of {name}")).unwrap();
        }
        projects
    }

    fn dir(&self, name: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(name)
    }

    /// A finished conversation in a file.
    fn written(&self, cwd: &Path, header: &Value) -> PathBuf {
        let time = "2026-01-01T00:00:00.000Z";
        let mut lines = vec![json!({"type": "session", "version": 3, "id": "other", "timestamp": time, "cwd": cwd})];
        lines[0].as_object_mut().unwrap().extend(header.as_object().unwrap().clone());
        let entries = [
            json!({"type": "model_change", "provider": "faux", "modelId": "second"}),
            json!({"type": "thinking_level_change", "thinkingLevel": "low"}),
            json!({"type": "message", "message": {"role": "user", "content": "asked there", "timestamp": 1}}),
            json!({"type": "message", "message": {"role": "assistant", "content": [{"type": "text", "text": "said there"}],
                "api": "faux", "provider": "faux", "model": "second", "stopReason": "stop", "timestamp": 2,
                "usage": {"input": 1, "output": 1, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 2,
                    "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}}}}),
        ];
        let mut parent = Value::Null;
        for (number, mut entry) in entries.into_iter().enumerate() {
            let id = json!(format!("aaaa000{number}"));
            let base = json!({"id": id, "parentId": parent, "timestamp": time});
            entry.as_object_mut().unwrap().extend(base.as_object().unwrap().clone());
            parent = id;
            lines.push(entry);
        }
        let file = self.0.path().join(format!("written-{}.jsonl", fs::read_dir(self.0.path()).unwrap().count()));
        fs::write(&file, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
        file
    }

    fn stage(&self) -> Stage {
        let models = ["first", "second"].map(|id| pi_ai::Model { reasoning: true, ..model(id) });
        Stage::in_files(&self.dir("here"), models.to_vec())
    }
}

/// The texts of the conversation.
fn texts(session: &AgentSession) -> Vec<String> {
    let text = |message: &pi_ai::Message| match message {
        pi_ai::Message::User(user) => user.content.to_text(),
        pi_ai::Message::Assistant(answer) => answer.error_message.clone().unwrap_or_else(|| answer.text()),
        other => other.role().to_owned(),
    };
    session.messages().iter().map(|message| text(message)).collect()
}

/// Everything that a refusal must not change.
fn state(session: &AgentSession) -> impl PartialEq + std::fmt::Debug + use<> {
    let named = (session.session_id(), session.session_file(), session.name().get(), session.system_prompt());
    (named, texts(session), session.model().id.clone(), session.thinking().level())
}

async fn pwd(session: &AgentSession) -> String {
    session.shell().run("pwd -P", BashOptions::default()).await.unwrap().output.trim_end().to_owned()
}

#[tokio::test]
async fn another_file_brings_its_model_its_level_and_its_directory() {
    let projects = Projects::new();
    let file = projects.written(&projects.dir("there"), &json!({}));
    let stage = projects.stage();
    stage.script([says("said here"), runs("pwd -P"), says("went on")]);
    stage.prompt("asked here").await;
    let session = &stage.session;
    let before = (session.session_file().unwrap(), session.thinking().level());
    assert!(session.system_prompt().contains("rules of here") && session.system_prompt().contains("orders of here"));

    session.switch().to(&file).await.unwrap();

    assert_eq!((session.session_id(), session.session_file()), ("other".to_owned(), Some(file.clone())));
    assert_eq!((session.model().id.as_str(), session.thinking().level()), ("second", ThinkingLevel::Low));
    assert_eq!(texts(session), ["asked there", "said there"]);
    let prompt = session.system_prompt();
    assert!(prompt.contains("rules of there") && !prompt.contains("of here"), "{prompt}");
    assert!(!prompt.contains("orders of there"), "nobody trusted that project: {prompt}");
    assert_eq!(pwd(session).await, projects.dir("there").to_str().unwrap());
    stage.prompt("go on").await;
    let result = session.messages().iter().find_map(|message| match &**message {
        pi_ai::Message::ToolResult(result) => Some(result.content[0].as_text().unwrap().trim_end().to_owned()),
        _ => None,
    });
    assert_eq!(result.as_deref(), projects.dir("there").to_str());
    let kinds = ["model_change", "thinking_level_change"].into_iter().chain(["message"; 7]);
    assert_eq!(stage.entries(), kinds.collect::<Vec<_>>());

    session.switch().to(&before.0).await.unwrap();

    assert_eq!(texts(session), ["asked here", "said here"]);
    assert_eq!((session.model().id.as_str(), session.thinking().level()), ("first", before.1));
    assert!(session.system_prompt().contains("orders of here"), "this one still is trusted");
    assert_eq!(pwd(session).await, projects.dir("here").to_str().unwrap());
}

#[tokio::test]
async fn the_settings_of_a_trusted_project_come_with_its_directory() {
    let projects = Projects::new();
    for name in ["here", "there"] {
        let (prefix, skill) =
            (format!("echo prefix of {name}"), format!("---\nname: of-{name}\ndescription: d\n---\n"));
        let settings = json!({"shellCommandPrefix": prefix, "skills": ["listed"]});
        fs::write(projects.dir(name).join(".pi/settings.json"), settings.to_string()).unwrap();
        fs::create_dir_all(projects.dir(name).join(".pi/listed")).unwrap();
        fs::write(projects.dir(name).join(".pi/listed/a.md"), skill).unwrap();
    }
    let here = projects.dir("here");
    let files = ["here", "there"].map(|name| projects.written(&projects.dir(name), &json!({})));
    for (trusted, output, skills) in [(true, "prefix of there\nran\n", vec!["of-there"]), (false, "ran\n", vec![])] {
        let host = host(&here);
        let settings = SettingsManager::load(&host.paths, &here, true, pi_ai::system_clock());
        let manager = SessionManager::open(host, &files[0], None).unwrap();
        let models = ["first", "second"].map(model).to_vec();
        let stage = Stage::with_options(json!({}), models, |options| CreateAgentSessionOptions {
            session_manager: Some(manager),
            settings: Some(Arc::new(settings)),
            resources: Some(PromptResources::new(places(&here), ResourceOptions::default())),
            trusts: Some(Arc::new(move |_| trusted)),
            warn: Arc::new(|text: &str| panic!("{text}")),
            ..options
        });
        let session = &stage.session;
        let run = async || session.shell().run("echo ran", BashOptions::default()).await.unwrap().output;
        assert_eq!(run().await, "prefix of here\nran\n");
        session.switch().to(&files[1]).await.unwrap();
        assert_eq!(run().await, output);
        let names: Vec<_> = session.resources().skills().items.iter().map(|skill| skill.name.clone()).collect();
        assert_eq!(names, skills);
        session.switch().to(&files[0]).await.unwrap();
        assert_eq!(run().await, "prefix of here\nran\n");
        session.dispose().await;
    }
}

fn places(cwd: &Path) -> ResourcePlaces {
    let (cwd, project_dir) = (cwd.to_owned(), cwd.join(".pi"));
    ResourcePlaces { agent_dir: cwd.join("agent"), home: None, cwd, project_dir, trusted: true }
}

#[tokio::test]
async fn a_file_that_does_not_exist_is_a_new_session_in_it() {
    let projects = Projects::new();
    let stage = projects.stage();
    stage.script([says("one")]);
    // Relative to where the program was started, as by `host`.
    stage.session.switch().to(Path::new("new.jsonl")).await.unwrap();
    let file = projects.dir("here").join("new.jsonl");
    assert_eq!(stage.session.session_file(), Some(file.clone()));
    assert!(!file.exists());
    stage.prompt("hi").await;
    assert!(file.exists());
    assert_eq!(stage.entries(), ["model_change", "thinking_level_change", "message", "message"]);
}

#[tokio::test]
async fn who_is_refused_stays_and_goes_on() {
    let projects = Projects::new();
    let stage = projects.stage();
    let session = &stage.session;
    stage.script([runs("touch started; until [ -e go ]; do sleep 0.01; done"), says("done"), says("more")]);
    let locked = projects.written(&projects.dir("there"), &json!({}));
    let holder = SessionManager::open(host(&projects.dir("here")), &locked, None).unwrap();
    let none = projects.0.path().join("none.txt");
    fs::write(&none, "no session").unwrap();
    let cases = [
        (locked, "is in use by"),
        (none, "Not a session file"),
        (projects.written(&projects.dir("nowhere"), &json!({})), "Stored session working directory does not exist"),
        (projects.written(&projects.dir("there"), &json!({"version": 99})), "is open for reading only"),
        (projects.dir("here").join("AGENTS.md/x.jsonl"), "session directory"),
    ];
    let refusals = async {
        made(&projects.dir("here").join("started")).await;
        let before = state(session);
        for (file, expected) in &cases {
            let content = fs::read(file).ok();
            let refused = session.switch().to(file).await.unwrap_err().to_string();
            assert!(refused.contains(expected), "{refused}");
            assert_eq!(state(session), before, "{refused}");
            assert_eq!(fs::read(file).ok(), content, "{refused}");
        }
        for entry in ["deadbeef", ""] {
            let refused = session.tree().fork(entry, ForkPosition::Before).await.unwrap_err().to_string();
            assert_eq!(refused, "Invalid entry ID for forking");
        }
        assert!(session.is_streaming());
        fs::write(projects.dir("here").join("go"), "").unwrap();
    };
    tokio::join!(stage.prompt("go on"), refusals);
    drop(holder);
    stage.prompt("more?").await;
    assert_eq!(texts(session), ["go on", "", "toolResult", "done", "more?", "more"]);
    assert_eq!(stage.entries().len(), 2 + 6);
}

#[tokio::test]
async fn a_run_is_stopped_and_stored_and_nothing_of_it_follows() {
    let projects = Projects::new();
    let file = projects.written(&projects.dir("there"), &json!({}));
    let stage = projects.stage();
    let session = &stage.session;
    stage.script([runs("touch started; sleep 30"), says("next")]);
    let old = session.session_file().unwrap();
    let leave = async {
        made(&projects.dir("here").join("started")).await;
        session.queue().follow_up("never sent", Vec::new()).await.unwrap();
        let command = async { session.shell().run("echo mine; touch mine; sleep 30", BashOptions::default()).await };
        let switch = async {
            made(&projects.dir("here").join("mine")).await;
            session.switch().to(&file).await.unwrap();
            // Also what begins while the session is being changed belongs to the new one.
            stage.prompt("asked after").await;
        };
        tokio::join!(command, switch).0.unwrap()
    };
    let (_, command) = tokio::join!(stage.prompt("go on"), leave);
    assert!(command.cancelled);
    assert_eq!(texts(session), ["asked there", "said there", "asked after", "next"]);
    assert_eq!(session.queue().count(), 0);
    let kept = fs::read_to_string(old).unwrap();
    let lines: Vec<Value> = kept.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let roles: Vec<&str> = lines.iter().filter_map(|line| line["message"]["role"].as_str()).collect();
    assert_eq!(roles, ["user", "assistant", "toolResult", "assistant", "bashExecution"]);
    assert_eq!(lines[lines.len() - 2]["message"]["stopReason"], "aborted");
}

#[tokio::test]
async fn a_prompt_during_a_switch_belongs_to_the_new_session() {
    let projects = Projects::new();
    let file = projects.written(&projects.dir("there"), &json!({}));
    let stage = projects.stage();
    stage.script([says("one"), says("two")]);
    stage.prompt("first").await;
    let old = stage.session.session_file().unwrap();
    let before = fs::read(&old).unwrap();
    let (switched, ()) = tokio::join!(stage.session.switch().to(&file), stage.prompt("second"));
    switched.unwrap();
    assert_eq!(texts(&stage.session), ["asked there", "said there", "second", "two"]);
    assert_eq!(fs::read(&old).unwrap(), before);
}

#[tokio::test]
async fn the_file_that_is_open_can_be_switched_to() {
    let projects = Projects::new();
    let stage = projects.stage();
    stage.script([says("one"), runs("touch started; sleep 30"), says("three")]);
    let session = &stage.session;
    let file = session.session_file().unwrap();
    session.switch().to(&file).await.unwrap();
    assert!(!file.exists());
    stage.prompt("first").await;
    let id = session.session_id();
    let switch = async {
        made(&projects.dir("here").join("started")).await;
        session.switch().to(&file).await.unwrap();
    };
    tokio::join!(stage.prompt("second"), switch);
    assert_eq!((session.session_id(), session.messages().len()), (id, 6));
    stage.prompt("third").await;
    assert_eq!(texts(session).last().unwrap(), "three");
    assert_eq!(session.store().read(|manager| manager.entries().count().unwrap()), 4 + 8);
}

/// Texts of all user messages with their entries.
fn asked(session: &AgentSession) -> Vec<(String, String)> {
    let question = |entry: pi_coding_agent::session::StoredEntry| {
        let message = entry.parse().into_message()?;
        let pi_ai::Message::User(user) = &*message else { return None };
        Some((entry.id().to_owned(), user.content.to_text()))
    };
    session.store().read(|manager| manager.entries().iter().filter_map(|entry| question(entry.unwrap())).collect())
}

async fn forks(stage: &Stage) {
    let session = &stage.session;
    stage.script([says("r1"), says("r2"), says("r3"), says("r4"), says("r5")]);
    for text in ["p1", "p2", "p3"] {
        stage.prompt(text).await;
    }
    let (old, questions) = (session.session_file(), asked(session));
    let answer = session.store().read(|manager| manager.leaf_id().unwrap().to_owned());
    let refused = session.tree().fork(&answer, ForkPosition::Before).await.unwrap_err().to_string();
    assert_eq!(refused, "Invalid entry ID for forking");
    let kept = old.as_deref().map(|file| fs::read(file).unwrap());

    assert_eq!(
        session.tree().fork(&questions[1].0, ForkPosition::Before).await.unwrap().selected_text.as_deref(),
        Some("p2")
    );
    assert_eq!(texts(session), ["p1", "r1"]);
    let parent = session.store().read(|manager| manager.header().parent_session.clone());
    assert_eq!(parent.map(PathBuf::from), old);
    stage.prompt("p2 anew").await;
    assert_eq!(texts(session), ["p1", "r1", "p2 anew", "r4"]);

    let before = (session.session_id(), texts(session));
    session.tree().clone_branch().await.unwrap();
    assert_ne!(session.session_id(), before.0);
    assert_eq!(texts(session), before.1);

    assert_eq!(
        session.tree().fork(&questions[0].0, ForkPosition::Before).await.unwrap().selected_text.as_deref(),
        Some("p1")
    );
    assert_eq!(texts(session), Vec::<String>::new());
    stage.prompt("p1 anew").await;
    assert_eq!(texts(session), ["p1 anew", "r5"]);
    assert_eq!(session.tree().fork(&asked(session)[0].0, ForkPosition::At).await.unwrap().selected_text, None);
    assert_eq!(texts(session), ["p1 anew"]);
    assert_eq!(old.as_deref().map(|file| fs::read(file).unwrap()), kept, "the old session stays as it is");
}

#[tokio::test]
async fn forks_in_memory() {
    forks(&Stage::new(json!({}), model("m"))).await;
}

#[tokio::test]
async fn forks_in_files() {
    forks(&Projects::new().stage()).await;
}

#[tokio::test]
async fn a_session_without_a_file_cannot_be_branched() {
    let projects = Projects::new();
    let stage = projects.stage();
    let before = state(&stage.session);
    let leaf = stage.session.store().read(|manager| manager.leaf_id().unwrap().to_owned());
    let expected = format!("Entry {leaf} not found");
    assert_eq!(stage.session.tree().clone_branch().await.unwrap_err().to_string(), expected);
    assert_eq!(stage.session.tree().fork(&leaf, ForkPosition::At).await.unwrap_err().to_string(), expected);
    assert_eq!(state(&stage.session), before);
}

#[tokio::test]
async fn a_summary_that_is_being_made_is_given_up() {
    let projects = Projects::new();
    let file = projects.written(&projects.dir("there"), &json!({}));
    let stage = projects.stage();
    stage.script([says(&"one ".repeat(60_000)), says("two")]);
    stage.prompt("first").await;
    stage.prompt("second").await;
    let old = stage.session.session_file().unwrap();
    stage.hold_summaries(true);
    let switch = async {
        stage.summary_request().await;
        stage.session.switch().to(&file).await.unwrap();
        stage.hold_summaries(false);
    };
    let (compacted, ()) = tokio::join!(stage.session.compaction().run(None), switch);
    assert_eq!(compacted.unwrap_err().to_string(), "Compaction cancelled");
    assert_eq!(texts(&stage.session), ["asked there", "said there"]);
    for file in [old, file] {
        assert!(!fs::read_to_string(file).unwrap().contains("SUMMARY"));
    }
}
