//! Rules out files in which nothing can match, at a fraction of what a search line by line costs: most files of most
//! searches. What it lets pass is searched; it never decides that something matches.

use grep_matcher::{LineTerminator, Matcher};
use grep_regex::RegexMatcher;
use memchr::memmem::Finder;
use memchr::memrchr;
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Hir, HirKind};

use crate::tools::operations::GrepRequest;

/// How the texts begin that are decoded before they are searched: the byte order marks of UTF-8 and UTF-16.
const MARKS: [&[u8]; 3] = [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"];

/// What every text with a match must satisfy.
#[derive(Debug, Clone)]
pub(super) struct FilePrefilter {
    matcher: RegexMatcher,
    /// Whether the matcher gives the same answer for many lines at once as for each of them.
    spans_lines: bool,
    required: Option<Finder<'static>>,
}

impl FilePrefilter {
    pub(super) fn new(request: &GrepRequest, matcher: RegexMatcher) -> Self {
        let spans_lines = matcher.line_terminator() == Some(LineTerminator::byte(b'\n'));
        let required = required(request).map(|literal| Finder::new(&literal).into_owned());
        Self { matcher, spans_lines, required }
    }

    /// Whether there may be a match in a file whose whole content this is.
    pub(super) fn lets_pass(&self, content: &[u8]) -> bool {
        if MARKS.iter().any(|mark| content.starts_with(mark)) {
            return true;
        }
        let start = match &self.required {
            None => 0,
            Some(literal) => match literal.find(content) {
                None => return false,
                Some(at) => memrchr(b'\n', &content[..at]).map_or(0, |end| end + 1),
            },
        };
        !self.spans_lines || !matches!(self.matcher.find_candidate_line(&content[start..]), Ok(None))
    }
}

/// A text that is part of every match, if the pattern shows one.
fn required(request: &GrepRequest) -> Option<Vec<u8>> {
    if request.literal {
        return (!request.ignore_case).then(|| request.pattern.clone().into_bytes());
    }
    let mut parser = ParserBuilder::new();
    let parser = parser.utf8(false).multi_line(true).case_insensitive(request.ignore_case);
    let pattern = parser.build().parse(&request.pattern).ok()?;
    longest_literal(&pattern).map(<[u8]>::to_vec)
}

/// The longest text that the expression cannot match without.
fn longest_literal(expression: &Hir) -> Option<&[u8]> {
    match expression.kind() {
        HirKind::Literal(literal) => Some(&literal.0),
        HirKind::Capture(group) => longest_literal(&group.sub),
        HirKind::Repetition(repeated) if repeated.min > 0 => longest_literal(&repeated.sub),
        HirKind::Concat(parts) => parts.iter().filter_map(longest_literal).max_by_key(|literal| literal.len()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::pattern::matcher;
    use super::*;
    use proptest::prelude::*;
    use tokio_util::sync::CancellationToken;

    fn request(pattern: &str, literal: bool, ignore_case: bool) -> GrepRequest {
        GrepRequest {
            pattern: pattern.to_owned(),
            literal,
            ignore_case,
            glob: None,
            path: "/".into(),
            base: "/".into(),
            context: 0,
            limit: 1,
            cancel: CancellationToken::new(),
        }
    }

    #[test]
    fn the_required_text_of_a_pattern() {
        let required = |pattern, literal, ignore_case| {
            required(&request(pattern, literal, ignore_case)).map(|text| String::from_utf8(text).unwrap())
        };
        for (pattern, wanted) in [
            ("needle", Some("needle")),
            (r"(lorem|ipsum) \d+ needle", Some(" needle")),
            (r"fn \w+_(batches)+\(", Some("batches")),
            ("a(bc)?", Some("a")),
            ("(bc)*", None),
            ("foo|bar", None),
            ("(?i)foo", None),
            (r"\bx{2,}\.", Some(".")),
            ("", None),
            ("(", None),
        ] {
            assert_eq!(required(pattern, false, false).as_deref(), wanted, "{pattern}");
        }
        assert_eq!(required("(a|b)", true, false).as_deref(), Some("(a|b)"));
        assert_eq!(required("(a|b)", true, true), None);
        assert_eq!(required("foo", false, true), None);
    }

    proptest! {
        #[test]
        fn what_has_a_match_passes(pattern in r"([ab.^$]|\\b|\\A|\\z|a\*|\(a\|b\)|\(ab\)\+|[ab]\?|\\W){0,5}", content in "[ab \n\r\u{e9}]{0,12}", literal: bool, ignore_case: bool) {
            let request = request(&pattern, literal, ignore_case);
            let Ok(matcher) = matcher(&request) else { return Ok(()) };
            let has_match = content.split('\n').any(|line| matcher.is_match(line.as_bytes()).unwrap());
            let sieve = FilePrefilter::new(&request, matcher);
            prop_assert!(!has_match || content.is_empty() || sieve.lets_pass(content.as_bytes()));
        }
    }
}
