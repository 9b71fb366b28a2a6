//! One entry of a configuration file: what a server is and how its tools are shown. Checked key by key, so that a mistake is
//! named.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pi_coding_agent::env::Env;
use serde_json::{Map, Value};
use url::Url;

use super::callback::CallbackAddress;
use super::value;
use crate::error::Error;
use crate::hash::hex_hash;

/// How long a request may go without an answer or progress, unless the entry says otherwise.
pub(crate) const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);
const LEGACY_SSE: &str = "the old HTTP+SSE transport is not supported: use the server's address for streamable HTTP, which \
                          often ends in /mcp instead of /sse";

const CALLBACK_URL: &str = "an http address of localhost, 127.0.0.1 or [::1] without query and fragment";
const METADATA_URL: &str = "an https address, or one of http on localhost, 127.0.0.1 or [::1]";

/// What is in the names of variables and headers that hold secrets.
const SECRET_NAMES: [&str; 7] = ["AUTH", "COOKIE", "CREDENTIAL", "KEY", "PASSWORD", "SECRET", "TOKEN"];

/// How the model gets to know the tools of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exposure {
    /// With every request.
    Direct,
    /// When a search has found them.
    Deferred,
    /// A search says how scripts call them; requests never declare them.
    CodeMode,
    /// Never.
    Hidden,
}

/// How a server is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TransportConfig {
    /// A program that is started, spoken to by its standard input and output.
    Stdio { command: String, args: Vec<String>, env: BTreeMap<String, String>, cwd: Option<String> },
    /// Streamable HTTP.
    Http { url: String, headers: BTreeMap<String, String> },
}

/// How a login to a server is asked for; all of it may be left to the server.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct OAuthConfig {
    /// The id that pi was registered with at the server.
    pub(crate) client_id: Option<String>,
    pub(crate) client_secret: Option<String>,
    /// What pi registers itself as.
    pub(crate) client_name: Option<String>,
    /// Where the browser is sent back to.
    pub(crate) callback: CallbackAddress,
    /// What the login is to permit, separated by blanks.
    pub(crate) scope: Option<String>,
    /// How the server gets to know pi, where it was not registered by hand.
    pub(crate) registration: Registration,
    /// The document about the authorization server that takes the place of discovery.
    pub(crate) metadata_url: Option<String>,
}

/// How a server gets to know a client.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Registration {
    /// The client registers itself (RFC 7591).
    #[default]
    Dynamic,
    /// The address of a document about the client is its id: this one, else that about pi.
    Document(Option<String>),
}

impl std::fmt::Debug for OAuthConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OAuthConfig").field("client_id", &self.client_id).finish_non_exhaustive()
    }
}

/// A server that is configured.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ServerEntry {
    pub(crate) name: String,
    pub(crate) transport: TransportConfig,
    pub(crate) timeout: Duration,
    pub(crate) is_enabled: bool,
    pub(crate) exposure: Option<Exposure>,
    /// Exposure by tool; comes before that of the server.
    pub(crate) tool_exposure: BTreeMap<String, Exposure>,
    /// For the description of the search.
    pub(crate) description: Option<String>,
    /// The only revision of the protocol to speak.
    pub(crate) protocol_version: Option<String>,
    pub(crate) oauth: OAuthConfig,
    /// Whether its values are taken as they are: whoever handed it over has put variables and secrets in already.
    pub(crate) is_literal: bool,
    /// The file that it stands in; empty for none.
    pub(crate) file: PathBuf,
    raw: Map<String, Value>,
}

