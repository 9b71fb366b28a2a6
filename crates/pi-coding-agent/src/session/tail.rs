//! How a session file ends, found without reading more than its last line.

use std::fs::File;
use std::io;

use super::backward::{BackwardLines, read_exact_at};
use super::scan::{Tail, scan};

/// Judges the end of a file of so many bytes.
pub(super) fn find_tail(file: &File, length: u64) -> io::Result<Tail> {
    let Some(last) = length.checked_sub(1) else { return Ok(Tail::Clean) };
    let mut byte = [0];
    read_exact_at(file, &mut byte, last)?;
    if byte == *b"\n" {
        return Ok(Tail::Clean);
    }
    let mut lines = BackwardLines::new(file, length);
    let Some((start, line)) = lines.next_back()? else { return Ok(Tail::Clean) };
    Ok(match scan(line)?.tail {
        Tail::Torn { offset, glued } => Tail::Torn { offset: start + offset, glued },
        other => other,
    })
}
