//! `pi session show`: a branch to read, or one entry.

use super::Failure;
use super::places::Places;
use crate::cli::console::screen::{Screen, Style, plain};
use crate::common::excerpt::Excerpt;
use crate::common::shell_word::quoted;
use pi_coding_agent::session::{SessionTree, StoredEntry};

/// Output of a program is shortened to so many lines.
const OUTPUT_LINES: usize = 5;
/// And each of them to so many characters.
const OUTPUT_COLUMNS: usize = 200;

/// Prints the branch that ends at `branch` or at the last entry, or `entry` alone.
pub(super) fn run(
    file: &str,
    branch: Option<&str>,
    entry: Option<&str>,
    places: &Places,
    screen: &mut Screen,
) -> Result<u8, Failure> {
    let (path, session) = places.load(file)?;
    let entries = session.entries;
    let find = |id: &str| find(&entries, id).ok_or_else(|| unknown(id, &path.display().to_string()));
    if let Some(id) = entry {
        return print(&entries[find(id)?..][..1], true, screen);
    }
    let end = match branch {
        Some(id) => Some(find(id)?),
        None => entries.len().checked_sub(1),
    };
    let tree = SessionTree::of(&entries);
    let places = end.map(|end| tree.path(end)).unwrap_or_default();
    let branch: Vec<StoredEntry> = places.into_iter().filter_map(|place| entries.get(place).cloned()).collect();
    print(&branch, false, screen)
}

/// The entry with an id, or the only one whose id begins so.
fn find(entries: &[StoredEntry], id: &str) -> Option<usize> {
    let exact = entries.iter().rposition(|entry| entry.id() == id);
    let mut beginning = entries.iter().enumerate().filter(|(_, entry)| !id.is_empty() && entry.id().starts_with(id));
    exact.or_else(|| match (beginning.next(), beginning.next()) {
        (Some((place, _)), None) => Some(place),
        _ => None,
    })
}

fn unknown(id: &str, path: &str) -> Failure {
    Failure::Said(format!(
        "no entry of {path} has the id \"{id}\", or more than one begins with it. `pi session tree {}` lists them",
        quoted(path)
    ))
}

fn print(entries: &[StoredEntry], whole: bool, screen: &mut Screen) -> Result<u8, Failure> {
    let mut first = true;
    for entry in entries {
        if screen.json {
            screen.raw_json(entry.raw())?;
            continue;
        }
        let gist = Excerpt::of(entry);
        if gist.spoken || whole {
            if !std::mem::take(&mut first) {
                screen.line("")?;
            }
            print_gist(entry, &gist, whole, screen)?;
        }
    }
    Ok(0)
}

fn print_gist(entry: &StoredEntry, gist: &Excerpt, whole: bool, screen: &mut Screen) -> Result<(), Failure> {
    let style = if gist.role == "user" { Style::Green } else { Style::Cyan };
    let place = format!("{}  {}", time(&gist.timestamp), entry.id());
    let head = format!("{}  {}", screen.paint(style, &gist.title()), screen.paint(Style::Dim, &place));
    screen.line(&head)?;
    let lines: Vec<&str> = gist.text.lines().collect();
    let limit = if gist.output && !whole { OUTPUT_LINES } else { usize::MAX };
    for line in lines.iter().take(limit) {
        let line = if limit == OUTPUT_LINES { shorten(line) } else { (*line).to_owned() };
        screen.line(format!("  {}", plain(&line)).trim_end())?;
    }
    if lines.len() > limit {
        let rest = format!("  … {} more lines", lines.len() - limit);
        let rest = screen.paint(Style::Dim, &rest);
        screen.line(&rest)?;
    }
    Ok(())
}

fn shorten(line: &str) -> String {
    match line.char_indices().nth(OUTPUT_COLUMNS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// `2026-11-21T20:14:22.840Z` as people write it.
pub(super) fn time(iso: &str) -> String {
    let short = iso.get(..19).filter(|short| short.contains('T'));
    short.map_or_else(|| iso.to_owned(), |short| short.replace('T', " "))
}
