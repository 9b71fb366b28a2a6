//! `pi session search`: who said it where.

use serde::Serialize;

use super::Failure;
use super::places::Places;
use super::show::time;
use crate::cli::console::screen::{Screen, Style, plain};
use pi_coding_agent::host::iso_time::to_iso;
use pi_coding_agent::session::{SearchHit, SearchOptions, SearchQuery, SearchScope, search_sessions};

/// Searches the sessions of the working directory, or all. Hits are printed session by session as they are found; 1 when
/// there is none.
pub(super) fn run(query: &str, all: bool, places: &Places, screen: &mut Screen) -> Result<u8, Failure> {
    let (paths, dir) = (&places.paths, places.dir.as_deref());
    let scope = if all { SearchScope::All { dir } } else { SearchScope::Project { cwd: paths.cwd(), dir } };
    let hits = search_sessions(paths, scope, SearchQuery::parse(query)?, SearchOptions::default());
    let mut last = None;
    for hit in hits {
        let new = last.as_ref() != Some(&hit.session.path);
        if new {
            // One session is complete: whoever waits can read it.
            screen.finish()?;
        }
        if screen.json {
            screen.json(&Line::of(&hit))?;
        } else {
            print(&hit, new, last.is_none(), screen)?;
        }
        last = Some(hit.session.path.clone());
    }
    if last.is_none() && !screen.json {
        let hint = if all { "" } else { " in the sessions of this directory; --all searches those of all directories" };
        crate::cli::console::diagnostics::complain(&format!("Nothing found{hint}"));
    }
    Ok(u8::from(last.is_none()))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    path: &'a std::path::Path,
    session_id: &'a str,
    cwd: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    entry_id: &'a str,
    role: &'static str,
    timestamp: String,
    score: u32,
    excerpt: &'a str,
    /// What was found, as texts: offsets mean different things to different languages.
    matches: Vec<&'a str>,
}

impl<'a> Line<'a> {
    fn of(hit: &'a SearchHit) -> Self {
        Self {
            path: &hit.session.path,
            session_id: &hit.session.id,
            cwd: &hit.session.cwd,
            name: hit.session.name.as_deref(),
            entry_id: &hit.entry_id,
            role: hit.role.as_str(),
            timestamp: to_iso(hit.timestamp),
            score: hit.score,
            excerpt: &hit.excerpt,
            matches: hit.matches.iter().filter_map(|range| hit.excerpt.get(range.clone())).collect(),
        }
    }
}

fn print(hit: &SearchHit, new_session: bool, first: bool, screen: &mut Screen) -> Result<(), Failure> {
    let session = &hit.session;
    if new_session {
        if !first {
            screen.line("")?;
        }
        let name = session.name.as_ref().map_or_else(String::new, |name| format!("  {name}"));
        let head = format!(
            "{}{}  {}",
            screen.paint(Style::Yellow, &session.id),
            screen.paint(Style::Bold, &name),
            screen.paint(Style::Dim, &session.cwd)
        );
        screen.line(&head)?;
    }
    let mut excerpt = String::new();
    let mut at = 0;
    for range in &hit.matches {
        excerpt.push_str(&plain(hit.excerpt.get(at..range.start).unwrap_or_default()));
        excerpt.push_str(&screen.paint(Style::Red, hit.excerpt.get(range.clone()).unwrap_or_default()));
        at = range.end;
    }
    excerpt.push_str(&plain(hit.excerpt.get(at..).unwrap_or_default()));
    let when = time(&to_iso(hit.timestamp));
    let place = screen.paint(Style::Dim, &format!("{}  {}", when.get(..16).unwrap_or_default(), hit.entry_id));
    let line = format!("  {place}  {}: {excerpt}", hit.role.as_str());
    screen.line(&line)?;
    Ok(())
}
