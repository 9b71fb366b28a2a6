//! GitHub Copilot: a device login at GitHub, whose token is exchanged for a short-lived one of Copilot.
//!
//! # Layout
//! Here: the provider. `domain`: github.com or an enterprise's own. `device`: the way to a GitHub token. `token`: the
//! Copilot token and where it is good. `models`: which models the account may use.

use std::sync::Arc;

use futures::future::{BoxFuture, FutureExt};
use typed_builder::TypedBuilder;

use super::callbacks::{OAuthCallbacks, TextPrompt};
use super::credentials::OAuthCredentials;
use super::provider::{OAuthContext, OAuthProvider};
use crate::error::Error;
use crate::model::Model;
use crate::provider::GITHUB_COPILOT;

mod device;
mod domain;
mod models;
mod token;

use domain::Domain;

const ENTERPRISE_URL: &str = "enterpriseUrl";
const DOMAIN_PLACEHOLDER: &str = "{domain}";
const GITHUB_URL: &str = "https://{domain}";
const API_URL: &str = "https://api.{domain}";

/// Headers of every request to Copilot's own services.
const STATIC_HEADERS: &[(&str, &str)] = &[
    USER_AGENT,
    ("editor-version", "vscode/1.107.0"),
    ("editor-plugin-version", "copilot-chat/0.35.0"),
    ("copilot-integration-id", "vscode-chat"),
];
const USER_AGENT: (&str, &str) = ("user-agent", "GitHubCopilotChat/0.35.0");

/// The login of GitHub Copilot users. The default is the real service.
#[derive(Debug, Clone, TypedBuilder)]
#[builder(field_defaults(setter(into)))]
pub struct GitHubCopilotOAuth {
    /// GitHub's pages; `{domain}` stands for github.com or the enterprise's domain.
    #[builder(default = GITHUB_URL.to_owned())]
    pub github_url: String,
    /// GitHub's API, likewise.
    #[builder(default = API_URL.to_owned())]
    pub api_url: String,
    /// Copilot's API; `None`: the one that the Copilot token names.
    #[builder(default)]
    pub copilot_url: Option<String>,
    /// Ids of the models to switch on after a login; `None`: those of the catalogue.
    #[builder(default)]
    pub models: Option<Vec<String>>,
}

impl Default for GitHubCopilotOAuth {
    fn default() -> Self {
        Self::builder().build()
    }
}

impl OAuthProvider for GitHubCopilotOAuth {
    fn id(&self) -> &str {
        GITHUB_COPILOT
    }

    fn name(&self) -> &str {
        "GitHub Copilot"
    }

    fn login<'a>(
        &'a self,
        callbacks: &'a dyn OAuthCallbacks,
        context: &'a OAuthContext,
    ) -> BoxFuture<'a, Result<OAuthCredentials, Error>> {
        self.log_in(callbacks, context).boxed()
    }

    fn refresh_token<'a>(
        &'a self,
        credentials: &'a OAuthCredentials,
        context: &'a OAuthContext,
    ) -> BoxFuture<'a, Result<OAuthCredentials, Error>> {
        self.renew(credentials, context).boxed()
    }

    fn modify_models(&self, models: Vec<Arc<Model>>, credentials: &OAuthCredentials) -> Vec<Arc<Model>> {
        models::of_account(models, credentials, &self.base_url(credentials))
    }
}

impl GitHubCopilotOAuth {
    async fn log_in(&self, callbacks: &dyn OAuthCallbacks, context: &OAuthContext) -> Result<OAuthCredentials, Error> {
        let prompt = TextPrompt {
            message: "GitHub Enterprise URL/domain (blank for github.com)".to_owned(),
            placeholder: Some("company.ghe.com".to_owned()),
            allow_empty: true,
        };
        let domain = Domain::from_entered(&context.cancellable(callbacks.on_prompt(prompt)).await?)?;
        let github_token = device::github_token(self, &domain, callbacks, context).await?;
        let mut credentials = token::exchange(self, &domain, github_token, context).await?;
        if let Some(domain) = domain.enterprise() {
            credentials.extra.insert(ENTERPRISE_URL.to_owned(), domain.into());
        }
        callbacks.on_progress("Switching on the account's models…");
        models::enable(self, &credentials, context).await?;
        models::note_available(self, &mut credentials, context).await?;
        Ok(credentials)
    }

    async fn renew(&self, old: &OAuthCredentials, context: &OAuthContext) -> Result<OAuthCredentials, Error> {
        let domain = Domain::from_credentials(old);
        let mut credentials = token::exchange(self, &domain, old.refresh.clone(), context).await?;
        credentials.extra = old.extra.clone();
        models::note_available(self, &mut credentials, context).await?;
        Ok(credentials)
    }

    /// Where the models of an account are served.
    fn base_url(&self, credentials: &OAuthCredentials) -> String {
        self.copilot_url.clone().unwrap_or_else(|| token::base_url(credentials))
    }
}
