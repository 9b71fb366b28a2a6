//! `pi session ls`: which sessions there are.

use std::ops::ControlFlow;

use super::Failure;
use super::places::Places;
use super::show::time;
use crate::cli::console::screen::{Screen, Style, plain};
use crate::common::one_line::cut_line;
use pi_coding_agent::host::iso_time::to_iso;
use pi_coding_agent::session::{SessionInfo, list_all_sessions, list_sessions};

/// So much of an id tells sessions apart: its time, in milliseconds.
const ID: usize = 13;
/// What was first said is shortened to so many characters.
const TITLE: usize = 80;

/// Lists the sessions of the working directory, or of all.
pub(super) fn run(all: bool, places: &Places, screen: &mut Screen) -> Result<u8, Failure> {
    let (paths, dir) = (&places.paths, places.dir.as_deref());
    let go_on = |_, _| ControlFlow::Continue(());
    let sessions =
        if all { list_all_sessions(paths, dir, go_on) } else { list_sessions(paths, paths.cwd(), dir, go_on) };
    if sessions.is_empty() && !screen.json {
        let hint =
            if all { "No sessions" } else { "No sessions of this directory; --all lists those of all directories" };
        crate::cli::console::diagnostics::complain(hint);
    }
    for session in &sessions {
        if screen.json {
            screen.json(session)?;
        } else {
            print(session, all, screen)?;
        }
    }
    Ok(0)
}

fn print(session: &SessionInfo, all: bool, screen: &mut Screen) -> Result<(), Failure> {
    let id = session.id.chars().take(ID).collect::<String>();
    let modified = to_iso(session.modified);
    let title = session.name.as_ref().unwrap_or(&session.first_message);
    let style = if session.name.is_some() { Style::Bold } else { Style::Cyan };
    let mut line = format!(
        "{}  {}  {:>5}  {}",
        screen.paint(Style::Yellow, &format!("{id:ID$}")),
        plain(time(&modified).get(..16).unwrap_or_default()),
        session.message_count,
        screen.paint(style, &cut_line(title, TITLE))
    );
    if all {
        line.push_str(&format!("  {}", screen.paint(Style::Dim, &session.cwd)));
    }
    screen.line(&line)?;
    Ok(())
}
