//! The modules that scripts can import without a file, and those that only these import.

use std::sync::OnceLock;

use pi_script::ModuleTable;
use serde_json::Value;

use super::exports;
use pi_coding_agent::messages::{BRANCH_SUMMARY, COMPACTION_SUMMARY};

/// What extensions import: names, source. The first name is the one under which it is loaded.
const MODULES: &[(&[&str], &str)] = &[
    (&["typebox", "@sinclair/typebox"], include_str!("../js/typebox/main.js")),
    (&["typebox/value", "@sinclair/typebox/value"], include_str!("../js/typebox/value.js")),
    (
        &["typebox/compile", "@sinclair/typebox/compile", "@sinclair/typebox/compiler"],
        include_str!("../js/typebox/compile.js"),
    ),
];

/// Modules of the bridge: what extensions are given, not what they import.
const INTERNAL: &[(&str, &str)] = &[
    ("pi:bridge", include_str!("../js/bridge/index.js")),
    ("pi:bridge/api", include_str!("../js/bridge/api.js")),
    ("pi:bridge/bus", include_str!("../js/bridge/bus.js")),
    ("pi:bridge/callbacks", include_str!("../js/bridge/callbacks.js")),
    ("pi:bridge/completion", include_str!("../js/bridge/completion.js")),
    ("pi:bridge/context", include_str!("../js/bridge/context.js")),
    ("pi:bridge/defer", include_str!("../js/bridge/defer.js")),
    ("pi:bridge/editor", include_str!("../js/bridge/editor.js")),
    ("pi:bridge/events", include_str!("../js/bridge/events.js")),
    ("pi:bridge/handle", include_str!("../js/bridge/handle.js")),
    ("pi:bridge/lazy", include_str!("../js/bridge/lazy.js")),
    ("pi:bridge/logins", include_str!("../js/bridge/logins.js")),
    ("pi:bridge/models", include_str!("../js/bridge/models.js")),
    ("pi:bridge/older", include_str!("../js/bridge/older.js")),
    ("pi:bridge/operations", include_str!("../js/bridge/operations.js")),
    ("pi:bridge/places", include_str!("../js/bridge/places.js")),
    ("pi:bridge/providers", include_str!("../js/bridge/providers.js")),
    ("pi:bridge/run_signal", include_str!("../js/bridge/run_signal.js")),
    ("pi:bridge/screen", include_str!("../js/bridge/screen.js")),
    ("pi:bridge/session_manager", include_str!("../js/bridge/session_manager.js")),
    ("pi:bridge/signals", include_str!("../js/bridge/signals.js")),
    ("pi:bridge/theme", include_str!("../js/bridge/theme.js")),
    ("pi:bridge/ui", include_str!("../js/bridge/ui.js")),
];

