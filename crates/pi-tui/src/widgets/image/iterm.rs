//! The protocol of iTerm2: the picture with its size in cells.

/// Shows a picture at the cursor.
pub(super) fn place(data: &str, columns: u16, rows: u16) -> String {
    format!("\x1b]1337;File=inline=1;width={columns};height={rows};preserveAspectRatio=1:{data}\x07")
}
