//! Matches with the lines around them, from lines that arrive in order. Reads no output of any tool itself.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use crate::tools::operations::{GrepMatch, GrepReport, GrepRequest};
use crate::tools::search::{CONTEXT, REPORT, plain};

/// Collects matches until there are as many as wanted.
#[derive(Debug)]
pub(super) struct GrepLines {
    context: u64,
    limit: usize,
    matches: Vec<GrepMatch>,
    bytes: usize,
    file: PathBuf,
    /// The last lines of the file, as many as may be wanted before a match.
    recent: VecDeque<(u64, String)>,
}

impl GrepLines {
    pub(super) fn new(request: &GrepRequest) -> Self {
        Self {
            context: context(request) as u64,
            limit: request.limit.max(1),
            matches: Vec::new(),
            bytes: 0,
            file: PathBuf::new(),
            recent: VecDeque::new(),
        }
    }

    /// The next line, matching or beside one that does. Returns whether nothing more is wanted.
    pub(super) fn push(&mut self, file: &Path, number: u64, line: &[u8], is_match: bool) -> bool {
        if self.file != file {
            self.recent.clear();
            file.clone_into(&mut self.file);
        }
        if self.is_full() && self.is_past_last(number) {
            return true;
        }
        let text = plain(line);
        self.bytes += text.len();
        self.add_after(number, &text);
        if is_match && !self.is_full() {
            let (path, before) = (file.to_owned(), self.before(number));
            self.matches.push(GrepMatch { path, line: number, text: text.clone(), before, after: Vec::new() });
        }
        self.remember(number, text);
        self.is_full() && self.is_past_last(number + 1)
    }

    /// Nothing more comes of this file. Clients expect the empty line that follows its last line end, if it has one.
    pub(super) fn end_file(&mut self, has_end: bool) {
        let (file, context) = (&self.file, self.context as usize);
        let open = |found: &&mut GrepMatch| found.path == *file && found.after.len() < context;
        if has_end {
            self.matches.iter_mut().rev().take_while(open).for_each(|found| found.after.push(String::new()));
        }
    }

    pub(super) fn report(&mut self, is_directory: bool) -> GrepReport {
        let matches = std::mem::take(&mut self.matches);
        GrepReport { limit_reached: matches.len() >= self.limit, matches, is_directory, note: None }
    }

    fn is_full(&self) -> bool {
        self.matches.len() >= self.limit || self.bytes >= REPORT
    }

    /// Whether a line of this number, and all after it, are past what is wanted around the last match.
    fn is_past_last(&self, number: u64) -> bool {
        self.matches.last().is_none_or(|last| last.path != self.file || number > last.line + self.context)
    }

    /// The line follows the last matches that are near enough.
    fn add_after(&mut self, number: u64, text: &str) {
        let (file, context) = (&self.file, self.context);
        let near = |found: &&mut GrepMatch| found.path == *file && number <= found.line + context;
        self.matches.iter_mut().rev().take_while(near).for_each(|found| found.after.push(text.to_owned()));
    }

    fn before(&self, number: u64) -> Vec<String> {
        let first = number.saturating_sub(self.context);
        self.recent.iter().filter(|(at, _)| *at >= first).map(|(_, text)| text.clone()).collect()
    }

    fn remember(&mut self, number: u64, text: String) {
        if self.context == 0 {
            return;
        }
        if self.recent.len() as u64 == self.context {
            self.recent.pop_front();
        }
        self.recent.push_back((number, text));
    }
}

/// Lines of context to ask for.
pub(super) fn context(request: &GrepRequest) -> usize {
    request.context.min(CONTEXT)
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
            base: "/".into(),
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
            lines.end_file(text.ends_with('\n'));
        }
        let show = |m: GrepMatch| format!("{}:{} {} {:?} {:?}", m.path.display(), m.line, m.text, m.before, m.after);
        lines.report(true).matches.into_iter().map(show).collect()
    }

    #[test]
    fn lines_around_matches() {
        let files = [("a", "1\nx2\r\nx3\n4\n"), ("b", "x1\n2\n3\nx4")];
        assert_eq!(search(&files, 0, 100), ["a:2 x2 [] []", "a:3 x3 [] []", "b:1 x1 [] []", "b:4 x4 [] []"]);
        insta::assert_snapshot!(search(&files, 2, 100).join("\n"), @r#"
        a:2 x2 ["1"] ["x3", "4"]
        a:3 x3 ["1", "x2"] ["4", ""]
        b:1 x1 [] ["2", "3"]
        b:4 x4 ["2", "3"] []
        "#);
        assert_eq!(search(&files, 1, 1), [r#"a:2 x2 ["1"] ["x3"]"#]);
        assert_eq!(search(&files, 2, 2)[1], r#"a:3 x3 ["1", "x2"] ["4", ""]"#);
    }
}
