//! Which provider has a key, and where from. Never the key.

use pi_ai::auth::env::{ambient_variables, env_key_names};
use pi_ai::{newer_provider_name, provider_behind};
use serde_json::Value;

use super::examined::Examined;
use super::report::Section;
use pi_coding_agent::config::config_value::ConfigValue;
use pi_coding_agent::host::iso_time::to_iso;

pub(in crate::cli) fn section(examined: &Examined) -> Section {
    let mut section = Section::new("Keys");
    if let Err(error) = &examined.stored_keys {
        section.attention("auth.json", error.to_string(), "repair the file; until then none of its keys is used");
    }
    for provider in providers(examined) {
        provider_key(&provider, examined, &mut section);
    }
    if section.findings.is_empty() {
        section.attention(
            "keys",
            "no provider has one",
            "pi auth login, or set the environment variable of a provider (docs/models.md)",
        );
    }
    section
}

/// Those of the catalogue and of models.json, then others that something is stored for.
fn providers(examined: &Examined) -> Vec<String> {
    let mut providers = examined.models.providers();
    let stored = examined.stored_keys.iter().flat_map(|stored| stored.keys());
    let unknown: Vec<String> = stored.filter(|name| !is_known(name, &providers)).cloned().collect();
    providers.extend(unknown);
    providers
}

/// A newer name of a provider is none of its own.
fn is_known(name: &str, providers: &[String]) -> bool {
    providers.iter().any(|known| known == name || provider_behind(name) == Some(known))
}

fn provider_key(provider: &str, examined: &Examined, section: &mut Section) {
    let stored = examined
        .stored_keys
        .as_ref()
        .ok()
        .and_then(|stored| stored.get(provider).or_else(|| stored.get(newer_provider_name(provider)?)));
    let variable = variable(provider, examined);
    let in_file = examined.models.key_in_file(provider);
    match (stored, variable, in_file) {
        (Some(entry), variable, _) => stored_entry(provider, entry, variable.as_deref(), examined, section),
        (None, Some(variable), _) => section.ok(provider, format!("from the environment, {variable}")),
        (None, None, Some(value)) => match missing(&value, |_| false, examined) {
            Some(problem) => problem.report(provider, "models.json", section),
            None => usable(provider, &value, "models.json", section),
        },
        (None, None, None) => {}
    }
}

/// The variable with the key of a provider, or those that make it look for credentials of its cloud.
pub(in crate::cli) fn variable(provider: &str, examined: &Examined) -> Option<String> {
    let name = examined.models.auth().env_variable(provider).map(str::to_owned);
    let ambient = || ambient_variables(provider, &|name: &str| examined.env().var(name));
    name.or_else(|| Some(ambient()?.join(" and ")))
}

fn stored_entry(provider: &str, entry: &Value, variable: Option<&str>, examined: &Examined, section: &mut Section) {
    let text = |key: &str| entry.get(key).and_then(Value::as_str);
    let instead = variable.map_or_else(String::new, |name| format!(" ({name} is set, too; auth.json wins)"));
    match text("type") {
        Some("api_key") => {
            let value = ConfigValue::parse(text("key").unwrap_or_default());
            let own = |name: &str| entry.get("env").is_some_and(|env| env.get(name).is_some());
            match (missing(&value, own, examined), variable) {
                (Some(Problem::Variables(names)), Some(variable)) => section.note(
                    provider,
                    format!(
                        "the key in auth.json names what is not set: {names}; {variable} from the environment is used"
                    ),
                ),
                (Some(problem), _) => problem.report(provider, "auth.json", section),
                (None, _) => usable(provider, &value, &format!("auth.json{instead}"), section),
            }
        }
        Some("oauth") => login(provider, entry, &instead, examined, section),
        Some("keyring") => section.ok(provider, format!("in the keyring of the system{instead}")),
        _ => section.attention(
            provider,
            "its entry in auth.json is of a kind that this version does not know",
            &format!("pi auth login {provider}"),
        ),
    }
}

/// The last millisecond of the year 9999: logins that never expire lie behind it.
pub(in crate::cli) const END_OF_TIME: i64 = 253_402_300_799_999;

fn login(provider: &str, entry: &Value, instead: &str, examined: &Examined, section: &mut Section) {
    match entry.get("expires").and_then(Value::as_i64) {
        Some(expires) if expires > END_OF_TIME => section.ok(provider, format!("a login in auth.json{instead}")),
        Some(expires) if examined.clock.now_ms() < expires => {
            section.ok(provider, format!("a login in auth.json, valid until {}{instead}", to_iso(expires)));
        }
        Some(expires) => {
            let detail = format!("a login in auth.json, expired at {}; it is renewed when it is used", to_iso(expires));
            section.note(provider, format!("{detail}{instead}"));
        }
        None => {
            section.attention(provider, "its login in auth.json cannot be read", &format!("pi auth login {provider}"));
        }
    }
}

/// Why a key cannot be used.
enum Problem {
    Empty,
    /// Variables that it names, and that are not set.
    Variables(String),
}

impl Problem {
    fn report(&self, provider: &str, place: &str, section: &mut Section) {
        match self {
            Self::Empty => section.attention(
                provider,
                format!("an empty key in {place}"),
                &format!("store the key, or set {}", env_key_names(provider).last().unwrap_or(&"its variable")),
            ),
            Self::Variables(names) => {
                let detail = format!("the key in {place} names a variable that is not set: {names}");
                section.attention(provider, detail, "set the variable, or change the key");
            }
        }
    }
}

/// What a key lacks. `own` says whether a variable comes with it.
fn missing(value: &ConfigValue, own: impl Fn(&str) -> bool, examined: &Examined) -> Option<Problem> {
    match value {
        ConfigValue::Command(_) => None,
        ConfigValue::Text(parts) if parts.is_empty() => Some(Problem::Empty),
        ConfigValue::Text(_) => {
            let mut missing = value.missing(examined.env());
            missing.retain(|name| !own(name));
            (!missing.is_empty()).then(|| Problem::Variables(missing.join(", ")))
        }
    }
}

fn usable(provider: &str, value: &ConfigValue, place: &str, section: &mut Section) {
    section.ok(
        provider,
        match value {
            ConfigValue::Command(_) => format!("from a command in {place}; it runs when the key is needed"),
            ConfigValue::Text(_) => format!("from {place}"),
        },
    );
}
