//! Images from the clipboard: their file's path goes into the text.

use super::app::App;

/// Pastes the image that is in the clipboard, if there is one.
pub(super) fn paste(app: &mut App) {
    app.status("Images from the clipboard cannot be pasted yet");
}
