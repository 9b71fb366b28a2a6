//! A plan in the words of a model: its steps, and which of them are done.

use std::sync::LazyLock;

use regex::Regex;

static HEADING: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?im)^[#*\s]*plan:?[*\s]*$").ok());
static STEP: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^\s*(\d+)[.)]\s+(\S.*)$").ok());
static DONE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?i)\[DONE:\s*(\d+)\]").ok());

/// The numbered lines below the last heading `Plan:`; none when there is no such heading.
pub(crate) fn steps_in(text: &str) -> Vec<String> {
    let (Some(heading), Some(step)) = (HEADING.as_ref(), STEP.as_ref()) else { return Vec::new() };
    let Some(plan) = heading.find_iter(text).last().map(|heading| &text[heading.end()..]) else { return Vec::new() };
    let steps = plan.lines().filter_map(|line| step.captures(line));
    steps.map(|step| step[2].replace("**", "").trim().to_owned()).collect()
}

/// The numbers in marks such as `[DONE:2]`, counted from 1.
pub(crate) fn done_in(text: &str) -> Vec<usize> {
    let Some(done) = DONE.as_ref() else { return Vec::new() };
    done.captures_iter(text).filter_map(|mark| mark[1].parse().ok()).collect()
}
