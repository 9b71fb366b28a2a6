//! Which tools fit a query: rare words count more than common ones, what is worked on more than what is done with it, and tools
//! that have more of the query's words come before those that have one of them everywhere.

use std::collections::{BTreeMap, BTreeSet};

use super::fields::{SearchedTool, Term, weights};
use super::shapes::shapes;
use super::synonyms::{Part, parts};
use super::terms::{Word, name_words, query_words, words};

/// How many tools are taken to have every term: that a word is in one description only is often by chance.
const COMMON: f64 = 2.0;
/// What a group counts that stands for a word, and the more for each further word of a phrase,
const SYNONYM: f64 = 0.65;
const LONGER: f64 = 0.5;
/// a word that is the beginning of another, and, where there is nothing better, one that is spelled like it.
const PREFIX: f64 = 0.6;
const SPELLING: f64 = 0.4;
/// What a verb counts.
const VERB: f64 = 0.75;
/// What the words of a phrase count where not all are there.
const SCATTERED: f64 = 0.5;
/// What a tool keeps that has none of the other words of a query.
const UNCOVERED: f64 = 0.5;
/// What the tools of a server gain that a query names, and a tool that it names.
const SERVER_NAMED: f64 = 1.3;
const TOOL_NAMED: f64 = 1000.0;
/// Letters that a word has at least of which others are compared by a part.
const SHORTEST: usize = 4;

/// The tools that can be found.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// Names, in small letters.
    names: Vec<String>,
    /// Words of the names of their servers.
    servers: Vec<Vec<Word>>,
    /// Where terms occur, and with what weight.
    postings: BTreeMap<Term, Vec<(usize, f64)>>,
}

/// What tools are worth, those that fit at all.
type Scores = BTreeMap<usize, f64>;

