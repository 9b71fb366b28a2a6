//! One entry of a configuration file: what a server is and how its tools are shown. Checked key by key, so that a mistake is
//! named.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pi_coding_agent::env::Env;
use serde_json::{Map, Value};

use super::value;
use crate::error::Error;
use crate::hash::hex_hash;

/// How long a request may go without an answer or progress, unless the entry says otherwise.
pub(crate) const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);
const LEGACY_SSE: &str = "the old HTTP+SSE transport is not supported: use the server's address for streamable HTTP, which \
                          often ends in /mcp instead of /sse";

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
    /// The port that the browser is sent back to.
    pub(crate) callback_port: Option<u16>,
    /// What the login is to permit, separated by blanks.
    pub(crate) scope: Option<String>,
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
        let port = |value: &Value| value.as_u64().and_then(|port| u16::try_from(port).ok()).filter(|port| *port > 0);
        let config = OAuthConfig {
            client_id: keys.text("clientId")?,
            client_secret: keys.text("clientSecret")?,
            client_name: keys.text("clientName")?,
            callback_port: keys.get("callbackPort", "a port", port)?,
            scope: keys.text("scope")?,
        };
        if config.client_secret.is_some() && config.client_id.is_none() {
            return Err("clientSecret needs a clientId".to_owned());
        }
        Ok(config)
    };
    read().map_err(|problem| format!("oauth.{problem}"))
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
            (json!({"command": "a", "timeout": 0}), "timeout must be a number of milliseconds above 0"),
            (json!({"command": "a", "exposure": "all"}), "exposure must be direct, deferred, codemode or hidden, not \"all\""),
            (
                json!({"command": "a", "toolExposure": {"t": "x"}}),
                "toolExposure must be direct, deferred, codemode or hidden, not \"x\"",
            ),
        ] {
            assert_eq!(parse(&value).unwrap_err(), problem, "{value}");
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
