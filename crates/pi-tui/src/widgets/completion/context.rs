//! Completion contexts: kind, range and prefix, derived from the text before the cursor.

/// A kind of completion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CompletionKind {
    /// The name of a command: `/` is the first character of the text.
    Slash,
    /// The arguments of a command: all text after its name.
    Argument {
        /// The name, without `/`.
        command: String,
    },
    /// A file to search for: a word that begins with `@`.
    File,
    /// A path, completed from directory listings.
    Path,
    /// A word that begins with one of the program's marks.
    Marked(char),
}

/// The reason for a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reason {
    /// Typing, with no list open.
    Typed,
    /// Any change while a list is open.
    IsOpen,
    /// The Tab key.
    Asked,
}

/// A word to complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Context {
    pub(super) kind: CompletionKind,
    /// Byte offset in the cursor's line at which the replaced text begins.
    pub(super) from: usize,
    /// The typed part, without marks and quotes.
    pub(super) prefix: String,
    /// Whether it follows an open quote.
    pub(super) is_quoted: bool,
}

impl Context {
    /// Finds the word to complete. `before` is the part of line `line` before the cursor.
    pub(super) fn find(line: usize, before: &str, marks: &[char], reason: Reason) -> Option<Self> {
        let path = || {
            Some(Self::of_path(before))
                .filter(|path| reason == Reason::Asked || (reason == Reason::IsOpen && path.is_obvious()))
        };
        if let Some(marked) = marked(before, marks) {
            return Some(marked);
        }
        match before.strip_prefix('/').filter(|_| line == 0) {
            Some(command) => slash(command).or_else(path),
            None => path(),
        }
    }

    /// The word before the cursor as a path, which may have blanks if quoted.
    pub(super) fn of_path(before: &str) -> Self {
        let quote = open_quote(before).filter(|quote| word_start(&before[..*quote]) == *quote);
        let from = quote.unwrap_or_else(|| word_start(before));
        let prefix = before[from..].trim_start_matches('"').to_owned();
        Self { kind: CompletionKind::Path, from, prefix, is_quoted: quote.is_some() }
    }

    /// Whether both complete the same word, whatever is typed of it.
    pub(super) fn is_same_place(&self, other: &Self) -> bool {
        self.kind == other.kind && self.from == other.from && self.is_quoted == other.is_quoted
    }

    /// Whether it looks like a path rather than a word.
    fn is_obvious(&self) -> bool {
        self.is_quoted || self.prefix.contains('/') || self.prefix.starts_with('.')
    }
}

/// A command name or its arguments; `text` follows the `/`. Names contain no `/`: `/tmp/x` is a path.
fn slash(text: &str) -> Option<Context> {
    let blank = text.find(char::is_whitespace);
    let (name, argument) = blank.map_or((text, None), |at| (&text[..at], text[at..].chars().next()));
    if name.contains('/') {
        return None;
    }
    let (kind, from) = match argument {
        None => (CompletionKind::Slash, 0),
        Some(blank) => (CompletionKind::Argument { command: name.to_owned() }, 1 + name.len() + blank.len_utf8()),
    };
    let prefix = text[from.saturating_sub(1)..].to_owned();
    Some(Context { kind, from, prefix, is_quoted: false })
}

/// A word that begins with `@` or with one of the program's marks.
fn marked(before: &str, marks: &[char]) -> Option<Context> {
    let from = word_start(before);
    let word = &before[from..];
    if let Some(mark) = word.chars().next().filter(|mark| *mark == '@' || marks.contains(mark)) {
        let kind = if mark == '@' { CompletionKind::File } else { CompletionKind::Marked(mark) };
        return Some(Context { kind, from, prefix: word[mark.len_utf8()..].to_owned(), is_quoted: false });
    }
    let quote = open_quote(before)?;
    let mark = before[..quote].strip_suffix('@').filter(|rest| word_start(rest) == rest.len())?;
    let prefix = before[quote + 1..].to_owned();
    Some(Context { kind: CompletionKind::File, from: mark.len(), prefix, is_quoted: true })
}

/// The start of the last word.
fn word_start(text: &str) -> usize {
    let is_delimiter = |char: char| char.is_whitespace() || matches!(char, '"' | '\'' | '=');
    text.rfind(is_delimiter).map_or(0, |at| at + text[at..].chars().next().map_or(0, char::len_utf8))
}

/// The last quote, if it is not closed.
fn open_quote(text: &str) -> Option<usize> {
    let quotes = text.matches('"').count();
    (quotes % 2 == 1).then(|| text.rfind('"')).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: usize, before: &str, reason: Reason) -> String {
        match Context::find(line, before, &['#'], reason) {
            Some(Context { kind, from, prefix, is_quoted }) => {
                format!("{kind:?} {from} {prefix:?}{}", if is_quoted { " quoted" } else { "" })
            }
            None => "-".to_owned(),
        }
    }

    #[test]
    fn contexts() {
        use Reason::{Asked, IsOpen, Typed};
        for (line, before, reason, expected) in [
            (0, "/", Typed, "Slash 0 \"\""),
            (0, "/mo", Typed, "Slash 0 \"mo\""),
            (0, "/mo", Asked, "Slash 0 \"mo\""),
            (1, "/mo", Typed, "-"),
            (0, " /mo", Typed, "-"),
            (0, "/tmp/x", Typed, "-"),
            (0, "/tmp/x", Asked, "Path 0 \"/tmp/x\""),
            (0, "/model ", Typed, "Argument { command: \"model\" } 7 \"\""),
            (0, "/model a b", Typed, "Argument { command: \"model\" } 7 \"a b\""),
            (0, "/review @sr", Typed, "File 8 \"sr\""),
            (0, "@", Typed, "File 0 \"\""),
            (2, "see @src/ma", Typed, "File 4 \"src/ma\""),
            (0, "mail me@home", Typed, "-"),
            (0, "see @\"my fi", Typed, "File 4 \"my fi\" quoted"),
            (0, "said \"see @fi", Typed, "File 10 \"fi\""),
            (0, "see @\"my file\" th", Typed, "-"),
            (0, "fix #12", Typed, "Marked('#') 4 \"12\""),
            (0, "word", Typed, "-"),
            (0, "word", IsOpen, "-"),
            (0, "a src/ma", Typed, "-"),
            (0, "a src/ma", IsOpen, "Path 2 \"src/ma\""),
            (0, "a .gi", IsOpen, "Path 2 \".gi\""),
            (0, "a ", Asked, "Path 2 \"\""),
            (0, "", Asked, "Path 0 \"\""),
            (0, "a sr", Asked, "Path 2 \"sr\""),
            (0, "x=\"my di", Asked, "Path 2 \"my di\" quoted"),
        ] {
            assert_eq!(shown(line, before, reason), expected, "{before:?} {reason:?}");
        }
    }
}
