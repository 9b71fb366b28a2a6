//! `--resume`: lets the user choose a session from a list, or by its number where there is no screen.

use std::io::{self, BufRead, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::cli::console::diagnostics::complain;
use crate::cli::console::screen::plain;
use crate::cli::error::Error;
use crate::common::one_line::one_line;
use crate::modes::Asker;
use pi_coding_agent::host::iso_time::to_iso;
use pi_coding_agent::paths::Paths;
use pi_coding_agent::session::{SessionHost, SessionInfo, list_sessions};

/// So many of the newest sessions are offered.
const OFFERED: usize = 30;
/// So many characters of what was said first.
const TITLE: usize = 70;

/// Asks for a session of the working directory; `None` when none was chosen, which is said.
///
/// # Errors
/// [`Error::NotATerminal`] when nobody can be asked.
pub(super) fn choose(
    host: &SessionHost,
    dir: Option<&Path>,
    asker: Option<&mut Asker>,
) -> Result<Option<PathBuf>, Error> {
    let chosen = match asker {
        Some(asker) => tokio::runtime::Handle::current().block_on(asker.session(host, dir))?,
        None => by_number(&host.paths, dir)?,
    };
    if chosen.is_none() {
        complain("No session selected");
    }
    Ok(chosen)
}

fn by_number(paths: &Paths, dir: Option<&Path>) -> Result<Option<PathBuf>, Error> {
    if !io::stdin().is_terminal() {
        return Err(Error::NotATerminal);
    }
    let mut sessions = list_sessions(paths, paths.cwd(), dir, |_, _| ControlFlow::Continue(()));
    let older = sessions.len().saturating_sub(OFFERED);
    sessions.truncate(OFFERED);
    let chosen = ask(&sessions, older, &mut io::stdin().lock(), &mut io::stderr());
    Ok(chosen.map(|index| sessions.swap_remove(index).path))
}

/// The index of the chosen session. Asks again after what is no number of the list; an empty line or the end of the
/// input chooses none.
fn ask(sessions: &[SessionInfo], older: usize, input: &mut impl BufRead, out: &mut impl Write) -> Option<usize> {
    if sessions.is_empty() {
        writeln!(out, "This directory has no sessions").ok()?;
        return None;
    }
    for (number, session) in (1..).zip(sessions) {
        writeln!(out, "{number:>3}  {}", line(session)).ok()?;
    }
    if older > 0 {
        writeln!(out, "     and {older} older ones: pi session ls").ok()?;
    }
    loop {
        write!(out, "Session [1-{}]: ", sessions.len()).and_then(|()| out.flush()).ok()?;
        let mut answer = String::new();
        if input.read_line(&mut answer).ok()? == 0 || answer.trim().is_empty() {
            return None;
        }
        match answer.trim().parse::<usize>() {
            Ok(number) if (1..=sessions.len()).contains(&number) => return Some(number - 1),
            _ => writeln!(out, "\"{}\" is not on the list", plain(answer.trim())).ok()?,
        }
    }
}

fn line(session: &SessionInfo) -> String {
    let time = to_iso(session.modified).get(..16).unwrap_or_default().replace('T', " ");
    let title = session.name.as_ref().unwrap_or(&session.first_message);
    let title: String = one_line(title).chars().take(TITLE).collect();
    format!("{time}  {:>4} messages  {}", session.message_count, plain(&title))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(name: &str) -> SessionInfo {
        SessionInfo {
            path: PathBuf::from(name),
            id: name.to_owned(),
            cwd: String::new(),
            name: Some(format!("{name}\u{1b}[31m of\nmany  words")),
            parent_session_path: None,
            created: 0,
            modified: 1_760_000_000_000,
            message_count: 2,
            first_message: String::new(),
        }
    }

    #[test]
    fn a_session_is_chosen_by_its_number() {
        let sessions = [session("a"), session("b")];
        for (typed, expected) in
            [("1\n", Some(0)), (" 2 \n", Some(1)), ("\n", None), ("", None), ("0\n3\nx\n2\n", Some(1)), ("x\n", None)]
        {
            let mut out = Vec::new();
            assert_eq!(ask(&sessions, 0, &mut typed.as_bytes(), &mut out), expected, "{typed:?}");
            let refused = typed.lines().filter(|line| ["0", "3", "x"].contains(line)).count();
            assert_eq!(String::from_utf8(out).unwrap().matches("is not on the list").count(), refused);
        }
    }

    #[test]
    fn the_list_is_plain_text() {
        let mut out = Vec::new();
        ask(&[session("a")], 4, &mut "".as_bytes(), &mut out);
        insta::assert_snapshot!(String::from_utf8(out).unwrap(), @r"
          1  2025-10-09 08:53     2 messages  a␛[31m of many words
             and 4 older ones: pi session ls
        Session [1-1]: 
        ");
        let mut out = Vec::new();
        assert_eq!(ask(&[], 0, &mut "1\n".as_bytes(), &mut out), None);
        assert_eq!(String::from_utf8(out).unwrap(), "This directory has no sessions\n");
    }
}
