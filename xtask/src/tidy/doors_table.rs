//! Where the system's clock, random ids or the environment of the process enter, and why that is right. Everything else takes
//! them from a value: of the program, or of the caller of a library. `clippy.toml` forbids the calls themselves; this table
//! also knows the types, and which files those are.

/// The calls.
pub(super) const DOORS: &[&str] = &["system_clock(", "SystemClock", "RandomIds", "Env::process("];

/// A file, or a directory with a slash at its end, and the reason.
pub(super) const USES: &[(&str, &str)] = &[
    ("crates/pi/src/cli/process_env.rs", "the program: it makes the value"),
    ("crates/pi-ai/src/clock.rs", "the door itself, and the default of options"),
    ("crates/pi-ai/src/lib.rs", "re-exports the door"),
    ("crates/pi-agent-core/src/loop_config.rs", "the default of options"),
    ("crates/pi-coding-agent/src/host/ids.rs", "the door itself"),
    ("crates/pi-coding-agent/src/sdk/resolve_options.rs", "the defaults of the options"),
];
