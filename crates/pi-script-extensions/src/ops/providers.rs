//! Providers that scripts bring, and what their wire formats and logins say and ask while they work.

use pi_ai::ResponseInfo;
use pi_ai::auth::oauth::{
    AuthPage, DeviceCode, OAuthContext, OAuthCredentials, OAuthProvider, OAuthRegistry, SelectOption, SelectPrompt,
    TextPrompt,
};
use pi_script::{Args, Data, OpError, OpResult, Permission};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;

use super::{Ops, context_number};
use crate::errors::failed;
use crate::host::ScriptHost;
use crate::link::Link;
use crate::provider::{ProviderDescription, ScriptUser, UserFunctions};
use crate::state::Ask;

pub(super) fn add(ops: &mut Ops<'_>) {
    ops.sync("pi.registerProvider", |host, _, mut args| {
        let api = host.contexts.api(context_number(&mut args)?)?;
        let (name, said) = (args.text(1)?, args.parse::<ProviderDescription>(2)?);
        said.permit(host)?;
        let registration = said.registration(&name, host);
        let _runtime = host.enter();
        api.register_provider(name, registration).map_err(failed)?;
        Ok(Data::Undefined)
    });
    ops.sync("pi.unregisterProvider", |host, _, mut args| {
        let api = host.contexts.api(context_number(&mut args)?)?;
        let _runtime = host.enter();
        api.unregister_provider(&args.text(1)?).map_err(failed)?;
        Ok(Data::Undefined)
    });
    add_answers(ops);
    add_login(ops);
    add_built_in_logins(ops);
}

#[derive(Deserialize)]
struct Response {
    status: u16,
    #[serde(default)]
    headers: BTreeMap<String, String>,
}

fn add_answers(ops: &mut Ops<'_>) {
    // Whether anybody listens still.
    ops.sync("answer.say", |host, _, mut args| {
        let listener = host.state.answers.get(args.parse(0)?);
        if let Some(listener) = &listener {
            listener.send(args.json(1).unwrap_or_default());
        }
        Ok(listener.is_some().into())
    });
    ops.spawned("answer.payload", |host, _, mut args| async move {
        let Some(listener) = host.state.answers.get(args.parse(0)?) else { return Ok(Data::Undefined) };
        let replaced = listener.payload(args.json(1).unwrap_or_default()).await.map_err(OpError::new)?;
        Ok(replaced.map_or(Data::Undefined, Data::from))
    });
    ops.spawned("answer.response", |host, _, mut args| async move {
        let Some(listener) = host.state.answers.get(args.parse(0)?) else { return Ok(Data::Undefined) };
        let Response { status, headers } = args.parse(1)?;
        listener.response(ResponseInfo { status, headers }).await.map_err(OpError::new)?;
        Ok(Data::Undefined)
    });
}

/// Logins of the built-in providers.
fn add_built_in_logins(ops: &mut Ops<'_>) {
    fn named(id: &str) -> Result<Arc<dyn OAuthProvider>, OpError> {
        let unknown = || OpError::new(format!("Unknown OAuth provider: {id}"));
        OAuthRegistry::default().get(id).ok_or_else(unknown)
    }
    ops.sync("oauth.providers", |_, _, _| {
        let said = |oauth: &Arc<dyn OAuthProvider>| {
            json!({"id": oauth.id(), "name": oauth.name(), "usesCallbackServer": oauth.uses_callback_server()})
        };
        Ok(OAuthRegistry::default().list().iter().map(said).collect::<Value>().into())
    });
    ops.sync("oauth.apiKey", |_, _, mut args| Ok(named(&args.text(0)?)?.api_key(&args.parse(1)?).into()));
    ops.spawned("oauth.login", |host, op, mut args| async move {
        host.permit(Permission::Network)?;
        let (oauth, said) = (named(&args.text(0)?)?, args.parse::<UserFunctions>(1)?);
        let cancel = host.state.token(&mut args, 2)?.unwrap_or(op.cancel);
        let user = ScriptUser { link: Link::to(&host), said };
        let context = OAuthContext { cancel, ..oauth_context(&host) };
        super::json(&oauth.login(&user, &context).await.map_err(failed)?)
    });
    ops.spawned("oauth.refresh", |host, op, mut args| async move {
        host.permit(Permission::Network)?;
        let (oauth, credentials) = (named(&args.text(0)?)?, args.parse::<OAuthCredentials>(1)?);
        let context = OAuthContext { cancel: op.cancel, ..oauth_context(&host) };
        super::json(&oauth.refresh_token(&credentials, &context).await.map_err(failed)?)
    });
}

