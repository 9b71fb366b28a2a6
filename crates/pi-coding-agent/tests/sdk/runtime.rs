//! One session at a time: callbacks around changes, set-up of new sessions, imports that leave nothing behind.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use futures::FutureExt;
use pi_ai::scripted::model;
use pi_ai::{Message, UserMessage};
use pi_coding_agent::agent_session::{AgentSession, ForkPosition, Replacement};
use pi_coding_agent::extension::events::{CancelOutcome, SessionBeforeSwitchEvent};
use pi_coding_agent::extension::{LoadOptions, NewSessionOptions, extension_fn, load_extensions};
use pi_coding_agent::runtime::{AgentSessionRuntime, SessionCallback};
use pi_coding_agent::sdk::CreateAgentSessionOptions;
use pi_coding_agent::session::{NewSession, SessionManager};
use serde_json::json;

use crate::support::{Stage, says};

fn callback(log: &Arc<Mutex<Vec<String>>>, word: &'static str) -> Arc<SessionCallback> {
    let log = Arc::clone(log);
    Arc::new(move |session: AgentSession| {
        log.lock().unwrap().push(format!("{word} {}", session.stats().message_count()));
        async {}.boxed()
    })
}

fn observed(stage: &Stage) -> (AgentSessionRuntime, Arc<Mutex<Vec<String>>>) {
    let log: Arc<Mutex<Vec<String>>> = Arc::default();
    let runtime = AgentSessionRuntime::new(stage.session.clone());
    runtime.set_before_session_invalidate(callback(&log, "leaving"));
    runtime.set_rebind_session(callback(&log, "arrived"));
    (runtime, log)
}

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[tokio::test]
async fn new_sessions_are_set_up_and_announced() {
    let dir = tempfile::tempdir().unwrap();
    let stage = Stage::in_files(dir.path(), vec![model("m")]);
    stage.script([says("one"), says("two")]);
    stage.prompt("hello").await;
    let (runtime, log) = observed(&stage);
    let first = stage.session.session_file().unwrap();
    let setup = Box::new(|manager: &mut SessionManager| {
        let message: Message = UserMessage::text("set up", 1).into();
        manager.append_message(Arc::new(message)).map(drop).map_err(Into::into)
    });
    let options = NewSessionOptions { parent_session: Some(first.clone()), setup: Some(setup), with_session: None };
    assert_eq!(runtime.new_session(options).await.unwrap(), Replacement::default());
    assert_eq!(stage.session.stats().message_count(), 1);
    let back = runtime.switch_session(&first, None).await.unwrap();
    assert!(!back.cancelled);
    let entry = stage.session.tree().fork_messages().await.unwrap()[0].entry_id.clone();
    let forked = runtime.fork(&entry, ForkPosition::Before).await.unwrap();
    assert_eq!(forked.selected_text.as_deref(), Some("hello"));
    runtime.dispose().await;
    let expected = ["leaving 2", "arrived 1", "leaving 1", "arrived 2", "leaving 2", "arrived 0", "leaving 0"];
    assert_eq!(*log.lock().unwrap(), expected);
}

