//! Pictures over rows that are rewritten, moved or removed.
//!
//! A picture lies over its rows without being part of them: whoever moves one of them takes the picture away and writes all
//! of its rows again. One whose first rows were given to the terminal stays as it is.

use std::collections::BTreeSet;

use crate::text::{Row, RowImage};

use super::plan::Plan;

/// The plan, so that no picture is left behind; adds what takes away the pictures that it would disturb.
pub(super) fn undisturbed(plan: Plan, old: &[Row], out: &mut String) -> Plan {
    let Some(first) = plan.first() else {
        return plan;
    };
    let ids: BTreeSet<u32> = old[first.min(old.len())..].iter().filter_map(id_of).collect();
    let begins = |row: &Row| row.image().is_some_and(|image| image.index() == 0 && ids.contains(&image.id()));
    let Some(top) = old.iter().position(begins) else {
        return plan;
    };
    erase(&old[top..], out);
    Plan::Repaint { first: first.min(top) }
}

/// Takes away the pictures over these rows whose first row is among them.
pub(super) fn erase(rows: &[Row], out: &mut String) {
    for image in rows.iter().filter_map(Row::image).filter(|image| image.index() == 0) {
        out.push_str(image.erase());
    }
}

fn id_of(row: &Row) -> Option<u32> {
    row.image().map(RowImage::id)
}

/// Which rows have to be written though they are the same: those of pictures that begin among them.
#[derive(Debug, Default)]
pub(super) struct Anew(Option<u32>);

impl Anew {
    /// Takes the rows one after the other.
    pub(super) fn has(&mut self, row: &Row) -> bool {
        if row.image().is_some_and(|image| image.index() == 0) {
            self.0 = id_of(row);
        }
        self.0.is_some() && id_of(row) == self.0
    }
}
