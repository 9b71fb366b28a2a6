//! Logging in to a configured server and out again, on the command line and by `/mcp`.

use futures::future::BoxFuture;
use pi_coding_agent::extension::ExtensionUi;
use pi_coding_agent::session::SessionHost;

use crate::config::{self, ServerEntry, TransportConfig};
use crate::oauth::store::LoginStore;
use crate::oauth::{self, LoginTarget};
use crate::pages::OpenPage;

/// Logs in to a server: `open` opens a page and says whether there is a browser, `ui` says what is going on and takes the
/// address that a browser elsewhere ended up at. `scopes` are what the login has to permit besides what it did before.
///
/// # Errors
/// A sentence.
pub async fn log_in(
    host: &SessionHost,
    is_trusted: bool,
    name: &str,
    scopes: &[String],
    ui: &dyn ExtensionUi,
    open: impl Fn(&str) -> bool + Send + Sync + 'static,
) -> Result<String, String> {
    let entry = find(host, is_trusted, name)?;
    log_in_to(&entry, host, scopes, ui, &OpenPage::new(open)).await
}

/// Forgets the login to a server.
///
/// # Errors
/// A sentence.
pub async fn log_out(host: &SessionHost, is_trusted: bool, name: &str) -> Result<String, String> {
    log_out_of(&find(host, is_trusted, name)?, host).await
}

/// The same for an entry.
pub(crate) fn log_in_to<'a>(
    entry: &'a ServerEntry,
    host: &'a SessionHost,
    scopes: &'a [String],
    ui: &'a dyn ExtensionUi,
    pages: &'a OpenPage,
) -> BoxFuture<'a, Result<String, String>> {
    Box::pin(async move {
        let name = entry.name.as_str();
        let paths = &host.paths;
        let url = address(entry, host)?;
        let config = entry.oauth(paths.env(), paths.cwd()).await.map_err(|error| error.to_string())?;
        let target = LoginTarget { url: &url, config: &config, scopes };
        let done = oauth::login(&target, LoginStore::new(paths.agent_dir(), &url, &host.clock), ui, pages).await;
        done.map_err(|detail| format!("The login to MCP server \"{name}\" failed: {detail}"))?;
        Ok(format!("You are logged in to {name}"))
    })
}

/// The same for an entry.
pub(crate) fn log_out_of<'a>(entry: &'a ServerEntry, host: &'a SessionHost) -> BoxFuture<'a, Result<String, String>> {
    Box::pin(async move {
        let name = &entry.name;
        if LoginStore::new(host.paths.agent_dir(), &address(entry, host)?, &host.clock).remove().await? {
            return Ok(format!("The login to {name} is forgotten"));
        }
        Err(format!("There is no login to MCP server \"{name}\""))
    })
}

fn find(host: &SessionHost, is_trusted: bool, name: &str) -> Result<ServerEntry, String> {
    let configuration = config::read(host.paths.agent_dir(), host.paths.cwd(), is_trusted);
    let names: Vec<String> = configuration.servers.iter().map(|entry| entry.name.clone()).collect();
    configuration.servers.into_iter().find(|entry| entry.name == name).ok_or_else(|| {
        let known =
            if names.is_empty() { "There are none".to_owned() } else { format!("There are: {}", names.join(", ")) };
        let untrusted = if is_trusted { "" } else { ". Those of this project do not count: it is not trusted" };
        format!("There is no MCP server \"{name}\". {known}{untrusted}")
    })
}

fn address(entry: &ServerEntry, host: &SessionHost) -> Result<String, String> {
    match &entry.transport {
        TransportConfig::Http { url, .. } => entry.text(url, host.paths.env()).map_err(|error| error.to_string()),
        TransportConfig::Stdio { .. } => {
            Err(format!("MCP server \"{}\" is a program: it has no login that pi could do", entry.name))
        }
    }
}
