//! How wide text is in a terminal. The modules that scripts use ask here as well, since both draw on one screen.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Columns that a tab takes in a row.
pub(super) const TAB_WIDTH: usize = 3;

/// The columns of a text without escape sequences.
pub fn width(text: &str) -> usize {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return text.len();
    }
    if is_of_single_columns(text) {
        return text.chars().count();
    }
    clusters(text).map(|(_, width)| width).sum()
}

/// Whether each character is a cluster of one column, at a glance: ASCII and the lines of boxes.
pub(crate) fn is_of_single_columns(text: &str) -> bool {
    text.chars().all(|char| matches!(char, ' '..='~' | '\u{2500}'..='\u{257f}'))
}

/// What a reader sees as characters (grapheme clusters), each with its columns.
pub fn clusters(text: &str) -> impl DoubleEndedIterator<Item = (&str, usize)> {
    text.graphemes(true).map(|cluster| (cluster, of_cluster(cluster)))
}

/// The columns of a cluster where its characters stand beside each other, as on terminals that know no clusters.
pub(crate) fn columns_apart(cluster: &str) -> usize {
    cluster.chars().filter_map(UnicodeWidthChar::width).sum()
}

fn of_cluster(cluster: &str) -> usize {
    match cluster.as_bytes() {
        [b' '..=b'~'] => 1,
        b"\t" => TAB_WIDTH,
        _ if cluster.chars().all(char::is_control) => 0,
        // Emoji are one picture, whatever they are made of.
        _ if cluster.chars().any(is_of_emoji) => cluster.width(),
        // Marks are drawn over what they belong to, though some count as columns by themselves.
        _ => {
            let mut chars = cluster.chars().skip_while(|char| char.width() == Some(0));
            let first = chars.next().and_then(UnicodeWidthChar::width).unwrap_or_default();
            first + chars.filter(|char| has_own_column(*char)).count()
        }
    }
}

/// The variation that asks for a picture, what joins pictures, flags, colours of skin.
fn is_of_emoji(char: char) -> bool {
    matches!(char, '\u{fe0f}' | '\u{200d}' | '\u{1f1e6}'..='\u{1f1ff}' | '\u{1f3fb}'..='\u{1f3ff}')
}

/// Vowels of Thai and Lao, and halfwidth marks of Japanese, that stand beside what they belong to.
fn has_own_column(char: char) -> bool {
    matches!(char, '\u{e33}' | '\u{eb3}' | '\u{ff9e}' | '\u{ff9f}')
}
