//! A login that a script implements.
//!
//! What the login asks of the user comes as operations with the number of the login; they are passed on to whoever runs
//! it. `api_key` and `modify_models` are not asynchronous: they block until the script answered. On the script's own
//! thread that can never happen; there the last known answer counts, and is brought up to date in the background.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use futures::future::BoxFuture;
use pi_ai::auth::oauth::{OAuthCallbacks, OAuthContext, OAuthCredentials, OAuthProvider};
use pi_ai::{Error, LoginError, Model};
use pi_guard::Unpoisoned;
use pi_script::{Callback, Data};
use serde_json::json;
use tokio::sync::mpsc;

use super::LoginDescription;
use crate::errors::to_handler;
use crate::host::{ScriptHost, is_script_thread};
use crate::link::Link;
use crate::state::Ask;
use pi_coding_agent::extension::ExtensionError;

/// How long a script may take to say what the key of a login is.
const ANSWER_LIMIT: Duration = Duration::from_secs(2);

/// A login of a script.
#[derive(Debug)]
pub(super) struct ScriptLogin {
    id: String,
    said: LoginFunctions,
    link: Link,
    host: Weak<ScriptHost>,
    /// Models as the script changed them, by what it was given.
    modified: Mutex<HashMap<String, Vec<Arc<Model>>>>,
}

#[derive(Debug)]
struct LoginFunctions {
    name: String,
    uses_callback_server: bool,
    login: Callback,
    refresh_token: Callback,
    get_api_key: Callback,
    modify_models: Option<Callback>,
}

impl ScriptLogin {
    pub(super) fn shared(id: &str, said: LoginDescription, host: &Arc<ScriptHost>) -> Arc<dyn OAuthProvider> {
        let said = LoginFunctions {
            name: said.name.unwrap_or_else(|| id.to_owned()),
            uses_callback_server: said.uses_callback_server,
            login: Callback(said.login),
            refresh_token: Callback(said.refresh_token),
            get_api_key: Callback(said.get_api_key),
            modify_models: said.modify_models.map(Callback),
        };
        Arc::new(Self {
            id: id.to_owned(),
            said,
            link: Link::to(host),
            host: Arc::downgrade(host),
            modified: Mutex::default(),
        })
    }

    async fn ask(&self, callback: Callback, args: Vec<Data>) -> Result<Data, Error> {
        self.link.ask(callback, args).await.map_err(|error| match to_handler(error).to_string() {
            // What a user who gave up is passed on with.
            said if said == Error::Login(LoginError::Cancelled).to_string() => Error::Login(LoginError::Cancelled),
            said => refused(&said),
        })
    }

    fn ask_blocking(&self, callback: Callback, args: Vec<Data>) -> Result<Data, String> {
        self.link.invoke_blocking(callback, args, ANSWER_LIMIT).map_err(|error| to_handler(error).to_string())
    }

    /// Nobody who asks for a key or for models can be told of an error.
    fn report(&self, what: &str, error: &str) {
        let Some(host) = self.host.upgrade() else { return };
        let message = format!("{what} of the login \"{}\" failed: {error}", self.id);
        let error = ExtensionError::new(host.path.clone(), "oauth", &message.as_str().into());
        if let Ok(runtime) = host.runtime() {
            let runtime = runtime.clone();
            runtime.spawn(async move {
                for api in host.contexts.activations() {
                    api.report(error.clone()).await;
                }
            });
        }
    }

    fn known(&self, key: &str) -> Option<Vec<Arc<Model>>> {
        self.modified.lock().unpoisoned().get(key).cloned()
    }

    /// Of each login only the last few answers are worth keeping.
    fn keep(&self, key: String, models: Vec<Arc<Model>>) {
        let mut known = self.modified.lock().unpoisoned();
        if known.len() >= 8 {
            known.clear();
        }
        known.insert(key, models);
    }

    /// Asks in the background what could not be asked now; then everybody looks again.
    fn ask_later(&self, models: Vec<Arc<Model>>, credentials: &OAuthCredentials) {
        let Some(host) = self.host.upgrade() else { return };
        let Ok(runtime) = host.runtime().cloned() else { return };
        let (id, credentials) = (self.id.clone(), credentials.clone());
        runtime.clone().spawn_blocking(move || {
            for api in host.contexts.activations() {
                let Ok(registry) = api.context().models() else { continue };
                if let Some(login) = registry.auth().oauth_providers().get(&id) {
                    login.modify_models(models.clone(), &credentials);
                }
                registry.refresh();
            }
        });
    }
}