/// The network, with what the environment says about logins.
pub(super) fn oauth_context(host: &ScriptHost) -> OAuthContext {
    let context = OAuthContext::from_env(&|name| host.env().var(name));
    OAuthContext { clock: Arc::clone(host.clock()), ..context }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page {
    url: String,
    #[serde(default)]
    instructions: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Device {
    user_code: String,
    verification_uri: String,
    #[serde(default)]
    interval_seconds: Option<f64>,
    #[serde(default)]
    expires_in_seconds: Option<f64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Question {
    message: String,
    #[serde(default)]
    placeholder: Option<String>,
    #[serde(default)]
    allow_empty: bool,
    #[serde(default)]
    options: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    id: String,
    label: String,
}

fn add_login(ops: &mut Ops<'_>) {
    ops.sync("login.auth", |host, _, mut args| {
        let Page { url, instructions } = args.parse(1)?;
        ask(host, &mut args, Ask::Auth(AuthPage { url, instructions }))
    });
    ops.sync("login.deviceCode", |host, _, mut args| {
        let Device { user_code, verification_uri, interval_seconds, expires_in_seconds } = args.parse(1)?;
        let seconds = |value: Option<f64>| value.and_then(|value| Duration::try_from_secs_f64(value).ok());
        let (interval, expires_in) = (seconds(interval_seconds), seconds(expires_in_seconds));
        ask(host, &mut args, Ask::Device(DeviceCode { user_code, verification_uri, interval, expires_in }))
    });
    ops.sync("login.progress", |host, _, mut args| {
        let text = args.text(1)?;
        ask(host, &mut args, Ask::Progress(text))
    });
    ops.spawned("login.prompt", |host, _, mut args| async move {
        let Question { message, placeholder, allow_empty, .. } = args.parse(1)?;
        let (reply, answer) = oneshot::channel();
        ask(&host, &mut args, Ask::Prompt(TextPrompt { message, placeholder, allow_empty }, reply))?;
        Ok(answer.await.map_err(over)?.map_err(failed)?.into())
    });
    ops.spawned("login.select", |host, _, mut args| async move {
        let Question { message, options, .. } = args.parse(1)?;
        let options = options.into_iter().map(|Choice { id, label }| SelectOption { id, label }).collect();
        let (reply, answer) = oneshot::channel();
        ask(&host, &mut args, Ask::Select(SelectPrompt { message, options }, reply))?;
        Ok(answer.await.map_err(over)?.map_err(failed)?.map_or(Data::Undefined, Data::from))
    });
    ops.spawned("login.code", |host, _, mut args| async move {
        let (reply, answer) = oneshot::channel();
        ask(&host, &mut args, Ask::Code(reply))?;
        let unheard = |_| OpError::new("There is no field for the code here");
        Ok(answer.await.map_err(unheard)?.map_err(failed)?.into())
    });
}

fn ask(host: &Arc<ScriptHost>, args: &mut Args, ask: Ask) -> OpResult {
    let login = host.state.logins.get(args.parse(0)?);
    login.and_then(|login| login.send(ask).ok()).map(Data::from).ok_or_else(|| OpError::new("This login is over"))
}

fn over(_: oneshot::error::RecvError) -> OpError {
    OpError::new("This login is over")
}
