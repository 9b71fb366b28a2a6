//! What is wrong with a session file, and a repaired copy of it.
//!
//! [`examine`] reads a file strictly and changes nothing: it takes no lock and may run while somebody else writes.
//! [`repair`] writes a new file and leaves the old one as it is. Both read the file piece by piece; what they keep of it
//! are ids and links. Only files of version 1 and 2, which are migrated first, are held in memory.
//!
//! # Layout
//! `segments` and `source` read the file, `line_object` tells what a piece is, `survey` collects entries and damage, `lost_entries` what
//! damage still gives away. `plan` decides what a repair changes, `links` gives every entry a parent, `diagnose` turns all
//! of it into findings (`finding`), `write` makes the new file.

mod diagnose;
mod diagnosis;
mod finding;
mod kind_table;
mod line_object;
mod links;
mod lost_entries;
mod lost_header;
mod plan;
mod segments;
mod source;
mod survey;
mod turns;
mod write;

use std::path::Path;

pub use diagnosis::Diagnosis;
pub use finding::{Finding, FindingLocation, Severity};
pub use kind_table::FindingKind;
pub use write::{Repaired, repair};

use crate::host::ids::Ids;
use crate::session::Error;

/// Looks at every line of a session file. The file is only read. `ids` gives entries of old versions the ids that they
/// have not. Blocks; memory is that of the ids and of the longest line.
///
/// # Errors
/// [`host::Error::NoSuchFile`](crate::host::Error::NoSuchFile) and [`Error::Open`]; whatever is in the file is a finding and no error.
pub fn examine(path: &Path, ids: &dyn Ids) -> Result<Diagnosis, Error> {
    let source = source::Source::open(path, ids)?;
    let survey = survey::Survey::of(&source)?;
    let plan = plan::Plan::of(&survey, ids);
    Ok(diagnose::judge(path, &source, survey, &plan))
}