impl Index {
    pub(crate) fn new<'a>(tools: impl IntoIterator<Item = &'a SearchedTool>) -> Self {
        let mut index = Self::default();
        for (at, tool) in tools.into_iter().enumerate() {
            for (term, weight) in weights(tool) {
                index.postings.entry(term).or_default().push((at, weight));
            }
            index.names.push(tool.name.to_lowercase());
            index.servers.push(name_words(&tool.server));
        }
        index
    }

    /// The tools that fit best, at most so many, the best one first.
    pub(crate) fn search(&self, query: &str, most: usize) -> Vec<usize> {
        let mut text = query_words(query);
        text.extend(shapes(query).flat_map(words));
        let mut scores = self.by_words(&text);
        for (at, score) in &mut scores {
            let server = &self.servers[*at];
            if !server.is_empty() && text.windows(server.len()).any(|words| words == server) {
                *score *= SERVER_NAMED;
            }
        }
        for at in self.named(query) {
            *scores.entry(at).or_default() += TOOL_NAMED;
        }
        let mut found: Vec<(usize, f64)> = scores.into_iter().collect();
        // Equal ones stay in the order of their servers.
        found.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        found.into_iter().take(most).map(|(at, _)| at).collect()
    }

    /// What tools are worth by the words of a query, by themselves and by how many of them there are.
    fn by_words(&self, text: &[Word]) -> Scores {
        let (mut units, mut seen) = (parts(text), BTreeSet::new());
        units.retain(|part| seen.insert(part.words));
        let units: Vec<(f64, Scores)> = units.iter().filter_map(|part| self.unit(part)).collect();
        let all: f64 = units.iter().map(|(weight, _)| weight).sum();
        let (mut scores, mut covered) = (Scores::new(), Scores::new());
        for (weight, unit) in units {
            for (at, score) in unit {
                *scores.entry(at).or_default() += score;
                *covered.entry(at).or_default() += weight / all;
            }
        }
        for (score, covered) in scores.values_mut().zip(covered.values()) {
            *score *= UNCOVERED + (1.0 - UNCOVERED) * covered;
        }
        scores
    }

    /// What a word or phrase counts in a query, and what it is worth in the tools; `None` if it fits none.
    fn unit(&self, part: &Part<'_>) -> Option<(f64, Scores)> {
        let telling: Vec<&str> = part.telling().collect();
        let length = 1.0 + LONGER * telling.len().saturating_sub(1) as f64;
        let mut scores = self.together(part.words.len(), &telling);
        for group in part.groups {
            self.raise(&mut scores, &Term::Group(*group), SYNONYM * length);
        }
        if let [word] = telling[..] {
            self.begun(word).for_each(|term| self.raise(&mut scores, term, PREFIX));
            if scores.is_empty() {
                self.spelled_alike(word).for_each(|term| self.raise(&mut scores, term, SPELLING));
            }
        }
        let weight = if part.is_verb { VERB } else { 1.0 };
        scores.values_mut().for_each(|score| *score *= weight);
        (!scores.is_empty()).then_some((weight * length, scores))
    }

    /// What the words of a phrase of so many words are worth.
    fn together(&self, length: usize, stems: &[&str]) -> Scores {
        let mut scores: BTreeMap<usize, (usize, f64)> = BTreeMap::new();
        for stem in stems {
            for (at, score) in self.of(&Term::Word((*stem).to_owned())) {
                let (count, sum) = scores.entry(at).or_default();
                (*count, *sum) = (*count + 1, *sum + score);
            }
        }
        let whole = |(count, sum): (usize, f64)| if count == length { sum } else { sum * SCATTERED };
        scores.into_iter().map(|(at, score)| (at, whole(score))).collect()
    }

    /// Takes in another term, where it is worth more than what was there.
    fn raise(&self, scores: &mut Scores, term: &Term, weight: f64) {
        for (at, score) in self.of(term) {
            let old = scores.entry(at).or_default();
            *old = old.max(score * weight);
        }
    }

    /// What a term is worth in the tools that have it.
    fn of(&self, term: &Term) -> impl Iterator<Item = (usize, f64)> {
        let postings = self.postings.get(term).map(Vec::as_slice).unwrap_or_default();
        let rarity = (1.0 + self.names.len() as f64 / (postings.len() as f64 + COMMON)).ln();
        postings.iter().map(move |(at, weight)| (*at, weight * rarity))
    }

    /// Known words that a word begins, or that begin it.
    fn begun(&self, word: &str) -> impl Iterator<Item = &Term> {
        self.like(move |other| {
            let (short, long) = if other.len() < word.len() { (other, word) } else { (word, other) };
            short.chars().count() >= SHORTEST && short != long && long.starts_with(short)
        })
    }

    /// Known words with most of the letters of a word in the same order: it was mistyped.
    fn spelled_alike(&self, word: &str) -> impl Iterator<Item = &Term> {
        let (wanted, is_long) = (trigrams(word), word.chars().count() >= SHORTEST);
        self.like(move |other| {
            let found = trigrams(other);
            let common = wanted.intersection(&found).count();
            is_long && common * 2 >= wanted.len().max(found.len())
        })
    }

    fn like(&self, fits: impl Fn(&str) -> bool) -> impl Iterator<Item = &Term> {
        self.postings.keys().filter(move |term| matches!(term, Term::Word(word) if fits(word)))
    }

    /// Tools whose names a query has as they are written, also behind the name of the server; a name of one word is one only
    /// where it is the whole query.
    fn named(&self, query: &str) -> impl Iterator<Item = usize> {
        let is_part = |character: char| character.is_alphanumeric() || matches!(character, '_' | '-');
        let written = query.split(move |character| !is_part(character)).filter(|word| name_words(word).len() > 1);
        let mut written: BTreeSet<String> = written.map(str::to_lowercase).collect();
        let short: Vec<String> = written.iter().filter_map(|name| Some(name.rsplit_once("__")?.1.to_owned())).collect();
        written.extend(short);
        written.insert(query.trim().to_lowercase());
        (0..self.names.len()).filter(move |at| written.contains(&self.names[*at]))
    }
}

