//! Many sessions in one process: what they share, how they are found, how they end.

use std::sync::Arc;
use std::time::Duration;

use pi_ai::ApiRegistry;
use pi_ai::scripted::{ScriptedOptions, ScriptedProvider, ScriptedStep};
use pi_coding_agent::agent_session::PromptOptions;
use pi_coding_agent::auth_storage::AuthStorage;
use pi_coding_agent::env::Env;
use pi_coding_agent::models::ModelRegistry;
use pi_coding_agent::sdk::CreateAgentSessionOptions;
use pi_coding_agent::session_pool::{PoolOptions, SessionPool};
use serde_json::Map;
use tempfile::TempDir;

use crate::support::says;

const LIMIT: Duration = Duration::from_secs(20);

struct Place {
    dir: TempDir,
    provider: ScriptedProvider,
    pool: Arc<SessionPool>,
}

impl Place {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let provider = ScriptedProvider::new(ScriptedOptions::default());
        let apis = ApiRegistry::empty();
        apis.register(Arc::new(provider.clone()));
        let env = Env::fixed([("HOME", dir.path().to_str().unwrap())]);
        let auth = AuthStorage::in_memory(Map::new(), env.clone(), pi_ai::system_clock());
        auth.set_runtime_key(&provider.model().provider, "key");
        let models = ModelRegistry::new(Arc::new(auth), Arc::new(provider.models().to_vec()), None);
        let options = PoolOptions::builder().env(env).apis(Arc::new(apis)).models(Arc::new(models)).build();
        Self { dir, provider, pool: Arc::new(SessionPool::new(options)) }
    }
}

#[tokio::test]
async fn sessions_share_what_they_can_and_are_found_by_id() {
    let place = Place::new();
    let pool = &place.pool;
    let one = pool.create(pool.options(place.dir.path())).await.unwrap().session;
    let other = pool.create(pool.options(place.dir.path())).await.unwrap().session;
    assert!(
        Arc::ptr_eq(one.models().registry(), other.models().registry())
            && Arc::ptr_eq(one.settings(), other.settings())
    );
    assert!(Arc::ptr_eq(&one.system_prompt(), &other.system_prompt()));
    assert_eq!(pool.get(&one.session_id()).unwrap().session_id(), one.session_id());
    let mut ids = pool.ids();
    ids.sort();
    let mut expected = vec![one.session_id(), other.session_id()];
    expected.sort();
    assert_eq!(ids, expected);

    let id = one.session_id();
    place.provider.set_steps([says("said")]);
    one.prompt("hello", PromptOptions::default()).await.unwrap();
    let file = one.session_file().unwrap();
    let refused = pool.open(&file, pool.options(place.dir.path())).await.unwrap_err().to_string();
    assert!(refused.contains("is in use by"), "{refused}");
    pool.remove(&id, LIMIT).await.unwrap();
    assert!(pool.get(&id).is_none() && pool.remove(&id, LIMIT).await.is_err());
    drop(one);
    let again = pool.open(&file, pool.options(place.dir.path())).await.unwrap().session;
    assert_eq!((again.stats().message_count(), again.session_id(), pool.len()), (2, id, 2));
}

#[tokio::test]
async fn all_end_at_once_and_none_begins_any_more() {
    let place = Place::new();
    let pool = &place.pool;
    let steps = (0..3).map(|_| ScriptedStep::from_async(|_| std::future::pending()));
    place.provider.set_steps(steps);
    let mut runs = Vec::new();
    for _ in 0..3 {
        let session = pool.create(pool.options(place.dir.path())).await.unwrap().session;
        let run = session.clone();
        runs.push(tokio::spawn(async move { run.prompt("go", PromptOptions::default()).await }));
        while !session.is_streaming() {
            tokio::task::yield_now().await;
        }
    }
    pool.shutdown_all(LIMIT).await.unwrap();
    for run in runs {
        run.await.unwrap().unwrap();
    }
    assert!(pool.is_empty());
    let refused = pool.create(pool.options(place.dir.path())).await.unwrap_err().to_string();
    assert_eq!(refused, "The session is closed; open it again to send prompts.");
}

#[tokio::test]
async fn a_run_that_nobody_polls_holds_nobody_up() {
    let place = Place::new();
    let pool = &place.pool;
    place.provider.set_steps([ScriptedStep::from_async(|_| std::future::pending())]);
    let session = pool.create(pool.options(place.dir.path())).await.unwrap().session;
    let mut forgotten = Box::pin(session.prompt("go", PromptOptions::default()));
    while !session.is_streaming() {
        let _ = futures::poll!(&mut forgotten);
        tokio::task::yield_now().await;
    }
    let late = pool.shutdown_all(Duration::from_millis(50)).await.unwrap_err().to_string();
    assert!(late.starts_with(&format!("Not ended in time: {}.", session.session_id())), "{late}");
}

#[tokio::test]
async fn a_session_that_does_not_trust_its_project_gets_no_settings_of_one_that_does() {
    let place = Place::new();
    let (pool, dir) = (&place.pool, place.dir.path().join("project"));
    std::fs::create_dir_all(dir.join(".pi")).unwrap();
    std::fs::write(dir.join(".pi/settings.json"), r#"{"steeringMode": "all"}"#).unwrap();
    let mut trusted = Vec::new();
    for answer in [Some(true), Some(false), None, Some(true)] {
        let options = CreateAgentSessionOptions { project_trusted: answer, ..pool.options(&dir) };
        trusted.push(pool.create(options).await.unwrap().session);
    }
    let seen = trusted.iter().map(|session| {
        let of_resources = session.resources().places().trusted;
        (session.settings().is_project_trusted(), of_resources)
    });
    assert_eq!(seen.collect::<Vec<_>>(), [(true, true), (false, false), (false, false), (true, true)]);
    assert!(Arc::ptr_eq(trusted[0].settings(), trusted[3].settings()));
    pool.shutdown_all(LIMIT).await.unwrap();
}
