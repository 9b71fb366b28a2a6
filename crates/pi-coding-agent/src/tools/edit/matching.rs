//! Finds the place of each edit: exact, or failing that by looks; unique, and apart from the others.

use std::ops::Range;

use pi_agent_core::ToolError;

use super::args::Replacement;
use super::fuzzy::plain_form;

/// Places of all edits in one text.
#[derive(Debug)]
pub(super) struct Matches {
    /// The plain form of the text, when the places are in it and not in the text itself.
    pub(super) plain: Option<String>,
    /// One place per edit, by position.
    pub(super) places: Vec<MatchRange>,
}

/// Where an edit applies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MatchRange {
    /// Index of the edit in the call.
    pub(super) edit: usize,
    /// Bytes to replace.
    pub(super) range: Range<usize>,
}

/// Finds every edit in `text`; `path` is for the messages, as the model gave it.
pub(super) fn find_all(path: &str, text: &str, edits: &[Replacement]) -> Result<Matches, ToolError> {
    let names = Names { path, several: edits.len() > 1 };
    if let Some(at) = edits.iter().position(|edit| edit.old_text.is_empty()) {
        return Err(names.empty(at));
    }
    let plain = plain_form(text);
    // One edit that matches only by looks moves all of them into the plain form.
    let exact = edits.iter().all(|edit| text.contains(&edit.old_text));
    let space = if exact { text } else { &plain };
    let mut places = Vec::with_capacity(edits.len());
    for (at, edit) in edits.iter().enumerate() {
        let needle = plain_form(&edit.old_text);
        let range = find(space, &edit.old_text).or_else(|| find(space, &needle)).ok_or_else(|| names.missing(at))?;
        match occurrences(&plain, &needle) {
            0 | 1 => places.push(MatchRange { edit: at, range }),
            count => return Err(names.ambiguous(at, count)),
        }
    }
    places.sort_by_key(|place| place.range.start);
    match places.windows(2).find(|pair| pair[0].range.end > pair[1].range.start) {
        Some(pair) => Err(names.overlap(pair[0].edit, pair[1].edit)),
        None => Ok(Matches { plain: (!exact).then_some(plain), places }),
    }
}

fn find(text: &str, needle: &str) -> Option<Range<usize>> {
    text.find(needle).map(|start| start..start + needle.len())
}

/// Occurrences that do not overlap. A needle of blanks is empty in plain form and is found between any two UTF-16
/// code units, as in the reference.
fn occurrences(text: &str, needle: &str) -> usize {
    if needle.is_empty() {
        return text.encode_utf16().count().saturating_sub(1);
    }
    text.matches(needle).count()
}

/// How the messages name an edit: by its index where the call has several.
struct Names<'a> {
    path: &'a str,
    several: bool,
}

impl Names<'_> {
    fn empty(&self, edit: usize) -> ToolError {
        let which = if self.several { format!("edits[{edit}].oldText") } else { "oldText".to_owned() };
        ToolError::new(format!("{which} must not be empty in {}.", self.path))
    }

    fn missing(&self, edit: usize) -> ToolError {
        let path = self.path;
        ToolError::new(if self.several {
            format!(
                "Could not find edits[{edit}] in {path}. The oldText must match exactly including all whitespace and \
                 newlines."
            )
        } else {
            format!(
                "Could not find the exact text in {path}. The old text must match exactly including all whitespace \
                 and newlines."
            )
        })
    }

    fn ambiguous(&self, edit: usize, count: usize) -> ToolError {
        let path = self.path;
        ToolError::new(if self.several {
            format!(
                "Found {count} occurrences of edits[{edit}] in {path}. Each oldText must be unique. Please provide \
                 more context to make it unique."
            )
        } else {
            format!(
                "Found {count} occurrences of the text in {path}. The text must be unique. Please provide more \
                 context to make it unique."
            )
        })
    }

    fn overlap(&self, earlier: usize, later: usize) -> ToolError {
        ToolError::new(format!(
            "edits[{earlier}] and edits[{later}] overlap in {}. Merge them into one edit or target disjoint regions.",
            self.path
        ))
    }
}
