//! What people call things: words and phrases of one group stand for each other, with less weight than the word itself. Texts of
//! tools and queries are taken apart into these groups alike.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::LazyLock;

use super::terms::{Word, words};

/// One group a line; what belongs there is said in it.
const FILE: &str = include_str!("synonyms.txt");
/// Under this heading, what is done; under all others, what it is done to.
const VERBS: &str = "[verbs]";

static GROUPS: LazyLock<Groups> = LazyLock::new(|| Groups::new(FILE));

/// The words of a phrase, without their endings.
type Phrase = Vec<String>;

/// What the file says of a phrase.
#[derive(Debug, Default)]
struct Known {
    groups: Vec<usize>,
    is_verb: bool,
}

/// The file, taken apart: phrases by their first words, the longest first.
#[derive(Debug, Default)]
struct Groups(HashMap<String, Vec<(Phrase, Known)>>);

/// Words in a row that stand for something together, or one word.
#[derive(Debug)]
pub(super) struct Part<'a> {
    pub(super) words: &'a [Word],
    /// The groups it is in.
    pub(super) groups: &'static [usize],
    /// Whether it says what is done, which tells less than what it is done to.
    pub(super) is_verb: bool,
}

impl<'a> Part<'a> {
    /// The words without those that tell nothing by themselves.
    pub(super) fn telling(&self) -> impl Iterator<Item = &'a str> {
        self.words.iter().filter(|word| !word.is_stopword).map(|word| word.stem.as_str())
    }
}

impl Groups {
    fn new(file: &str) -> Self {
        let (mut groups, mut heading) = (Self::default(), "");
        let lines = file.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        for (group, line) in lines.enumerate() {
            if line.starts_with('[') {
                heading = line;
                continue;
            }
            for phrase in line.split(',') {
                groups.add(words(phrase).into_iter().map(|word| word.stem).collect(), group, heading == VERBS);
            }
        }
        groups.0.values_mut().for_each(|phrases| phrases.sort_by_key(|(phrase, _)| Reverse(phrase.len())));
        groups
    }

    fn add(&mut self, phrase: Phrase, group: usize, is_verb: bool) {
        let Some(first) = phrase.first() else { return };
        let phrases = self.0.entry(first.clone()).or_default();
        let at = phrases.iter().position(|(known, _)| *known == phrase).unwrap_or(phrases.len());
        if at == phrases.len() {
            phrases.push((phrase, Known::default()));
        }
        let known = &mut phrases[at].1;
        known.groups.push(group);
        known.is_verb |= is_verb;
    }

    /// The longest phrase that a text begins with.
    fn begun(&self, text: &[Word]) -> Option<&(Phrase, Known)> {
        let begins = |phrase: &Phrase| {
            phrase.len() <= text.len() && phrase.iter().zip(text).all(|(one, other)| *one == other.stem)
        };
        self.0.get(&text.first()?.stem)?.iter().find(|(phrase, _)| begins(phrase))
    }
}

/// A text in parts, the longest phrases first: the `pull` of a `pull request` is not what a `download` is.
pub(super) fn parts(mut text: &[Word]) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    while !text.is_empty() {
        let known = GROUPS.begun(text);
        let (words, rest) = text.split_at(known.map_or(1, |(phrase, _)| phrase.len()));
        let (groups, is_verb) = known.map_or((&[][..], false), |(_, known)| (&known.groups, known.is_verb));
        parts.push(Part { words, groups, is_verb });
        text = rest;
    }
    parts
}
