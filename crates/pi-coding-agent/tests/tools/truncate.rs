//! Truncation: the figures, and limits that hold for any text.

use pi_coding_agent::tools::{TruncatedBy, TruncationLimits, format_size, truncate_head, truncate_line, truncate_tail};
use proptest::prelude::*;
use serde_json::json;

const SMALL: TruncationLimits = TruncationLimits { lines: 3, bytes: 10 };

#[test]
fn head_keeps_whole_lines_from_the_start() {
    for (text, kept, lines, by) in [
        ("", "", 0, None),
        ("a\nb\n", "a\nb\n", 2, None),
        ("a\nb\nc\n", "a\nb\nc\n", 3, None),
        ("a\nb\nc\nd", "a\nb\nc", 3, Some(TruncatedBy::Lines)),
        ("\n\n\n\n", "\n\n", 3, Some(TruncatedBy::Lines)),
        ("1234\n5678\n9", "1234\n5678", 2, Some(TruncatedBy::Bytes)),
        ("1234567890\n", "1234567890", 1, Some(TruncatedBy::Lines)),
        ("12345678901\na", "", 0, Some(TruncatedBy::Bytes)),
        ("äöüäö\na", "äöüäö", 1, Some(TruncatedBy::Bytes)),
    ] {
        let result = truncate_head(text, SMALL);
        assert_eq!((result.content.as_str(), result.output_lines, result.truncated_by), (kept, lines, by), "{text:?}");
        assert_eq!(result.first_line_exceeds_limit, by.is_some() && lines == 0);
        assert_eq!((result.total_bytes, result.output_bytes), (text.len(), kept.len()));
    }
}

#[test]
fn tail_keeps_whole_lines_from_the_end() {
    for (text, kept, lines, by, partial) in [
        ("a\nb\nc\n", "a\nb\nc\n", 3, None, false),
        ("a\nb\nc\nd", "b\nc\nd", 3, Some(TruncatedBy::Lines), false),
        ("a\nb\nc\nd\n", "b\nc\nd", 3, Some(TruncatedBy::Lines), false),
        ("\n\n\n\n", "\n\n", 3, Some(TruncatedBy::Lines), false),
        ("1\n2345\n6789", "2345\n6789", 2, Some(TruncatedBy::Bytes), false),
        ("1234\n67890\n", "1234\n67890", 2, Some(TruncatedBy::Lines), false),
        ("a\n12345678901", "2345678901", 1, Some(TruncatedBy::Bytes), true),
        ("a\n12345678901\n", "2345678901", 1, Some(TruncatedBy::Bytes), true),
        ("xäöüäöü", "öüäöü", 1, Some(TruncatedBy::Bytes), true),
        ("x\u{1f600}\u{1f600}\u{1f600}", "\u{1f600}\u{1f600}", 1, Some(TruncatedBy::Bytes), true),
    ] {
        let result = truncate_tail(text, SMALL);
        assert_eq!((result.content.as_str(), result.output_lines, result.truncated_by), (kept, lines, by), "{text:?}");
        assert_eq!(result.last_line_partial, partial, "{text:?}");
    }
}

#[test]
fn every_key_is_serialised() {
    assert_eq!(
        serde_json::to_string(&truncate_head("a", TruncationLimits::default())).unwrap(),
        r#"{"content":"a","truncated":false,"truncatedBy":null,"totalLines":1,"totalBytes":1,"outputLines":1,"outputBytes":1,"lastLinePartial":false,"firstLineExceedsLimit":false,"maxLines":2000,"maxBytes":51200}"#
    );
    assert_eq!(json!(truncate_head("a\nb\nc\nd", SMALL))["truncatedBy"], "lines");
}

#[test]
fn lines_are_cut_at_code_units() {
    assert_eq!(truncate_line("abc", 3), ("abc".to_owned(), false));
    assert_eq!(truncate_line("abcd", 3), ("abc... [truncated]".to_owned(), true));
    assert_eq!(truncate_line("ab\u{1f600}", 3), ("ab... [truncated]".to_owned(), true));
}

#[test]
fn sizes_are_readable() {
    let sizes =
        [(0, "0B"), (1023, "1023B"), (1024, "1.0KB"), (51_200, "50.0KB"), (1_048_576, "1.0MB"), (1_600_000, "1.5MB")];
    for (bytes, shown) in sizes {
        assert_eq!(format_size(bytes), shown);
    }
}

proptest! {
    #[test]
    fn limits_hold_and_what_is_kept_is_part_of_the_text(
        text in "[ab\u{e4}\u{1f600}\n]{0,60}",
        lines in 1usize..6,
        bytes in 4usize..40,
    ) {
        let limits = TruncationLimits { lines, bytes };
        let (head, tail) = (truncate_head(&text, limits), truncate_tail(&text, limits));
        for result in [&head, &tail] {
            prop_assert!(result.content.len() <= bytes && result.output_lines <= lines);
            prop_assert_eq!(result.output_bytes, result.content.len());
            prop_assert_eq!(result.truncated, result.content != text);
            prop_assert_eq!(result.truncated, result.truncated_by.is_some());
            prop_assert_eq!(result.total_lines, text.lines().count());
        }
        prop_assert!(text.starts_with(&head.content));
        prop_assert!(text.ends_with(&tail.content) || text.strip_suffix('\n').unwrap().ends_with(&tail.content));
        // Something of a non-empty text is always shown from the end.
        prop_assert_eq!(tail.output_lines == 0, text.is_empty());
    }
}
