//! What the modules in `js/tui` ask of Unicode's tables: characters as readers see them, their widths, words.

use pi_script::{Data, OpTable};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Adds the operations.
pub(super) fn add(ops: &mut OpTable) {
    ops.add_sync("text.clusters", |_, mut args| Ok(Data::json(&clusters(&args.text(0)?))));
    ops.add_sync("text.words", |_, mut args| Ok(Data::json(&words(&args.text(0)?))));
}

/// For each character (grapheme cluster) its length in UTF-16 units and its width in columns, one after the other.
fn clusters(text: &str) -> Vec<usize> {
    text.graphemes(true).flat_map(|cluster| [utf16_length(cluster), width(cluster)]).collect()
}

/// The lengths of words, and of what is between them, in UTF-16 units.
fn words(text: &str) -> Vec<usize> {
    text.split_word_bounds().map(utf16_length).collect()
}

fn utf16_length(text: &str) -> usize {
    text.encode_utf16().count()
}

fn width(cluster: &str) -> usize {
    match cluster {
        // As wide as it is drawn.
        "\t" => 3,
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
