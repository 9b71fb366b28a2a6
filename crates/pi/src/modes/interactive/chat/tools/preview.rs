//! The beginning, or the end, of long output and long code.

use pi_ai::ImageContent;
use pi_tui::text::{Line, wrap};

use super::Drawing;
use crate::modes::interactive::styles;

/// So many lines of code are shown.
const CODE_LINES: usize = 10;

/// The first lines, and how many more there are.
pub(super) fn first(call: &Drawing<'_>, lines: Vec<Line>, limit: usize) -> Vec<Line> {
    let total = lines.len();
    if call.shared.is_expanded() || total <= limit {
        return lines;
    }
    let mut shown: Vec<Line> = lines.into_iter().take(limit).collect();
    shown.push(note(call, &format!("{} more lines", total - limit)));
    shown
}

/// The first lines of code in a file of this name. Only what is shown is coloured.
pub(super) fn code(call: &Drawing<'_>, path: &str, content: &str) -> Vec<Line> {
    if call.shared.is_expanded() {
        return styles::code(call.look, path, content);
    }
    let end = content.match_indices('\n').nth(CODE_LINES - 1).map_or(content.len(), |(at, _)| at);
    let mut lines = styles::code(call.look, path, &content[..end]);
    let total = content.matches('\n').count() + 1;
    if total > CODE_LINES {
        lines.push(note(call, &format!("{} more lines, {total} total", total - CODE_LINES)));
    }
    lines
}

/// What is left out, and how it is shown.
pub(super) fn note(call: &Drawing<'_>, what: &str) -> Line {
    Line::styled(format!("... ({what}, {})", call.shared.expand_hint()), call.look.muted())
}

/// The last rows, and how many lines stand before them.
pub(super) fn last(call: &Drawing<'_>, lines: Vec<Line>, limit: usize) -> Vec<Line> {
    if call.shared.is_expanded() {
        return lines;
    }
    let inner = usize::from(call.columns).saturating_sub(2).max(1);
    let mut rows: Vec<Line> = Vec::new();
    let mut hidden = 0;
    for (index, line) in lines.iter().enumerate().rev() {
        let wrapped = wrap(line, inner);
        let room = limit - rows.len();
        if wrapped.len() > room {
            // A line of which a part is shown counts as hidden, too.
            rows.splice(0..0, wrapped[wrapped.len() - room..].iter().cloned());
            hidden = index + 1;
        } else {
            rows.splice(0..0, wrapped);
            hidden = index;
        }
        if rows.len() >= limit {
            break;
        }
    }
    if hidden == 0 {
        return lines;
    }
    rows.insert(0, note(call, &format!("{hidden} earlier lines")));
    rows
}

/// ` WIDTHxHEIGHT` of an image, where its head tells.
pub(in crate::modes::interactive::chat) fn image_size(image: &ImageContent) -> Option<String> {
    let (width, height) = pi_coding_agent::tools::image_dimensions(&image.data)?;
    Some(format!(" {width}x{height}"))
}
