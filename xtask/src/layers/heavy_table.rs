//! Where heavy dependencies may stand, as data: each in the smallest part that needs it, so that the rest builds without
//! waiting for it and can do without it.

/// A dependency, or a family of them, and its homes.
#[derive(Debug)]
pub(super) struct Heavy {
    /// Package name; with a `*` at the end, all that begin so.
    pub(super) name: &'static str,
    /// Where it may be used.
    pub(super) homes: &'static [Home],
}

/// A crate, or a part of one.
#[derive(Debug)]
pub(super) struct Home {
    /// The crate.
    pub(super) krate: &'static str,
    /// Folders or files of its root; empty for the whole crate.
    pub(super) parts: &'static [&'static str],
}

const fn all_of(krate: &'static str) -> Home {
    Home { krate, parts: &[] }
}

const fn in_agent(parts: &'static [&'static str]) -> Home {
    Home { krate: "pi-coding-agent", parts }
}

/// The program, and the checks.
const COMMAND_LINE: &[Home] = &[all_of("pi"), all_of("xtask")];
const SCREEN: &[Home] = &[all_of("pi"), all_of("pi-tui")];
const SCRIPTS: &[Home] = &[all_of("pi-script")];
const IMAGES: &[Home] = &[in_agent(&["tools"])];
const SEARCH: &[Home] = &[in_agent(&["tools"])];
/// `.gitignore` rules: skills are found by them, too.
const RULES_OF_FILES: &[Home] = &[in_agent(&["tools", "resources"])];
/// Patterns: of files, of skills and of model names.
const PATTERNS: &[Home] = &[in_agent(&["tools", "resources", "config"])];

/// The rules.
pub(super) const HEAVY: &[Heavy] = &[
    Heavy { name: "clap*", homes: COMMAND_LINE },
    Heavy { name: "crossterm", homes: SCREEN },
    Heavy { name: "ratatui*", homes: SCREEN },
    Heavy { name: "termwiz", homes: SCREEN },
    Heavy { name: "oxc*", homes: SCRIPTS },
    Heavy { name: "rquickjs*", homes: SCRIPTS },
    Heavy { name: "image", homes: IMAGES },
    Heavy { name: "fast_image_resize", homes: IMAGES },
    Heavy { name: "grep-*", homes: SEARCH },
    Heavy { name: "ignore", homes: RULES_OF_FILES },
    Heavy { name: "globset", homes: PATTERNS },
    // Tests compare with it what checks the arguments of tools.
    Heavy { name: "jsonschema", homes: &[] },
    Heavy { name: "rmcp*", homes: &[all_of("pi-mcp")] },
];
