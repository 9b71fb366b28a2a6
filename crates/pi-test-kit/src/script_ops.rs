//! Names of operations as modules in JavaScript call them, compared with those that the program has. No script is run: the
//! modules are read as text.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The functions of `host` that call an operation, and which of their arguments names it.
const CALLS: [(&str, usize); 4] = [("host.sync(", 0), ("host.async(", 0), ("host.start(", 0), ("host.cancellable(", 1)];

/// A call whose operation is not written as one literal: the module, the expression, and the names that it stands for.
#[derive(Debug)]
pub struct Composed {
    /// The module, from the directory that is read.
    pub file: &'static str,
    /// The expression, as it is written there.
    pub expression: &'static str,
    /// The names.
    pub names: Names,
}

/// What an expression stands for.
#[derive(Debug)]
pub enum Names {
    /// `prefix` and each literal that follows one of `before` in the module; of a list (`const NAMES = [`) all its literals.
    After {
        /// What every name begins with.
        prefix: &'static str,
        /// What stands in front of the literals.
        before: &'static [&'static str],
    },
    /// These.
    These(&'static [&'static str]),
    /// Whatever the caller of the function names.
    Passed,
}

/// What differs between the modules in `directory` and the operations that the program has. A row of `composed` that is not
/// needed any more is a difference, too.
pub fn differences(directory: &Path, composed: &[Composed], operations: &[String]) -> Vec<String> {
    let mut problems = Vec::new();
    let called = called(directory, composed, &mut problems);
    assert!(!called.is_empty(), "no module in {} calls anything", directory.display());
    let operations: BTreeSet<&str> = operations.iter().map(String::as_str).collect();
    for (name, file) in &called {
        if !operations.contains(name.as_str()) {
            problems.push(format!("{file} calls {name}, and the program has no such operation"));
        }
    }
    let uncalled = operations.iter().filter(|name| !called.contains_key(**name));
    problems.extend(uncalled.map(|name| format!("the program has {name}, and no module calls it")));
    problems
}

/// The operations that modules call, each with one that does.
fn called(directory: &Path, composed: &[Composed], problems: &mut Vec<String>) -> BTreeMap<String, String> {
    let mut called = BTreeMap::new();
    let mut unused: Vec<&Composed> = composed.iter().collect();
    for (file, source) in modules(directory, directory) {
        for expression in expressions(&source) {
            if let Some(name) = literal(&expression) {
                called.insert(name.to_owned(), file.clone());
                continue;
            }
            let Some(row) = composed.iter().find(|row| row.file == file && row.expression == expression) else {
                problems.push(format!("{file} calls {expression}: name the operations that this stands for"));
                continue;
            };
            unused.retain(|other| !std::ptr::eq(*other, row));
            let names = names(&row.names, &source);
            if names.is_empty() && !matches!(row.names, Names::Passed) {
                problems.push(format!("{file} calls {expression}, which stands for nothing"));
            }
            called.extend(names.into_iter().map(|name| (name, file.clone())));
        }
    }
    problems.extend(unused.iter().map(|row| format!("{} does not call {}", row.file, row.expression)));
    called
}

/// All modules below a directory: their paths from `root`, and their sources.
fn modules(root: &Path, directory: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(modules(root, &path));
        } else if path.extension().is_some_and(|extension| extension == "js") {
            let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
            found.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
    found
}

/// The expressions that name an operation, in all calls of a source.
fn expressions(source: &str) -> Vec<String> {
    let of_call = |(call, place): (&str, usize)| {
        source
            .split(call)
            .skip(1)
            .filter_map(move |behind| arguments(behind).into_iter().nth(place))
            .collect::<Vec<_>>()
    };
    CALLS.into_iter().flat_map(of_call).collect()
}

/// The arguments of a call, whose bracket is open.
fn arguments(source: &str) -> Vec<String> {
    let (mut arguments, mut depth, mut quote) = (vec![String::new()], 0_usize, None);
    for character in source.chars() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(character),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') if depth == 0 => break,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, ',') if depth == 0 => {
                arguments.push(String::new());
                continue;
            }
            _ => {}
        }
        arguments.last_mut().unwrap().push(character);
    }
    arguments.into_iter().map(|argument| argument.trim().to_owned()).collect()
}

fn literal(expression: &str) -> Option<&str> {
    let inner = expression.strip_prefix('"')?.strip_suffix('"')?;
    (!inner.contains('"')).then_some(inner)
}

fn names(names: &Names, source: &str) -> Vec<String> {
    match names {
        Names::Passed => Vec::new(),
        Names::These(names) => names.iter().map(|name| (*name).to_owned()).collect(),
        Names::After { prefix, before } => {
            let behind = before.iter().flat_map(|before| source.split(before).skip(1).map(|behind| (*before, behind)));
            let literals = behind.flat_map(|(before, behind)| match before.ends_with('[') {
                true => arguments(behind),
                false => arguments(behind).into_iter().take(1).collect(),
            });
            literals.filter_map(|text| literal(&text).map(|name| format!("{prefix}{name}"))).collect()
        }
    }
}
