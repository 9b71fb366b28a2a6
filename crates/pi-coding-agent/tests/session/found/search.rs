//! Searches: the query language, what a hit says, ranking, streaming.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use pi_coding_agent::session::{SearchHit, SearchOptions, SearchQuery, SearchScope, search_sessions};
use proptest::prelude::*;
use serde_json::json;

use crate::found::generated::session_file;
use crate::found::naive;
use crate::found::support::{CWD, Home, age, assistant, header, message, named, tool_result, user, write_bytes};

const ALL: SearchScope<'_> = SearchScope::All { dir: None };

fn search(home: &Home, scope: SearchScope<'_>, query: &str) -> Vec<SearchHit> {
    let query = SearchQuery::parse(query).unwrap();
    search_sessions(&home.paths, scope, query, SearchOptions::default()).ranked()
}

fn entries(hits: &[SearchHit]) -> BTreeSet<&str> {
    hits.iter().map(|hit| hit.entry_id.as_str()).collect()
}

#[test]
fn queries_find_what_they_say() {
    let home = Home::new();
    let texts = [
        ("a", "The quick brown fox"),
        ("b", "a QUICK \n\t brown-ish thing, C:\\temp\\x \"said\" he"),
        ("c", "Größe ΣΊΣΥΦΟΣ İ ſtraße 😀 日本語テキスト"),
        ("d", "src/session/list.rs:12: fn main() { } re:al"),
        ("e", "brown is quick; unquicked -v"),
    ];
    let mut lines = vec![header("s", CWD)];
    lines.extend(texts.iter().map(|(id, text)| user(id, text, 1)));
    lines.push(tool_result("t", "quick brown tool", 1));
    lines.push(message("o", json!({"role": "bashExecution", "command": "quick", "content": "quick"})));
    lines.push(json!({"type": "custom", "id": "x", "parentId": null, "timestamp": "t", "data": {"message": "quick"}}));
    lines.push(named("n", "quick name"));
    home.write(CWD, "s.jsonl", &lines);

    let table = [
        ("quick", "a b e n"),
        ("quick brown", "a b e"),
        ("  brown   QUICK ", "a b e"),
        ("\"quick brown\"", "a b"),
        ("\"brown quick\"", ""),
        ("quick -fox", "b e n"),
        ("quick -\"quick brown\"", "e n"),
        ("-quick main", "d"),
        ("quick -quick", ""),
        ("größe", "c"),
        ("GRÖSSE", ""),
        ("σίσυφος", "c"),
        ("strasse", ""),
        ("straße", "c"),
        ("日本", "c"),
        ("😀", "c"),
        ("session/list.rs", "d"),
        (r"c:\temp", "b"),
        ("\\", "b"),
        ("said he", "b"),
        ("fn main() { }", "d"),
        ("re:^the .* fox$", "a"),
        ("re:qui.k\\s+brown", "a b"),
        ("brown re:^a", "b"),
        ("re:\\bunq", "e"),
        ("are:al", ""),
        ("\"re:al\"", "d"),
        ("\"unclosed quick", ""),
        ("\"quick; unq", "e"),
        ("name", "n"),
        ("re:z*", ""),
    ];
    for (query, expected) in table {
        assert_eq!(entries(&search(&home, ALL, query)), expected.split_whitespace().collect(), "{query}");
    }
}

#[test]
fn a_query_that_is_none_is_told_apart() {
    let mut told = String::new();
    for query in [
        "",
        "  ",
        "-not",
        "\"\"",
        "-",
        "re:",
        "re:a(b",
        "word re:ö[z-a]",
        r"re:\p{Nothing}",
        "re:a{2,1}",
        "re:*",
        "re:(?=x)",
    ] {
        let error = SearchQuery::parse(query).map(drop).unwrap_err();
        writeln!(told, "{query:?}: {error}").unwrap();
    }
    insta::assert_snapshot!(told);
}

