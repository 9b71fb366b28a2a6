//! Ways to sign in: a login with each provider that has one, in the browser of this machine, and a login in a terminal
//! where the editor can open one.

use std::sync::Arc;

use agent_client_protocol_schema::v1::{
    AgentAuthCapabilities, AuthMethod, AuthMethodAgent, AuthMethodTerminal, AuthenticateRequest, AuthenticateResponse,
    Error, ErrorCode, LogoutCapabilities, LogoutResponse,
};
use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use pi_ai::LoginError;
use pi_ai::auth::oauth::{AuthPage, DeviceCode, OAuthCallbacks, SelectPrompt, TextPrompt};
use serde_json::{Map, json};
use tokio_util::sync::CancellationToken;

use super::OpenPage;
use super::agent::{Agent, Answer};
use super::errors;

/// The login in a terminal.
const TERMINAL: &str = "terminal";

/// What the agent can do about signing in.
pub(super) fn capabilities() -> AgentAuthCapabilities {
    AgentAuthCapabilities::new().logout(LogoutCapabilities::new())
}

/// The ways to sign in that this client can use.
pub(super) fn methods(agent: &Agent) -> Vec<AuthMethod> {
    let logins = agent.pool().models().auth().oauth_providers().list();
    let login = |provider: &Arc<dyn pi_ai::auth::oauth::OAuthProvider>| {
        let method = AuthMethodAgent::new(provider.id().to_owned(), provider.name());
        AuthMethod::Agent(method.description("Log in with the browser of this machine"))
    };
    let terminal = agent.client().opens_terminals.then(|| {
        let arguments = ["auth", "login"].map(ToOwned::to_owned).to_vec();
        let meta = json!({"label": "pi auth login", "args": arguments});
        let method = AuthMethodTerminal::new(TERMINAL, "Log in in a terminal")
            .description("A subscription, or an API key of any provider")
            .args(arguments)
            .meta(Map::from_iter([("terminal-auth".to_owned(), meta)]));
        AuthMethod::Terminal(method)
    });
    logins.iter().map(login).chain(terminal).collect()
}

/// The user has to sign in; with the ways to do so.
pub(super) fn required(agent: &Agent, message: &str) -> Error {
    let methods = serde_json::to_value(methods(agent)).unwrap_or_default();
    Error::new(ErrorCode::AuthRequired.into(), message).data(json!({ "authMethods": methods }))
}

/// Logs in. A login in a terminal is the editor's to run; what it stored is read here.
pub(super) async fn authenticate(agent: &Arc<Agent>, request: &AuthenticateRequest) -> Result<Answer, Error> {
    let (models, method) = (agent.pool().models(), &*request.method_id.0);
    if method == TERMINAL {
        models.auth().reload();
        models.refresh();
        return Answer::of(&AuthenticateResponse::new());
    }
    if models.auth().oauth_providers().list().iter().all(|provider| provider.id() != method) {
        return Err(errors::invalid_params(format!(
            "there is no way to sign in named {method}; initialize names them"
        )));
    }
    let cancel = CancellationToken::new();
    // Whoever takes the request back does not log in any more.
    let _guard = cancel.clone().drop_guard();
    let user = Browser { open_page: Arc::clone(&agent.options().open_page) };
    models.auth().login(method, &user, &cancel).await.map_err(|error| required(agent, &error.to_string()))?;
    models.refresh();
    Answer::of(&AuthenticateResponse::new())
}

/// Ends all logins. Keys stay: nobody can log in to them again.
pub(super) fn logout(agent: &Agent) -> Result<Answer, Error> {
    let auth = agent.pool().models().auth();
    for provider in auth.providers().iter().filter(|provider| auth.is_oauth(provider)) {
        auth.logout(provider).map_err(|error| errors::internal(error.to_string()))?;
    }
    agent.pool().models().refresh();
    Answer::of(&LogoutResponse::new())
}

/// The user, of whom only the browser can be reached.
struct Browser {
    open_page: Arc<OpenPage>,
}

impl OAuthCallbacks for Browser {
    fn on_auth(&self, page: AuthPage) {
        (self.open_page)(&page.url, None);
    }

    fn on_device_code(&self, code: DeviceCode) {
        (self.open_page)(&code.verification_uri, Some(&code.user_code));
    }

    fn on_prompt(&self, prompt: TextPrompt) -> BoxFuture<'_, Result<String, pi_ai::Error>> {
        let answer = if prompt.allow_empty { Ok(String::new()) } else { Err(LoginError::Cancelled.into()) };
        ready(answer).boxed()
    }

    fn on_select(&self, prompt: SelectPrompt) -> BoxFuture<'_, Result<Option<String>, pi_ai::Error>> {
        // The usual one comes first.
        ready(Ok(prompt.options.into_iter().next().map(|option| option.id))).boxed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_method_says_how_it_is_started() {
        let method = AuthMethodTerminal::new(TERMINAL, "x").args(vec!["auth".to_owned()]);
        let value = serde_json::to_value(AuthMethod::Terminal(method)).unwrap();
        assert_eq!((&value["type"], &value["args"]), (&json!("terminal"), &json!(["auth"])));
    }
}
