//! A script as the user of a login: what the login asks is asked of the script's functions.

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_ai::auth::oauth::{AuthPage, DeviceCode, OAuthCallbacks, SelectPrompt, TextPrompt};
use pi_ai::{Error, LoginError};
use pi_script::{Callback, Data};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::errors::to_handler;
use crate::link::Link;

/// The functions of a script, as numbers.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UserFunctions {
    on_auth: u32,
    on_device_code: u32,
    on_prompt: u32,
    on_select: u32,
    on_progress: u32,
    /// Of those that have such a field.
    on_manual_code_input: Option<u32>,
}

/// Who answers.
pub(crate) struct ScriptUser {
    pub(crate) link: Link,
    pub(crate) said: UserFunctions,
}

impl ScriptUser {
    fn call(&self, function: u32, what: Value) {
        self.link.emit(Callback(function), vec![what.into()]);
    }

    async fn ask(&self, function: u32, what: Value) -> Result<Option<String>, Error> {
        let answer = self.link.ask(Callback(function), vec![what.into()]).await;
        let failed = |error| Error::Login(LoginError::Refused { detail: to_handler(error).to_string() });
        answer.map_err(failed).map(Data::into_text)
    }
}

impl OAuthCallbacks for ScriptUser {
    fn on_auth(&self, page: AuthPage) {
        self.call(self.said.on_auth, json!({"url": page.url, "instructions": page.instructions}));
    }

    fn on_device_code(&self, code: DeviceCode) {
        let seconds = |time: Option<std::time::Duration>| time.map(|time| time.as_secs_f64());
        let said = json!({
            "userCode": code.user_code,
            "verificationUri": code.verification_uri,
            "intervalSeconds": seconds(code.interval),
            "expiresInSeconds": seconds(code.expires_in),
        });
        self.call(self.said.on_device_code, said);
    }

    fn on_prompt(&self, prompt: TextPrompt) -> BoxFuture<'_, Result<String, Error>> {
        let TextPrompt { message, placeholder, allow_empty } = prompt;
        let said = json!({"message": message, "placeholder": placeholder, "allowEmpty": allow_empty});
        self.ask(self.said.on_prompt, said).map(|answer| answer?.ok_or(Error::Login(LoginError::Cancelled))).boxed()
    }

    fn on_select(&self, prompt: SelectPrompt) -> BoxFuture<'_, Result<Option<String>, Error>> {
        let options = prompt.options.iter().map(|option| json!({"id": option.id, "label": option.label}));
        let said = json!({"message": prompt.message, "options": options.collect::<Value>()});
        self.ask(self.said.on_select, said).boxed()
    }

    fn on_progress(&self, text: &str) {
        self.call(self.said.on_progress, text.into());
    }

    fn on_manual_code_input(&self) -> Option<BoxFuture<'_, Result<String, Error>>> {
        let function = self.said.on_manual_code_input?;
        let asked = self.ask(function, Value::Null);
        Some(asked.map(|answer| answer?.ok_or(Error::Login(LoginError::Cancelled))).boxed())
    }
}
