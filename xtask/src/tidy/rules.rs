//! The rules about single files, apart from their size.

use super::doors_table::{DOORS, USES};
use super::reads_table::{CALLS, READS};
use super::unsafe_table::UNSAFE;
use crate::code::{File, Source, is_test};

/// What must not be left in sources, and what to do about it.
const LEFT_OVERS: &[(&str, &str)] = &[
    ("todo!", "finish it, or return an error that says what is missing"),
    ("unimplemented!", "finish it, or return an error that says what is missing"),
    ("dbg!", "remove it, or use `tracing`"),
];

/// Directories of the machines on which this is developed. Split so that this file does not match itself.
const MACHINE_PATHS: &[&str] = &[concat!("/wo", "rk/"), concat!("/ro", "ot/")];

/// The program side of the coding agent, where `anyhow` is at home.
const ANYHOW_HOMES: &[&str] = &["crates/pi/src/main.rs", "crates/pi/src/cli/"];

/// Every file begins with inner documentation.
pub(super) fn module_docs(file: &File) -> Option<String> {
    let advice = "begin with `//!` lines that say what lives here and what must not";
    (!file.text.starts_with("//!")).then(|| format!("{}: {advice}", file.path))
}

/// No unfinished code, no debugging aids, no test that never runs.
pub(super) fn left_overs(file: &File, source: &Source) -> Vec<String> {
    let mut problems = Vec::new();
    for (number, line) in source.lines() {
        for (word, advice) in LEFT_OVERS.iter().filter(|(word, _)| has_word(line, word)) {
            problems.push(format!("{}:{number}: {word} is left over: {advice}", file.path));
        }
        if line.contains("#[ignore") {
            problems.push(format!("{}:{number}: #[ignore] hides a test: make it run or remove it", file.path));
        }
    }
    problems
}

/// The libraries name their errors.
pub(super) fn anyhow_in_library(file: &File, source: &Source) -> Vec<String> {
    let in_library = file.path.starts_with("crates/") && file.path.contains("/src/");
    if !in_library || ANYHOW_HOMES.iter().any(|home| file.path.starts_with(home)) {
        return Vec::new();
    }
    let lines = source.lines().filter(|(_, line)| has_word(line, "anyhow"));
    lines
        .map(|(number, _)| format!("{}:{number}: anyhow in a library: add a variant to its error enum", file.path))
        .collect()
}

/// Files of others are opened through one door.
pub(super) fn reads_beside_the_door(file: &File, source: &Source) -> Vec<String> {
    if !is_library_code(file) || is_listed(file, READS) {
        return Vec::new();
    }
    let advice = "open it with crate::host, or add the file to xtask/src/tidy/reads_table.rs with the reason";
    let lines = calls(source, CALLS).into_iter();
    lines.map(|(number, call)| format!("{}:{number}: {call}…) reads beside the door: {advice}", file.path)).collect()
}

/// Clock, ids and environment come from outside.
pub(super) fn hidden_doors(file: &File, source: &Source) -> Vec<String> {
    if !is_library_code(file) || is_listed(file, USES) {
        return Vec::new();
    }
    let advice = "take it from the value that the program makes, or add the file to xtask/src/tidy/doors_table.rs with the reason";
    let uses = calls(source, DOORS).into_iter();
    uses.map(|(number, door)| format!("{}:{number}: {door} hides where a run gets it from: {advice}", file.path))
        .collect()
}

/// Rows of the tables of reads and doors that permit what no file does any more.
pub(super) fn rows_without_use(files: &[File]) -> Vec<String> {
    let sources = files.iter().filter(|file| is_library_code(file)).map(|file| (file, Source::new(&file.text)));
    let sources: Vec<(&File, Source)> = sources.collect();
    [(READS, CALLS, "reads_table.rs"), (USES, DOORS, "doors_table.rs")]
        .into_iter()
        .flat_map(|(rows, words, table)| idle_rows(&sources, rows, words, table))
        .collect()
}

