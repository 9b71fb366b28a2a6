//! The collector on its own: pieces may be cut anywhere.

use std::path::Path;
use std::sync::Arc;

use proptest::prelude::*;

use super::collector::{OutputCollector, OutputSnapshot};
use crate::tools::command_log::{COMMAND_LOG_MAX_BYTES, RandomSpillNames, SpillNames};
use crate::tools::truncate::{TruncationLimits, truncate_tail};

#[derive(Debug)]
struct FixedName;

impl SpillNames for FixedName {
    fn next(&self) -> String {
        "00000000000000ff".to_owned()
    }
}

/// Collects `bytes` in pieces of these sizes, over and over.
fn collect(dir: &Path, bytes: &[u8], sizes: &[usize]) -> OutputSnapshot {
    collect_within(dir, bytes, sizes, COMMAND_LOG_MAX_BYTES)
}

fn collect_within(dir: &Path, bytes: &[u8], sizes: &[usize], max_bytes: u64) -> OutputSnapshot {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let mut collector = OutputCollector::new(dir.to_owned(), Arc::new(FixedName), max_bytes);
        let (mut rest, mut sizes) = (bytes, sizes.iter().cycle());
        while !rest.is_empty() {
            let (piece, next) = rest.split_at(rest.len().min(*sizes.next().unwrap()));
            collector.push(piece).await;
            rest = next;
        }
        collector.finish().await
    })
}

/// Bytes with long and short lines, wide characters and rubbish; often more than the collector keeps.
fn output() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        "[a-z\u{e4}\u{20ac}\u{1f600}]{0,40}\n".prop_map(String::into_bytes),
        (1usize..60_000).prop_map(|n| "\u{20ac}x".repeat(n / 4).into_bytes()),
        (1usize..3000).prop_map(|n| b"n\n".repeat(n)),
        prop::collection::vec(any::<u8>(), 0..40),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_shown_does_not_depend_on_the_pieces(
        bytes in output(),
        sizes in prop::collection::vec(1usize..70_000, 1..5),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let collected = collect(dir.path(), &bytes, &sizes);
        let all = String::from_utf8_lossy(&bytes);
        let expected = truncate_tail(&all, TruncationLimits::default());
        prop_assert_eq!(collected.full_output.is_some(), expected.truncated || bytes.len() > 51_200);
        if let Some(path) = &collected.full_output {
            prop_assert_eq!(path, &dir.path().join("pi-bash-00000000000000ff.log"));
            prop_assert!(std::fs::read(path).unwrap() == bytes);
        }
        prop_assert_eq!(collected.last_line_bytes, all.lines().last().map_or(0, |_| {
            all.strip_suffix('\n').unwrap_or(&all).rsplit('\n').next().unwrap().len()
        }));
        prop_assert_eq!(collected.shown, expected);
    }
}

#[test]
fn a_log_ends_at_its_limit_and_says_so() {
    let output = b"0123456789abcdef\n".repeat(10_000);
    for (limit, sizes) in [(100_000, [1000].as_slice()), (100_000, &[70_000]), (10, &[1000]), (51_000, &[7, 60_000])] {
        let dir = tempfile::tempdir().unwrap();
        let collected = collect_within(dir.path(), &output, sizes, limit);
        assert_eq!(collected.cut_at, Some(limit));
        let log = std::fs::read(collected.full_output.as_ref().unwrap()).unwrap();
        let (kept, end) = log.split_at(limit as usize);
        assert!(kept == &output[..limit as usize]);
        let end = String::from_utf8_lossy(end);
        assert!(end.starts_with("\n[pi: the log ends here, after ") && end.lines().count() == 2, "{end}");
        let result = super::report::result(Ok(crate::tools::BashExit::Code(0)), &collected, 0.0).unwrap();
        let text = result.content[0].as_text().unwrap();
        assert!(text.contains("of the output, the limit of a log: /") && !text.contains("Full output"), "{text}");
        // What is shown is the end of all of it.
        assert_eq!(collected.shown.total_lines, 10_000);
    }
    let dir = tempfile::tempdir().unwrap();
    let whole = collect_within(dir.path(), &output, &[1000], output.len() as u64);
    assert_eq!(whole.cut_at, None);
    assert!(std::fs::read(whole.full_output.unwrap()).unwrap() == output);
}

#[test]
fn an_unwritable_directory_is_reported_and_the_output_still_shown() {
    let collected = collect(Path::new("/proc/no/such/dir"), &b"x\n".repeat(3000), &[1000]);
    assert_eq!(collected.shown.total_lines, 3000);
    assert_eq!(collected.full_output, None);
    let failure = collected.spill_failure.unwrap();
    assert!(failure.starts_with("could not be saved to /proc/no/such/dir/pi-bash-00000000000000ff.log: "), "{failure}");
}

#[test]
fn random_names_are_sixteen_hexadecimal_digits() {
    let name = RandomSpillNames.next();
    assert!(name.len() == 16 && name.bytes().all(|b| b.is_ascii_hexdigit()), "{name}");
    assert_ne!(name, RandomSpillNames.next());
}
