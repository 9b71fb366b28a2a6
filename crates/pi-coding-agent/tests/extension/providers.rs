//! Providers that extensions bring: checked, asked, changed, taken back.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use pi_ai::auth::oauth::{OAuthCallbacks, OAuthContext, OAuthCredentials, OAuthProvider};
use pi_ai::scripted::{self, ScriptedProvider, ScriptedStep};
use pi_ai::{ApiRegistry, Model};
use pi_coding_agent::auth_storage::AuthStorage;
use pi_coding_agent::env::Env;
use pi_coding_agent::extension::{
    Command, Extension, ExtensionApi, LoadOptions, ProviderRegistration, load_extensions, register_providers,
};
use pi_coding_agent::models::ModelRegistry;
use pi_coding_agent::sdk::CreateAgentSessionOptions;
use serde_json::{Map, Value, json};

use crate::support::{Handle, Stage, extension, says, stage, stage_with};

async fn acting() -> (Stage, ExtensionApi) {
    let handle = Handle::default();
    let stage = stage(&[handle.extension(|_| {})]).await;
    (stage, handle.api())
}

fn model(id: &str) -> Value {
    json!({"id": id, "name": id.to_uppercase(), "reasoning": false, "input": ["text"],
        "cost": {"input": 1, "output": 2, "cacheRead": 0, "cacheWrite": 0}, "contextWindow": 1000, "maxTokens": 100})
}

/// A provider with these models that speaks the scripted format.
fn corp(models: &[&str]) -> ProviderRegistration {
    ProviderRegistration {
        base_url: Some("http://corp.example".to_owned()),
        api_key: Some("$CORP_KEY".to_owned()),
        api: Some("faux".to_owned()),
        models: Some(models.iter().map(|id| model(id)).collect()),
        ..ProviderRegistration::default()
    }
}

fn listed(stage: &Stage, provider: &str) -> Vec<String> {
    let models = stage.session.models().registry().models_of(provider);
    models.iter().map(|model| format!("{} {}", model.id, model.base_url)).collect()
}

#[tokio::test]
async fn what_does_not_hold_together_is_refused_and_changes_nothing() {
    let (stage, pi) = acting().await;
    let refused = |registration| pi.register_provider("corp", registration).unwrap_err().to_string();
    let stream: Arc<dyn pi_ai::Api> = Arc::new(stage.provider.clone());
    let mut texts = vec![
        refused(ProviderRegistration { stream: Some(stream), ..ProviderRegistration::default() }),
        refused(ProviderRegistration { base_url: None, ..corp(&["m"]) }),
        refused(ProviderRegistration { api_key: None, ..corp(&["m"]) }),
        refused(ProviderRegistration { api: None, ..corp(&["m"]) }),
    ];
    for (key, value) in
        [("id", json!("")), ("cost", json!({"input": 1})), ("contextWindow", json!(0)), ("input", json!(["smell"]))]
    {
        let mut odd = model("m");
        odd[key] = value;
        texts.push(refused(ProviderRegistration { models: Some(vec![odd]), ..corp(&[]) }));
    }
    insta::assert_snapshot!(texts.join("\n"));
    assert_eq!(listed(&stage, "corp"), [""; 0]);
}

#[tokio::test]
async fn models_take_the_place_of_all_others_and_return() {
    let (stage, pi) = acting().await;
    let before = listed(&stage, "faux");
    pi.register_provider("corp", corp(&["a", "b"])).unwrap();
    pi.register_provider("faux", corp(&["mine"])).unwrap();
    assert_eq!(listed(&stage, "corp"), ["a http://corp.example", "b http://corp.example"]);
    assert_eq!(listed(&stage, "faux"), ["mine http://corp.example"]);
    assert!(
        stage.session.models().registry().available().iter().any(|model| model.provider == "corp"),
        "its key is configured"
    );
    pi.unregister_provider("nobody").unwrap();
    pi.unregister_provider("faux").unwrap();
    assert_eq!(listed(&stage, "faux"), before);
    assert_eq!(listed(&stage, "corp"), ["a http://corp.example", "b http://corp.example"], "the others stay");
    // What is said once more changes only what it names.
    let again = ProviderRegistration { base_url: Some("http://new.example".into()), ..ProviderRegistration::default() };
    pi.register_provider("corp", again).unwrap();
    assert_eq!(listed(&stage, "corp"), ["a http://new.example", "b http://new.example"]);
    pi.register_provider(
        "corp",
        ProviderRegistration {
            name: Some("The Corp".into()),
            models: Some(vec![model("c")]),
            ..ProviderRegistration::default()
        },
    )
    .unwrap();
    assert_eq!(listed(&stage, "corp"), ["c http://new.example"]);
    assert_eq!(stage.session.models().registry().display_name("corp"), "The Corp");
}

