//! Stack traces in terms of the files that people wrote.

use super::Modules;

impl Modules {
    /// Replaces positions in translated code by those in the files: `name:line:column`, as engines print them.
    pub(crate) fn in_source(&self, stack: &str) -> String {
        let positions = self.positions.borrow();
        let lines = stack.lines().map(|line| {
            for (name, known) in positions.iter() {
                let Some(start) = line.find(&format!("{name}:")) else { continue };
                let place = start + name.len() + 1;
                let Some(((row, column), end)) = row_and_column(line, place) else { continue };
                let Some((row, column)) = known.original(row, column) else { continue };
                let (before, after) = (line.get(..place).unwrap_or_default(), line.get(end..).unwrap_or_default());
                return format!("{before}{row}:{column}{after}");
            }
            line.to_owned()
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// Reads `12:34` at `start`; also returns where it ends.
fn row_and_column(line: &str, start: usize) -> Option<((u32, u32), usize)> {
    let rest = line.get(start..)?;
    let row_end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let row = rest.get(..row_end)?.parse().ok()?;
    let behind = rest.get(row_end..)?.strip_prefix(':')?;
    let column_end = behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len());
    let column = behind.get(..column_end)?.parse().ok()?;
    Some(((row, column), start + row_end + 1 + column_end))
}
