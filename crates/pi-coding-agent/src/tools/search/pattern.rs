//! From what the model wrote to ripgrep's matcher, and what is said when it is no pattern.

use grep_regex::{ErrorKind, RegexMatcher, RegexMatcherBuilder};
use regex_syntax::ParserBuilder;
use regex_syntax::ast::{self, Span};

use crate::tools::operations::{GrepRequest, OperationError};

const LITERAL: &str = "To search for the text itself, set literal to true.";

/// The matcher that `rg` would use.
///
/// # Errors
/// When the pattern is no regular expression, or can match no line.
pub(in crate::tools) fn matcher(request: &GrepRequest) -> Result<RegexMatcher, OperationError> {
    let built = RegexMatcherBuilder::new()
        .multi_line(true)
        .case_insensitive(request.ignore_case)
        .fixed_strings(request.literal)
        .line_terminator(Some(b'\n'))
        .ban_byte(Some(0))
        .build(&request.pattern);
    built.map_err(|e| OperationError::new(explain(e.kind(), &request.pattern)))
}

fn explain(kind: &ErrorKind, pattern: &str) -> String {
    match kind {
        ErrorKind::NotAllowed(_) => "Invalid pattern: it contains a line break, and the search goes line by line. \
                                     Search for one of the lines, or use bash with rg --multiline."
            .to_owned(),
        ErrorKind::Banned(_) => "Invalid pattern: it contains a NUL byte, and text has none.".to_owned(),
        ErrorKind::Regex(reason) => match syntax_error(pattern) {
            Some(error) => error,
            None => format!("Invalid regular expression: {reason}. Use a simpler one. {LITERAL}"),
        },
        other => format!("Invalid regular expression: {other:?}. {LITERAL}"),
    }
}

/// What is wrong, where, and what to do; `None` when the syntax is fine.
fn syntax_error(pattern: &str) -> Option<String> {
    let error = ParserBuilder::new().utf8(false).build().parse(pattern).err()?;
    let (reason, span, way_out) = match &error {
        regex_syntax::Error::Parse(e) => (e.kind().to_string(), *e.span(), way_out(e.kind())),
        regex_syntax::Error::Translate(e) => (e.kind().to_string(), *e.span(), LITERAL),
        other => return Some(format!("Invalid regular expression: {other}. {LITERAL}")),
    };
    let place = place(pattern, span);
    Some(format!("Invalid regular expression: {reason}, at {place}\n{way_out}"))
}

fn way_out(kind: &ast::ErrorKind) -> &'static str {
    match kind {
        ast::ErrorKind::UnsupportedLookAround | ast::ErrorKind::UnsupportedBackreference => {
            "Search without it, or use bash with grep -P."
        }
        _ => LITERAL,
    }
}

/// The number of the character, and the pattern with a mark below it where that fits on a line.
fn place(pattern: &str, span: Span) -> String {
    let before = pattern.get(..span.start.offset).unwrap_or_default().chars().count();
    let character = format!("character {}", before + 1);
    if pattern.contains(char::is_control) || pattern.chars().count() > 200 {
        return format!("{character}.");
    }
    format!("{character}:\n  {pattern}\n  {}^", " ".repeat(before))
}
