//! Which tools fit a query. Rare words count more than common ones, and words of a name more than those of a description (BM25 by
//! fields, without the length of fields: descriptions are short).

use std::collections::HashMap;

use serde_json::Value;

use super::synonyms;
use super::terms::terms;

/// Weights of the fields.
const NAME: f64 = 3.0;
const SERVER: f64 = 2.0;
const DESCRIPTION: f64 = 1.6;
const PARAMETER: f64 = 0.5;
/// Of a word that stands for another, and of one that is the beginning of another.
const SYNONYM: f64 = 0.55;
const PREFIX: f64 = 0.6;
/// Letters that the beginning of a word has at least.
const SHORTEST_PREFIX: usize = 4;
/// References of schemas are followed this far.
const DEEPEST: usize = 4;

/// A tool as it is searched.
#[derive(Debug, Clone)]
pub(crate) struct SearchedTool {
    pub(crate) server: String,
    pub(crate) name: String,
    pub(crate) description: String,
    /// The schema of its arguments, with references written out.
    pub(crate) schema: Value,
}

/// The tools that can be found.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// Weights of the terms of each tool.
    tools: Vec<HashMap<String, f64>>,
    names: Vec<String>,
    /// In how many tools a term occurs.
    counts: HashMap<String, usize>,
}

impl Index {
    pub(crate) fn new<'a>(tools: impl IntoIterator<Item = &'a SearchedTool>) -> Self {
        let mut index = Self::default();
        for tool in tools {
            let mut weights = HashMap::new();
            let mut add = |text: &str, weight: f64| {
                for term in terms(text) {
                    // A word that comes again in a field tells little more.
                    let old = weights.entry(term).or_insert(0.0);
                    *old = f64::max(*old, weight) + f64::min(*old, weight) * 0.2;
                }
            };
            add(&tool.name, NAME);
            add(&tool.server, SERVER);
            add(&tool.description, DESCRIPTION);
            parameters(&tool.schema, 0, &mut |text| add(text, PARAMETER));
            for term in weights.keys() {
                *index.counts.entry(term.clone()).or_default() += 1;
            }
            index.tools.push(weights);
            index.names.push(tool.name.to_lowercase());
        }
        index
    }

    /// The tools that fit best, at most so many, the best one first.
    pub(crate) fn search(&self, query: &str, most: usize) -> Vec<usize> {
        let wanted = terms(query);
        let exact = query.trim().to_lowercase();
        let score = |at: usize| {
            let by_terms: f64 = wanted.iter().map(|term| self.score(term, &self.tools[at])).sum();
            let is_named = !exact.is_empty() && self.names[at] == exact;
            by_terms + if is_named { 1000.0 } else { 0.0 }
        };
        let mut found: Vec<(usize, f64)> = (0..self.tools.len()).map(|at| (at, score(at))).collect();
        found.retain(|(_, score)| *score > 0.0);
        // Equal ones stay in the order of their servers.
        found.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        found.into_iter().take(most).map(|(at, _)| at).collect()
    }

    /// What a term is worth in a tool: itself, else the best of what stands for it.
    fn score(&self, term: &str, tool: &HashMap<String, f64>) -> f64 {
        let of = |term: &str| tool.get(term).map_or(0.0, |weight| weight * self.rarity(term));
        let by_synonym = synonyms::of(term).map(|other| of(&other) * SYNONYM).fold(0.0, f64::max);
        let begins = |other: &&String| {
            let (short, long) = if other.len() < term.len() { (other.as_str(), term) } else { (term, other.as_str()) };
            short.chars().count() >= SHORTEST_PREFIX && short != long && long.starts_with(short)
        };
        let by_prefix = tool.keys().filter(begins).map(|other| of(other) * PREFIX).fold(0.0, f64::max);
        of(term).max(by_synonym).max(by_prefix)
    }

    fn rarity(&self, term: &str) -> f64 {
        let (all, with) = (self.tools.len() as f64, self.counts.get(term).copied().unwrap_or_default() as f64);
        (1.0 + (all - with + 0.5) / (with + 0.5)).ln()
    }
}

/// Names and descriptions of arguments, also of objects inside.
fn parameters(schema: &Value, depth: usize, add: &mut impl FnMut(&str)) {
    if depth > DEEPEST {
        return;
    }
    for (name, member) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        add(name);
        if let Some(text) = member.get("description").and_then(Value::as_str) {
            add(text);
        }
        parameters(member, depth + 1, add);
        if let Some(items) = member.get("items") {
            parameters(items, depth + 1, add);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    fn fixture<T: serde::de::DeserializeOwned>(name: &str) -> Vec<T> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/mcp").join(name);
        let text = std::fs::read_to_string(path).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Tool {
        server: String,
        name: String,
        description: String,
        input_schema: Value,
    }

    #[derive(Deserialize)]
    struct Query {
        query: String,
        server: String,
        tool: String,
    }

    #[test]
    fn the_right_tool_is_among_the_first_five() {
        let tools: Vec<SearchedTool> = fixture::<Tool>("tools.jsonl")
            .into_iter()
            .map(|tool| SearchedTool {
                server: tool.server,
                name: tool.name,
                description: tool.description,
                schema: tool.input_schema,
            })
            .collect();
        let index = Index::new(&tools);
        let queries: Vec<Query> = fixture("queries.jsonl");
        let mut missed = Vec::new();
        let mut first = 0;
        for Query { query, server, tool } in &queries {
            let found = index.search(query, 5);
            let is_right = |at: &usize| tools[*at].server == *server && tools[*at].name == *tool;
            match found.iter().position(is_right) {
                Some(at) => first += usize::from(at == 0),
                None => {
                    let names: Vec<&str> = found.iter().map(|at| tools[*at].name.as_str()).collect();
                    missed.push(format!("{query}: {tool} is not in {names:?}"));
                }
            }
        }
        println!("{} of {} among five, {first} first", queries.len() - missed.len(), queries.len());
        assert_eq!(queries.len(), 100);
        assert!(missed.len() <= 5, "{missed:#?}");
    }

    #[test]
    fn arguments_inside_of_references_are_found() {
        let schema = json!({"properties": {"place": {"$ref": "#/$defs/P"}},
            "$defs": {"P": {"properties": {"latitude": {"description": "degrees north"}}}}});
        let schema = crate::schema::sanitized(schema.as_object().unwrap());
        let tool = |name: &str, schema: Value| SearchedTool {
            server: "s".to_owned(),
            name: name.to_owned(),
            description: String::new(),
            schema,
        };
        let index = Index::new(&[tool("one", json!({})), tool("two", schema)]);
        assert_eq!(index.search("latitude", 5), [1]);
        assert_eq!(index.search("degrees north", 5), [1]);
        assert_eq!(index.search("one", 5), [0]);
        assert_eq!(index.search("nothing of this", 5), [0; 0]);
        assert_eq!(index.search("", 5), [0; 0]);
    }
}