impl ServerEntry {
    /// Checks an entry.
    ///
    /// # Errors
    /// What is wrong with it, without its name.
    pub(crate) fn parse(name: &str, value: &Value, file: PathBuf) -> Result<Self, String> {
        let Value::Object(raw) = value else { return Err("must be an object".to_owned()) };
        if name.trim().is_empty() {
            return Err("has no name".to_owned());
        }
        let keys = Keys(raw);
        Ok(Self {
            name: name.to_owned(),
            transport: transport(&keys)?,
            timeout: keys.milliseconds("timeout")?.unwrap_or(DEFAULT_TIMEOUT),
            is_enabled: keys.boolean("enabled")?.unwrap_or(true) && !keys.boolean("disabled")?.unwrap_or(false),
            exposure: keys.text("exposure")?.map(|text| exposure("exposure", &text)).transpose()?,
            tool_exposure: tool_exposure(&keys)?,
            description: keys.text("description")?,
            protocol_version: keys.text("protocolVersion")?,
            oauth: oauth(&keys)?,
            is_literal: false,
            file,
            raw: raw.clone(),
        })
    }

    /// A value with variables put in.
    ///
    /// # Errors
    /// Those of [`value::expand`].
    pub(crate) fn text(&self, text: &str, env: &Env) -> Result<String, Error> {
        if self.is_literal { Ok(text.to_owned()) } else { value::expand(&self.name, text, env) }
    }

    /// The same for the name of a file or directory.
    ///
    /// # Errors
    /// Those of [`value::expand`].
    pub(crate) fn path(&self, text: &str, env: &Env) -> Result<String, Error> {
        if self.is_literal { Ok(text.to_owned()) } else { value::expand_path(&self.name, text, env) }
    }

    /// The same for the value of a variable or header, which may be a secret.
    ///
    /// # Errors
    /// Those of [`value::expand_secret`].
    pub(crate) async fn secret(&self, name: &str, text: &str, env: &Env, cwd: &Path) -> Result<String, Error> {
        if !self.is_literal {
            return value::expand_secret(&self.name, text, env, cwd).await;
        }
        // Clients hand over directories and modes as well, which must not vanish from texts.
        let name = name.to_uppercase();
        if SECRET_NAMES.iter().any(|part| name.contains(part)) {
            pi_ai::remember_secret(text);
        }
        Ok(text.to_owned())
    }

    /// How a login is asked for, with the secret of the client.
    ///
    /// # Errors
    /// Those of [`value::expand_secret`].
    pub(crate) async fn oauth(&self, env: &Env, cwd: &Path) -> Result<OAuthConfig, Error> {
        let mut config = self.oauth.clone();
        if let Some(secret) = &config.client_secret {
            let secret = self.secret("secret", secret, env, cwd).await?;
            // Also one that stands in the file as it is.
            pi_ai::remember_secret(&secret);
            config.client_secret = Some(secret);
        }
        Ok(config)
    }

    /// Names what is known of this server: entries that differ have different ones.
    pub(crate) fn hash(&self, cwd: &Path) -> String {
        let text = format!("{}\0{}\0{}", self.name, Value::Object(self.raw.clone()), cwd.display());
        hex_hash(&text, 32)
    }
}

fn transport(keys: &Keys<'_>) -> Result<TransportConfig, String> {
    let kind = keys.text("type")?.or(keys.text("transport")?);
    match (keys.text("command")?, keys.text("url")?, kind.as_deref()) {
        (_, _, Some("sse")) => Err(LEGACY_SSE.to_owned()),
        (Some(_), Some(_), _) => Err("has both command and url: a server has one of them".to_owned()),
        (Some(command), None, None | Some("stdio")) => Ok(TransportConfig::Stdio {
            command,
            args: keys.texts("args")?,
            env: keys.text_map("env")?,
            cwd: keys.text("cwd")?,
        }),
        (None, Some(url), None | Some("http" | "streamable-http" | "streamableHttp")) => {
            if url.starts_with("http://") || url.starts_with("https://") || url.starts_with("${") {
                Ok(TransportConfig::Http { url, headers: keys.text_map("headers")? })
            } else {
                Err(format!("url must begin with http:// or https://: {url}"))
            }
        }
        (None, None, _) => Err("needs a command or a url".to_owned()),
        (_, _, Some(kind)) => Err(format!("type \"{kind}\" does not fit: stdio goes with command, http with url")),
    }
}

