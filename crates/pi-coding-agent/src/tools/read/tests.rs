//! The incremental reader against one that has the whole text before it: however the bytes are cut, the answers are
//! the same.

use bytes::Bytes;
use futures::FutureExt;
use futures::stream;
use pi_agent_core::{ToolError, ToolOutput};
use proptest::prelude::*;
use serde_json::json;

use super::notice::{cut_text, limited_text};
use super::scan::{Count, LineScan, Scanned};
use super::selection::Selection;
use super::text::read_text;
use crate::tools::truncate::{MAX_BYTES, MAX_LINES, TruncatedBy, TruncationResult};

/// What is cut from the start of a text, in the plainest way.
fn head(text: &str) -> TruncationResult {
    let mut lines: Vec<&str> = text.split('\n').collect();
    if text.is_empty() || text.ends_with('\n') {
        lines.pop();
    }
    let mut shown = TruncationResult {
        content: text.to_owned(),
        truncated: false,
        truncated_by: None,
        total_lines: lines.len(),
        total_bytes: text.len(),
        output_lines: lines.len(),
        output_bytes: text.len(),
        last_line_partial: false,
        first_line_exceeds_limit: false,
        max_lines: MAX_LINES,
        max_bytes: MAX_BYTES,
    };
    if lines.len() <= MAX_LINES && text.len() <= MAX_BYTES {
        return shown;
    }
    let fits = |count: usize| lines[..count].join("\n").len() <= MAX_BYTES;
    let kept = (1..=lines.len().min(MAX_LINES)).take_while(|count| fits(*count)).last().unwrap_or(0);
    let by_lines = kept == MAX_LINES || kept == lines.len();
    shown.truncated = true;
    shown.truncated_by = Some(if by_lines { TruncatedBy::Lines } else { TruncatedBy::Bytes });
    shown.content = lines[..kept].join("\n");
    (shown.output_lines, shown.output_bytes) = (kept, shown.content.len());
    shown.first_line_exceeds_limit = kept == 0;
    shown
}

/// The reader that has the whole text.
fn read_whole(bytes: &[u8], selection: Selection) -> Result<ToolOutput, ToolError> {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text.split('\n').collect();
    let (count, offset) = (lines.len(), selection.offset.unwrap_or(0.0));
    let before = (offset - 1.0).max(0.0);
    let start = before as usize;
    if start >= count {
        return Err(ToolError::new(format!("Offset {offset} is beyond end of file ({count} lines total)")));
    }
    let end = match selection.limit.map(|limit| before + limit) {
        None => count,
        Some(end) if end < 0.0 => count.saturating_sub(-end as usize),
        Some(end) => (end as usize).min(count),
    };
    let end = end.max(start);
    let shown = head(&lines[start..end].join("\n"));
    let first_line = Count::Exactly(lines[start].len());
    let found = Scanned { shown, total: Count::Exactly(count), behind: Count::Exactly(count - end), first_line };
    Ok(if found.shown.truncated {
        ToolOutput::text(cut_text("f", start, &found)).with_details(json!({ "truncation": found.shown }))
    } else if selection.limit.is_some() && end < count {
        ToolOutput::text(limited_text(end, &found))
    } else {
        ToolOutput::text(found.shown.content)
    })
}

/// The reader under test, given the bytes in pieces of these sizes, over and over.
fn read_in_pieces(bytes: &[u8], sizes: &[usize], selection: Selection) -> Result<ToolOutput, ToolError> {
    let open = || {
        let (mut rest, mut sizes) = (bytes, sizes.iter().cycle());
        let mut pieces = Vec::new();
        while !rest.is_empty() {
            let (piece, next) = rest.split_at(rest.len().min(*sizes.next().unwrap()));
            pieces.push(Ok(Bytes::copy_from_slice(piece)));
            rest = next;
        }
        stream::iter(pieces)
    };
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(read_text("f", selection, open).boxed_local())
}

