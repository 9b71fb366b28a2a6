//! Searching without ripgrep: `find` lists the files, they are chosen and sorted here, `grep` searches them.
//!
//! Ignore files have no effect then, and regular expressions are those of `grep`; the report says so.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use bytes::{Buf, BytesMut};
use ignore::overrides::{Override, OverrideBuilder};
use regex::{Regex, RegexBuilder};

use super::frames::Frame;
use super::grep_lines::GrepLines;
use super::machine::RemoteMachine;
use super::script::Script;
use super::session::Session;
use super::transfer::check;
use crate::tools::operations::{GrepReport, GrepRequest, OperationError};

impl RemoteMachine {
    pub(super) async fn search_plainly(
        &self,
        request: &GrepRequest,
        is_directory: bool,
    ) -> Result<GrepReport, OperationError> {
        let files = self.files_to_search(request, is_directory).await?;
        let flags = format!("{} -C {}", if request.ignore_case { "-i" } else { "" }, request.context);
        let kind = if request.literal { "-F" } else { "" };
        let script = Script::on_paths(include_str!("scripts/grep.sh"));
        let mut session =
            self.start(script.arg(kind).arg(flags).arg(&request.pattern).arg(extended(&request.pattern))).await?;
        let list: Vec<u8> = files.iter().flat_map(|file| [file.as_os_str().as_bytes(), b"\0"].concat()).collect();
        let mut found = PlainLines::new(request);
        found.follow(&mut session, &list).await?;
        let note = format!(
            "ripgrep is not installed on {}: searched with grep, without regard to ignore files such as .gitignore",
            self.shell.name()
        );
        Ok(GrepReport { note: Some(note), ..found.lines.report(is_directory) })
    }

    /// The files below the path that the glob lets through, sorted.
    async fn files_to_search(&self, request: &GrepRequest, is_directory: bool) -> Result<Vec<PathBuf>, OperationError> {
        let chosen = chosen(request)?;
        if !is_directory {
            return Ok(vec![request.path.clone()]);
        }
        let mut session = self.start(Script::new(include_str!("scripts/files.sh")).arg(&request.path)).await?;
        let (names, report) = session.data_and_record().await?;
        check(&report, &request.path)?;
        let names = names.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        let paths = names.map(|name| Path::new(OsStr::from_bytes(name)));
        let mut files: Vec<_> =
            paths.filter(|path| !chosen.matched(path, false).is_ignore()).map(Path::to_owned).collect();
        files.sort();
        Ok(files)
    }
}

/// What the glob lets through, as ripgrep reads it.
fn chosen(request: &GrepRequest) -> Result<Override, OperationError> {
    let mut globs = OverrideBuilder::new(&request.path);
    let invalid = |e: ignore::Error| OperationError::new(format!("The glob cannot be used: {e}"));
    if let Some(glob) = &request.glob {
        globs.add(glob).map_err(invalid)?;
    }
    globs.build().map_err(invalid)
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
    lines: GrepLines,
    /// Judges again what grep found with rules of its own.
    judge: Option<Regex>,
}

impl PlainLines {
    fn new(request: &GrepRequest) -> Self {
        let judge = RegexBuilder::new(&request.pattern).case_insensitive(request.ignore_case).build().ok();
        let judge = judge.filter(|_| !request.literal);
        Self { held: BytesMut::new(), file: PathBuf::new(), lines: GrepLines::new(request), judge }
    }

    /// Sends the list of files and reads what is found in them, at the same time: neither end waits for the other.
    async fn follow(&mut self, session: &mut Session, list: &[u8]) -> Result<(), OperationError> {
        session.send_in_background(list.to_owned());
        while let Some(frame) = session.next().await {
            match frame {
                Frame::Data(bytes) => {
                    if self.feed(&bytes) {
                        return Ok(());
                    }
                }
                Frame::Record(record) if record == "bad" => {
                    return Err(OperationError::new(session.said().await.trim().to_owned()));
                }
                Frame::Record(record) => return check(&record, &self.file),
            }
        }
        Err(session.lost().await)
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
        if let [0, name @ .., 0] = part {
            self.file = Path::new(OsStr::from_bytes(name)).to_owned();
            return false;
        }
        let digits = part.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = str::from_utf8(&part[..digits]).ok().and_then(|digits| digits.parse().ok());
        // Anything else is the line between two areas.
        let (Some(number), Some((sign, text))) = (number, part[digits..].split_first()) else { return false };
        let is_match =
            *sign == b':' && self.judge.as_ref().is_none_or(|judge| judge.is_match(line_text(text).as_ref()));
        self.lines.push(&self.file, number, text, is_match)
    }
}

fn line_text(line: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(line.trim_ascii_end())
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
