//! A login that expires in the middle of a conversation.

use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_ai::auth::oauth::{OAuthCallbacks, OAuthContext, OAuthCredentials, OAuthProvider, OAuthRegistry};
use pi_ai::scripted::{ScriptedOptions, ScriptedProvider, ScriptedStep};
use pi_ai::{ApiRegistry, Clock, Error, LoginError, Model};
use pi_coding_agent::agent_session::PromptOptions;
use pi_coding_agent::auth_storage::AuthStorage;
use pi_coding_agent::env::Env;
use pi_coding_agent::models::ModelRegistry;
use pi_coding_agent::sdk::{CreateAgentSessionOptions, create_agent_session};
use serde_json::json;

use crate::support::says;

/// A clock that the test moves.
#[derive(Debug, Default)]
struct Moving(AtomicI64);

impl Clock for Moving {
    fn now_ms(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// A third party's logins: each lasts a second, and the third renewal fails.
#[derive(Debug, Default)]
struct Seconds(AtomicUsize);

impl OAuthProvider for Seconds {
    fn id(&self) -> &str {
        "seconds"
    }

    fn name(&self) -> &str {
        "Seconds"
    }

    fn login<'a>(
        &'a self,
        _: &'a dyn OAuthCallbacks,
        _: &'a OAuthContext,
    ) -> BoxFuture<'a, Result<OAuthCredentials, Error>> {
        async { Err(Error::Login(LoginError::Cancelled)) }.boxed()
    }

    fn refresh_token<'a>(
        &'a self,
        old: &'a OAuthCredentials,
        context: &'a OAuthContext,
    ) -> BoxFuture<'a, Result<OAuthCredentials, Error>> {
        let number = self.0.fetch_add(1, Ordering::SeqCst) + 1;
        let renewed = OAuthCredentials {
            access: format!("access-{number}"),
            expires: context.clock.now_ms() + 1000,
            ..old.clone()
        };
        async move {
            if number > 2 { Err(Error::Login(LoginError::Refused { detail: "no more".into() })) } else { Ok(renewed) }
        }
        .boxed()
    }

    fn api_key(&self, credentials: &OAuthCredentials) -> String {
        format!("key of {}", credentials.access)
    }
}

#[tokio::test]
async fn every_call_has_a_valid_key() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("auth.json");
    let login = json!({"type": "oauth", "refresh": "r", "access": "access-0", "expires": 1000});
    std::fs::write(&file, json!({"seconds": login}).to_string()).unwrap();
    let model = Model { id: "m".into(), provider: "seconds".into(), ..Model::default() };
    let provider = ScriptedProvider::new(ScriptedOptions {
        provider: "seconds".into(),
        models: vec![model],
        ..ScriptedOptions::default()
    });
    let (model, apis) = (provider.model(), ApiRegistry::empty());
    apis.register(Arc::new(provider.clone()));
    let keys: Arc<Mutex<Vec<String>>> = Arc::default();
    provider.set_steps((0..9).map(|_| {
        let keys = Arc::clone(&keys);
        ScriptedStep::new(move |call| {
            keys.lock().unwrap().push(call.options.api_key.unwrap_or_default());
            Ok(says("yes"))
        })
    }));
    let clock = Arc::new(Moving::default());
    let providers = OAuthRegistry::default();
    providers.register(Arc::new(Seconds::default()));
    let auth = AuthStorage::new(file, Env::fixed([("HOME", "/nowhere")]), Arc::clone(&clock) as Arc<dyn Clock>);
    let auth = Arc::new(auth.with_oauth(Arc::new(providers), OAuthContext::default()));
    let models = ModelRegistry::new(auth, Arc::new(provider.models().to_vec()), None);
    let options = CreateAgentSessionOptions {
        models: Some(Arc::new(models)),
        apis: Arc::new(apis),
        ..CreateAgentSessionOptions::in_memory(dir.path(), model, "unused")
    };
    let session = create_agent_session(options).unwrap().session;
    for now in [0, 999, 1000, 1500, 2000] {
        clock.0.store(now, Ordering::SeqCst);
        session.prompt("go on", PromptOptions::default()).await.unwrap();
    }
    let expected =
        ["access-0", "access-0", "access-1", "access-1", "access-2"].map(|access| format!("key of {access}"));
    assert_eq!(*keys.lock().unwrap(), expected);
    // The last one fails as a message of the conversation, and the conversation goes on.
    clock.0.store(5000, Ordering::SeqCst);
    session.prompt("go on", PromptOptions::default()).await.unwrap();
    let last = session.messages().last().cloned().unwrap();
    let error = last.as_assistant().unwrap().error_message.clone().unwrap();
    insta::assert_snapshot!(error, @r#"Authentication failed for "seconds". Credentials may have expired or network is unavailable. Run '/login seconds' to re-authenticate. (The login was refused: no more)"#);
    assert_eq!(keys.lock().unwrap().len(), 5, "nothing was sent without a key");
}
