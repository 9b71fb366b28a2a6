//! Divides a conversation that is too long for one summary request, for example after a change to a model with a smaller
//! window.

use pi_ai::Model;

use super::tokens::units;

/// UTF-16 units that make a token.
const UNITS_PER_TOKEN: u64 = 4;
/// What instructions, system prompt and the like take of the window, in tokens.
const INSTRUCTIONS: u64 = 1000;

/// The text in portions that each fit into a request to this model, next to an earlier summary of `previous` units and an
/// answer of `max_tokens`. One portion if all of it fits, or if the model's window is not known. None for no text.
pub(super) fn portions<'a>(text: &'a str, model: &Model, max_tokens: u64, previous: u64) -> Vec<&'a str> {
    let window = model.context_window;
    let free = window.saturating_sub(max_tokens + INSTRUCTIONS) * UNITS_PER_TOKEN;
    if window == 0 || units(text) + previous <= free {
        return vec![text];
    }
    // Half of the window: what is estimated here may take more tokens than that.
    divided(text, (window * UNITS_PER_TOKEN / 2).max(1))
}

fn divided(mut text: &str, limit: u64) -> Vec<&str> {
    let mut portions = Vec::new();
    while units(text) > limit {
        let end = end_of_portion(text, limit);
        portions.push(&text[..end]);
        text = text[end..].trim_start_matches('\n');
    }
    portions.push(text);
    portions
}

/// Where a portion ends: before the last message that begins in it, else at the end of a line, else anywhere.
fn end_of_portion(text: &str, limit: u64) -> usize {
    let mut taken = 0;
    let fits = |(_, c): &(usize, char)| {
        taken += c.len_utf16() as u64;
        taken <= limit
    };
    let end = text.char_indices().take_while(fits).last().map_or(0, |(at, c)| at + c.len_utf8());
    // A character of two units in a limit of one: it has to go somewhere.
    let end = end.max(text.chars().next().map_or(0, char::len_utf8));
    let head = &text[..end];
    let breaks = [head.rfind("\n\n["), head.rfind('\n')];
    breaks.into_iter().flatten().find(|at| *at > end / 2).unwrap_or(end)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn portions_end_where_messages_do() {
        let text = "[User]: one\n\n[Assistant]: two\nlines\n\n[User]: three";
        assert_eq!(divided(text, 100), [text]);
        assert_eq!(divided(text, 40), ["[User]: one\n\n[Assistant]: two\nlines", "[User]: three"]);
        assert_eq!(divided("abcdefghij", 4), ["abcd", "efgh", "ij"]);
    }

    proptest! {
        #[test]
        fn nothing_is_lost_but_line_ends(text in "(\\PC|\n|\n\n\\[){0,60}", limit in 2_u64..40) {
            let parts = divided(&text, limit);
            prop_assert!(parts.iter().all(|part| units(part) <= limit));
            let plain = |text: &str| text.replace('\n', "");
            prop_assert_eq!(plain(&parts.concat()), plain(&text));
        }
    }
}
