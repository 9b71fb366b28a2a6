//! The tables of `docs/settings.md`: everything from its heading "All settings" on is written from the declarations.

use std::fmt::Write;

use serde_json::Value;

use super::super::kind::Kind;
use super::super::spec::{DefaultValue, Spec, Topic};
use super::super::table::ALL;

/// Where the generated part begins.
const HEADING: &str = "## All settings\n";

const INTRODUCTION: &str = "
A switch is `true` or `false`. *user* in the column Scope marks keys that only count in the user's own file; all others count
in both.
";

/// Topics in the order of the page: the heading, and what precedes the table.
const TOPICS: [(Topic, &str, &str); 9] = [
    (Topic::Models, "Models", ""),
    (Topic::Sessions, "Sessions", ""),
    (Topic::Compaction, "Compaction", ""),
    (Topic::Requests, "Requests and retries", ""),
    (Topic::Tools, "Tools", ""),
    (Topic::Extensions, "Extensions and packages", ""),
    (Topic::Trust, "Trust and telemetry", ""),
    (
        Topic::Interactive,
        "Interactive mode",
        "`/settings` changes these, and most of the others, [while the program runs](interactive.md#commands).\n\n",
    ),
    (Topic::NoEffectYet, "Without effect yet", "These are checked and kept, and change nothing.\n\n"),
];

fn tables() -> String {
    let mut out = format!("{HEADING}{INTRODUCTION}");
    for (topic, title, text) in TOPICS {
        write!(out, "\n### {title}\n\n{text}| Key | Type | Default | Scope | Effect |\n|---|---|---|---|---|\n")
            .unwrap();
        for spec in ALL.iter().filter(|spec| spec.topic == topic) {
            out.push_str(&row(spec));
        }
    }
    out
}

fn row(spec: &Spec) -> String {
    let scope = if spec.is_users_own { " user" } else { "" };
    let more = spec.more.map(|link| format!(" [More]({link})")).unwrap_or_default();
    let (kind, default) = (kind(spec.kind), default(spec.default));
    format!("| `{}` | {kind} | {default} |{scope} | {}{more} |\n", spec.key, spec.sentence.trim())
}

fn kind(kind: Kind) -> String {
    let words = |words: &[&str]| words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    match kind {
        Kind::Text => "text".to_owned(),
        Kind::Switch => "switch".to_owned(),
        Kind::Number => "number".to_owned(),
        Kind::Range(min, max) => format!("number, {min} to {max}"),
        Kind::Texts => "list of texts".to_owned(),
        Kind::OneOf(names) => words(names),
        Kind::Limit => "number or `\"disabled\"`".to_owned(),
        Kind::Packages => "list of texts and objects".to_owned(),
        Kind::Positive => "number above 0".to_owned(),
        Kind::Count => "whole number above 0".to_owned(),
        Kind::Whole => "whole number".to_owned(),
        Kind::Numbers(names) => format!("object of numbers: {}", words(names)),
        Kind::PerModel(_) | Kind::Grants(_) => "object".to_owned(),
    }
}

fn default(default: DefaultValue) -> String {
    match default {
        DefaultValue::None => "–".to_owned(),
        DefaultValue::Switch(is_on) => format!("`{is_on}`"),
        DefaultValue::Number(number) => number.to_string(),
        DefaultValue::Word(word) => format!("`{}`", word().as_str().unwrap()),
        DefaultValue::Depends(phrase) => phrase.to_owned(),
        DefaultValue::Elsewhere(json) => match serde_json::from_str(json).unwrap() {
            Value::String(word) => format!("`{word}`"),
            Value::Number(number) => number.to_string(),
            _ => format!("`{json}`"),
        },
    }
}

#[test]
fn the_page_lists_every_setting() {
    let tables = tables();
    for spec in ALL {
        assert!(tables.contains(&row(spec)), "no topic for {spec:?}");
    }
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/settings.md")).unwrap();
    let prose = page.split(HEADING).next().unwrap();
    super::compare_or_write("settings.md", &format!("{prose}{tables}"));
}
