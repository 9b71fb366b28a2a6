//! How deeply a source may be nested, judged from its tokens, and so how much stack its translation may need.
//!
//! The answer is an upper bound: each level of a syntax tree begins with a bracket, an operator or a keyword. Small files
//! are bounded by all of these together. For larger ones those count that can be inside of each other: brackets that are
//! open, and what chains within a bracket (`1+1+…`, `a?b:c?…`, `!!…`, `A<A<…`, `else if`), which starts over where an
//! element, a statement or a line that cannot be continued ends (`scan`).

mod scan;

use std::path::Path;

use crate::error::Error;
use scan::Scan;

/// Stack for one level, in bytes: some three times what the hungriest constructs were measured to take.
const STACK_PER_LEVEL: usize = 8 << 10;
/// Stack beside the levels, in bytes.
const BASE_STACK: usize = 1 << 20;
/// Levels beyond which a source is refused: 400 MiB of stack, of which only what is used is ever touched.
const MOST_LEVELS: usize = 50_000;
/// Open brackets and nested statements beyond which a source is refused: the printer indents each line by them, and no
/// engine runs it. Files of fewer tokens are not looked at more closely.
const MOST_BLOCKS: usize = 3_000;

/// Words that begin a level of the tree, or go on with one.
const KEYWORDS: [&str; 45] = [
    "abstract",
    "as",
    "asserts",
    "async",
    "await",
    "case",
    "catch",
    "class",
    "declare",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "export",
    "extends",
    "finally",
    "for",
    "function",
    "get",
    "if",
    "implements",
    "import",
    "in",
    "infer",
    "instanceof",
    "interface",
    "is",
    "keyof",
    "module",
    "namespace",
    "new",
    "of",
    "readonly",
    "return",
    "satisfies",
    "static",
    "switch",
    "throw",
    "try",
    "type",
    "typeof",
    "void",
    "while",
    "yield",
];
/// The stack that the translation of a source may need, in bytes.
///
/// # Errors
/// [`Error::Syntax`] for a source that is nested too deeply.
pub(super) fn stack_for(path: &Path, source: &str) -> Result<usize, Error> {
    let total = tokens(source.as_bytes());
    let markup = path.extension().is_some_and(|extension| extension == "tsx" || extension == "jsx");
    let levels = if total <= MOST_BLOCKS {
        total
    } else {
        let depth = Scan::new(source.as_bytes()).run();
        // Text between tags is no code, so tokens in it cannot be told from others.
        let levels = if markup { total } else { depth.levels };
        if levels > MOST_LEVELS || depth.blocks > MOST_BLOCKS {
            let message = "nested too deeply; split it into smaller functions or statements";
            return Err(Error::Syntax(format!("{}: {message}", path.display())));
        }
        levels
    };
    Ok(BASE_STACK + levels * STACK_PER_LEVEL)
}

/// Everything that could begin a level, comments and strings included.
fn tokens(source: &[u8]) -> usize {
    let mut count = 0;
    let mut at = 0;
    while let Some(byte) = source.get(at) {
        if is_word(*byte) {
            let end = word_end(source, at);
            count += usize::from(is_one_of(&KEYWORDS, &source[at..end]));
            at = end;
            continue;
        }
        count += usize::from(byte.is_ascii_punctuation() && !b",;)]}'\"\\#$_".contains(byte));
        at += 1;
    }
    count
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || !byte.is_ascii()
}

fn word_end(source: &[u8], start: usize) -> usize {
    source[start..].iter().position(|byte| !is_word(*byte)).map_or(source.len(), |length| start + length)
}

fn is_one_of(words: &[&str], word: &[u8]) -> bool {
    words.iter().any(|known| known.as_bytes() == word)
}

#[cfg(test)]
mod tests;