/// The parts of what extensions import.
const PARTS: &[(&str, &str)] = &[
    ("pi:agent-core/exported", include_str!("../js/pi-agent-core/exported.js")),
    ("pi:agent-core/main", include_str!("../js/pi-agent-core/main.js")),
    ("pi:ai/calls", include_str!("../js/pi-ai/calls.js")),
    ("pi:ai/event_stream", include_str!("../js/pi-ai/event_stream.js")),
    ("pi:ai/exported", include_str!("../js/pi-ai/exported.js")),
    ("pi:ai/follow", include_str!("../js/pi-ai/follow.js")),
    ("pi:ai/later", include_str!("../js/pi-ai/later.js")),
    ("pi:ai/main", include_str!("../js/pi-ai/main.js")),
    ("pi:ai/models", include_str!("../js/pi-ai/models.js")),
    ("pi:ai/oauth", include_str!("../js/pi-ai/oauth.js")),
    ("pi:coding-agent/agent_events", include_str!("../js/pi-coding-agent/agent_events.js")),
    ("pi:coding-agent/agent_session", include_str!("../js/pi-coding-agent/agent_session.js")),
    ("pi:coding-agent/auth", include_str!("../js/pi-coding-agent/auth.js")),
    ("pi:coding-agent/cli", include_str!("../js/pi-coding-agent/cli.js")),
    ("pi:coding-agent/clipboard", include_str!("../js/pi-coding-agent/clipboard.js")),
    ("pi:coding-agent/compaction", include_str!("../js/pi-coding-agent/compaction.js")),
    ("pi:coding-agent/components", include_str!("../js/pi-coding-agent/components.js")),
    ("pi:coding-agent/exported", include_str!("../js/pi-coding-agent/exported.js")),
    ("pi:coding-agent/facts", include_str!("../js/pi-coding-agent/facts.js")),
    ("pi:coding-agent/images", include_str!("../js/pi-coding-agent/images.js")),
    ("pi:coding-agent/later", include_str!("../js/pi-coding-agent/later.js")),
    ("pi:coding-agent/main", include_str!("../js/pi-coding-agent/main.js")),
    ("pi:coding-agent/model_runtime", include_str!("../js/pi-coding-agent/model_runtime.js")),
    ("pi:coding-agent/models", include_str!("../js/pi-coding-agent/models.js")),
    ("pi:coding-agent/resource_loader", include_str!("../js/pi-coding-agent/resource_loader.js")),
    ("pi:coding-agent/sessions", include_str!("../js/pi-coding-agent/sessions.js")),
    ("pi:coding-agent/settings", include_str!("../js/pi-coding-agent/settings.js")),
    ("pi:coding-agent/texts", include_str!("../js/pi-coding-agent/texts.js")),
    ("pi:coding-agent/tools", include_str!("../js/pi-coding-agent/tools.js")),
    ("pi:coding-agent/trust", include_str!("../js/pi-coding-agent/trust.js")),
    ("pi:coding-agent/ui", include_str!("../js/pi-coding-agent/ui.js")),
    ("pi:typebox/kind", include_str!("../js/typebox/kind.js")),
    ("pi:typebox/build", include_str!("../js/typebox/build.js")),
    ("pi:typebox/derive", include_str!("../js/typebox/derive.js")),
    ("pi:typebox/check", include_str!("../js/typebox/check.js")),
    ("pi:tui/autocomplete", include_str!("../js/tui/autocomplete.js")),
    ("pi:tui/basic", include_str!("../js/tui/basic.js")),
    ("pi:tui/editor", include_str!("../js/tui/editor.js")),
    ("pi:tui/editor_text", include_str!("../js/tui/editor_text.js")),
    ("pi:tui/exported", include_str!("../js/tui/exported.js")),
    ("pi:tui/fuzzy", include_str!("../js/tui/fuzzy.js")),
    ("pi:tui/image", include_str!("../js/tui/image.js")),
    ("pi:tui/image_size", include_str!("../js/tui/image_size.js")),
    ("pi:tui/input", include_str!("../js/tui/input.js")),
    ("pi:tui/keybindings", include_str!("../js/tui/keybindings.js")),
    ("pi:tui/keys", include_str!("../js/tui/keys.js")),
    ("pi:tui/later", include_str!("../js/tui/later.js")),
    ("pi:tui/lists", include_str!("../js/tui/lists.js")),
    ("pi:tui/main", include_str!("../js/tui/main.js")),
    ("pi:tui/markdown", include_str!("../js/tui/markdown.js")),
    ("pi:tui/markdown_blocks", include_str!("../js/tui/markdown_blocks.js")),
    ("pi:tui/markdown_inline", include_str!("../js/tui/markdown_inline.js")),
    ("pi:tui/screen", include_str!("../js/tui/screen.js")),
    ("pi:tui/terminal", include_str!("../js/tui/terminal.js")),
    ("pi:tui/width", include_str!("../js/tui/width.js")),
    ("pi:tui/words", include_str!("../js/tui/words.js")),
    ("pi:tui/wrap", include_str!("../js/tui/wrap.js")),
];

/// What stands around summaries, as the program itself writes it.
fn summaries() -> String {
    let frames = [("BRANCH", BRANCH_SUMMARY), ("COMPACTION", COMPACTION_SUMMARY)];
    let lines = frames.map(|(name, [before, behind])| {
        let (before, behind) = (Value::from(before), Value::from(behind));
        format!("export const {name}_SUMMARY_PREFIX = {before}, {name}_SUMMARY_SUFFIX = {behind};\n")
    });
    lines.concat()
}

/// All of them.
pub(crate) fn table() -> ModuleTable {
    static TABLE: OnceLock<ModuleTable> = OnceLock::new();
    TABLE
        .get_or_init(|| {
            let mut table = ModuleTable::default();
            for (name, source) in INTERNAL.iter().chain(PARTS) {
                table.add_internal(name, source);
            }
            table.add_internal("pi:agent-core/summaries", &summaries());
            exports::add(&mut table);
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
