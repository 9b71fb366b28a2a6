//! Providers that scripts bring: what they say of one, the wire formats and the logins that they implement.
//!
//! `api` is a wire format, `answer` what it says event by event, `login` a login, `user` a script that asks for one. What
//! of all this counts, and for whom, is decided in `pi_coding_agent::models`.

mod answer;
mod api;
mod login;
mod user;

use std::collections::BTreeMap;
use std::sync::Arc;

use pi_script::{Callback, OpError, Permission};
use serde::Deserialize;
use serde_json::Value;

pub(super) use user::{ScriptUser, UserFunctions};

use super::host::ScriptHost;
use super::link::Link;
use api::ScriptApi;
use login::ScriptLogin;
use pi_coding_agent::config::config_value::ConfigValue;
use pi_coding_agent::extension::ProviderRegistration;

/// What a script says of a provider. Functions are numbers.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ProviderDescription {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    base_url: Option<String>,
    #[serde(default)]
    api_key: Option<String>,
    #[serde(default)]
    api: Option<String>,
    #[serde(default)]
    stream: Option<u32>,
    #[serde(default)]
    headers: Option<BTreeMap<String, String>>,
    #[serde(default)]
    auth_header: Option<bool>,
    #[serde(default)]
    models: Option<Vec<Value>>,
    #[serde(default)]
    oauth: Option<LoginDescription>,
}

/// What a script says of a login.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LoginDescription {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    uses_callback_server: bool,
    login: u32,
    refresh_token: u32,
    get_api_key: u32,
    #[serde(default)]
    modify_models: Option<u32>,
}

impl ProviderDescription {
    /// Whether the user grants it: conversations go where it says, and keys can be the output of commands.
    ///
    /// # Errors
    /// `ERR_ACCESS_DENIED`.
    pub(super) fn permit(&self, host: &ScriptHost) -> Result<(), OpError> {
        host.permit(Permission::Network)?;
        if self.runs_commands() {
            host.permit(Permission::Programs)?;
        }
        Ok(())
    }

    /// Whether a key or a header is the output of a command.
    fn runs_commands(&self) -> bool {
        let is_command = |value: &str| matches!(ConfigValue::parse(value), ConfigValue::Command(_));
        let of_models = self.models.iter().flatten().filter_map(|model| model["headers"].as_object());
        let of_models = of_models.flat_map(|headers| headers.values()).filter_map(Value::as_str);
        let own = self.headers.iter().flat_map(BTreeMap::values).chain(&self.api_key).map(String::as_str);
        own.chain(of_models).any(is_command)
    }

    /// The same for the program.
    pub(super) fn registration(self, provider: &str, host: &Arc<ScriptHost>) -> ProviderRegistration {
        let Self { name, base_url, api_key, api, stream, headers, auth_header, models, oauth } = self;
        let stream = stream.map(|callback| {
            ScriptApi::shared(api.clone().unwrap_or_default(), Link::to(host), Callback(callback), &host.state.answers)
        });
        let oauth = oauth.map(|login| ScriptLogin::shared(provider, login, host));
        ProviderRegistration { name, base_url, api_key, api, stream, headers, auth_header, models, oauth }
    }
}
