//! What the program itself says first: its name, and the keys that matter. Where that stands is in `header`.

use pi_tui::keymap::{Keymap, action};
use pi_tui::text::{Line, Row};

use super::app::App;
use super::chat::{Margins, Picture, indented};
use super::keys;
use super::shared::Shared;

/// What is shown first.
pub(super) fn header(app: &App) -> impl Picture + 'static {
    Header { keys: app.keys.clone() }
}

/// Whether the start says only what is wrong.
pub(super) fn is_quiet(app: &App) -> bool {
    app.settings().interface().quiet_startup() && !app.shared.is_expanded()
}

/// The name of the program, and the keys that matter.
struct Header {
    keys: Keymap,
}

impl Picture for Header {
    fn rows(&self, shared: &Shared, columns: u16) -> Vec<Row> {
        let look = shared.look();
        let mut lines =
            vec![Line::styled("pi", look.accent().bold()).and(format!(" v{}", env!("CARGO_PKG_VERSION")), look.dim())];
        if shared.is_expanded() {
            lines.extend(
                self.all_keys()
                    .into_iter()
                    .map(|(key, meaning)| Line::styled(format!("{key:<16} "), look.muted()).and(meaning, look.dim())),
            );
        } else {
            lines.push(Line::styled(self.few_keys(), look.muted()));
            let key = self.keys.hint(keys::TOOLS_EXPAND);
            if !key.is_empty() {
                lines.push(Line::styled(
                    format!("Press {key} for all keys and for where everything was loaded from."),
                    look.dim(),
                ));
            }
        }
        lines.push(Line::new());
        lines.push(Line::styled("pi knows its own documentation: ask how to use or extend it.", look.dim()));
        let mut rows = vec![Row::blank()];
        rows.extend(indented(&lines, Margins::LEFT, columns));
        rows.extend([Row::blank(), Row::blank()]);
        rows
    }
}

impl Header {
    fn few_keys(&self) -> String {
        let hint = |action| self.keys.hint(action);
        let (clear, exit) = (hint(keys::CLEAR), hint(keys::EXIT));
        let ends = match (clear.as_str(), exit.as_str()) {
            (_, "") => (clear, "clear"),
            ("", _) => (exit, "exit"),
            _ => (format!("{clear}/{exit}"), "clear/exit"),
        };
        let all = [
            (hint(keys::INTERRUPT), "interrupt"),
            ends,
            ("/".to_owned(), "commands"),
            ("!".to_owned(), "bash"),
            (hint(keys::TOOLS_EXPAND), "more"),
        ];
        let bound = all.iter().filter(|(key, _)| !key.is_empty());
        bound.map(|(key, meaning)| format!("{key} {meaning}")).collect::<Vec<_>>().join(" · ")
    }

    /// All keys that are bound.
    fn all_keys(&self) -> Vec<(String, &'static str)> {
        let hint = |action| self.keys.hint(action);
        let mut all = vec![
            (hint(keys::INTERRUPT), "abort what is going on"),
            (hint(keys::CLEAR), "clear the editor"),
            (format!("{0} {0}", hint(keys::CLEAR)), "leave"),
            (hint(keys::EXIT), "leave, when the editor is empty"),
            (hint(keys::SUSPEND), "go to the background"),
            (hint(action::EDITOR_DELETE_TO_LINE_END), "delete to the end of the line"),
            (hint(keys::THINKING_CYCLE), "next thinking level"),
            (hint(keys::MODEL_CYCLE_FORWARD), "next model"),
            (hint(keys::MODEL_CYCLE_BACKWARD), "previous model"),
            (hint(keys::MODEL_SELECT), "choose a model"),
            (hint(keys::TOOLS_EXPAND), "show more or less"),
            (hint(keys::THINKING_TOGGLE), "show or hide thinking"),
            (hint(keys::EDITOR_EXTERNAL), "write in the external editor"),
            ("/".to_owned(), "commands"),
            ("!".to_owned(), "run a command"),
            ("!!".to_owned(), "run a command, keep it from the model"),
            (hint(keys::MESSAGE_FOLLOW_UP), "queue a message for when the run is done"),
            (hint(keys::MESSAGE_DEQUEUE), "edit queued messages"),
            (hint(keys::CLIPBOARD_PASTE_IMAGE), "paste an image"),
            ("drop files".to_owned(), "their paths go into the message"),
        ];
        all.retain(|(key, _)| !key.trim().is_empty());
        all
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn keys_that_are_not_bound_are_not_hinted_at() {
        let header = |wanted: serde_json::Value| {
            let tables = [action::TABLE, keys::ACTIONS];
            Header { keys: Keymap::with_overrides(&tables, wanted.as_object().unwrap()).0 }
        };
        for (wanted, expected) in [
            (json!({}), "escape interrupt · ctrl+c/ctrl+d clear/exit · / commands · ! bash · ctrl+o more"),
            (json!({"app.exit": []}), "escape interrupt · ctrl+c clear · / commands · ! bash · ctrl+o more"),
            (json!({"app.clear": []}), "escape interrupt · ctrl+d exit · / commands · ! bash · ctrl+o more"),
            (
                json!({"app.clear": [], "app.exit": [], "app.tools.expand": [], "app.interrupt": []}),
                "/ commands · ! bash",
            ),
        ] {
            assert_eq!(header(wanted).few_keys(), expected);
        }
        let all = header(json!({"app.clear": []})).all_keys();
        assert!(all.iter().all(|(key, meaning)| !key.trim().is_empty() && *meaning != "clear the editor"), "{all:?}");
    }
}
