//! All settings of the list, a table.

use pi_coding_agent::settings::SettingsManager;
use serde::Serialize;
use serde_json::Value;

use super::super::super::app::App;
use super::super::super::{footer_data, preferences};
use super::entry::{Entry, Kind, Values};
use super::{open, themes, thinking};

const SWITCH: Values = Values::Switch;

/// A setting that takes values in turn.
const fn turn(
    key: &'static str,
    label: &'static str,
    description: &'static str,
    values: Values,
    in_force: fn(&SettingsManager) -> Value,
    apply: fn(&mut App),
) -> Entry {
    Entry { key, label, description, kind: Kind::Turn { values, in_force, apply } }
}

/// What is stored is read where it matters.
fn nothing(_: &mut App) {}

fn word(value: impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

/// In the order of the list: what goes on, what is sent, what is shown, what is asked.
pub(super) const ALL: &[Entry] = &[
    turn(
        "compaction.enabled",
        "Auto-compact",
        "Summarise the conversation when the context is nearly full",
        SWITCH,
        |settings| settings.compaction().enabled.into(),
        footer_data::context,
    ),
    turn(
        "steeringMode",
        "Steering mode",
        "How many of the messages that wait are sent after a turn",
        Values::Words(&["one-at-a-time", "all"]),
        |settings| word(settings.sessions().steering_mode()),
        // What is to be stored is stored: the session's queue would store the mode in force, which may be the project's.
        |app| app.session.agent().steering().set_mode(app.settings().sessions().steering_mode()),
    ),
    turn(
        "followUpMode",
        "Follow-up mode",
        "How many of the messages that wait for the end of a run are sent then",
        Values::Words(&["one-at-a-time", "all"]),
        |settings| word(settings.sessions().follow_up_mode()),
        |app| app.session.agent().follow_ups().set_mode(app.settings().sessions().follow_up_mode()),
    ),
    Entry {
        key: "defaultThinkingLevel",
        label: "Thinking level",
        description: "How much the model thinks, in this session and in new ones",
        kind: Kind::Own { in_force: thinking::in_force, open: thinking::open },
    },
    turn(
        "rememberModel",
        "Remember model",
        "A model or level that is chosen in a session is also the one of new sessions",
        SWITCH,
        |settings| settings.models().remember_model().into(),
        nothing,
    ),
    turn(
        "transport",
        "Transport",
        "How providers are reached that offer several ways",
        Values::Words(&["auto", "sse", "websocket", "websocket-cached"]),
        |settings| word(settings.network().transport()),
        nothing,
    ),
    turn(
        "httpIdleTimeoutMs",
        "HTTP idle timeout",
        "How long an answer may pause before it counts as failed",
        Values::Named(&[("30 s", 30_000), ("1 min", 60_000), ("2 min", 120_000), ("5 min", 300_000), ("disabled", 0)]),
        |settings| {
            let limit = settings.network().http_idle_timeout().unwrap_or_default();
            u64::try_from(limit.as_millis()).unwrap_or(u64::MAX).into()
        },
        nothing,
    ),
    turn(
        "images.autoResize",
        "Auto-resize images",
        "Make large images smaller before they are sent; from the next session or /reload on",
        SWITCH,
        |settings| settings.tools().images().auto_resize.into(),
        nothing,
    ),
    turn(
        "images.blockImages",
        "Block images",
        "Send no image to any model",
        SWITCH,
        |settings| settings.tools().images().block_images.into(),
        nothing,
    ),
    Entry {
        key: "theme",
        label: "Theme",
        description: "Colours, or a pair of themes for light and for dark terminals",
        kind: Kind::Own { in_force: themes::in_force, open: themes::open },
    },
    turn(
        "hideThinkingBlock",
        "Hide thinking",
        "Show a line instead of what models think",
        SWITCH,
        |settings| settings.interface().hide_thinking_block().into(),
        preferences::apply,
    ),
    turn(
        "terminal.showImages",
        "Show images",
        "Draw images in the conversation, where the terminal can",
        SWITCH,
        |settings| settings.interface().terminal().show_images.into(),
        preferences::apply,
    ),
    turn(
        "terminal.imageWidthCells",
        "Image width",
        "Columns that an image takes at most",
        Values::Numbers(&[60, 80, 120]),
        |settings| settings.interface().terminal().image_width_cells.into(),
        preferences::apply,
    ),
    turn(
        "enableSkillCommands",
        "Skill commands",
        "Offer skills as commands: /skill:NAME",
        SWITCH,
        |settings| settings.resources().enable_skill_commands().into(),
        nothing,
    ),
    turn(
        "showHardwareCursor",
        "Hardware cursor",
        "Show the terminal's own cursor where text is written, for screen readers and input methods",
        SWITCH,
        |settings| settings.interface().show_hardware_cursor().into(),
        preferences::apply,
    ),
    turn(
        "editorPaddingX",
        "Editor padding",
        "Blank columns on both sides of the editor's text",
        Values::Numbers(&[0, 1, 2, 3]),
        |settings| settings.interface().editor_padding_x().into(),
        preferences::apply,
    ),
    turn(
        "editor.mode",
        "Editor keys",
        "Write messages with plain keys, or with those of vi",
        Values::Words(&["plain", "vim"]),
        |settings| word(settings.interface().editor_mode()),
        preferences::apply,
    ),
    turn(
        "autocompleteMaxVisible",
        "Completion rows",
        "How many completions are seen at once",
        Values::Numbers(&[3, 5, 7, 10, 15, 20]),
        |settings| settings.interface().autocomplete_max_visible().into(),
        preferences::apply,
    ),
    turn(
        "tuiMode",
        "Screen",
        "Print the conversation into the terminal's history (regular), or scroll it inside pi (fullscreen)",
        Values::Words(&["regular", "fullscreen"]),
        |settings| (if settings.interface().terminal().fullscreen { "fullscreen" } else { "regular" }).into(),
        preferences::apply,
    ),
    turn(
        "tuiMouse",
        "Mouse",
        "In full screen the wheel scrolls and dragging copies; the terminal's own selection then needs a key, mostly Shift",
        SWITCH,
        |settings| settings.interface().terminal().mouse.into(),
        preferences::apply,
    ),
    turn(
        "tuiWheelStep",
        "Wheel step",
        "Rows that a step of the wheel scrolls in full screen",
        Values::Numbers(&[1, 2, 3, 5, 8]),
        |settings| settings.interface().terminal().wheel_step.into(),
        nothing,
    ),
    turn(
        "terminal.showTerminalProgress",
        "Terminal progress",
        "Tell the terminal that something goes on, for its tab or its task bar",
        SWITCH,
        |settings| settings.interface().terminal().show_terminal_progress.into(),
        preferences::apply,
    ),
    turn(
        "terminal.notify",
        "Notifications",
        "How the terminal says that a turn has ended or a question waits, while its window is not in focus",
        Values::Words(&["auto", "bell", "osc9", "osc777", "osc99", "off"]),
        |settings| word(settings.interface().terminal().notify),
        preferences::apply,
    ),
    turn(
        "terminal.plain",
        "Plain mode",
        "Talk in lines from the next start on, without drawing anything: for screen readers",
        SWITCH,
        |settings| settings.interface().terminal().plain.into(),
        nothing,
    ),
    turn(
        "quietStartup",
        "Quiet startup",
        "Show neither the header nor what was loaded",
        SWITCH,
        |settings| settings.interface().quiet_startup().into(),
        nothing,
    ),
    turn(
        "collapseChangelog",
        "Collapse changelog",
        "One line instead of all news after an update",
        SWITCH,
        |settings| settings.interface().collapse_changelog().into(),
        nothing,
    ),
    turn(
        "doubleEscapeAction",
        "Double escape",
        "What two presses of Escape open while nothing is written",
        Values::Words(&["tree", "fork", "none"]),
        |settings| word(settings.interface().double_escape_action()),
        nothing,
    ),
    turn(
        "treeFilterMode",
        "Tree filter",
        "What /tree shows at first",
        Values::Words(&["default", "no-tools", "user-only", "labeled-only", "all"]),
        |settings| word(settings.interface().tree_filter_mode()),
        nothing,
    ),
    turn(
        "defaultProjectTrust",
        "Project trust",
        "What to do about a project that nobody has decided about",
        Values::Words(&["ask", "always", "never"]),
        |settings| word(settings.default_project_trust()),
        nothing,
    ),
    Entry {
        key: "warnings",
        label: "Warnings",
        description: "What is warned about",
        kind: Kind::Own { in_force: |_| "…".to_owned(), open: |app, _| open(app, "Warnings", WARNINGS) },
    },
    turn(
        "enableInstallTelemetry",
        "Install telemetry",
        "Requests say which program sends them",
        SWITCH,
        |settings| settings.telemetry().enable_install_telemetry().into(),
        nothing,
    ),
];

const WARNINGS: &[Entry] = &[turn(
    "warnings.anthropicExtraUsage",
    "Anthropic extra usage",
    "Warn once when an Anthropic subscription may be billed beyond its plan",
    SWITCH,
    |settings| settings.interface().warn_anthropic_extra_usage().into(),
    nothing,
)];

#[cfg(test)]
mod tests {
    use super::*;
    use pi_coding_agent::env::Env;
    use pi_coding_agent::settings::known_keys;

    #[test]
    fn all_keys_are_known_and_all_values_can_be_read_back() {
        let settings = SettingsManager::in_memory(serde_json::Map::new(), Env::fixed([("HOME", "/nowhere")]));
        let known = known_keys();
        for entry in ALL.iter().chain(WARNINGS) {
            // The list of warnings is opened by the name of the object that has them.
            let is_known = entry.key == "warnings" || known.iter().any(|key| key == entry.key);
            assert!(is_known, "{}", entry.key);
            let Kind::Turn { values, in_force, .. } = &entry.kind else { continue };
            for label in values.labels() {
                let path: Vec<&str> = entry.key.split('.').collect();
                settings.set(pi_coding_agent::settings::SettingsScope::Global, &path, values.value(&label)).unwrap();
                assert_eq!(values.label(&in_force(&settings)), label, "{}", entry.key);
            }
        }
    }
}
