//! The modules that scripts can import without a file, and those that only these import.

use std::sync::OnceLock;

use pi_script::ModuleTable;

/// What extensions import: names, source. The first name is the one under which it is loaded.
const MODULES: &[(&[&str], &str)] = &[
    (&["typebox", "@sinclair/typebox"], include_str!("../../js/typebox/main.js")),
    (&["typebox/value", "@sinclair/typebox/value"], include_str!("../../js/typebox/value.js")),
    (
        &["typebox/compile", "@sinclair/typebox/compile", "@sinclair/typebox/compiler"],
        include_str!("../../js/typebox/compile.js"),
    ),
    (&["@earendil-works/pi-tui", "@mariozechner/pi-tui"], include_str!("../../js/tui/main.js")),
];

/// Modules of the bridge: what extensions are given, not what they import.
const INTERNAL: &[(&str, &str)] = &[
    ("pi:bridge", include_str!("../../js/bridge/index.js")),
    ("pi:bridge/api", include_str!("../../js/bridge/api.js")),
    ("pi:bridge/context", include_str!("../../js/bridge/context.js")),
    ("pi:bridge/events", include_str!("../../js/bridge/events.js")),
    ("pi:bridge/models", include_str!("../../js/bridge/models.js")),
    ("pi:bridge/session_manager", include_str!("../../js/bridge/session_manager.js")),
    ("pi:bridge/signals", include_str!("../../js/bridge/signals.js")),
    ("pi:bridge/theme", include_str!("../../js/bridge/theme.js")),
    ("pi:bridge/ui", include_str!("../../js/bridge/ui.js")),
];

/// The parts of what extensions import.
const PARTS: &[(&str, &str)] = &[
    ("pi:typebox/kind", include_str!("../../js/typebox/kind.js")),
    ("pi:typebox/build", include_str!("../../js/typebox/build.js")),
    ("pi:typebox/derive", include_str!("../../js/typebox/derive.js")),
    ("pi:typebox/check", include_str!("../../js/typebox/check.js")),
    ("pi:tui/autocomplete", include_str!("../../js/tui/autocomplete.js")),
    ("pi:tui/basic", include_str!("../../js/tui/basic.js")),
    ("pi:tui/editor", include_str!("../../js/tui/editor.js")),
    ("pi:tui/editor_text", include_str!("../../js/tui/editor_text.js")),
    ("pi:tui/fuzzy", include_str!("../../js/tui/fuzzy.js")),
    ("pi:tui/image", include_str!("../../js/tui/image.js")),
    ("pi:tui/image_size", include_str!("../../js/tui/image_size.js")),
    ("pi:tui/input", include_str!("../../js/tui/input.js")),
    ("pi:tui/keybindings", include_str!("../../js/tui/keybindings.js")),
    ("pi:tui/keys", include_str!("../../js/tui/keys.js")),
    ("pi:tui/lists", include_str!("../../js/tui/lists.js")),
    ("pi:tui/markdown", include_str!("../../js/tui/markdown.js")),
    ("pi:tui/markdown_blocks", include_str!("../../js/tui/markdown_blocks.js")),
    ("pi:tui/markdown_inline", include_str!("../../js/tui/markdown_inline.js")),
    ("pi:tui/screen", include_str!("../../js/tui/screen.js")),
    ("pi:tui/terminal", include_str!("../../js/tui/terminal.js")),
    ("pi:tui/width", include_str!("../../js/tui/width.js")),
    ("pi:tui/words", include_str!("../../js/tui/words.js")),
    ("pi:tui/wrap", include_str!("../../js/tui/wrap.js")),
];

/// All of them.
pub(crate) fn table() -> ModuleTable {
    static TABLE: OnceLock<ModuleTable> = OnceLock::new();
    TABLE
        .get_or_init(|| {
            let mut table = ModuleTable::default();
            for (name, source) in INTERNAL.iter().chain(PARTS) {
                table.add_internal(name, source);
            }
            for (names, source) in MODULES {
                let Some((first, others)) = names.split_first() else { continue };
                table.add(first, source);
                for other in others {
                    table.alias(other, first);
                }
            }
            table
        })
        .clone()
}
