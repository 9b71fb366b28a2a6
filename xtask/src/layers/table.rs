//! The layer rules, as data. To allow something new, change a row and say why in the commit.

/// What one of our crates may know.
#[derive(Debug)]
pub(super) struct Layer {
    /// The crate.
    pub(super) name: &'static str,
    /// Those of our crates that it may depend on.
    pub(super) may_use: &'static [&'static str],
    /// Crates that must not be reached by normal dependencies, however far.
    pub(super) never: &'static [Ban],
    /// Crates that the layer must not name itself.
    pub(super) never_directly: &'static [Ban],
    /// Features with which a crate must not be reached.
    pub(super) never_features: &'static [FeatureBan],
}

/// A crate that a layer does without.
#[derive(Debug)]
pub(super) struct Ban {
    /// The crate.
    pub(super) krate: &'static str,
    /// What to do instead.
    pub(super) instead: &'static str,
}

/// A feature that a layer does without.
#[derive(Debug)]
pub(super) struct FeatureBan {
    /// The crate.
    pub(super) krate: &'static str,
    /// Its feature.
    pub(super) feature: &'static str,
    /// What to do instead.
    pub(super) instead: &'static str,
}

/// In place of a name: every crate.
pub(super) const ANY: &str = "*";

const fn ban(krate: &'static str, instead: &'static str) -> Ban {
    Ban { krate, instead }
}

const fn tokio(feature: &'static str, instead: &'static str) -> FeatureBan {
    FeatureBan { krate: "tokio", feature, instead }
}

const TERMINAL: &str = "terminals and command lines belong to pi-coding-agent";
const DATABASE: &str = "storage belongs to pi-coding-agent";
const PROCESS: &str = "processes belong to pi-coding-agent, behind a tool's Operations";
const FILES: &str = "files belong to pi-coding-agent, behind a trait if this layer needs what is in them";
const SOCKET: &str = "this layer opens no socket: depend on pi-ai without its `http` feature and inject what answers";
const ANYHOW: &str = "a library names each condition in a `thiserror` enum; anyhow is for programs";
const UMBRELLA: &str = "the umbrella crate pulls in far more than it gives: name the small crate that is needed";

