//! What the first prompt is made of: piped standard input, `@file` arguments, the first message, in this order. A blank line
//! stands between what was piped and the rest. The other messages are prompts of their own.

use std::io::{self, IsTerminal, Read};
use std::path::Path;

use pi_ai::Model;

use super::attach::attach_file;
use crate::modes::InitialPrompts;
use pi_coding_agent::compaction::estimate_text_tokens;
use pi_coding_agent::host::plain_path;
use pi_coding_agent::tools::PathBase;

/// Reads standard input to its end when something is piped into it; `None` when there is nothing but blanks.
///
/// # Errors
/// When it cannot be read.
pub(super) fn piped_text() -> io::Result<Option<String>> {
    let mut stdin = io::stdin();
    if stdin.is_terminal() {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    stdin.read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(trimmed(&text))
}

/// The text without the blanks around it, among which a byte order mark counts; `None` when nothing is left.
fn trimmed(text: &str) -> Option<String> {
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    (!text.is_empty()).then(|| text.to_owned())
}

/// Checks that a prompt that ends with an attached file leaves room in the model's window.
fn fits(file: &str, attached: &str, prompt: &str, model: &Model) -> Result<(), String> {
    let (tokens, window) = (estimate_text_tokens(prompt), model.context_window);
    if window == 0 || tokens <= window {
        return Ok(());
    }
    let with_others = match estimate_text_tokens(attached) {
        own if own < tokens => format!("about {own} tokens and the prompt about {tokens} with it"),
        own => format!("about {own} tokens"),
    };
    Err(format!(
        "{} does not fit: it has {with_others}, and the window of {} has {window}. Attach a part of it, choose a model with a larger window, or name the file without @ and let the model read what it needs",
        plain_path(Path::new(file)),
        model.id
    ))
}

/// Puts the prompts together; `warn` gets what the user should know of attached files. The model, where it is known, is the
/// one that has to take them.
///
/// # Errors
/// A sentence that names the file that cannot be attached.
pub(super) async fn assemble(
    piped: Option<String>,
    files: &[String],
    messages: Vec<String>,
    base: &PathBase,
    resize: bool,
    model: Option<&Model>,
    warn: &mut impl FnMut(String),
) -> Result<InitialPrompts, String> {
    let mut messages = messages.into_iter();
    let mut text = String::new();
    let mut images = Vec::new();
    for file in files {
        let attachment = attach_file(file, base, resize).await?;
        text.push_str(&attachment.text);
        if let Some(model) = model {
            fits(file, &attachment.text, &text, model)?;
        }
        images.extend(attachment.image);
        attachment.warning.into_iter().for_each(&mut *warn);
    }
    text.push_str(&messages.next().unwrap_or_default());
    let text = with_piped(piped, text);
    let first = (!text.is_empty() || !images.is_empty()).then_some(text);
    Ok(InitialPrompts { texts: first.into_iter().chain(messages).collect(), images })
}

/// What was piped, a blank line, what was asked: `git diff | pi -p "…"` must not glue the question to the last line.
fn with_piped(piped: Option<String>, text: String) -> String {
    match piped {
        Some(piped) if text.is_empty() => piped,
        Some(piped) => format!("{piped}\n\n{text}"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_blank_line_stands_behind_what_was_piped() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a.txt"), "content").unwrap();
        std::fs::write(dir.path().join("empty.txt"), "").unwrap();
        let base = PathBase { cwd: dir.path().to_owned(), home: None };
        let files = ["a.txt".to_owned(), "empty.txt".to_owned()];
        let messages = vec!["first".to_owned(), "second".to_owned()];
        let prompts = assemble(Some("piped".to_owned()), &files, messages, &base, true, None, &mut drop).await.unwrap();
        let path = dir.path().join("a.txt");
        let expected = format!("piped\n\n<file name=\"{}\">\ncontent\n</file>\nfirst", path.display());
        assert_eq!(prompts.texts, [expected, "second".to_owned()]);
        for (piped, message, expected) in
            [(Some("diff"), Some("explain"), "diff\n\nexplain"), (Some("diff"), None, "diff"), (None, Some("hi"), "hi")]
        {
            let messages = message.map(str::to_owned).into_iter().collect();
            let prompts =
                assemble(piped.map(str::to_owned), &[], messages, &base, true, None, &mut drop).await.unwrap();
            assert_eq!(prompts.texts, [expected]);
        }
    }

    #[tokio::test]
    async fn a_file_that_cannot_be_attached_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let base = PathBase { cwd: dir.path().to_owned(), home: None };
        let missing = assemble(None, &["no.txt".to_owned()], vec![], &base, true, None, &mut drop).await.unwrap_err();
        assert_eq!(missing, format!("File not found: {}", dir.path().join("no.txt").display()));
        let directory = assemble(None, &[".".to_owned()], vec![], &base, true, None, &mut drop).await.unwrap_err();
        assert!(directory.contains("it is a directory"), "{directory}");
    }

    #[tokio::test]
    async fn a_file_that_is_no_text_is_told() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("program"), b"\x7fELF\0\x01\xff").unwrap();
        std::fs::write(dir.path().join("text"), "t\u{e4}xt").unwrap();
        let base = PathBase { cwd: dir.path().to_owned(), home: None };
        let mut warnings = Vec::new();
        let files = ["program".to_owned(), "text".to_owned()];
        assemble(None, &files, vec![], &base, true, None, &mut |warning| warnings.push(warning)).await.unwrap();
        assert!(warnings.len() == 1 && warnings[0].contains("program is no text"), "{warnings:?}");
    }

    #[test]
    fn blanks_around_piped_text_are_dropped() {
        assert_eq!(trimmed("\u{feff}\u{a0}\n text \r\n").as_deref(), Some("text"));
        assert_eq!(trimmed(" \n\u{feff}"), None);
    }

    #[tokio::test]
    async fn nothing_to_say_is_no_prompt() {
        let base = PathBase { cwd: "/".into(), home: None };
        assert!(assemble(None, &[], vec![], &base, true, None, &mut drop).await.unwrap().texts.is_empty());
    }
}
