//! The floors of `pi-coding-agent`, bottom-up, as data. A floor may import floors of a lower level, never one of its own
//! level or above. To move a floor, change its level and say why in the commit.

/// A folder of the crate.
#[derive(Debug)]
pub(super) struct Floor {
    /// Its name.
    pub(super) name: &'static str,
    /// Floors import lower levels only. Two floors of one level do not know each other.
    pub(super) level: u8,
    /// What lives there.
    pub(super) about: &'static str,
}

/// The floors of one crate, with what else its root may hold.
#[derive(Debug)]
pub(super) struct Floors {
    /// The crate.
    pub(super) krate: &'static str,
    /// Bottom-up.
    pub(super) floors: &'static [Floor],
    /// Files of the root that belong to no floor.
    pub(super) at_root: &'static [&'static str],
}

const fn floor(level: u8, name: &'static str, about: &'static str) -> Floor {
    Floor { name, level, about }
}

/// The rules.
pub(super) const FLOORS: Floors = Floors {
    krate: "pi-coding-agent",
    floors: &[
        floor(
            1,
            "host",
            "the one door to the system: environment, paths, clock, ids, JSON files, locks, secrets, processes",
        ),
        floor(2, "tools", "the built-in tools with their operations: local, over SSH, in containers"),
        floor(2, "session", "session files: entries, log, index, search, doctor"),
        floor(3, "export", "sessions as pages and files for elsewhere, and the way back"),
        floor(3, "config", "settings, models, logins, trust"),
        floor(4, "resources", "prompts, skills, templates, context files, themes, packages"),
        floor(5, "compaction", "summaries of what became too long"),
        floor(6, "events", "types of the events that a session emits"),
        floor(7, "wire", "events and messages as JSON, one form for every client"),
        floor(8, "extension", "the seam: what programs plug into sessions"),
        floor(9, "agent_session", "the conversation: prompts, recording, retries, automatic compaction"),
        floor(9, "gate", "a question before commands and edits, on the seam"),
        floor(10, "rpc", "protocol, server, client"),
        floor(11, "sdk", "from options to a session; pool, replay"),
        floor(12, "acp", "sessions for editors, by the Agent Client Protocol"),
    ],
    at_root: &["prelude"],
};
