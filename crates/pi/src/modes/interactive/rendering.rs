//! Has extensions draw the lines of blocks (`rendered`), beside the loop.

use std::time::Duration;

use super::app::App;
use super::rendered::RenderedLines;

/// A renderer without an answer by then has none: what follows in the conversation waits for it.
const PATIENCE: Duration = Duration::from_secs(1);

/// Has everything drawn that the newest frame needed and did not have.
pub(super) fn ask(app: &mut App) {
    let asked = app.shared.take_asked_for();
    begin(app, asked);
}

/// Has these drawn.
pub(super) fn begin(app: &mut App, asked: Vec<RenderedLines>) {
    for lines in asked {
        let Some((draw, wanted)) = lines.begin() else { continue };
        let work = tokio::task::spawn_blocking(move || draw(wanted.options));
        app.spawn(tokio::time::timeout(PATIENCE, work), move |_, drawn| {
            lines.answer(wanted, drawn.ok().and_then(Result::ok).unwrap_or_default());
        });
    }
}
