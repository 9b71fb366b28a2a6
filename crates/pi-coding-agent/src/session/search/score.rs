//! How well a message fits. The table is in `mod.rs`.

use regex::Regex;

use super::SearchRole;
use super::query::SearchQuery;

const TERM: u32 = 10;
const WHOLE_WORD: u32 = 6;
const WORD_START: u32 = 2;
const TOGETHER: u32 = 12;
const USER: u32 = 5;
/// Points for what was said within so many days of the newest session.
const RECENT: [(i64, u32); 4] = [(1, 8), (7, 6), (30, 4), (180, 2)];
const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// Places looked at for a better one. Long texts hold a short word very often.
const MOST_PLACES: usize = 100;

/// The score of a text that fits; `None` if it does not. `newest` is when the newest session was written.
pub(super) fn score(query: &SearchQuery, text: &str, role: SearchRole, timestamp: i64, newest: i64) -> Option<u32> {
    let mut score = 0;
    for term in &query.wanted {
        score += TERM + best_place(&term.regex, text)?;
    }
    if query.excluded.iter().any(|term| term.regex.is_match(text)) {
        return None;
    }
    if query.together.as_ref().is_some_and(|regex| regex.is_match(text)) {
        score += TOGETHER;
    }
    if role == SearchRole::User {
        score += USER;
    }
    Some(score + recency(newest.saturating_sub(timestamp)))
}

/// The points of the best match; `None` without one. An empty match is none.
fn best_place(regex: &Regex, text: &str) -> Option<u32> {
    let places = regex.find_iter(text).filter(|found| !found.is_empty()).take(MOST_PLACES);
    let mut best = None;
    for found in places {
        let starts = !ends_in_word(text.get(..found.start())) || !starts_in_word(Some(found.as_str()));
        let ends = !starts_in_word(text.get(found.end()..)) || !ends_in_word(Some(found.as_str()));
        let points = match (starts, ends) {
            (true, true) => return Some(WHOLE_WORD),
            (true, false) => WORD_START,
            _ => 0,
        };
        best = best.max(Some(points));
    }
    best
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn ends_in_word(text: Option<&str>) -> bool {
    text.and_then(|text| text.chars().next_back()).is_some_and(is_word)
}

fn starts_in_word(text: Option<&str>) -> bool {
    text.and_then(|text| text.chars().next()).is_some_and(is_word)
}

fn recency(age_ms: i64) -> u32 {
    let fits = |(days, _): &&(i64, u32)| age_ms <= days * DAY_MS;
    RECENT.iter().find(fits).map_or(0, |(_, points)| *points)
}
