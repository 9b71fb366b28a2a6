//! Prints a secret for scripts: on standard output, and nothing else there.

use std::time::Duration;

use pi_ai::auth::env::AUTHENTICATED;

use super::{Failure, complain_of_file, providers};
use crate::cli::console::print;
use crate::cli::startup::Foundation;

/// A login that is being renewed gets this long to be stored.
const RENEWAL_TIME: Duration = Duration::from_secs(5);

/// Prints what requests to the provider use as key.
pub(super) async fn print_api_key(provider: Option<&str>, foundation: &mut Foundation) -> Result<u8, Failure> {
    let provider = chosen(provider, foundation).await?;
    let key = foundation.models().key_of(&provider).await;
    foundation.models().auth().settle(RENEWAL_TIME).await;
    match key? {
        Some(key) if key.expose() == AUTHENTICATED => Err(Failure::Said(format!(
            "{provider} has no key to print: it finds the credentials of its cloud by itself"
        ))),
        Some(key) => Ok(print(&format!("{}\n", key.expose()))),
        None => {
            complain_of_file(foundation.models().auth())?;
            Err(Failure::Said(format!("{provider} has no key: {}", providers::way_out(&provider, foundation))))
        }
    }
}

/// Prints the access token of a login.
pub(super) async fn print_bearer_token(provider: Option<&str>, foundation: &mut Foundation) -> Result<u8, Failure> {
    let provider = chosen(provider, foundation).await?;
    let auth = foundation.models().auth();
    if auth.oauth_login(&provider).is_none() {
        complain_of_file(auth)?;
        let way_out = match providers::has_login(&provider, foundation) {
            true => format!("pi auth login {provider}"),
            false => format!("it takes an API key, see pi auth print-api-key {provider}"),
        };
        return Err(Failure::Said(format!("there is no login for {provider}: {way_out}")));
    }
    let renewed = auth.api_key(&provider).await;
    auth.settle(RENEWAL_TIME).await;
    renewed?;
    match auth.oauth_login(&provider) {
        Some(login) => Ok(print(&format!("{}\n", login.access))),
        None => Err(Failure::Said(format!("the login for {provider} is gone: pi auth login {provider}"))),
    }
}

async fn chosen(provider: Option<&str>, foundation: &mut Foundation) -> Result<String, Failure> {
    match provider {
        Some(provider) => providers::find(provider, foundation).await,
        None => providers::of_default_model(foundation)
            .ok_or_else(|| Failure::Said("no provider has a key: name one, or begin with pi auth login".to_owned())),
    }
}
