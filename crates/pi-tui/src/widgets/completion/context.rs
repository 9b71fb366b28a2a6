//! What is being completed, derived from the text before the cursor.

/// A kind of completion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CompletionKind {
    /// The name of a command: `/` is the first character of the text.
    Slash,
    /// What follows the name of a command.
    Argument {
        /// The name, without `/`.
        command: String,
    },
    /// A file that is searched for: `@`.
    File,
    /// A path, entry by entry.
    Path,
    /// A word that begins with a character that the program chose.
    Marked(char),
}

/// Why completions are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reason {
    /// The text changed.
    Typed,
    /// The text changed, or the cursor moved, while a list of some kind is open.
    IsOpen,
    /// Tab.
    Asked,
}

/// What is completed, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Context {
    pub(super) kind: CompletionKind,
    /// Byte offset, in the cursor's line, of what a completion replaces.
    pub(super) from: usize,
    /// What is to be completed, without marks and quotes.
    pub(super) prefix: String,
    /// Whether a quote is open before it.
    pub(super) is_quoted: bool,
}

impl Context {
    /// What is completed where `before` is what stands before the cursor in its line.
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

    /// The word before the cursor as a path; quoted, it may have blanks.
    pub(super) fn of_path(before: &str) -> Self {
        let quote = open_quote(before).filter(|quote| word_start(&before[..*quote]) == *quote);
        let from = quote.unwrap_or_else(|| word_start(before));
        let prefix = before[from..].trim_start_matches('"').to_owned();
        Self { kind: CompletionKind::Path, from, prefix, is_quoted: quote.is_some() }
    }

    /// Whether both are about the same place, however much of it is typed.
    pub(super) fn is_same_place(&self, other: &Self) -> bool {
        self.kind == other.kind && self.from == other.from && self.is_quoted == other.is_quoted
    }

    /// A path that cannot be taken for a word.
    fn is_obvious(&self) -> bool {
        self.is_quoted || self.prefix.contains('/') || self.prefix.starts_with('.')
    }
}

/// The name of a command, or its arguments. A name has no `/` in it: with one it is a path.
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

/// A word with a mark before it: `@` or one of the program's.
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

/// Where the word at the end of a text begins.
fn word_start(text: &str) -> usize {
    let is_delimiter = |char: char| char.is_whitespace() || matches!(char, '"' | '\'' | '=');
    text.rfind(is_delimiter).map_or(0, |at| at + text[at..].chars().next().map_or(0, char::len_utf8))
}

/// The quote that was opened last and not closed.
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
