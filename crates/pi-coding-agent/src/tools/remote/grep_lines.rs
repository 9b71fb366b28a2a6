//! Matches with the lines around them, from lines that arrive in order. Reads no output of any tool itself.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use crate::tools::operations::{GrepMatch, GrepReport, GrepRequest};

/// Collects matches until there are as many as wanted.
#[derive(Debug)]
pub(super) struct GrepLines {
    context: usize,
    limit: usize,
    matches: Vec<GrepMatch>,
    file: PathBuf,
    /// The last lines of the file, as many as may be wanted before a match.
    recent: VecDeque<(u64, String)>,
}

impl GrepLines {
    pub(super) fn new(request: &GrepRequest) -> Self {
        let (context, limit) = (request.context, request.limit.max(1));
        Self { context, limit, matches: Vec::new(), file: PathBuf::new(), recent: VecDeque::new() }
    }

    /// The next line, matching or beside one that does. Returns whether nothing more is wanted.
    pub(super) fn push(&mut self, file: &Path, number: u64, line: &[u8], is_match: bool) -> bool {
        if self.file != file {
            self.next_file(file);
        }
        let full = self.matches.len() == self.limit;
        if full && self.is_complete(number) {
            return true;
        }
        let text = text_of(line);
        self.add_after(number, &text);
        if is_match && !full {
            let before = self.before(number);
            let (path, after) = (file.to_owned(), Vec::new());
            self.matches.push(GrepMatch { path, line: number, text: text.clone(), before, after });
        }
        self.remember(number, text);
        self.matches.len() == self.limit && self.is_complete(number + 1)
    }

    pub(super) fn found(&self) -> bool {
        !self.matches.is_empty()
    }

    pub(super) fn report(&mut self, is_directory: bool) -> GrepReport {
        let matches = std::mem::take(&mut self.matches);
        let limit_reached = matches.len() >= self.limit;
        GrepReport { matches, limit_reached, is_directory, ..GrepReport::default() }
    }

    fn next_file(&mut self, file: &Path) {
        file.clone_into(&mut self.file);
        self.recent.clear();
    }

    /// Whether a line of this number, and all after it, are past what is wanted around the last match.
    fn is_complete(&self, number: u64) -> bool {
        let last = self.matches.last();
        last.is_none_or(|last| last.path != self.file || number > last.line + self.context as u64)
    }

    /// The line follows the last matches that are near enough.
    fn add_after(&mut self, number: u64, text: &str) {
        let (file, context) = (&self.file, self.context as u64);
        let near = |found: &&mut GrepMatch| found.path == *file && number <= found.line + context;
        for found in self.matches.iter_mut().rev().take_while(near) {
            found.after.push(text.to_owned());
        }
    }

    fn before(&self, number: u64) -> Vec<String> {
        let first = number.saturating_sub(self.context as u64);
        self.recent.iter().filter(|(at, _)| *at >= first).map(|(_, text)| text.clone()).collect()
    }

    fn remember(&mut self, number: u64, text: String) {
        if self.context == 0 {
            return;
        }
        if self.recent.len() == self.context {
            self.recent.pop_front();
        }
        self.recent.push_back((number, text));
    }
}

/// A line without its end.
fn text_of(line: &[u8]) -> String {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line)).into_owned()
}

#[cfg(test)]
mod tests {
    use tokio_util::sync::CancellationToken;

    use super::*;

    /// Searches `x` in files given as text, as a tool over there would report it with context.
    fn search(files: &[(&str, &str)], context: usize, limit: usize) -> Vec<String> {
        let request = GrepRequest {
            pattern: "x".to_owned(),
            literal: false,
            ignore_case: false,
            glob: None,
            path: "/".into(),
            context,
            limit,
            cancel: CancellationToken::new(),
        };
        let mut lines = GrepLines::new(&request);
        'files: for (file, text) in files {
            let all: Vec<&str> = text.split_inclusive('\n').collect();
            for (at, line) in all.iter().enumerate() {
                let near = &all[at.saturating_sub(context)..(at + context + 1).min(all.len())];
                if near.iter().any(|line| line.contains('x'))
                    && lines.push(Path::new(file), at as u64 + 1, line.as_bytes(), line.contains('x'))
                {
                    break 'files;
                }
            }
        }
        let show = |m: GrepMatch| format!("{}:{} {} {:?} {:?}", m.path.display(), m.line, m.text, m.before, m.after);
        lines.report(true).matches.into_iter().map(show).collect()
    }

    #[test]
    fn lines_around_matches() {
        let files = [("a", "1\nx2\r\nx3\n4\n5\n"), ("b", "x1\n2\n3\nx4")];
        assert_eq!(search(&files, 0, 100), ["a:2 x2 [] []", "a:3 x3 [] []", "b:1 x1 [] []", "b:4 x4 [] []"]);
        insta::assert_snapshot!(search(&files, 2, 100).join("\n"), @r#"
        a:2 x2 ["1"] ["x3", "4"]
        a:3 x3 ["1", "x2"] ["4", "5"]
        b:1 x1 [] ["2", "3"]
        b:4 x4 ["2", "3"] []
        "#);
        assert_eq!(search(&files, 1, 1), [r#"a:2 x2 ["1"] ["x3"]"#]);
        assert_eq!(search(&files, 2, 2)[1], r#"a:3 x3 ["1", "x2"] ["4", "5"]"#);
    }
}
