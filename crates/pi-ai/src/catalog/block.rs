//! Reads the models of one provider. Nothing here knows which providers there are.
//!
//! A block is text. First come the ways in which the provider's models are spoken to, each a line of JSON with the keys
//! `api`, `baseUrl` and, where there is something to say, `headers`, `compat` and `thinkingLevelMap`. Then come the
//! models, sorted by id, each a line of columns with tabs between them:
//!
//! | Column | Meaning |
//! |---|---|
//! | id | never begins with `{` |
//! | name | empty: the id |
//! | way | index of the line of JSON |
//! | flags | `r` it can think, `i` it takes images |
//! | input, output, cache read, cache write | US dollars per million tokens |
//! | context window, output limit | tokens |
//!
//! The generator checks its output by tests that read all of it. What cannot be read, in a build that somebody broke,
//! is not listed.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::model::{InputKind, Model, ModelCost};

/// The models of a provider, not parsed yet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    pub(super) provider: &'static str,
    pub(super) text: &'static str,
}

/// How a model is spoken to.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Wire {
    api: String,
    base_url: String,
    headers: Option<BTreeMap<String, String>>,
    compat: Option<Map<String, Value>>,
    thinking_level_map: Option<BTreeMap<String, Option<String>>>,
}

impl Block {
    /// All models in their order.
    pub(super) fn models(self) -> Vec<Arc<Model>> {
        let (wires, lines) = self.parts();
        let wires: Vec<Option<Wire>> = wires.lines().map(|wire| serde_json::from_str(wire).ok()).collect();
        let wire = |index: usize| wires.get(index).cloned().flatten();
        lines.lines().filter_map(|line| Some(Arc::new(self.read(line, wire)?))).collect()
    }

    /// One model by id.
    pub(super) fn model(self, id: &str) -> Option<Arc<Model>> {
        let (wires, lines) = self.parts();
        let wire = |index| serde_json::from_str(wires.lines().nth(index)?).ok();
        Some(Arc::new(self.read(line_of(lines, id)?, wire)?))
    }

    /// Ways of speaking, models.
    fn parts(self) -> (&'static str, &'static str) {
        let length: usize =
            self.text.split_inclusive('\n').take_while(|line| line.starts_with('{')).map(str::len).sum();
        self.text.split_at(length)
    }

    fn read(self, line: &str, wire: impl Fn(usize) -> Option<Wire>) -> Option<Model> {
        let mut columns = line.split('\t');
        let (id, name) = (columns.next()?, columns.next()?);
        let wire = wire(columns.next()?.parse().ok()?)?;
        let flags = columns.next()?;
        let cost = ModelCost {
            input: columns.next()?.parse().ok()?,
            output: columns.next()?.parse().ok()?,
            cache_read: columns.next()?.parse().ok()?,
            cache_write: columns.next()?.parse().ok()?,
            ..ModelCost::default()
        };
        Some(Model {
            id: id.to_owned(),
            name: if name.is_empty() { id } else { name }.to_owned(),
            api: wire.api,
            provider: self.provider.to_owned(),
            base_url: wire.base_url,
            compat: wire.compat,
            reasoning: flags.contains('r'),
            thinking_level_map: wire.thinking_level_map,
            input: if flags.contains('i') { vec![InputKind::Text, InputKind::Image] } else { vec![InputKind::Text] },
            cost,
            context_window: columns.next()?.parse().ok()?,
            max_tokens: columns.next()?.parse().ok()?,
            headers: wire.headers,
            ..Model::default()
        })
    }
}

/// Binary search in sorted lines for the one whose first column is `id`.
fn line_of<'a>(mut lines: &'a str, id: &str) -> Option<&'a str> {
    while !lines.is_empty() {
        // The line around the middle. A line break is one byte, so every cut is between two characters.
        let bytes = lines.as_bytes();
        let middle = bytes.len() / 2;
        let start = memchr::memrchr(b'\n', &bytes[..middle]).map_or(0, |at| at + 1);
        let end = memchr::memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |at| start + at);
        let line = &lines[start..end];
        match line.split('\t').next().unwrap_or_default().cmp(id) {
            std::cmp::Ordering::Equal => return Some(line),
            std::cmp::Ordering::Less => lines = lines.get(end + 1..).unwrap_or_default(),
            std::cmp::Ordering::Greater => lines = &lines[..start],
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = concat!(
        "{\"api\":\"a\",\"baseUrl\":\"u\"}\n",
        "{\"api\":\"b\",\"baseUrl\":\"v\",\"headers\":{\"h\":\"1\"},\"compat\":{\"c\":true},\"thinkingLevelMap\":{\"off\":null}}\n",
        "m\tName\t1\tri\t1.5\t2\t0.25\t0\t1000\t100\n",
        "m.5\t\t0\t\t0\t0\t0\t0\t2000\t200\n",
        "é\tÉ\t0\ti\t0\t0\t0\t0\t2000\t200\n",
    );

    #[test]
    fn a_block_is_read() {
        let block = Block { provider: "p", text: TEXT };
        insta::assert_json_snapshot!(block.models(), @r#"
        [
          {
            "id": "m",
            "name": "Name",
            "api": "b",
            "provider": "p",
            "baseUrl": "v",
            "compat": {
              "c": true
            },
            "reasoning": true,
            "thinkingLevelMap": {
              "off": null
            },
            "input": [
              "text",
              "image"
            ],
            "cost": {
              "input": 1.5,
              "output": 2,
              "cacheRead": 0.25,
              "cacheWrite": 0
            },
            "contextWindow": 1000,
            "maxTokens": 100,
            "headers": {
              "h": "1"
            }
          },
          {
            "id": "m.5",
            "name": "m.5",
            "api": "a",
            "provider": "p",
            "baseUrl": "u",
            "reasoning": false,
            "input": [
              "text"
            ],
            "cost": {
              "input": 0,
              "output": 0,
              "cacheRead": 0,
              "cacheWrite": 0
            },
            "contextWindow": 2000,
            "maxTokens": 200
          },
          {
            "id": "é",
            "name": "É",
            "api": "a",
            "provider": "p",
            "baseUrl": "u",
            "reasoning": false,
            "input": [
              "text",
              "image"
            ],
            "cost": {
              "input": 0,
              "output": 0,
              "cacheRead": 0,
              "cacheWrite": 0
            },
            "contextWindow": 2000,
            "maxTokens": 200
          }
        ]
        "#);
        for model in block.models() {
            assert_eq!(block.model(&model.id), Some(model));
        }
        for id in ["", "a", "m\tName", "m.", "m.55", "z", "ü", "{"] {
            assert_eq!(block.model(id), None, "{id}");
        }
    }

    #[test]
    fn broken_text_lists_nothing() {
        for text in
            ["", "\n", "m\n", "m\tM\t0\tr\t1\t1\t1\t1\t1\t1", "{}\nm\tM\t0\tr\t1\t1\t1\t1\t1\t1\n", "{\nm\tM\t7\n"]
        {
            let block = Block { provider: "p", text };
            assert_eq!(block.models(), [], "{text:?}");
            assert_eq!(block.model("m"), None, "{text:?}");
        }
    }
}
