//! What extensions say of the row that tells that a model answers: another text, other signs, none.

use pi_tui::text::{Line, Row, Style};
use pi_tui::widgets::loader;

use super::super::app::App;
use super::super::extension_slots::Working;
use super::super::status::Activity;

/// Milliseconds for which a sign is shown of which nothing else is said.
const INTERVAL: u64 = 80;

/// The rows about what goes on.
pub(in crate::modes::interactive) fn rows(app: &App, columns: u16) -> Vec<Row> {
    let look = app.shared.look();
    let now = app.shared.now_ms();
    let Working { message, is_hidden, signs, interval } = &app.extensions.working;
    let has_changed = message.is_some() || *is_hidden || signs.is_some();
    if !has_changed || !matches!(app.activity, Activity::Working) {
        return app.activity.rows(&look, &app.keys, now, columns);
    }
    if *is_hidden {
        return Vec::new();
    }
    let text = message.as_deref().unwrap_or("Working...");
    let has_colours = text.contains('\x1b');
    let mut line = Line::from(" ");
    match signs {
        None if !has_colours => return Activity::Waiting(text.to_owned()).rows(&look, &app.keys, now, columns),
        None => line.push(&format!("{} ", loader::sign_at(now)), look.accent()),
        Some(signs) => {
            let at = now / interval.unwrap_or(INTERVAL).max(1);
            if let Some(sign) = signs.get(usize::try_from(at % signs.len().max(1) as u64).unwrap_or_default()) {
                line.append(&Line::from_ansi(sign));
                line.push(" ", Style::PLAIN);
            }
        }
    }
    line.append(&if has_colours { Line::from_ansi(text) } else { Line::styled(text, look.muted()) });
    vec![Row::blank(), Row::new(&line.cut(usize::from(columns), "..."), columns)]
}