#[tokio::test]
async fn a_session_is_imported_beside_one_of_the_same_name() {
    let dir = tempfile::tempdir().unwrap();
    let stage = Stage::in_files(dir.path(), vec![model("m")]);
    stage.script([says("one")]);
    stage.prompt("hello").await;
    let here = stage.session.session_file().unwrap();
    let sessions = here.parent().unwrap().to_owned();
    let foreign = dir.path().join("elsewhere").join(here.file_name().unwrap());
    fs::create_dir(foreign.parent().unwrap()).unwrap();
    let gone = dir.path().join("gone");
    let text = fs::read_to_string(&here).unwrap();
    fs::write(&foreign, text.replacen(dir.path().to_str().unwrap(), gone.to_str().unwrap(), 1)).unwrap();
    let (runtime, log) = observed(&stage);
    let before = (fs::read(&here).unwrap(), names(&sessions));

    let refused = runtime.import_from_jsonl(&foreign, None).await.unwrap_err().to_string();
    assert!(refused.contains(gone.to_str().unwrap()), "{refused}");
    let refused = runtime.import_from_jsonl(Path::new("/no/file.jsonl"), None).await.unwrap_err().to_string();
    assert_eq!(refused, "File not found: /no/file.jsonl");
    assert_eq!((fs::read(&here).unwrap(), names(&sessions)), before, "nothing was copied");
    assert!(log.lock().unwrap().is_empty(), "nothing was left");

    let cwd = dir.path().join("elsewhere");
    runtime.import_from_jsonl(&foreign, Some(&cwd)).await.unwrap();
    let imported = stage.session.session_file().unwrap();
    assert_eq!(imported.parent(), Some(&*sessions));
    assert_ne!(imported, here);
    assert_eq!(fs::read(&here).unwrap(), before.0);
    assert_eq!(stage.session.store().read(|manager| manager.cwd().to_owned()), cwd);
    assert_eq!(stage.session.stats().message_count(), 2);
}

#[tokio::test]
async fn a_copy_that_cannot_be_gone_to_is_removed() {
    let dir = tempfile::tempdir().unwrap();
    let stage = Stage::in_files(dir.path(), vec![model("m")]);
    stage.script([says("one")]);
    stage.prompt("hello").await;
    let here = stage.session.session_file().unwrap();
    let newer = dir.path().join("newer.jsonl");
    fs::write(&newer, fs::read_to_string(&here).unwrap().replacen("\"version\":3", "\"version\":99", 1)).unwrap();
    let before = names(here.parent().unwrap());
    let (runtime, _) = observed(&stage);
    let refused = runtime.import_from_jsonl(&newer, None).await.unwrap_err().to_string();
    assert!(refused.contains("reading only"), "{refused}");
    assert_eq!(names(here.parent().unwrap()), before);
    assert_eq!(stage.session.session_file(), Some(here));
}

#[tokio::test]
async fn a_runtime_is_created_from_options() {
    let dir = tempfile::tempdir().unwrap();
    let stage = Stage::new(json!({}), model("m"));
    let options = CreateAgentSessionOptions::in_memory(dir.path(), stage.session.model(), "key");
    let runtime = AgentSessionRuntime::create(options).await.unwrap();
    assert_eq!((runtime.session().stats().message_count(), runtime.model_fallback_message()), (0, None));
}

#[tokio::test]
async fn an_import_that_an_extension_calls_off_leaves_no_copy() {
    let dir = tempfile::tempdir().unwrap();
    let stays = extension_fn("stays", |pi| async move {
        pi.on(|_: SessionBeforeSwitchEvent, _| async { Ok(CancelOutcome::cancel()) });
        Ok(())
    });
    let extensions = load_extensions(&[stays], LoadOptions::default()).await;
    let cwd = dir.path().to_owned();
    let options = CreateAgentSessionOptions {
        extensions: extensions.into(),
        ..CreateAgentSessionOptions::in_memory(&cwd, Arc::new(model("m")), "key")
    };
    let host = crate::support::host(&cwd);
    let manager = SessionManager::create(host, &cwd, &NewSession::default()).unwrap();
    let sessions = manager.storage().dir().to_owned();
    let runtime = AgentSessionRuntime::create(CreateAgentSessionOptions { session_manager: Some(manager), ..options })
        .await
        .unwrap();
    let file = cwd.join("from-elsewhere.jsonl");
    let header =
        json!({"type": "session", "version": 3, "id": "abc", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": cwd});
    fs::write(&file, format!("{header}\n")).unwrap();
    assert!(runtime.import_from_jsonl(&file, None).await.unwrap().cancelled);
    assert!(file.exists());
    assert!(!sessions.join("from-elsewhere.jsonl").exists(), "{:?}", names(&sessions));
    runtime.dispose().await;
}
