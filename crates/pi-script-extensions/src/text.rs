//! What the modules in `js/tui` ask of Unicode's tables: characters as readers see them, their widths, words. Widths are those of
//! `pi-tui`: both draw on one screen.

use pi_script::{Data, OpTable};
use unicode_segmentation::UnicodeSegmentation;

/// Adds the operations.
pub(super) fn add(ops: &mut OpTable) {
    ops.add_sync("text.clusters", |_, mut args| Ok(Data::json(&clusters(&args.text(0)?))));
    ops.add_sync("text.words", |_, mut args| Ok(Data::json(&words(&args.text(0)?))));
}

/// For each character (grapheme cluster) its length in UTF-16 units and its width in columns, one after the other.
fn clusters(text: &str) -> Vec<usize> {
    pi_tui::text::clusters(text).flat_map(|(cluster, width)| [utf16_length(cluster), width]).collect()
}

/// The lengths of words, and of what is between them, in UTF-16 units.
fn words(text: &str) -> Vec<usize> {
    text.split_word_bounds().map(utf16_length).collect()
}

fn utf16_length(text: &str) -> usize {
    text.encode_utf16().count()
}