#[tokio::test]
async fn an_endpoint_and_headers_alone_change_existing_models() {
    let (stage, pi) = acting().await;
    let headers = BTreeMap::from([("x-team".to_owned(), "$CORP_KEY".to_owned())]);
    let base_url = Some("http://proxy.example".to_owned());
    let over = ProviderRegistration {
        base_url,
        headers: Some(headers),
        auth_header: Some(true),
        ..ProviderRegistration::default()
    };
    pi.register_provider("faux", over).unwrap();
    assert_eq!(listed(&stage, "faux"), ["one http://proxy.example", "two http://proxy.example"]);
    // The session's model is the new one, and its requests have the headers.
    assert_eq!(stage.session.model().base_url, "http://proxy.example");
    let auth = stage.session.models().registry().request_auth(&stage.session.model()).await.unwrap();
    let expected = [("Authorization", "Bearer key"), ("x-team", "from-env")];
    assert_eq!(auth.headers, expected.map(|(name, value)| (name.to_owned(), value.to_owned())).into());
    pi.unregister_provider("faux").unwrap();
    assert_eq!(stage.session.model().base_url, "http://localhost:0");
}

#[tokio::test]
async fn a_bearer_header_needs_a_key() {
    let (stage, pi) = acting().await;
    let mine = ProviderRegistration { api_key: Some("$NOT_SET".into()), auth_header: Some(true), ..corp(&["m"]) };
    pi.register_provider("corp", mine).unwrap();
    let model = stage.session.models().registry().find("corp", "m").unwrap();
    assert!(!stage.session.models().registry().has_configured_auth(&model));
    let text = stage.session.models().registry().request_auth(&model).await.unwrap_err().to_string();
    assert!(text.contains("corp"), "{text}");
}

#[tokio::test]
async fn a_key_gives_way_to_stored_and_given_ones() {
    let (stage, pi) = acting().await;
    pi.register_provider("corp", corp(&["m"])).unwrap();
    let models = Arc::clone(stage.session.models().registry());
    let key = || async { models.provider_key("corp").await.map(|key| key.expose().to_owned()) };
    assert_eq!(key().await.as_deref(), Some("from-env"));
    models.auth().set_runtime_key("corp", "given");
    assert_eq!(key().await.as_deref(), Some("given"));
}

#[tokio::test]
async fn a_wire_format_of_its_own_answers_and_ends_with_it() {
    let (stage, pi) = acting().await;
    let own = ScriptedProvider::playing([says("from the corp")]);
    let registration =
        ProviderRegistration { api: Some("corp-api".into()), stream: Some(Arc::new(own.clone())), ..corp(&["m"]) };
    pi.register_provider("corp", registration).unwrap();
    let model = stage.session.models().registry().find("corp", "m").unwrap();
    assert!(pi.set_model(model).await.unwrap());
    stage.prompt("go").await;
    assert_eq!(stage.messages(), ["user: go", "assistant: from the corp"]);
    pi.unregister_provider("corp").unwrap();
    stage.session.models().registry().auth().set_runtime_key("corp", "key");
    stage.prompt("again").await;
    let last = stage.session.messages().pop().unwrap();
    let error = last.as_assistant().unwrap().error_message.clone().unwrap();
    assert!(error.starts_with("No API provider registered for api: corp-api"), "{error}");
}

