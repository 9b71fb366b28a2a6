//! Sizes of files and functions: hard limits, and a report of the distribution.

use std::fmt;

use crate::code::{File, Source, is_test};

/// Code lines (physical lines without inline tests) that a file may have.
const MAX_FILE: usize = 400;
/// Lines that a function may have, signature and braces included.
const MAX_FUNCTION: usize = 60;
/// Marks a file of data; the reason follows on the same line.
const DATA_MARK: &str = "tidy: data,";
/// The mark must be within so many lines.
const DATA_MARK_LINES: usize = 10;
/// How many of the longest files the report names.
const NAMED: usize = 5;

/// What was measured so far.
#[derive(Debug, Default)]
pub(super) struct Sizes {
    files: Vec<(usize, String)>,
    functions: Vec<usize>,
}

impl Sizes {
    /// Measures a file and returns what is too long. Tests are not measured: their length is their own affair.
    pub(super) fn add(&mut self, file: &File, source: &Source) -> Vec<String> {
        if is_data(file) || is_test(file) {
            return Vec::new();
        }
        let mut problems = Vec::new();
        let lines = source.code_lines();
        self.files.push((lines, file.path.clone()));
        if lines > MAX_FILE {
            let path = &file.path;
            problems.push(format!("{path}: {lines} code lines, {MAX_FILE} allowed: split it along its concerns"));
        }
        for function in source.functions() {
            self.functions.push(function.lines);
            if function.lines > MAX_FUNCTION {
                problems.push(format!(
                    "{}:{}: fn {} has {} lines, {MAX_FUNCTION} allowed: name its steps",
                    file.path, function.first_line, function.name, function.lines
                ));
            }
        }
        problems
    }
}

/// Tables and generated data are exempt when their name or their first lines say so.
fn is_data(file: &File) -> bool {
    let name = file.path.rsplit('/').next().unwrap_or_default();
    let reason = |line: &str| line.split_once(DATA_MARK).is_some_and(|(_, reason)| !reason.trim().is_empty());
    name.contains("table") || name.contains("generated") || file.text.lines().take(DATA_MARK_LINES).any(reason)
}

impl fmt::Display for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut files = self.files.clone();
        files.sort();
        let mut functions = self.functions.clone();
        functions.sort_unstable();
        let lines: Vec<usize> = files.iter().map(|(lines, _)| *lines).collect();
        writeln!(f, "tidy: {} files, code lines {}", lines.len(), Spread(&lines))?;
        write!(f, "tidy: {} functions, lines {}", functions.len(), Spread(&functions))?;
        for (lines, path) in files.iter().rev().take(NAMED) {
            write!(f, "\ntidy: {lines:>5} {path}")?;
        }
        Ok(())
    }
}

/// Median, 90th percentile and maximum of sorted numbers.
struct Spread<'a>(&'a [usize]);

impl fmt::Display for Spread<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = |percent: usize| self.0.get(self.0.len().saturating_sub(1) * percent / 100).copied().unwrap_or(0);
        write!(f, "median {} / p90 {} / max {}", at(50), at(90), at(100))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_names_the_distribution() {
        let numbers: Vec<usize> = (1..=101).collect();
        assert_eq!(Spread(&numbers).to_string(), "median 51 / p90 91 / max 101");
        assert_eq!(Spread(&[]).to_string(), "median 0 / p90 0 / max 0");
    }
}
