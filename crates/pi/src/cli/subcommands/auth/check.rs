//! `pi auth check`: which providers have a key or a login. What is found is what `pi doctor` finds about keys: nothing is
//! sent, no command is run, no secret is shown.

use std::io;

use pi_ai::newer_provider_name;
use serde_json::{Value, json};

use crate::cli::console::diagnostics::complain;
use crate::cli::console::screen::Screen;
use crate::cli::grammar::suggest::nearest;
use crate::cli::subcommands::doctor::{Examined, Finding, Level, keys};
use pi_coding_agent::host::iso_time::to_iso;

/// Runs the command; 0 where there is a key or a login that can be used, 1 where there is none.
pub(super) fn run(provider: Option<&str>, json: bool) -> u8 {
    let examined = match Examined::of_process() {
        Ok(examined) => examined,
        Err(message) => return fail(&message),
    };
    let mut findings = keys::section(&examined).findings;
    let is_of_file = |finding: &Finding| finding.subject == "auth.json";
    if let Some(provider) = provider.map(str::to_lowercase) {
        let known = examined.models.providers();
        let provider = examined.models.provider_named(&provider).unwrap_or(provider);
        if !known.contains(&provider) && !findings.iter().any(|finding| finding.subject == provider) {
            let meant = nearest(&provider, known.iter().map(String::as_str));
            let hint =
                meant.map_or_else(|| "pi models --all lists all".to_owned(), |name| format!("did you mean {name}?"));
            return fail(&format!("there is no provider \"{provider}\": {hint}"));
        }
        findings.retain(|finding| finding.subject == provider || is_of_file(finding));
        if !findings.iter().any(|finding| finding.subject == provider) {
            findings.push(none(&provider));
        }
    }
    let ok = findings.iter().any(Finding::is_fine) && !findings.iter().any(is_of_file);
    let mut screen = Screen::stdout(json);
    let printed = print(&findings, ok, &examined, &mut screen).and_then(|()| screen.finish());
    match printed {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            fail(&format!("cannot write to standard output: {error}"))
        }
        _ => u8::from(!ok),
    }
}

fn fail(message: &str) -> u8 {
    complain(&format!("Error: {message}"));
    1
}

fn none(provider: &str) -> Finding {
    Finding {
        level: Level::Attention,
        subject: provider.to_owned(),
        detail: "no key and no login".to_owned(),
        remedy: Some(format!("pi auth login {provider}")),
    }
}

fn print(findings: &[Finding], ok: bool, examined: &Examined, screen: &mut Screen) -> io::Result<()> {
    if !screen.json {
        return findings.iter().try_for_each(|finding| finding.print(screen));
    }
    // Some findings are about all providers.
    let (general, of_providers): (Vec<_>, Vec<_>) =
        findings.iter().partition(|finding| ["keys", "auth.json"].contains(&finding.subject.as_str()));
    let providers: Vec<Value> = of_providers.into_iter().map(|finding| as_json(finding, examined)).collect();
    let mut value = json!({ "ok": ok, "providers": providers });
    if let Some(finding) = general.first() {
        value["problem"] = format!("{}: {}", finding.subject, finding.detail).into();
    }
    screen.json(&value)
}

fn as_json(finding: &Finding, examined: &Examined) -> Value {
    let provider = &finding.subject;
    let entry = examined
        .stored_keys
        .as_ref()
        .ok()
        .and_then(|stored| stored.get(provider).or_else(|| stored.get(newer_provider_name(provider)?)));
    let expires = entry
        .and_then(|entry| entry.get("expires"))
        .and_then(Value::as_i64)
        .filter(|expires| *expires <= keys::END_OF_TIME);
    let mut value = json!({ "provider": provider, "ok": finding.is_fine(), "detail": finding.detail });
    let mut set = |name: &str, what: Option<Value>| {
        if let (Some(what), Some(object)) = (what, value.as_object_mut()) {
            object.insert(name.to_owned(), what);
        }
    };
    set("remedy", finding.remedy.clone().map(Value::from));
    set("source", source(provider, entry.is_some(), examined).map(Value::from));
    set("type", entry.and_then(|entry| entry.get("type")).cloned());
    set("expires", expires.map(|expires| to_iso(expires).into()));
    set("expired", expires.map(|expires| (expires <= examined.clock.now_ms()).into()));
    value
}

/// Where the key comes from: `auth.json`, `models.json`, or the name of a variable.
fn source(provider: &str, is_stored: bool, examined: &Examined) -> Option<String> {
    if is_stored {
        return Some("auth.json".to_owned());
    }
    let in_file = || examined.models.key_in_file(provider).map(|_| "models.json".to_owned());
    keys::variable(provider, examined).or_else(in_file)
}
