//! The text edit that applies a completion: marks, quotes, trailing blanks.

use super::context::{CompletionKind, Context};

/// A replacement of the completed word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) text: String,
    /// Bytes after the cursor that are replaced too.
    pub(super) taken: usize,
    /// Characters between the new cursor and the end of the text.
    pub(super) back: usize,
    /// Whether completion continues: in a directory, or with the arguments of a command.
    pub(super) goes_on: bool,
}

impl Edit {
    /// The edit for a chosen value. `after` is the rest of the line after the cursor.
    pub(super) fn new(context: &Context, value: &str, after: &str) -> Self {
        let is_path = matches!(context.kind, CompletionKind::File | CompletionKind::Path);
        let is_directory = is_path && value.ends_with('/');
        let needs_quotes = is_path && (context.is_quoted || value.contains(char::is_whitespace));
        let value = if needs_quotes { format!("\"{value}\"") } else { value.to_owned() };
        let mark = match context.kind {
            CompletionKind::Slash => "/".to_owned(),
            CompletionKind::File => "@".to_owned(),
            CompletionKind::Marked(mark) => mark.to_string(),
            CompletionKind::Argument { .. } | CompletionKind::Path => String::new(),
        };
        let has_blank = !mark.is_empty() && !is_directory;
        let quote = usize::from(context.is_quoted && after.starts_with('"'));
        // An existing blank is not doubled.
        let blank = usize::from(has_blank && after[quote..].starts_with(' '));
        Self {
            text: format!("{mark}{value}{}", if has_blank { " " } else { "" }),
            taken: quote + blank,
            // Typing continues before the closing quote.
            back: usize::from(is_directory && needs_quotes),
            goes_on: is_directory || context.kind == CompletionKind::Slash,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits() {
        use CompletionKind::{File, Marked, Path, Slash};
        let argument = CompletionKind::Argument { command: "model".to_owned() };
        for (kind, is_quoted, value, after, expected) in [
            (Slash, false, "model", "", "/model |"),
            (Slash, false, "model", " x", "/model |x"),
            (argument, false, "gpt 5", "", "gpt 5|"),
            (File, false, "src/main.rs", "", "@src/main.rs |"),
            (File, false, "src/", "", "@src/|"),
            (File, false, "my file", "", "@\"my file\" |"),
            (File, false, "my dir/", "", "@\"my dir/|\""),
            (File, true, "my dir/a", "\" b", "@\"my dir/a\" |b"),
            (Path, false, "src/main.rs", "x", "src/main.rs|x"),
            (Path, true, "src/", "\"", "\"src/|\""),
            (Marked('#'), false, "12", "", "#12 |"),
        ] {
            let context = Context { kind, from: 0, prefix: String::new(), is_quoted };
            let edit = Edit::new(&context, value, after);
            let at = edit.text.len() - edit.back;
            let shown = format!("{}|{}{}", &edit.text[..at], &edit.text[at..], &after[edit.taken..]);
            assert_eq!(shown, expected);
        }
    }
}
