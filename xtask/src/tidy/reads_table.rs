//! Where files are opened for reading without the door of `pi-coding-agent` (`src/host/files/`), and why that is right.

/// A file, or a directory with a slash at its end, and the reason.
pub(super) const READS: &[(&str, &str)] = &[
    ("crates/pi-coding-agent/src/host/files/", "the door itself"),
    ("crates/pi-ai/src/api/openai_codex_responses/headers.rs", "a file of the kernel"),
    ("crates/pi-ai/src/auth/aws/", "the user's own, in the home directory or named by the environment"),
    ("crates/pi-ai/src/auth/google/source.rs", "the user's own, in the home directory or named by the environment"),
    (
        "crates/pi-ai/src/transport/cassette/replayer.rs",
        "looks at the kind of file first; the program reads through the door",
    ),
    ("crates/pi-ai/src/transport/cassette/tape.rs", "looks at the kind of file first, and reads piece by piece"),
    ("crates/pi-codemode/src/value.rs", "a file that a tool of this program kept; looks at the kind of file first"),
    ("crates/pi-tui/src/term/tty.rs", "the terminal that controls the process"),
    ("crates/pi/src/cli/subcommands/doctor/network.rs", "the certificates that the environment names"),
    ("crates/pi/src/cli/startup/migrations.rs", "lists the user's own directory"),
    (
        "crates/pi/src/modes/interactive/completion/paths.rs",
        "lists the directory that the user has typed; reads no file",
    ),
    ("crates/pi-coding-agent/src/host/dir_lock/", "a lock that this program made"),
    ("crates/pi-coding-agent/src/host/json_file.rs", "makes a file that must not exist"),
    ("crates/pi-coding-agent/src/resources/packages/snapshot.rs", "moves the tree that this program made"),
    (
        "crates/pi-coding-agent/src/resources/packages/contents.rs",
        "looks through all of what was fetched; reads no file",
    ),
    ("crates/pi-coding-agent/src/resources/packages/fetch.rs", "lists the directory that this program made"),
    ("crates/pi-coding-agent/src/session/doctor/", "lists directories of sessions"),
    (
        "crates/pi-coding-agent/src/session/effect_journal.rs",
        "goes on writing the file beside a session, if that is a regular one",
    ),
    ("crates/pi-coding-agent/src/session/list/files.rs", "lists directories of sessions"),
    ("crates/pi-coding-agent/src/session/lock.rs", "makes a file that must not exist, and reads one of the kernel"),
    ("crates/pi-coding-agent/src/session/log.rs", "syncs a directory"),
    ("crates/pi-coding-agent/src/host/processes/", "files of the kernel"),
    ("crates/pi-coding-agent/src/session/claim.rs", "files of the kernel"),
    ("crates/pi-coding-agent/src/tools/bash/old_logs.rs", "lists the directory for temporary files; reads none"),
    (
        "crates/pi-coding-agent/src/host/temp_file_registry.rs",
        "lists of this program in its own directory, regular ones only",
    ),
    ("crates/pi-coding-agent/src/tools/search/local_ls.rs", "the model's tool, with its own limits"),
    (
        "crates/pi-coding-agent/src/tools/search/text_file.rs",
        "files that a walk has found to be regular, without waiting",
    ),
    ("crates/pi-test-kit/", "tests read what they made themselves"),
    ("crates/pi-script/src/module/regular_files.rs", "looks at the kind and the size of the file first"),
    ("crates/pi-script/src/node/", "does what scripts ask for, as Node does"),
];

/// What opens a file or lists a directory.
pub(super) const CALLS: &[&str] =
    &["fs::read(", "fs::read_to_string(", "fs::read_dir(", "fs::copy(", "File::open(", ".read(true)"];
