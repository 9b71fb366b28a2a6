//! `docs/sdk-names.md` has every name of the SDK's documents (`fixtures/sdk-names`), and every path that it leads to exists:
//! `paths.rs`, which is generated from the page, and `generic.rs` would not compile otherwise.

mod generic;
#[rustfmt::skip]
mod paths;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use generic::GENERIC;

/// Traits, whose functions are named another way.
const TRAITS: [&str; 2] = ["agent::Tool", "extension::ExtensionUi"];

const HEAD: &str = "//! tidy: data, every path of `docs/sdk-names.md`; written by the test beside it, see fixtures/sdk-names/README.md.
#![allow(dead_code, unused_imports, clippy::redundant_closure_for_method_calls, clippy::no_effect_underscore_binding)]

";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The code spans of a text.
fn spans(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split('`').skip(1).step_by(2).map(str::to_owned)
}

/// The rows of the page's tables, by cell.
fn rows() -> Vec<Vec<String>> {
    let page = fs::read_to_string(root().join("docs/sdk-names.md")).unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
}

fn set(names: Vec<String>) -> BTreeSet<String> {
    let count = names.len();
    let set: BTreeSet<String> = names.into_iter().collect();
    assert_eq!(set.len(), count, "a name stands there twice");
    set
}

#[test]
fn the_page_has_exactly_the_names_of_the_list() {
    let list = fs::read_to_string(root().join("fixtures/sdk-names/names.txt")).unwrap();
    let list = list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let list = set(list.map(str::to_owned).collect());
    assert!(list.len() > 500, "{}", list.len());
    let page = set(rows().iter().flat_map(|row| spans(&row[0]).collect::<Vec<_>>()).collect());
    let missing: Vec<_> = list.difference(&page).collect();
    let unknown: Vec<_> = page.difference(&list).collect();
    assert!(missing.is_empty() && unknown.is_empty(), "missing on the page: {missing:?}; not on the list: {unknown:?}");
}

#[test]
fn every_name_leads_somewhere() {
    for row in rows() {
        let leads = spans(&row[1]).next().is_some();
        assert!(leads || row.len() > 2 && !row[2].is_empty(), "no path and no reason: {row:?}");
    }
}

/// What the second column leads to, and what the third one names by its whole path, each once.
fn paths() -> BTreeSet<String> {
    let is_path = |span: &String| span.starts_with(char::is_lowercase) && span.contains("::");
    let of_row = |row: &Vec<String>| {
        let notes: Vec<String> = row.get(2).map(|note| spans(note).filter(is_path).collect()).unwrap_or_default();
        spans(&row[1]).chain(notes).collect::<Vec<_>>()
    };
    rows().iter().flat_map(of_row).collect()
}

/// A piece of Rust that compiles only as long as the path exists.
fn proof(path: &str) -> String {
    if let Some((of, field)) = path.split_once('.') {
        return format!("    let _ = |value: &pi_coding_agent::{of}| {{ let _ = &value.{field}; }};");
    }
    let (parent, name) = path.rsplit_once("::").unwrap();
    let starts_upper = |name: &str| name.starts_with(char::is_uppercase);
    let is_of_type = parent.rsplit("::").next().is_some_and(starts_upper);
    let is_constant = name.chars().all(|c| c.is_uppercase() || c == '_');
    if TRAITS.contains(&parent) {
        format!("    let _ = <dyn pi_coding_agent::{parent}>::{name};")
    } else if is_of_type && (is_constant || !starts_upper(name)) {
        format!("    let _ = pi_coding_agent::{path};")
    } else {
        format!("    use pi_coding_agent::{path} as _;")
    }
}

#[test]
fn every_path_is_compiled() {
    let paths = paths();
    for (path, call) in GENERIC {
        assert!(paths.contains(*path), "the page does not name {path} any more");
        let name = path.rsplit("::").next().unwrap();
        assert!(call.contains(name), "{call} does not call {path}");
    }
    let is_generic = |path: &&String| GENERIC.iter().any(|(generic, _)| generic == path);
    let mut code = HEAD.to_owned();
    code.push_str("fn paths() {\n");
    for path in paths.iter().filter(|path| !is_generic(path)) {
        writeln!(code, "{}", proof(path)).unwrap();
    }
    code.push_str("}\n");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sdk/sdk_names/paths.rs");
    if std::env::var_os("UPDATE_SDK_NAMES").is_some() {
        fs::write(&file, &code).unwrap();
    }
    let stored = fs::read_to_string(&file).unwrap();
    assert!(stored == code, "paths.rs is not what docs/sdk-names.md says: run this test with UPDATE_SDK_NAMES=1");
}
