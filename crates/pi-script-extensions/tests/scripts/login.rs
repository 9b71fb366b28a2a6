//! Logins that scripts implement.

use std::sync::Mutex;

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_ai::auth::oauth::{AuthPage, DeviceCode, OAuthCallbacks, SelectPrompt, TextPrompt};
use pi_ai::{Error, LoginError};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::support::{Stage, stage};

/// A user who answers everything, and remembers what was asked.
#[derive(Default)]
struct User {
    asked: Mutex<Vec<String>>,
    refuses: bool,
}

impl User {
    fn note(&self, line: String) {
        self.asked.lock().unwrap().push(line);
    }
}

impl OAuthCallbacks for User {
    fn on_auth(&self, page: AuthPage) {
        self.note(format!("page {} {:?}", page.url, page.instructions));
    }

    fn on_device_code(&self, code: DeviceCode) {
        self.note(format!("code {} at {}, {:?}", code.user_code, code.verification_uri, code.interval));
    }

    fn on_progress(&self, text: &str) {
        self.note(format!("progress {text}"));
    }

    fn on_prompt(&self, prompt: TextPrompt) -> BoxFuture<'_, Result<String, Error>> {
        self.note(format!("prompt {} {:?}", prompt.message, prompt.placeholder));
        let answer = if self.refuses { Err(Error::Login(LoginError::Cancelled)) } else { Ok("typed".to_owned()) };
        async { answer }.boxed()
    }

    fn on_select(&self, prompt: SelectPrompt) -> BoxFuture<'_, Result<Option<String>, Error>> {
        self.note(format!("select {} of {}", prompt.message, prompt.options.len()));
        async move { Ok(Some(prompt.options[1].id.clone())) }.boxed()
    }

    fn on_manual_code_input(&self) -> Option<BoxFuture<'_, Result<String, Error>>> {
        Some(async { Ok("pasted".to_owned()) }.boxed())
    }
}

const EXTENSION: &str = "
    export default (pi) => {
        pi.registerProvider('corp', {
            baseUrl: 'http://corp', api: 'openai-completions',
            models: [{ id: 'm', name: 'M', reasoning: false, input: ['text'], cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }, contextWindow: 9, maxTokens: 9 }],
            oauth: {
                name: 'Corp Account',
                async login(callbacks) {
                    callbacks.onAuth({ url: 'http://corp/login', instructions: 'Go there' });
                    callbacks.onDeviceCode({ userCode: 'AB-1', verificationUri: 'http://corp/d', intervalSeconds: 2 });
                    callbacks.onProgress('Waiting');
                    const typed = await callbacks.onPrompt({ message: 'Name?', placeholder: 'you' });
                    const chosen = await callbacks.onSelect({ message: 'Which?', options: [{ id: 'a', label: 'A' }, { id: 'b', label: 'B' }] });
                    const pasted = await callbacks.onManualCodeInput();
                    return { refresh: `${typed}-${chosen}-${pasted}`, access: 'first', expires: 1, region: 'eu' };
                },
                refreshToken: async (credentials) => ({ ...credentials, access: 'second', expires: Date.now() + 1e6 }),
                getApiKey: (credentials) => `${credentials.access}@${credentials.region}`,
                modifyModels: (models, credentials) => models.map((model) => ({ ...model, baseUrl: `http://${credentials.region}.corp` })),
            },
        });
        pi.registerCommand('run', { handler: async (_args, ctx) => {
            const model = ctx.modelRegistry.find('corp', 'm');
            pi.appendEntry('said', [model.baseUrl, ctx.modelRegistry.isUsingOAuth(model), await ctx.modelRegistry.getApiKeyAndHeaders(model)]);
        } });
    }";

async fn login(stage: &Stage, user: &User) -> Result<(), String> {
    let auth = stage.models.auth();
    let cancel = CancellationToken::new();
    auth.login("corp", user, &cancel).await.map_err(|error| error.to_string())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_login_of_a_script_asks_the_user_and_is_renewed() {
    let stage = stage(EXTENSION).await;
    let user = User::default();
    login(&stage, &user).await.unwrap();
    insta::assert_snapshot!(user.asked.lock().unwrap().join("\n"));
    let stored = stage.models.auth().oauth_login("corp").unwrap();
    assert_eq!((stored.refresh.as_str(), stored.extra_text("region")), ("typed-b-pasted", Some("eu")));
    let model = stage.models.find("corp", "m").unwrap();
    assert_eq!(model.base_url, "http://eu.corp");
    let said = stage.run().await;
    assert_eq!(said, json!(["http://eu.corp", true, {"ok": true, "apiKey": "second@eu"}]));
    assert_eq!(stage.models.auth().oauth_providers().get("corp").unwrap().name(), "Corp Account");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_login_that_the_user_gives_up_changes_nothing() {
    let stage = stage(EXTENSION).await;
    let user = User { refuses: true, ..User::default() };
    assert_eq!(login(&stage, &user).await, Err("Login cancelled".to_owned()));
    assert!(stage.models.auth().oauth_login("corp").is_none());
    assert_eq!(stage.run().await[0], "http://corp");
}

/// Models are asked for on the script's own thread, where it cannot be asked how a login changes them.
#[tokio::test(flavor = "multi_thread")]
async fn models_of_a_login_are_up_to_date_soon_after_a_script_asked() {
    let stage = stage(EXTENSION).await;
    login(&stage, &User::default()).await.unwrap();
    for _ in 0..100 {
        if stage.run().await[0] == "http://eu.corp" {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("the models stayed as they were");
}
