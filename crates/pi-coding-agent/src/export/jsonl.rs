//! The current branch as a session file of its own: a new header and the branch's lines, byte for byte.

use std::collections::HashMap;
use std::io::Write;

use serde::Deserialize;

use super::source::SessionSource;
use crate::export::Error;
use crate::host;
use crate::host::iso_time::to_iso;
use crate::session::{SessionHeader, without_lone_surrogates};

/// Writes the header and the entries from the root to the leaf. The header keeps the session's id and gets a new time;
/// it names no parent, since the file stands alone. `now_ms` is the Unix time in milliseconds.
///
/// # Errors
/// [`Error::Write`](crate::export::Error::Write); [`host::Error::Serialize`](crate::host::Error::Serialize); what reading the session says.
pub fn write_jsonl(session: &dyn SessionSource, now_ms: i64, out: &mut dyn Write) -> Result<(), Error> {
    let header = SessionHeader { timestamp: to_iso(now_ms), parent_session: None, ..session.header().clone() };
    let header =
        serde_json::to_string(&header).map_err(|source| host::Error::Serialize { what: "a session header", source })?;
    write_line(out, &header)?;
    for index in branch(session)? {
        write_line(out, &session.line(index)?)?;
    }
    out.flush().map_err(|source| Error::Write { source })
}

fn write_line(out: &mut dyn Write, line: &str) -> Result<(), Error> {
    let written = out.write_all(line.as_bytes()).and_then(|()| out.write_all(b"\n"));
    written.map_err(|source| Error::Write { source })
}

/// The places of the current branch's entries, root first.
fn branch(session: &dyn SessionSource) -> Result<Vec<usize>, Error> {
    let Some(leaf) = session.leaf_id() else { return Ok(vec![]) };
    let mut parents = Vec::with_capacity(session.entry_count());
    let mut places = HashMap::with_capacity(session.entry_count());
    for index in 0..session.entry_count() {
        let link = Link::read(&session.line(index)?);
        places.insert(link.id, index);
        parents.push(link.parent_id);
    }
    let mut path = Vec::new();
    let mut next = places.get(leaf).copied();
    // A parent that is its own descendant must not keep this going.
    while let Some(index) = next.filter(|_| path.len() < parents.len()) {
        path.push(index);
        next = parents[index].as_ref().and_then(|parent| places.get(parent).copied());
    }
    path.reverse();
    Ok(path)
}

/// The place of an entry in the tree.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Link {
    id: String,
    parent_id: Option<String>,
}

impl Link {
    fn read(line: &str) -> Self {
        let parsed = serde_json::from_str(line).or_else(|_| serde_json::from_str(&without_lone_surrogates(line)));
        parsed.unwrap_or_default()
    }
}