#[tokio::test]
async fn one_that_replaces_a_wire_format_gives_it_back() {
    let (stage, pi) = acting().await;
    let own = ScriptedProvider::playing([says("mine"), says("mine too")]);
    let over = || ProviderRegistration {
        api: Some("faux".into()),
        stream: Some(Arc::new(own.clone())),
        ..ProviderRegistration::default()
    };
    stage.script([says("theirs")]);
    pi.register_provider("a", over()).unwrap();
    pi.register_provider("b", over()).unwrap();
    // Taken back in the order of registration: what the second displaced is what the first had displaced.
    stage.prompt("1").await;
    pi.unregister_provider("a").unwrap();
    stage.prompt("2").await;
    pi.unregister_provider("b").unwrap();
    stage.prompt("3").await;
    let answers: Vec<_> = stage.messages().into_iter().filter(|line| line.starts_with("assistant")).collect();
    assert_eq!(answers, ["assistant: mine", "assistant: mine too", "assistant: theirs"]);
}

#[derive(Debug)]
struct Login;

impl OAuthProvider for Login {
    fn id(&self) -> &str {
        "some-other-name"
    }

    fn name(&self) -> &str {
        "Corp Login"
    }

    fn login<'a>(
        &'a self,
        _: &'a dyn OAuthCallbacks,
        _: &'a OAuthContext,
    ) -> futures::future::BoxFuture<'a, Result<OAuthCredentials, pi_ai::Error>> {
        Box::pin(async { Err(pi_ai::Error::Login(pi_ai::LoginError::Cancelled)) })
    }

    fn refresh_token<'a>(
        &'a self,
        credentials: &'a OAuthCredentials,
        _: &'a OAuthContext,
    ) -> futures::future::BoxFuture<'a, Result<OAuthCredentials, pi_ai::Error>> {
        Box::pin(async { Ok(credentials.clone()) })
    }

    fn modify_models(&self, models: Vec<Arc<Model>>, credentials: &OAuthCredentials) -> Vec<Arc<Model>> {
        let own = |model: Arc<Model>| {
            Arc::new(Model { base_url: format!("http://{}", credentials.access), ..(*model).clone() })
        };
        models.into_iter().map(own).collect()
    }
}

#[tokio::test]
async fn a_login_is_registered_under_the_providers_name_and_shapes_its_models() {
    let handle = Handle::default();
    let extension = handle.extension(|_| {});
    let stored =
        json!({"corp": {"type": "oauth", "access": "token", "refresh": "r", "expires": 9_999_999_999_999_i64}});
    let stage = stage_with(&[extension], LoadOptions::default(), |options| {
        let auth = AuthStorage::in_memory(
            stored.as_object().unwrap().clone(),
            Env::fixed([("HOME", "/nowhere")]),
            pi_ai::system_clock(),
        );
        auth.set_runtime_key("faux", "key");
        let models = ModelRegistry::new(Arc::new(auth), Arc::new(vec![Arc::new(scripted::model("one"))]), None);
        CreateAgentSessionOptions { models: Some(Arc::new(models)), ..options }
    })
    .await;
    let pi = handle.api();
    let login = ProviderRegistration { api_key: None, oauth: Some(Arc::new(Login)), ..corp(&["m"]) };
    pi.register_provider("corp", login).unwrap();
    assert_eq!(listed(&stage, "corp"), ["m http://token"]);
    let models = stage.session.models().registry();
    assert_eq!((models.display_name("corp"), models.has_auth("corp")), ("Corp Login".to_owned(), true));
    assert_eq!(models.auth().oauth_providers().get("corp").map(|login| login.id().to_owned()).as_deref(), Some("corp"));
    pi.unregister_provider("corp").unwrap();
    assert!(models.auth().oauth_providers().get("corp").is_none());
}

/// Registers a provider while it is activated; how often that has happened is part of the endpoint.
fn at_activation() -> Arc<dyn Extension> {
    let count = Mutex::new(0);
    extension("corp.ts", move |pi| {
        *count.lock().unwrap() += 1;
        let base_url = Some(format!("http://corp.example/{}", count.lock().unwrap()));
        pi.register_provider("corp", ProviderRegistration { base_url, ..corp(&["m"]) }).unwrap();
        pi.register_provider("gone", corp(&["m"])).unwrap();
        pi.unregister_provider("gone").unwrap();
        pi.register_provider("bad", ProviderRegistration { api_key: None, ..corp(&["m"]) }).unwrap();
    })
}

