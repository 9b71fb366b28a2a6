//! The modules that scripts can import without a file, and those that only these import.

use std::sync::OnceLock;

use pi_script::ModuleTable;

/// Modules of the bridge: what extensions are given, not what they import.
const INTERNAL: &[(&str, &str)] = &[
    ("pi:bridge", include_str!("../../js/bridge/index.js")),
    ("pi:bridge/api", include_str!("../../js/bridge/api.js")),
    ("pi:bridge/bus", include_str!("../../js/bridge/bus.js")),
    ("pi:bridge/callbacks", include_str!("../../js/bridge/callbacks.js")),
    ("pi:bridge/context", include_str!("../../js/bridge/context.js")),
    ("pi:bridge/events", include_str!("../../js/bridge/events.js")),
    ("pi:bridge/models", include_str!("../../js/bridge/models.js")),
    ("pi:bridge/session_manager", include_str!("../../js/bridge/session_manager.js")),
    ("pi:bridge/signals", include_str!("../../js/bridge/signals.js")),
    ("pi:bridge/theme", include_str!("../../js/bridge/theme.js")),
    ("pi:bridge/ui", include_str!("../../js/bridge/ui.js")),
];

/// All of them.
pub(crate) fn table() -> ModuleTable {
    static TABLE: OnceLock<ModuleTable> = OnceLock::new();
    TABLE
        .get_or_init(|| {
            let mut table = ModuleTable::default();
            for (name, source) in INTERNAL {
                table.add_internal(name, source);
            }
            table
        })
        .clone()
}
