//! What the first prompt is made of: piped standard input, `@file` arguments, the first message, in this order and
//! without separators. The other messages are prompts of their own.

use std::io::{self, IsTerminal, Read};
use std::path::Path;

use crate::env::Env;
use crate::modes::InitialPrompts;
use crate::tools::attach::{Attachment, attach_file};

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
    let text = text.trim();
    Ok((!text.is_empty()).then(|| text.to_owned()))
}

/// Puts the prompts together.
///
/// # Errors
/// A sentence that names the file that cannot be attached.
pub(super) async fn assemble(
    piped: Option<String>,
    files: &[String],
    messages: Vec<String>,
    cwd: &Path,
    env: &Env,
    auto_resize: bool,
) -> Result<InitialPrompts, String> {
    let mut messages = messages.into_iter();
    let mut text = piped.unwrap_or_default();
    let mut images = Vec::new();
    for file in files {
        match attach_file(file, cwd, env, auto_resize).await? {
            Attachment::Nothing => {}
            Attachment::Text(content) => text.push_str(&content),
            Attachment::Image { text: note, image } => {
                text.push_str(&note);
                images.extend(image);
            }
        }
    }
    text.push_str(&messages.next().unwrap_or_default());
    let first = (!text.is_empty() || !images.is_empty()).then_some(text);
    Ok(InitialPrompts { texts: first.into_iter().chain(messages).collect(), images })
}
