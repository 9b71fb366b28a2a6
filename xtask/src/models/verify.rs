//! Rules that every model of the catalogue keeps.

use super::format_table::compat_keys;
use super::rows::{Cost, Entry, LEVELS, Wire};

/// What is wrong with a model, one sentence each.
pub(super) fn problems(entry: &Entry) -> impl Iterator<Item = String> {
    let facts = &entry.facts;
    let mut problems = Vec::new();
    let mut want = |holds: bool, sentence: String| {
        if !holds {
            problems.push(sentence);
        }
    };
    let lower = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    want(entry.key.provider.chars().all(lower), "a provider is lower-case letters, digits and dashes".to_owned());
    for text in [&entry.key.id, &facts.name] {
        want(is_one_word_or_line(text), format!("{text:?} must be one trimmed line"));
    }
    want(!entry.key.id.starts_with('{'), "an id must not begin with a brace".to_owned());
    want(is_input(&facts.input), format!("input {:?} must be text, or text and image", facts.input));
    want(facts.context_window > 0 && facts.max_tokens > 0, "a limit is 0 tokens".to_owned());
    want(is_cost(&facts.cost), format!("{:?} are no prices", facts.cost));
    problems.extend(wire_problems(&entry.wire));
    problems.into_iter()
}

fn wire_problems(wire: &Wire) -> Vec<String> {
    let mut problems = Vec::new();
    let compat_keys = compat_keys(&wire.api);
    if compat_keys.is_none() {
        problems.push(format!("there is no wire format {}", wire.api));
    }
    if wire.base_url.is_empty() != (wire.api == "azure-openai-responses") {
        problems.push(format!("{:?} is no address for {}", wire.base_url, wire.api));
    }
    let levels = wire.thinking_level_map.iter().flatten();
    for (level, value) in levels.filter(|(level, value)| !is_level(level, value)) {
        problems.push(format!("{level}: {value} is no thinking level with a text or null"));
    }
    let known = compat_keys.unwrap_or_default();
    for key in wire.compat.iter().flatten().map(|(key, _)| key).filter(|key| !known.contains(&key.as_str())) {
        problems.push(format!("{} has no compat key {key}", wire.api));
    }
    problems
}

fn is_one_word_or_line(text: &str) -> bool {
    !text.is_empty() && text.trim() == text && !text.contains(char::is_control)
}

fn is_input(input: &[String]) -> bool {
    input == ["text"] || input == ["text", "image"]
}

fn is_cost(cost: &Cost) -> bool {
    cost.prices().iter().all(|price| price.0.is_finite() && price.0 >= 0.0)
}

fn is_level(level: &str, value: &serde_json::Value) -> bool {
    LEVELS.contains(&level) && (value.is_null() || value.is_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"{"provider":"p","id":"m","name":"M","reasoning":true,"input":["text"],
        "cost":{"input":1,"output":2,"cacheRead":0.1,"cacheWrite":0},"contextWindow":1000,"maxTokens":100,
        "api":"openai-completions","baseUrl":"https://p.example","compat":{"supportsStore":false},
        "thinkingLevelMap":{"off":null,"xhigh":"max"}}"#;

    #[test]
    fn each_rule_is_checked() {
        let found = |from: &str, to: &str| -> Vec<String> {
            assert!(GOOD.contains(from), "{from}");
            problems(&serde_json::from_str::<Entry>(&GOOD.replace(from, to)).unwrap()).collect()
        };
        assert_eq!(found("1000", "1000"), Vec::<String>::new());
        for (from, to, expected) in [
            (r#""provider":"p""#, r#""provider":"../p""#, "a provider is lower-case letters"),
            (r#""name":"M""#, r#""name":"M ""#, "must be one trimmed line"),
            (r#""id":"m""#, r#""id":"m\tn""#, "must be one trimmed line"),
            (r#""id":"m""#, r#""id":"{m""#, "must not begin with a brace"),
            (r#"["text"]"#, r#"["image"]"#, "must be text"),
            ("1000", "0", "a limit is 0"),
            (r#""cacheWrite":0"#, r#""cacheWrite":-1"#, "are no prices"),
            ("openai-completions", "openai-complete", "there is no wire format openai-complete"),
            ("https://p.example", "", "is no address"),
            ("xhigh", "most", "is no thinking level"),
            ("supportsStore", "supportsMagic", "has no compat key supportsMagic"),
        ] {
            let found = found(from, to);
            assert!(found.iter().any(|problem| problem.contains(expected)), "{to}: {found:?}");
        }
    }
}