impl OAuthProvider for ScriptLogin {
    fn id(&self) -> &str {
        &self.id
    }

    fn name(&self) -> &str {
        &self.said.name
    }

    fn uses_callback_server(&self) -> bool {
        self.said.uses_callback_server
    }

    fn login<'a>(
        &'a self,
        callbacks: &'a dyn OAuthCallbacks,
        context: &'a OAuthContext,
    ) -> BoxFuture<'a, Result<OAuthCredentials, Error>> {
        Box::pin(async move {
            let host = self.host.upgrade().ok_or_else(|| refused("the extension was stopped"))?;
            let (sender, mut asks) = mpsc::unbounded_channel();
            let place = host.state.logins.open(sender);
            let args = vec![json!(place.number()).into(), Data::Signal(context.cancel.clone())];
            let made = self.ask(self.said.login, args);
            tokio::pin!(made);
            let answering = answer(callbacks, &mut asks);
            let made = tokio::select! {
                biased;
                () = context.cancel.cancelled() => return Err(Error::Login(LoginError::Cancelled)),
                made = &mut made => made?,
                () = answering => made.await?,
            };
            credentials(made)
        })
    }

    fn refresh_token<'a>(
        &'a self,
        old: &'a OAuthCredentials,
        _: &'a OAuthContext,
    ) -> BoxFuture<'a, Result<OAuthCredentials, Error>> {
        Box::pin(async move { credentials(self.ask(self.said.refresh_token, vec![Data::json(old)]).await?) })
    }

    fn api_key(&self, credentials: &OAuthCredentials) -> String {
        let answer = self.ask_blocking(self.said.get_api_key, vec![Data::json(credentials)]);
        match answer.map(Data::into_text) {
            Ok(key) => key.unwrap_or_default(),
            Err(error) => {
                self.report("getApiKey", &error);
                String::new()
            }
        }
    }

    fn modify_models(&self, models: Vec<Arc<Model>>, credentials: &OAuthCredentials) -> Vec<Arc<Model>> {
        let Some(callback) = self.said.modify_models else { return models };
        let Ok(given) = serde_json::to_string(&(&models, credentials)) else { return models };
        if let Some(known) = self.known(&given) {
            return known;
        }
        if is_script_thread() {
            self.ask_later(models.clone(), credentials);
            return models;
        }
        let answer = self.ask_blocking(callback, vec![Data::json(&models), Data::json(credentials)]);
        let answer = answer.and_then(|answer| {
            let answer = answer.into_json().unwrap_or_default();
            serde_json::from_value::<Vec<Arc<Model>>>(answer).map_err(|error| error.to_string())
        });
        let modified = answer.unwrap_or_else(|error| {
            self.report("modifyModels", &error);
            models
        });
        self.keep(given, modified.clone());
        modified
    }
}

/// Puts to the user what a login asks, several things at a time if need be. Ends when nothing can be asked any more.
async fn answer(callbacks: &dyn OAuthCallbacks, asks: &mut mpsc::UnboundedReceiver<Ask>) {
    use futures::stream::{FuturesUnordered, StreamExt};
    let mut open: FuturesUnordered<BoxFuture<'_, ()>> = FuturesUnordered::new();
    loop {
        let ask = tokio::select! {
            ask = asks.recv() => ask,
            Some(()) = open.next(), if !open.is_empty() => continue,
        };
        // Who does not wait for an answer any more does not get one.
        match ask {
            None => return,
            Some(Ask::Auth(page)) => callbacks.on_auth(page),
            Some(Ask::Device(code)) => callbacks.on_device_code(code),
            Some(Ask::Progress(text)) => callbacks.on_progress(&text),
            Some(Ask::Prompt(prompt, reply)) => {
                open.push(Box::pin(async move { drop(reply.send(callbacks.on_prompt(prompt).await)) }));
            }
            Some(Ask::Select(prompt, reply)) => {
                open.push(Box::pin(async move { drop(reply.send(callbacks.on_select(prompt).await)) }));
            }
            Some(Ask::Code(reply)) => match callbacks.on_manual_code_input() {
                Some(code) => open.push(Box::pin(async move { drop(reply.send(code.await)) })),
                None => drop(reply),
            },
        }
    }
}

fn credentials(said: Data) -> Result<OAuthCredentials, Error> {
    let said = said.into_json().unwrap_or_default();
    // What is in it is secret, also where it is wrong.
    serde_json::from_value(said).map_err(|_| refused("the extension returned no credentials"))
}

fn refused(detail: &str) -> Error {
    Error::Login(LoginError::Refused { detail: detail.to_owned() })
}
