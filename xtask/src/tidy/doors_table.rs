//! Where libraries reach for the system's clock, random ids or the environment of the process, and why that is right.
//! Everything else takes them from a value that the program makes.

/// The calls.
pub(super) const DOORS: &[&str] = &["system_clock(", "SystemClock", "RandomIds", "Env::process("];

/// A file, or a directory with a slash at its end, and the reason.
pub(super) const USES: &[(&str, &str)] = &[
    ("crates/pi/", "the program: it makes the value"),
    ("crates/pi-test-kit/", "only tests use it"),
    ("crates/pi-ai/src/clock.rs", "the door itself"),
    ("crates/pi-ai/src/lib.rs", "re-exports the door"),
    ("crates/pi-ai/src/auth/oauth/provider.rs", "the default of an option"),
    ("crates/pi-ai/src/options.rs", "the default of an option"),
    ("crates/pi-agent-core/src/config.rs", "the default of an option"),
    ("crates/pi-agent-core/src/loop_config.rs", "the default of an option"),
    ("crates/pi-coding-agent/src/host/env.rs", "the door itself"),
    ("crates/pi-coding-agent/src/host/ids.rs", "the door itself"),
    ("crates/pi-coding-agent/src/config/auth_storage/mod.rs", "credentials in memory, made without a program"),
    ("crates/pi-coding-agent/src/config/settings/", "settings in memory, made without a program"),
    ("crates/pi-coding-agent/src/config/storage/file.rs", "a storage made without a program"),
    ("crates/pi-coding-agent/src/export/source.rs", "ids that a file of an old version lacks; they are not stored"),
    ("crates/pi-coding-agent/src/export/import.rs", "ids that a file of an old version lacks"),
    ("crates/pi-coding-agent/src/sdk/defaults.rs", "the defaults of the options"),
    ("crates/pi-coding-agent/src/sdk/replay/cassette.rs", "the seed of a recording"),
    ("crates/pi-coding-agent/src/session/", "the surroundings of a session made without a program"),
    ("crates/pi-coding-agent/src/tools/bash/old_logs.rs", "compared with the times of files, which are real"),
];