fn exposure(key: &str, text: &str) -> Result<Exposure, String> {
    match text {
        "direct" => Ok(Exposure::Direct),
        "deferred" => Ok(Exposure::Deferred),
        "codemode" => Ok(Exposure::CodeMode),
        "hidden" => Ok(Exposure::Hidden),
        _ => Err(format!("{key} must be direct, deferred, codemode or hidden, not \"{text}\"")),
    }
}

fn tool_exposure(keys: &Keys<'_>) -> Result<BTreeMap<String, Exposure>, String> {
    let by_tool = keys.text_map("toolExposure")?;
    by_tool.into_iter().map(|(tool, text)| Ok((tool, exposure("toolExposure", &text)?))).collect()
}

fn oauth(keys: &Keys<'_>) -> Result<OAuthConfig, String> {
    let Some(object) = keys.get("oauth", "an object", |value| value.as_object().cloned())? else {
        return Ok(OAuthConfig::default());
    };
    let keys = Keys(&object);
    let read = || -> Result<OAuthConfig, String> {
        let config = OAuthConfig {
            client_id: keys.text("clientId")?,
            client_secret: keys.text("clientSecret")?,
            client_name: keys.text("clientName")?,
            callback: callback(&keys)?,
            scope: keys.text("scope")?,
            registration: registration(&keys)?,
            metadata_url: keys.get("authServerMetadataUrl", METADATA_URL, |value| {
                value.as_str().filter(|text| is_metadata_url(text)).map(str::to_owned)
            })?,
        };
        if config.client_secret.is_some() && config.client_id.is_none() {
            return Err("clientSecret needs a clientId".to_owned());
        }
        if config.registration != Registration::Dynamic {
            check_document(&config)?;
        }
        Ok(config)
    };
    read().map_err(|problem| format!("oauth.{problem}"))
}

fn callback(keys: &Keys<'_>) -> Result<CallbackAddress, String> {
    let read_port = |value: &Value| value.as_u64().and_then(|port| u16::try_from(port).ok()).filter(|port| *port > 0);
    let port = keys.get("callbackPort", "a port", read_port)?;
    let address = keys.get("callbackUrl", CALLBACK_URL, |value| CallbackAddress::parse(value.as_str()?))?;
    let address = address.unwrap_or_default();
    match (address.port(), port) {
        (Some(one), Some(other)) if one != other => {
            Err("callbackUrl and callbackPort name different ports: leave one out".to_owned())
        }
        _ => Ok(address.with_port(port)),
    }
}

fn registration(keys: &Keys<'_>) -> Result<Registration, String> {
    let is_document = |text: &str| Url::parse(text).is_ok_and(|url| url.scheme() == "https" && url.path() != "/");
    let document = keys.get("clientMetadataUrl", "an https URL with a path", |value| {
        value.as_str().filter(|text| is_document(text)).map(str::to_owned)
    })?;
    match (keys.text("clientRegistration")?.as_deref(), document) {
        (None | Some("dcr"), None) => Ok(Registration::Dynamic),
        (None | Some("cimd"), document) => Ok(Registration::Document(document)),
        (Some("dcr"), Some(_)) => Err("clientMetadataUrl goes with clientRegistration \"cimd\"".to_owned()),
        (Some(other), _) => Err(format!("clientRegistration must be dcr or cimd, not \"{other}\"")),
    }
}

/// Whether the rest fits to a document as the client's id.
fn check_document(config: &OAuthConfig) -> Result<(), String> {
    if config.client_id.is_some() || config.client_name.is_some() {
        return Err("clientRegistration \"cimd\" does not go with clientId or clientName".to_owned());
    }
    if config.registration == Registration::Document(None) && !config.callback.is_documented() {
        return Err(
            "clientRegistration \"cimd\" needs a callbackUrl on localhost or 127.0.0.1 with the path /callback"
                .to_owned(),
        );
    }
    Ok(())
}

