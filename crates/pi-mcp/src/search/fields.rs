//! What is known of a tool, as weights of the terms in it: BM25F, where a word counts by the field it is in and less in a long
//! one, and levels off over all fields.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::synonyms::parts;
use super::terms::{Word, name_words, words};

/// What a word in a field is worth.
struct Field {
    weight: f64,
    /// Words that it usually has; a word of a longer one counts less.
    usual: f64,
}

const NAME: Field = Field { weight: 3.0, usual: 3.0 };
const TITLE: Field = Field { weight: 1.5, usual: 3.0 };
const SERVER: Field = Field { weight: 2.5, usual: 1.0 };
const ABOUT_SERVER: Field = Field { weight: 0.6, usual: 6.0 };
/// The first sentence of a description,
const DESCRIPTION: Field = Field { weight: 1.6, usual: 8.0 };
/// and what comes behind it: notes on how to use the tool.
const NOTES: Field = Field { weight: 0.6, usual: 12.0 };
const PARAMETERS: Field = Field { weight: 0.5, usual: 8.0 };
/// How much the length of a field matters (BM25's `b`).
const LENGTH: f64 = 0.45;
/// Where the worth of a word in a tool levels off (`k1`): several words count more than one that is everywhere.
const SATURATION: f64 = 2.0;
/// Arguments inside of arguments are read this far.
const DEEPEST: usize = 4;

/// A tool as it is searched.
#[derive(Debug, Clone, Default)]
pub(crate) struct SearchedTool {
    pub(crate) server: String,
    /// What its entry says of the server, and what the server calls itself.
    pub(crate) about_server: String,
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) description: String,
    /// The schema of its arguments, with references written out.
    pub(crate) schema: Value,
}

/// What texts are compared by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Term {
    /// A word without its ending.
    Word(String),
    /// Words that mean about the same.
    Group(usize),
}

/// The terms of a tool, each with a weight below one.
pub(super) fn weights(tool: &SearchedTool) -> impl Iterator<Item = (Term, f64)> {
    let (first, notes) = sentences(&tool.description);
    let mut parameters = String::new();
    add_parameters(&tool.schema, 0, &mut parameters);
    let mut weights = BTreeMap::new();
    for (field, text) in [
        (NAME, name_words(&tool.name)),
        (TITLE, words(&tool.title)),
        (SERVER, name_words(&tool.server)),
        (ABOUT_SERVER, words(&tool.about_server)),
        (DESCRIPTION, words(first)),
        (NOTES, words(notes)),
        (PARAMETERS, words(&parameters)),
    ] {
        add_field(&field, &text, &mut weights);
    }
    weights.into_iter().map(|(term, weight): (Term, f64)| (term, weight / (weight + SATURATION)))
}

/// Adds what the words of a field and their groups are worth. A word that comes again tells nothing more.
fn add_field(field: &Field, text: &[Word], weights: &mut BTreeMap<Term, f64>) {
    let length = text.iter().filter(|word| !word.is_stopword).count() as f64;
    let weight = field.weight / (1.0 - LENGTH + LENGTH * length / field.usual);
    let mut terms = BTreeSet::new();
    for part in parts(text) {
        terms.extend(part.groups.iter().map(|group| Term::Group(*group)));
        terms.extend(part.telling().map(|stem| Term::Word(stem.to_owned())));
    }
    for term in terms {
        *weights.entry(term).or_default() += weight;
    }
}

/// The first sentence or line of a description, and the others.
fn sentences(text: &str) -> (&str, &str) {
    let text = text.trim();
    let ends = [". ", "\n", "! ", "; "].iter().filter_map(|end| text.find(end));
    text.split_at(ends.min().unwrap_or(text.len()))
}

/// Names and descriptions of arguments, also of objects inside.
fn add_parameters(schema: &Value, depth: usize, text: &mut String) {
    if depth > DEEPEST {
        return;
    }
    for (name, member) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let description = member.get("description").and_then(Value::as_str).unwrap_or_default();
        text.extend([name, " ", description, "\n"]);
        add_parameters(member, depth + 1, text);
        if let Some(items) = member.get("items") {
            add_parameters(items, depth + 1, text);
        }
    }
}
