//! The overrides file: what people know better than the sources. One JSON object per line; lines that begin with `//`
//! are comments. Every entry says why in `because`.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

use super::rows::{Entry, Facts, Key, Price};

/// One entry: what to do with some models of a provider, exactly one of `remove`, `set` and `add`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Override {
    /// Why; never empty.
    because: String,
    provider: String,
    ids: Vec<String>,
    /// Do not list them, even if they were published.
    #[serde(default)]
    remove: bool,
    /// Fields to replace.
    set: Option<Patch>,
    /// Facts of models that no source lists.
    add: Option<Facts>,
}

impl Override {
    /// The models it is about.
    pub(super) fn keys(&self) -> impl Iterator<Item = Key> {
        self.ids.iter().map(|id| Key::new(&self.provider, id))
    }

    /// What is to be done.
    pub(super) fn action(&self) -> Action<'_> {
        match (&self.set, &self.add) {
            (Some(patch), _) => Action::Set(patch),
            (_, Some(facts)) => Action::Add(facts),
            _ => Action::Remove,
        }
    }
}

/// What an entry wants.
#[derive(Debug)]
pub(super) enum Action<'a> {
    Remove,
    Set(&'a Patch),
    Add(&'a Facts),
}

/// Fields to replace; of `cost`, only those that are named.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Patch {
    name: Option<String>,
    reasoning: Option<bool>,
    input: Option<Vec<String>>,
    cost: Option<CostPatch>,
    context_window: Option<u64>,
    max_tokens: Option<u64>,
    api: Option<String>,
    base_url: Option<String>,
    headers: Option<BTreeMap<String, String>>,
    compat: Option<BTreeMap<String, Value>>,
    thinking_level_map: Option<Map<String, Value>>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CostPatch {
    input: Option<Price>,
    output: Option<Price>,
    cache_read: Option<Price>,
    cache_write: Option<Price>,
}

impl Patch {
    /// Replaces what the patch names.
    pub(super) fn apply(&self, entry: &mut Entry) {
        let (facts, wire) = (&mut entry.facts, &mut entry.wire);
        replace(&mut facts.name, &self.name);
        replace(&mut facts.reasoning, &self.reasoning);
        replace(&mut facts.input, &self.input);
        replace(&mut facts.context_window, &self.context_window);
        replace(&mut facts.max_tokens, &self.max_tokens);
        if let Some(cost) = &self.cost {
            replace(&mut facts.cost.input, &cost.input);
            replace(&mut facts.cost.output, &cost.output);
            replace(&mut facts.cost.cache_read, &cost.cache_read);
            replace(&mut facts.cost.cache_write, &cost.cache_write);
        }
        replace(&mut wire.api, &self.api);
        replace(&mut wire.base_url, &self.base_url);
        wire.headers = self.headers.clone().or(wire.headers.take());
        wire.compat = self.compat.clone().or(wire.compat.take());
        wire.thinking_level_map = self.thinking_level_map.clone().or(wire.thinking_level_map.take());
    }
}

fn replace<T: Clone>(field: &mut T, value: &Option<T>) {
    if let Some(value) = value {
        field.clone_from(value);
    }
}

/// Reads the file.
pub(super) fn read(path: &Path) -> Result<Vec<Override>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    parse(&text).with_context(|| path.display().to_string())
}

fn parse(text: &str) -> Result<Vec<Override>> {
    let lines = text.lines().enumerate();
    let entries = lines.filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with("//"));
    entries.map(|(index, line)| parse_entry(line).with_context(|| format!("line {}", index + 1))).collect()
}

fn parse_entry(line: &str) -> Result<Override> {
    let entry: Override = serde_json::from_str(line)?;
    ensure!(!entry.because.trim().is_empty(), "say why in `because`");
    ensure!(!entry.ids.is_empty(), "name the models in `ids`");
    match [entry.remove, entry.set.is_some(), entry.add.is_some()].into_iter().filter(|wanted| *wanted).count() {
        1 => Ok(entry),
        n => bail!("give one of `remove`, `set` and `add`, not {n}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_empty_lines_are_skipped() {
        let text =
            "// why\n\n  // indented\n{\"because\":\"b\",\"provider\":\"p\",\"ids\":[\"a\",\"b\"],\"remove\":true}\n";
        let entries = parse(text).unwrap();
        assert_eq!(entries.len(), 1);
        assert!(entries[0].keys().eq([Key::new("p", "a"), Key::new("p", "b")]));
        assert!(matches!(entries[0].action(), Action::Remove));
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let entry = |rest: &str| format!("// first\n{{\"provider\":\"p\",{rest}}}");
        for (text, expected) in [
            (entry(r#""because":" ","ids":["a"],"remove":true"#), "line 2: say why in `because`"),
            (entry(r#""because":"b","ids":[],"remove":true"#), "line 2: name the models in `ids`"),
            (entry(r#""because":"b","ids":["a"]"#), "line 2: give one of `remove`, `set` and `add`, not 0"),
            (entry(r#""because":"b","ids":["a"],"remove":true,"set":{}"#), "`remove`, `set` and `add`, not 2"),
            (entry(r#""ids":["a"],"remove":true"#), "missing field `because`"),
            (entry(r#""because":"b","ids":["a"],"set":{"contextwindow":1}"#), "unknown field `contextwindow`"),
            (entry(r#""because":"b","ids":["a"],"drop":true"#), "unknown field `drop`"),
        ] {
            let error = format!("{:#}", parse(&text).unwrap_err());
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