/// Three letters in a row each, with the ends of the word.
fn trigrams(word: &str) -> BTreeSet<[char; 3]> {
    let letters: Vec<char> = [' '].into_iter().chain(word.chars()).chain([' ']).collect();
    letters.windows(3).filter_map(|three| three.try_into().ok()).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tool(server: &str, name: &str, description: &str) -> SearchedTool {
        let of = str::to_owned;
        SearchedTool { server: of(server), name: of(name), description: of(description), ..SearchedTool::default() }
    }

    fn first(tools: &[SearchedTool], query: &str) -> Option<usize> {
        Index::new(tools).search(query, 5).first().copied()
    }

    #[test]
    fn arguments_inside_of_references_are_found() {
        let schema = json!({"properties": {"place": {"$ref": "#/$defs/P"}},
            "$defs": {"P": {"properties": {"latitude": {"description": "degrees north"}}}}});
        let schema = crate::schema::sanitized(schema.as_object().unwrap());
        let index = Index::new(&[tool("s", "one", ""), SearchedTool { schema, ..tool("s", "two", "") }]);
        assert_eq!(index.search("latitude", 5), [1]);
        assert_eq!(index.search("degrees north", 5), [1]);
        assert_eq!(index.search("one", 5), [0]);
        assert_eq!(index.search("nothing of this", 5), [0; 0]);
        assert_eq!(index.search("", 5), [0; 0]);
    }

    #[test]
    fn numbers_are_those_of_names() {
        let tools: Vec<_> =
            (0..200).map(|at| tool("many", &format!("add_{at}"), &format!("Adds {at} to a number"))).collect();
        let large = [150, 1500].map(|at| tool("many", &format!("add_{at}"), ""));
        assert_eq!(first(&large, "add 1500"), Some(1));
        for query in ["add_150", "add 150", "many add 150", "adds 150 to a number"] {
            assert_eq!(first(&tools, query), Some(150), "{query}");
        }
        assert_eq!(first(&[tool("s", "one", "At most 17"), tool("s", "close_issue", "")], "close issue 17"), Some(1));
    }

    #[test]
    fn titles_and_what_is_said_of_a_server_are_found() {
        let titled = SearchedTool { title: "Water the plants".to_owned(), ..tool("s", "x1", "") };
        let described = SearchedTool { about_server: "Greenhouse of the institute".to_owned(), ..tool("t", "x2", "") };
        let tools = [tool("s", "x0", ""), titled, described];
        assert_eq!(first(&tools, "plants"), Some(1));
        assert_eq!(first(&tools, "greenhouse"), Some(2));
    }

    #[test]
    fn more_words_of_the_query_count_more_than_a_rare_one() {
        let others = (0..40).map(|at| tool("s", &format!("list_page_{at}"), "Blocks of a page"));
        let tools: Vec<SearchedTool> =
            [tool("s", "wombat", ""), tool("s", "add_text", "Appends text to the blocks of a page")]
                .into_iter()
                .chain(others)
                .collect();
        assert_eq!(first(&tools, "wombat text appends to page"), Some(1));
        assert_eq!(first(&tools, "wombat"), Some(0));
    }

    #[test]
    fn what_is_named_comes_first() {
        let tools = [
            tool("tracker", "close_issue", "Closes an issue"),
            tool("forge", "issue_write", ""),
            tool("forge", "getHTTPLog", ""),
        ];
        for (query, expected) in [
            ("close an issue with issue_write", 1),
            ("mcp__forge__issue_write closes", 1),
            ("close the issue or getHTTPLog", 2),
            ("issue in forge", 1),
            ("issue in the tracker", 0),
        ] {
            assert_eq!(first(&tools, query), Some(expected), "{query}");
        }
    }

    #[test]
    fn what_was_mistyped_is_found_where_nothing_else_is() {
        let tools = [tool("s", "list_calendars", ""), tool("s", "list_invoices", "")];
        assert_eq!(first(&tools, "calender"), Some(0));
        assert_eq!(first(&tools, "invioces"), None);
        assert_eq!(first(&tools, "invoces"), Some(1));
    }
}