/// Short lines, wide characters, rubbish, now and then more lines or longer ones than can be shown.
fn content() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        8 => "[a-z\r\u{e4}\u{20ac}\u{1f600}]{0,12}\n".prop_map(String::into_bytes),
        4 => prop::collection::vec(any::<u8>(), 0..12),
        2 => Just(b"\n".to_vec()),
        1 => (1usize..2500).prop_map(|n| b"n\n".repeat(n)),
        1 => (1usize..60_000).prop_map(|n| "\u{20ac}".repeat(n / 3).into_bytes()),
    ];
    prop::collection::vec(piece, 0..16).prop_map(|pieces| pieces.concat())
}

fn selection() -> impl Strategy<Value = Selection> {
    let figure = || prop::option::of(prop_oneof![(-6..30i32).prop_map(f64::from), -3.0..4000.0f64, Just(-1e300)]);
    (figure(), figure()).prop_map(|(offset, limit)| Selection { offset, limit })
}

fn told(answer: Result<ToolOutput, ToolError>) -> Result<(String, Option<serde_json::Value>), String> {
    let text = |output: ToolOutput| (output.content[0].as_text().unwrap().to_owned(), output.details);
    answer.map(text).map_err(|error| error.to_string())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_answer_does_not_depend_on_the_pieces(
        bytes in content(),
        sizes in prop::collection::vec(prop_oneof![1usize..9, 1usize..70_000], 1..5),
        selection in selection(),
    ) {
        prop_assert_eq!(told(read_in_pieces(&bytes, &sizes, selection)), told(read_whole(&bytes, selection)));
    }

    /// Reading no further than needed changes figures only, and never states too high ones.
    #[test]
    fn stopping_early_shows_the_same(
        bytes in content(),
        size in 1usize..5000,
        (start, length) in (0usize..50, 0usize..3000),
        count_ahead in 0usize..10_000,
    ) {
        let scan = |count_ahead| {
            let mut scan = LineScan::new(start, start + length, count_ahead);
            let complete = bytes.chunks(size).all(|piece| scan.push(piece));
            scan.finish(complete)
        };
        match (scan(count_ahead), scan(usize::MAX)) {
            (Ok(early), Ok(whole)) => {
                prop_assert_eq!(early.shown.content, whole.shown.content);
                prop_assert_eq!(early.shown.truncated, whole.shown.truncated);
                for (early, whole) in [
                    (early.total, whole.total),
                    (early.behind, whole.behind),
                    (early.first_line, whole.first_line),
                ] {
                    prop_assert!(is_consistent(early, whole), "{early:?} {whole:?}");
                }
            }
            (early, whole) => prop_assert_eq!(early.map(drop), whole.map(drop)),
        }
    }
}

fn is_consistent(early: Count, whole: Count) -> bool {
    match (early, whole) {
        (Count::MoreThan(early), Count::Exactly(whole)) => early <= whole,
        _ => early == whole,
    }
}

#[test]
fn figures_that_were_not_counted_to_the_end_say_so() {
    let notice = |bytes: &[u8], start, end| {
        let mut scan = LineScan::new(start, end, 10);
        let complete = bytes.chunks(100_000).all(|piece| scan.push(piece));
        assert!(!complete);
        let found = scan.finish(false).unwrap();
        if found.shown.truncated { cut_text("big.log", start, &found) } else { limited_text(end, &found) }
    };
    let tail = |text: String| text.rsplit("\n\n").next().unwrap().to_owned();
    let lines = b"n\n".repeat(200_000);
    assert_eq!(
        tail(notice(&lines, 2, usize::MAX)),
        "[These are lines 3-2002 of more than 50000. Go on with offset=2003.]"
    );
    assert_eq!(tail(notice(&lines, 0, 5)), "[The file has more than 49995 more lines. Go on with offset=6.]");
    assert_eq!(
        notice(&b"L".repeat(300_000), 0, usize::MAX),
        "[Line 1 has more than 97.7KB, more than the limit of 50.0KB. See its start with bash: sed -n '1p' big.log | \
         head -c 51200]"
    );
}