/// The layers, bottom-up.
pub(super) const LAYERS: &[Layer] = &[
    Layer {
        name: "pi-ai",
        may_use: &["pi-guard"],
        never: &[
            ban("clap", TERMINAL),
            ban("crossterm", TERMINAL),
            ban("ratatui", TERMINAL),
            ban("portable-pty", TERMINAL),
            ban("rusqlite", DATABASE),
            ban("sqlx", DATABASE),
            ban("sled", DATABASE),
            ban("process-wrap", PROCESS),
            ban("nix", PROCESS),
            ban("tempfile", FILES),
            ban("ignore", FILES),
            ban("walkdir", FILES),
            ban("notify", FILES),
            ban("image", "image conversion belongs to pi-coding-agent; this layer passes base64 through"),
            ban("openssl", "TLS is rustls everywhere"),
            ban("native-tls", "TLS is rustls everywhere"),
            ban("jsonschema", "our own checker (`validate/schema/`) needs neither its 40 crates nor its 2.5 MB"),
        ],
        never_directly: &[
            ban("anyhow", ANYHOW),
            ban("async-openai", UMBRELLA),
            ban("aws-sdk-bedrockruntime", UMBRELLA),
        ],
        // Not tokio's `fs`: reqwest's `stream` turns it on. clippy.toml and reviews keep files out of this layer.
        never_features: &[tokio("process", PROCESS), tokio("signal", PROCESS), tokio("full", UMBRELLA)],
    },
    Layer {
        name: "pi-agent-core",
        may_use: &["pi-guard", "pi-ai"],
        never: &[
            ban("clap", TERMINAL),
            ban("crossterm", TERMINAL),
            ban("ratatui", TERMINAL),
            ban("portable-pty", TERMINAL),
            ban("rusqlite", DATABASE),
            ban("sqlx", DATABASE),
            ban("sled", DATABASE),
            ban("process-wrap", PROCESS),
            ban("nix", PROCESS),
            ban("rustix", PROCESS),
            ban("tempfile", FILES),
            ban("ignore", FILES),
            ban("walkdir", FILES),
            ban("notify", FILES),
            ban("etcetera", FILES),
            ban("image", FILES),
            ban("reqwest", SOCKET),
            ban("hyper", SOCKET),
            ban("h2", SOCKET),
            ban("rustls", SOCKET),
            ban("mio", SOCKET),
            ban("socket2", SOCKET),
        ],
        never_directly: &[ban("anyhow", ANYHOW)],
        never_features: &[
            tokio("fs", FILES),
            tokio("net", SOCKET),
            tokio("process", PROCESS),
            tokio("signal", PROCESS),
            tokio("io-std", TERMINAL),
            tokio("full", UMBRELLA),
        ],
    },
    Layer {
        name: "pi-script",
        may_use: &["pi-guard"],
        never: &[
            ban("clap", TERMINAL),
            ban("openssl", "TLS is rustls everywhere"),
            ban("native-tls", "TLS is rustls everywhere"),
        ],
        never_directly: &[
            ban("anyhow", ANYHOW),
            ban("oxc", UMBRELLA),
            ban("llrt_modules", "its engine is another one: Node's modules are in js/node"),
        ],
        never_features: &[tokio("full", UMBRELLA)],
    },
    Layer {
        name: "pi-guard",
        may_use: &[],
        never: &[ban(ANY, "every other crate uses it, and some promise to have next to no dependencies")],
        never_directly: &[],
        never_features: &[],
    },
    Layer {
        name: "pi-highlight",
        may_use: &[],
        never: &[ban(ANY, "it has no dependencies: the program and the screen build it at once, and so may others")],
        never_directly: &[],
        never_features: &[],
    },
    Layer {
        name: "pi-tui",
        may_use: &["pi-guard", "pi-highlight"],
        never: &[ban("clap", "arguments belong to the program"), ban("reqwest", "a terminal opens no connection")],
        never_directly: &[ban("anyhow", ANYHOW)],
        never_features: &[tokio("full", UMBRELLA)],
    },
    Layer {
        name: "pi-coding-agent",
        may_use: &["pi-guard", "pi-ai", "pi-agent-core", "pi-highlight"],
        never: &[ban("openssl", "TLS is rustls everywhere"), ban("native-tls", "TLS is rustls everywhere")],
        // anyhow is a dependency because the program is a target of this crate; `cargo xtask tidy` keeps it out of
        // the library.
        never_directly: &[],
        never_features: &[tokio("full", UMBRELLA)],
    },
    Layer {
        name: "pi-script-extensions",
        may_use: &["pi-guard", "pi-ai", "pi-agent-core", "pi-coding-agent", "pi-script", "pi-tui"],
        never: &[ban("clap", "arguments belong to the program")],
        never_directly: &[ban("anyhow", ANYHOW)],
        never_features: &[tokio("full", UMBRELLA)],
    },
    Layer {
        name: "pi-codemode",
        may_use: &["pi-guard", "pi-ai", "pi-agent-core", "pi-script"],
        never: &[ban("clap", "arguments belong to the program")],
        never_directly: &[ban("anyhow", ANYHOW)],
        never_features: &[tokio("full", UMBRELLA)],
    },
    Layer {
        name: "pi-mcp",
        may_use: &["pi-guard", "pi-ai", "pi-agent-core", "pi-coding-agent"],
        never: &[
            ban("clap", "arguments belong to the program"),
            ban("openssl", "TLS is rustls everywhere"),
            ban("native-tls", "TLS is rustls everywhere"),
        ],
        never_directly: &[ban("anyhow", ANYHOW)],
        never_features: &[tokio("full", UMBRELLA)],
    },
    Layer {
        name: "pi",
        may_use: &[
            "pi-guard",
            "pi-ai",
            "pi-agent-core",
            "pi-coding-agent",
            "pi-mcp",
            "pi-codemode",
            "pi-script-extensions",
            "pi-highlight",
            "pi-tui",
        ],
        never: &[ban("openssl", "TLS is rustls everywhere"), ban("native-tls", "TLS is rustls everywhere")],
        never_directly: &[],
        never_features: &[tokio("full", UMBRELLA)],
    },
    // A dev-dependency of any crate (`TEST_ONLY`).
    Layer {
        name: "pi-test-kit",
        may_use: &["pi-ai", "pi-agent-core", "pi-coding-agent"],
        never: &[],
        never_directly: &[],
        never_features: &[],
    },
    Layer { name: "xtask", may_use: &[], never: &[], never_directly: &[], never_features: &[] },
];

/// Rows for crates that are about to come: no crate by that name is no mistake.
pub(super) const PLANNED: &[&str] = &[];

/// Crates that the tests of every crate may use, and nothing else.
pub(super) const TEST_ONLY: &[&str] = &["pi-test-kit"];