/// Who can change this document can have logins: it comes by HTTPS, or from this machine.
fn is_metadata_url(text: &str) -> bool {
    let Ok(url) = Url::parse(text) else { return false };
    let is_local = matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
    let has_user = !url.username().is_empty() || url.password().is_some();
    !has_user && (url.scheme() == "https" || url.scheme() == "http" && is_local)
}

/// The keys of an entry; unknown ones are allowed, since other programs share the files.
struct Keys<'a>(&'a Map<String, Value>);

impl Keys<'_> {
    fn get<T>(&self, key: &str, what: &str, read: impl Fn(&Value) -> Option<T>) -> Result<Option<T>, String> {
        match self.0.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => read(value).map(Some).ok_or_else(|| format!("{key} must be {what}")),
        }
    }

    fn text(&self, key: &str) -> Result<Option<String>, String> {
        self.get(key, "a text", |value| value.as_str().map(str::to_owned))
    }

    fn boolean(&self, key: &str) -> Result<Option<bool>, String> {
        self.get(key, "true or false", Value::as_bool)
    }

    fn milliseconds(&self, key: &str) -> Result<Option<Duration>, String> {
        let read = |value: &Value| value.as_u64().filter(|number| *number > 0).map(Duration::from_millis);
        self.get(key, "a number of milliseconds above 0", read)
    }

    fn texts(&self, key: &str) -> Result<Vec<String>, String> {
        let read = |value: &Value| value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect();
        Ok(self.get(key, "a list of texts", read)?.unwrap_or_default())
    }

    fn text_map(&self, key: &str) -> Result<BTreeMap<String, String>, String> {
        let pair = |(name, value): (&String, &Value)| Some((name.clone(), value.as_str()?.to_owned()));
        let read = |value: &Value| value.as_object()?.iter().map(pair).collect();
        Ok(self.get(key, "an object of texts", read)?.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parse(value: &Value) -> Result<ServerEntry, String> {
        ServerEntry::parse("x", value, PathBuf::from("mcp.json"))
    }

    #[test]
    fn each_mistake_is_named() {
        for (value, problem) in [
            (json!([]), "must be an object"),
            (json!({}), "needs a command or a url"),
            (json!({"command": 7}), "command must be a text"),
            (json!({"command": "a", "args": "b"}), "args must be a list of texts"),
            (json!({"command": "a", "env": {"A": 1}}), "env must be an object of texts"),
            (json!({"command": "a", "url": "http://b"}), "has both command and url: a server has one of them"),
            (json!({"url": "ftp://b"}), "url must begin with http:// or https://: ftp://b"),
            (json!({"url": "http://b", "type": "sse"}), LEGACY_SSE),
            (
                json!({"url": "http://b", "type": "stdio"}),
                "type \"stdio\" does not fit: stdio goes with command, http with url",
            ),
            (json!({"url": "http://b", "oauth": 7}), "oauth must be an object"),
            (json!({"url": "http://b", "oauth": {"callbackPort": 70000}}), "oauth.callbackPort must be a port"),
            (json!({"url": "http://b", "oauth": {"clientSecret": "x"}}), "oauth.clientSecret needs a clientId"),
            (
                json!({"url": "http://b", "oauth": {"callbackUrl": "http://b/cb"}}),
                "oauth.callbackUrl must be an http address of localhost, 127.0.0.1 or [::1] without query and fragment",
            ),
            (
                json!({"url": "http://b", "oauth": {"callbackUrl": "http://localhost:1/cb", "callbackPort": 2}}),
                "oauth.callbackUrl and callbackPort name different ports: leave one out",
            ),
            (
                json!({"url": "http://b", "oauth": {"authServerMetadataUrl": "http://b/x"}}),
                "oauth.authServerMetadataUrl must be an https address, or one of http on localhost, 127.0.0.1 or [::1]",
            ),
            (
                json!({"url": "http://b", "oauth": {"clientRegistration": "none"}}),
                "oauth.clientRegistration must be dcr or cimd, not \"none\"",
            ),
            (
                json!({"url": "http://b", "oauth": {"clientRegistration": "cimd", "clientId": "c"}}),
                "oauth.clientRegistration \"cimd\" does not go with clientId or clientName",
            ),
            (
                json!({"url": "http://b", "oauth": {"clientRegistration": "cimd", "callbackUrl": "http://[::1]/callback"}}),
                "oauth.clientRegistration \"cimd\" needs a callbackUrl on localhost or 127.0.0.1 with the path /callback",
            ),
            (
                json!({"url": "http://b", "oauth": {"clientMetadataUrl": "http://b/x"}}),
                "oauth.clientMetadataUrl must be an https URL with a path",
            ),
            (
                json!({"url": "http://b", "oauth": {"clientRegistration": "dcr", "clientMetadataUrl": "https://b/x"}}),
                "oauth.clientMetadataUrl goes with clientRegistration \"cimd\"",
            ),
            (json!({"command": "a", "timeout": 0}), "timeout must be a number of milliseconds above 0"),
            (
                json!({"command": "a", "exposure": "all"}),
                "exposure must be direct, deferred, codemode or hidden, not \"all\"",
            ),
            (
                json!({"command": "a", "toolExposure": {"t": "x"}}),
                "toolExposure must be direct, deferred, codemode or hidden, not \"x\"",
            ),
        ] {
            assert_eq!(parse(&value).unwrap_err(), problem, "{value}");
        }
    }

    #[test]
    fn logins_can_be_described() {
        let oauth = |value: Value| parse(&json!({"url": "http://b", "oauth": value})).unwrap().oauth;
        for (value, expected) in [
            (json!({"clientRegistration": "dcr", "clientName": "x"}), Registration::Dynamic),
            (json!({"clientRegistration": "cimd", "callbackPort": 7}), Registration::Document(None)),
            (
                json!({"clientMetadataUrl": "https://b/x", "callbackUrl": "http://[::1]/y"}),
                Registration::Document(Some("https://b/x".to_owned())),
            ),
        ] {
            assert_eq!(oauth(value.clone()).registration, expected, "{value}");
        }
        let address = oauth(json!({"callbackUrl": "http://localhost/cb", "callbackPort": 7})).callback;
        assert_eq!((address.port(), address.uri(7)), (Some(7), "http://localhost:7/cb".to_owned()));
        for url in ["https://a/.well-known/openid-configuration", "http://127.0.0.1:9/x", "http://[::1]/x"] {
            assert_eq!(oauth(json!({"authServerMetadataUrl": url})).metadata_url.as_deref(), Some(url));
        }
    }

    #[test]
    fn what_is_left_out_has_a_default() {
        let entry = parse(&json!({"command": "a", "unknown": 1, "oauth": {}})).unwrap();
        assert_eq!((entry.timeout, entry.is_enabled, entry.exposure), (DEFAULT_TIMEOUT, true, None));
        let entry = parse(&json!({"url": "https://a", "disabled": true, "exposure": "codemode"})).unwrap();
        assert_eq!((entry.is_enabled, entry.exposure), (false, Some(Exposure::CodeMode)));
    }

    #[test]
    fn the_hash_follows_every_key_and_the_directory() {
        let hash = |value: Value, dir: &str| parse(&value).unwrap().hash(Path::new(dir));
        let one = hash(json!({"command": "a"}), "/");
        assert_eq!(one, hash(json!({"command": "a"}), "/"));
        assert_ne!(one, hash(json!({"command": "a"}), "/b"));
        assert_ne!(one, hash(json!({"command": "a", "env": {"A": "1"}}), "/"));
    }
}