#[tokio::test]
async fn what_was_noted_during_activation_counts_before_a_model_is_chosen() {
    let stage = stage_with(&[at_activation()], LoadOptions::default(), |options| {
        options.settings.as_ref().unwrap().models().set_default_model("corp", "m").unwrap();
        options
    })
    .await;
    assert_eq!(stage.session.model().provider, "corp");
    assert_eq!(listed(&stage, "gone"), [""; 0]);
    stage.script([says("hi")]);
    stage.prompt("go").await;
    assert_eq!(
        stage.errors.take(),
        ["corp.ts: Provider bad: \"apiKey\" or \"oauth\" is required when defining models."]
    );
    // The next session's extensions register anew, and the model is the new one.
    stage.session.switch().to_new(None).await.unwrap();
    assert_eq!(
        stage.errors.take(),
        ["corp.ts register_provider: Provider bad: \"apiKey\" or \"oauth\" is required when defining models."]
    );
    assert_eq!(listed(&stage, "corp"), ["m http://corp.example/2"]);
    assert_eq!(stage.session.model().base_url, "http://corp.example/2");
    stage.session.reload().await.unwrap();
    assert_eq!(stage.session.model().base_url, "http://corp.example/3");
    let models = Arc::clone(stage.session.models().registry());
    stage.session.dispose().await;
    assert!(models.models_of("corp").is_empty(), "they end with the session");
}

#[tokio::test]
async fn a_program_can_take_them_up_before_there_is_a_session() {
    let loaded = load_extensions(&[at_activation()], LoadOptions::default()).await;
    let auth = AuthStorage::in_memory(Map::new(), Env::fixed([("CORP_KEY", "x")]), pi_ai::system_clock());
    let models = ModelRegistry::new(Arc::new(auth), Arc::new(Vec::new()), None);
    let errors = register_providers(&loaded.runner, &models, &Arc::new(ApiRegistry::empty()));
    assert_eq!(errors.iter().map(|error| error.path.as_str()).collect::<Vec<_>>(), ["corp.ts"]);
    assert_eq!(models.available().len(), 1);
}

#[tokio::test]
async fn sessions_that_share_a_registry_take_back_only_what_is_theirs() {
    let [first, second] = [Handle::default(), Handle::default()];
    let one = stage(&[first.extension(|_| {})]).await;
    let shared = Arc::clone(one.session.models().registry());
    let two = stage_with(&[second.extension(|_| {})], LoadOptions::default(), |options| CreateAgentSessionOptions {
        models: Some(shared),
        ..options
    })
    .await;
    let (first, second) = (first.api(), second.api());
    first.register_provider("corp", corp(&["first"])).unwrap();
    second.register_provider("corp", corp(&["second"])).unwrap();
    assert_eq!(listed(&one, "corp"), ["second http://corp.example"], "the last word counts, for everybody");
    two.session.switch().to_new(None).await.unwrap();
    assert_eq!(listed(&one, "corp"), ["first http://corp.example"]);
    assert!(second.register_provider("corp", corp(&["late"])).unwrap_err().to_string().contains("stale"));
    one.session.dispose().await;
    assert_eq!(listed(&two, "corp"), [""; 0]);
}

#[tokio::test]
async fn a_change_during_a_run_does_not_disturb_it() {
    let handle = Handle::default();
    let own = handle.clone();
    let extension = handle.extension(move |pi| {
        let own = own.clone();
        pi.register_command(Command::new("change", move |_, _| {
            let pi = own.api();
            async move { Ok(pi.register_provider("faux", corp(&["one"]))?) }
        }));
    });
    let stage = stage(&[extension]).await;
    let session = stage.session.clone();
    stage.provider.set_steps([ScriptedStep::from_async(move |_| async move {
        session.prompt("/change", Default::default()).await.unwrap();
        Ok(says("hi"))
    })]);
    stage.prompt("go").await;
    assert_eq!(stage.messages(), ["user: go", "assistant: hi"]);
    assert_eq!((stage.session.model().name.as_str(), stage.errors.take()), ("ONE", vec![]));
}