fn idle_rows(
    sources: &[(&File, Source)],
    rows: &[(&str, &str)],
    words: &'static [&'static str],
    table: &str,
) -> Vec<String> {
    let is_used = |place| sources.iter().any(|(file, source)| is_at(file, place) && !calls(source, words).is_empty());
    let idle = rows.iter().filter(|(place, _)| !is_used(place));
    idle.map(|(place, _)| format!("nothing at {place} needs its row: remove it from {table}")).collect()
}

/// Where code outside tests has one of these words, which may be calls of methods (`.read(true)`).
fn calls(source: &Source, words: &'static [&'static str]) -> Vec<(usize, &'static str)> {
    let is_there = |line: &str, word: &str| has_word(line, word) || (word.starts_with('.') && line.contains(word));
    let lines = source.lines_outside_tests();
    lines
        .flat_map(|(number, line)| {
            words.iter().filter(move |word| is_there(line, word)).map(move |word| (number, *word))
        })
        .collect()
}

/// Whether this is code of a crate, and not its tests.
fn is_library_code(file: &File) -> bool {
    let is_test = is_test(file) || file.path.ends_with("_tests.rs");
    file.path.starts_with("crates/") && file.path.contains("/src/") && !is_test
}

/// Whether a table of files and directories has a row for it.
fn is_listed(file: &File, table: &[(&str, &str)]) -> bool {
    table.iter().any(|(place, _)| is_at(file, place))
}

/// Whether a file is this one, or lies in this directory, which has a slash at its end.
fn is_at(file: &File, place: &str) -> bool {
    place == file.path || (place.ends_with('/') && file.path.starts_with(place))
}

/// Unsafe code stands in the files of a list.
pub(super) fn unlisted_unsafe(file: &File, source: &Source) -> Vec<String> {
    if UNSAFE.iter().any(|(path, _)| *path == file.path) {
        return Vec::new();
    }
    let advice = "do without it, or add the file to xtask/src/tidy/unsafe_table.rs with the reason";
    let lines = source.lines().filter(|(_, line)| is_unsafe(line));
    lines.map(|(number, _)| format!("{}:{number}: unsafe: {advice}", file.path)).collect()
}

/// Rows of that list whose file is here and holds no unsafe code.
pub(super) fn unsafe_rows_without_use(files: &[File]) -> Vec<String> {
    let listed = files.iter().filter(|file| UNSAFE.iter().any(|(path, _)| *path == file.path));
    let without = listed.filter(|file| !Source::new(&file.text).lines().any(|(_, line)| is_unsafe(line)));
    without.map(|file| format!("{} holds no unsafe code: remove it from unsafe_table.rs", file.path)).collect()
}

/// Whether the keyword occurs, and not as a part of a longer name.
fn is_unsafe(line: &str) -> bool {
    line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "unsafe")
}

/// No committed file names a directory of one machine.
pub(super) fn machine_paths(file: &File) -> Vec<String> {
    let mut problems = Vec::new();
    for (number, line) in (1..).zip(file.text.lines()) {
        for path in MACHINE_PATHS.iter().filter(|path| has_absolute(line, path)) {
            problems.push(format!("{}:{number}: {path} exists on one machine only: use a relative path", file.path));
        }
    }
    problems
}

/// Whether `word` occurs and is not the tail of a longer identifier.
fn has_word(line: &str, word: &str) -> bool {
    let before = |at: usize| line[..at].chars().next_back();
    line.match_indices(word).any(|(at, _)| !before(at).is_some_and(|c| c.is_alphanumeric() || c == '_'))
}

/// Whether `path` occurs and is not the tail of a longer path.
fn has_absolute(line: &str, path: &str) -> bool {
    let before = |at: usize| line[..at].chars().next_back();
    let joins = |c: char| c.is_alphanumeric() || "._-~})>]$*/".contains(c);
    line.match_indices(path).any(|(at, _)| !before(at).is_some_and(joins))
}