#[test]
fn a_hit_says_where_who_when_and_what() {
    let home = Home::new();
    let long = format!("{}the needle\nis\there {}", "before ".repeat(100), "after ".repeat(100));
    let file = home.write(
        CWD,
        "s.jsonl",
        &[header("sid", CWD), named("1", "old"), user("2", "A needle", 5), assistant("3", &long, 7), named("4", "new")],
    );
    age(&file, 0);
    let hits = search(&home, ALL, "needle is");
    let [hit] = hits.as_slice() else { panic!("{hits:?}") };
    let session = &hit.session;
    assert_eq!(
        (&session.path, session.id.as_str(), session.cwd.as_str(), session.name.as_deref()),
        (&file, "sid", CWD, Some("new"))
    );
    assert_eq!((hit.entry_id.as_str(), hit.role.as_str(), hit.timestamp), ("3", "assistant", 7));
    assert!(hit.excerpt.starts_with('…') && hit.excerpt.ends_with('…'), "{}", hit.excerpt);
    assert!(hit.excerpt.contains("before the needle is here after"), "{}", hit.excerpt);
    assert_eq!(hit.excerpt.chars().count(), 162);
    let found: Vec<_> = hit.matches.iter().map(|range| &hit.excerpt[range.clone()]).collect();
    assert_eq!(found, ["needle", "is"]);
}

#[test]
fn the_best_come_first() {
    let home = Home::new();
    let day = 24 * 60 * 60 * 1000;
    let now = 1_767_225_600_000;
    let newest = home.write(
        CWD,
        "new.jsonl",
        &[
            header("new", CWD),
            assistant("part", "unparsered, refixed", now),
            assistant("start", "parsers fixed", now),
            assistant("apart", "fix the parser", now),
            assistant("together", "the parser fix", now),
            user("user", "the parser fix", now),
        ],
    );
    age(&newest, 0);
    let old = home.write(
        "/srv/old",
        "old.jsonl",
        &[
            header("old", "/srv/old"),
            user("week", "parser fix", now - 6 * day),
            user("month", "parser fix", now - 29 * day),
            user("half a year", "parser fix", now - 180 * day),
            user("older", "parser fix", now - 181 * day),
        ],
    );
    fs::File::options().append(true).open(old).unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
    let hits = search(&home, ALL, "parser fix");
    let ranked: Vec<_> = hits.iter().map(|hit| (hit.entry_id.as_str(), hit.score)).collect();
    assert_eq!(
        ranked,
        [
            ("user", 57),
            ("week", 55),
            ("month", 53),
            ("together", 52),
            ("half a year", 51),
            ("older", 49),
            ("apart", 40),
            ("start", 32),
            ("part", 28)
        ]
    );
    let here = search(&home, SearchScope::Project { cwd: Path::new(CWD), dir: None }, "parser fix");
    assert_eq!(here.len(), 5);
}

#[test]
fn of_many_hits_in_a_session_the_best_are_kept() {
    let home = Home::new();
    let mut lines = vec![header("s", CWD)];
    for index in 0..500 {
        let text = if index % 100 == 7 { "a word" } else { "swords" };
        lines.push(user(&index.to_string(), text, index));
    }
    home.write(CWD, "s.jsonl", &lines);
    let options = SearchOptions { most_per_session: 5, ..SearchOptions::default() };
    let hits = search_sessions(&home.paths, ALL, SearchQuery::parse("word").unwrap(), options).ranked();
    let ids: Vec<_> = hits.iter().map(|hit| hit.entry_id.as_str()).collect();
    assert_eq!(ids, ["407", "307", "207", "107", "7"]);
}

#[test]
fn sessions_stream_the_newest_first() {
    let home = Home::new();
    for index in 0..300 {
        let id = format!("{index:03}");
        let file = home.write(
            CWD,
            &format!("{id}.jsonl"),
            &[header(&id, CWD), user("1", "needle", 1), user("2", "needle", 2)],
        );
        age(&file, index);
    }
    let query = SearchQuery::parse("needle").unwrap();
    let mut results = search_sessions(&home.paths, ALL, query, SearchOptions::default());
    let first: Vec<_> = results.by_ref().take(20).collect();
    assert!(first.iter().all(|hit| hit.session.id.as_str() > "250"), "{first:?}");
    assert!(first.chunks(2).all(|pair| pair[0].session == pair[1].session), "hits of a session come together");
    assert_eq!(results.ranked().len(), 580, "what was taken does not come again");
}

