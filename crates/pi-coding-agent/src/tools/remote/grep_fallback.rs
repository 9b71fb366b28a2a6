//! Searching without ripgrep: `find` lists the files, they are chosen and sorted here, `grep` searches them.
//!
//! Ignore files have no effect then, and regular expressions are those of `grep`; the report says so.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use bytes::{Buf, BytesMut};
use grep_matcher::Matcher;
use grep_regex::RegexMatcher;
use ignore::overrides::Override;

use super::frames::Frame;
use super::grep_lines::{GrepLines, context};
use super::machine::RemoteMachine;
use super::script::Script;
use super::session::Session;
use super::transfer::check;
use crate::tools::operations::{GrepReport, GrepRequest, OperationError};
use crate::tools::search::{file_filter, matcher};

/// Judges here what only ripgrep could judge over there: which files take part, and whether a line matches.
#[derive(Debug)]
pub(super) struct Judge {
    files: Override,
    lines: RegexMatcher,
}

impl Judge {
    /// Reads pattern and glob.
    ///
    /// # Errors
    /// When one of them cannot be used.
    pub(super) fn new(request: &GrepRequest) -> Result<Self, OperationError> {
        Ok(Self { lines: matcher(request)?, files: file_filter(request)? })
    }
}

impl RemoteMachine {
    pub(super) async fn search_plainly(
        &self,
        request: &GrepRequest,
        is_directory: bool,
        judge: Judge,
    ) -> Result<GrepReport, OperationError> {
        let files = if is_directory {
            self.files_below(&request.path, &judge.files).await?
        } else {
            vec![request.path.clone()]
        };
        let list: Vec<u8> = files.iter().flat_map(|file| [file.as_os_str().as_bytes(), b"\0"].concat()).collect();
        let mut session = self.start(grep(request, is_directory)).await?;
        let mut found = PlainLines::new(request, judge.lines);
        found.follow(&mut session, list).await?;
        let note = format!(
            "There is no ripgrep on {}: this comes from grep, and ignore files such as .gitignore had no effect",
            self.shell.name()
        );
        Ok(GrepReport { note: Some(note), ..found.lines.report(is_directory) })
    }

    /// The files below a directory that are chosen, sorted.
    async fn files_below(&self, directory: &Path, chosen: &Override) -> Result<Vec<PathBuf>, OperationError> {
        let mut session = self.start(Script::new(include_str!("scripts/files.sh")).arg(directory)).await?;
        let (names, report) = session.data_and_record().await?;
        check(&report, directory)?;
        let names = names.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        let paths = names.map(|name| Path::new(OsStr::from_bytes(name)));
        let mut files: Vec<_> =
            paths.filter(|path| !chosen.matched(path, false).is_ignore()).map(Path::to_owned).collect();
        files.sort();
        Ok(files)
    }
}

fn grep(request: &GrepRequest, is_directory: bool) -> Script {
    let kind = if request.literal { "-F" } else { "" };
    let case = if request.ignore_case { "-i " } else { "" };
    // The last one is what not every grep knows: what to do about files that are no text.
    let flags = format!("{case}-C {} -{}", context(request), if is_directory { 'I' } else { 'a' });
    let script = Script::on_paths(include_str!("scripts/grep.sh")).arg(kind).arg(flags);
    script.arg(&request.pattern).arg(extended(&request.pattern))
}

/// The pattern in the words of POSIX, which has no `\d` and no groups that do not capture.
fn extended(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut rest = pattern;
    while let Some(c) = rest.chars().next() {
        let (from, to) = match rest {
            _ if rest.starts_with(r"\d") => (2, "[0-9]"),
            _ if rest.starts_with(r"\D") => (2, "[^0-9]"),
            _ if rest.starts_with("(?:") => (3, "("),
            _ if c == '\\' => (1 + rest[1..].chars().next().map_or(0, char::len_utf8), ""),
            _ => (c.len_utf8(), ""),
        };
        out += if to.is_empty() { &rest[..from] } else { to };
        rest = &rest[from..];
    }
    out
}

/// The output of `grep`: names between NULs, each followed by lines `{number}:{text}` or `{number}-{text}`.
struct PlainLines {
    held: BytesMut,
    file: PathBuf,
    has_last_end: bool,
    lines: GrepLines,
    /// Judges again what grep found with rules of its own.
    judge: RegexMatcher,
}

impl PlainLines {
    fn new(request: &GrepRequest, judge: RegexMatcher) -> Self {
        let lines = GrepLines::new(request);
        Self { held: BytesMut::new(), file: PathBuf::new(), has_last_end: false, lines, judge }
    }

    /// Sends the list of files and reads what is found in them, at the same time: neither end waits for the other.
    async fn follow(&mut self, session: &mut Session, list: Vec<u8>) -> Result<(), OperationError> {
        session.send_in_background(list);
        while let Some(frame) = session.next().await {
            match frame {
                Frame::Data(bytes) if self.feed(&bytes) => return Ok(()),
                Frame::Data(_) => {}
                Frame::Record(record) => {
                    self.end_file();
                    return match record.strip_prefix("bad ") {
                        Some(complaint) => Err(OperationError::new(complaint.trim())),
                        None => check(&record, &self.file),
                    };
                }
            }
        }
        Err(session.lost().await)
    }

    fn end_file(&mut self) {
        self.lines.end_file(self.has_last_end);
    }

    /// The next bytes. Returns whether nothing more is wanted.
    fn feed(&mut self, bytes: &[u8]) -> bool {
        self.held.extend_from_slice(bytes);
        loop {
            let part = match self.held.first() {
                Some(0) => memchr::memchr(0, &self.held[1..]).map(|at| at + 2),
                _ => memchr::memchr(b'\n', &self.held).map(|at| at + 1),
            };
            let Some(length) = part else { return false };
            let part = self.held.split_to(length);
            if self.take(part.chunk()) {
                return true;
            }
        }
    }

    fn take(&mut self, part: &[u8]) -> bool {
        if let [0, end, name @ .., 0] = part {
            self.end_file();
            self.file = Path::new(OsStr::from_bytes(name)).to_owned();
            self.has_last_end = *end == b'e';
            return false;
        }
        let digits = part.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = str::from_utf8(&part[..digits]).ok().and_then(|digits| digits.parse().ok());
        // Anything else is the line between two areas.
        let (Some(number), Some((sign, text))) = (number, part[digits..].split_first()) else { return false };
        let is_match = *sign == b':' && self.judge.is_match(text.strip_suffix(b"\n").unwrap_or(text)).unwrap_or(true);
        self.lines.push(&self.file, number, text, is_match)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_for_posix() {
        for (pattern, expected) in
            [(r"\d+\\d", r"[0-9]+\\d"), (r"(?:a|b)\D", "(a|b)[^0-9]"), (r"\(?:\w\.", r"\(?:\w\."), ("é\\", "é\\")]
        {
            assert_eq!(extended(pattern), expected);
        }
    }
}
