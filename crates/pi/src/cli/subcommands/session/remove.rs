//! `pi session rm`: session files into the trash, or away where there is no trash.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::Failure;
use super::places::Places;
use crate::cli::console::diagnostics::complain;
use crate::cli::console::screen::{Screen, plain};
use crate::common::removal::{Trash, remove};
use pi_coding_agent::session::{SessionMatch, find_session, list_all_sessions, list_sessions, removal};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// What is to be removed, and whether somebody is asked.
#[derive(Debug)]
pub(super) struct Removal<'a> {
    pub(super) files: &'a [String],
    /// Only those of the working directory that were last written to before so long a time.
    pub(super) older_than: Option<&'a str>,
    pub(super) yes: bool,
}

#[derive(Serialize)]
struct Line<'a> {
    path: &'a Path,
    removed: &'static str,
}

/// Removes sessions; 1 when one of them could not be.
pub(super) fn run(removal: &Removal<'_>, places: &Places, screen: &mut Screen) -> Result<u8, Failure> {
    let files = match removal.older_than {
        Some(age) => old_ones(age, places)?,
        None => removal.files.iter().map(|file| named(file, places)).collect::<Result<_, _>>()?,
    };
    if files.is_empty() {
        complain("No session of this directory is that old");
        return Ok(0);
    }
    let trash = Trash::find(places.paths.env());
    if !removal.yes && !confirmed(&files, trash.is_some())? {
        complain("Nothing was removed");
        return Ok(1);
    }
    let mut failed = false;
    for file in &files {
        match remove(file, trash.as_ref()) {
            Ok(removed) if screen.json => screen.json(&Line { path: file, removed: removed.as_str() })?,
            Ok(removed) => {
                screen.line(&format!("{}: {}", removed.as_str(), plain(&file.display().to_string())))?;
            }
            Err(error) => {
                failed = true;
                complain(&format!("Error: {}", plain(&error.to_string())));
            }
        }
    }
    Ok(u8::from(failed))
}

/// The sessions of the working directory in which nothing was said for so long.
fn old_ones(age: &str, places: &Places) -> Result<Vec<PathBuf>, Failure> {
    let age = age_ms(age).ok_or_else(|| {
        Failure::Said(format!("\"{age}\" is no age: write a number of days or weeks, such as 30d or 8w"))
    })?;
    let before = places.clock.now_ms().saturating_sub(age);
    let go_on = |_, _| std::ops::ControlFlow::Continue(());
    let sessions = list_sessions(&places.paths, places.paths.cwd(), places.dir.as_deref(), go_on);
    Ok(sessions.into_iter().filter(|session| session.modified < before).map(|session| session.path).collect())
}

fn age_ms(text: &str) -> Option<i64> {
    let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let days = match unit {
        "d" => 1,
        "w" => 7,
        _ => return None,
    };
    number.parse::<u32>().ok().map(|number| i64::from(number) * days * DAY_MS)
}

/// The session that an argument means. The beginning of an id must mean one alone: what is removed is gone.
fn named(argument: &str, places: &Places) -> Result<PathBuf, Failure> {
    let file = places.locate(argument)?;
    let (paths, dir) = (&places.paths, places.dir.as_deref());
    let go_on = |_, _| std::ops::ControlFlow::Continue(());
    let all = match find_session(paths, paths.cwd(), dir, argument) {
        SessionMatch::Here(_) => list_sessions(paths, paths.cwd(), dir, go_on),
        SessionMatch::Elsewhere { .. } => list_all_sessions(paths, dir, go_on),
        SessionMatch::Path(_) | SessionMatch::None => Vec::new(),
    };
    let fitting = all.iter().filter(|session| session.id.starts_with(argument)).count();
    if fitting > 1 && all.iter().all(|session| session.id != argument) {
        return Err(Failure::Said(format!(
            "{fitting} sessions have an id that begins with \"{argument}\": give more of it"
        )));
    }
    if !removal::is_session(&file) {
        return Err(Failure::Said(format!("{} is no session; nothing was removed", file.display())));
    }
    Ok(file)
}

/// Asks on the terminal. The end of the input is a no.
fn confirmed(files: &[PathBuf], to_trash: bool) -> Result<bool, Failure> {
    let input = io::stdin();
    if !input.is_terminal() {
        return Err(Failure::Said("nobody can be asked: give --yes to remove without a question".to_owned()));
    }
    let mut out = io::stderr();
    for file in files {
        writeln!(out, "{}", plain(&file.display().to_string()))?;
    }
    let what = if to_trash { "Move to the trash" } else { "No trash is installed. Delete for good" };
    let these = if files.len() == 1 { "this session" } else { "these sessions" };
    write!(out, "{what}: {these}? [y/N] ")?;
    out.flush()?;
    let mut answer = String::new();
    input.lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_days_or_weeks() {
        for (text, days) in [
            ("30d", Some(30)),
            ("8w", Some(56)),
            ("0d", Some(0)),
            ("30", None),
            ("d", None),
            ("-1d", None),
            ("", None),
            ("3ä", None),
        ] {
            assert_eq!(age_ms(text), days.map(|days: i64| days * DAY_MS), "{text}");
        }
    }
}