#[test]
fn nothing_that_is_no_session_is_in_the_way() {
    let home = Home::new();
    let dir = home.paths.default_session_dir(Path::new(CWD));
    home.write(CWD, "good.jsonl", &[header("good", CWD), user("1", "needle", 1)]);
    home.write(CWD, "headless.jsonl", &[user("1", "needle", 1)]);
    write_bytes(&dir.join("empty.jsonl"), b"");
    write_bytes(&dir.join("binary.jsonl"), &[0xff, 0xfe, 0, 10, 13, b'{']);
    fs::create_dir_all(dir.join("folder.jsonl")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("/nowhere", dir.join("gone.jsonl")).unwrap();
    let good = format!("{}\n{}\n", header("hurt", CWD), user("2", "needle", 1));
    let torn = format!("{good}\0\0\0\n{{\"type\":\"message\",\"id\":\"3\",\"mess{}", user("4", "needle", 1));
    let last = user("5", "ne\u{fffd}edle needle", 1).to_string();
    write_bytes(&dir.join("hurt.jsonl"), &[torn.as_bytes(), b"\n\xff\xfe needle \n", last.as_bytes()].concat());
    let hits = search(&home, ALL, "needle");
    let found: BTreeSet<_> = hits.iter().map(|hit| (hit.session.id.as_str(), hit.entry_id.as_str())).collect();
    assert_eq!(found, [("good", "1"), ("hurt", "2"), ("hurt", "4"), ("hurt", "5")].into());

    let shared = SearchScope::Project { cwd: Path::new("/srv/none"), dir: Some(&dir) };
    assert!(search(&home, shared, "needle").is_empty(), "sessions of another directory do not count");
}

/// Words, and parts of words, that the generated texts hold in all kinds of spelling.
const WORDS: [&str; 16] = [
    "words",
    "WORD",
    "naïve",
    "NAÏVE",
    "straße",
    "σίσυφος",
    "日本",
    "😀",
    "\"quoted\"",
    "back\\slash",
    "/slash/",
    "\u{fffd}",
    "fake",
    "[0m",
    "separators",
    "x",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_match_is_lost(bytes in session_file(), word in prop::sample::select(WORDS.as_slice())) {
        let home = Home::new();
        write_bytes(&home.paths.default_session_dir(Path::new(CWD)).join("a.jsonl"), &bytes);
        let is_session = naive::summary(&bytes).is_some();
        let mut expected: Vec<_> = naive::said(&bytes).into_iter().chain(naive::name(&bytes)).filter(|said| is_session && holds(&said.text, word)).collect();
        let query = SearchQuery::parse(&quoted(word)).unwrap();
        let options = SearchOptions { most_per_session: 1000, ..SearchOptions::default() };
        let hits = search_sessions(&home.paths, ALL, query, options);
        let mut found: Vec<_> = hits.map(|hit| (hit.entry_id, hit.role.as_str().to_owned())).collect();
        found.sort();
        expected.sort_by(|a, b| (&a.entry, &a.role).cmp(&(&b.entry, &b.role)));
        let expected: Vec<_> = expected.into_iter().map(|said| (said.entry, said.role)).collect();
        prop_assert_eq!(found, expected, "{}", String::from_utf8_lossy(&bytes));
    }
}

/// A word that cannot be taken for anything else; quotes cannot be quoted.
fn quoted(word: &str) -> String {
    if word.contains('"') { word.to_owned() } else { format!("\"{word}\"") }
}

/// Whether the text holds the word in any case. The final sigma is one, too.
fn holds(text: &str, word: &str) -> bool {
    let plain = |text: &str| text.to_lowercase().replace('ς', "σ");
    let word = word.trim_matches('"');
    plain(text).contains(&plain(word))
}
