//! What must build where there is no operating system: the rules, as data, and their check.
//!
//! Resolved for the target without building for it, so the check needs nothing installed. It proves that no crate of the
//! tree is made for an operating system; that ours compile is for `cargo check --target` where the target is there.

use super::graph::Reached;

/// The crate that must build for [`TARGET`].
pub(super) const CRATE: &str = "pi-agent-core";
/// No files, sockets, processes, threads or clock.
pub(super) const TARGET: &str = "wasm32-unknown-unknown";

/// Crates that need an operating system, and why.
const NEVER: &[(&str, &str)] = &[
    ("libc", SYSTEM),
    ("rustix", SYSTEM),
    ("nix", SYSTEM),
    ("errno", SYSTEM),
    ("windows-sys", SYSTEM),
    ("windows-targets", SYSTEM),
    ("core-foundation", SYSTEM),
    ("security-framework", SYSTEM),
    ("mio", SOCKETS),
    ("socket2", SOCKETS),
    ("polling", SOCKETS),
    ("async-io", SOCKETS),
    ("hyper-util", SOCKETS),
    ("reqwest", SOCKETS),
    ("tokio-tungstenite", SOCKETS),
    ("rustls-native-certs", FILES),
    ("rustls-platform-verifier", FILES),
    ("tempfile", FILES),
    ("walkdir", FILES),
    ("ignore", FILES),
    ("notify", FILES),
    ("memmap2", FILES),
    ("etcetera", FILES),
    ("home", FILES),
    ("process-wrap", PROCESSES),
    ("signal-hook-registry", PROCESSES),
    ("rayon-core", THREADS),
    ("threadpool", THREADS),
    ("num_cpus", THREADS),
    ("ring", NATIVE),
    ("aws-lc-sys", NATIVE),
    ("openssl-sys", NATIVE),
    ("cc", NATIVE),
    ("iana-time-zone", CLOCK),
    ("uuid", "its random and its time versions need a source of their own there: ids are injected"),
];

/// Features that need one.
const NEVER_FEATURES: &[(&str, &str, &str)] = &[
    ("tokio", "net", SOCKETS),
    ("tokio", "fs", FILES),
    ("tokio", "process", PROCESSES),
    ("tokio", "signal", PROCESSES),
    ("tokio", "io-std", PROCESSES),
    ("tokio", "rt-multi-thread", THREADS),
    ("futures", "thread-pool", THREADS),
    ("time", "local-offset", CLOCK),
    ("chrono", "clock", CLOCK),
];

/// Crates that build there only with a feature: without it they are a compile error.
const NEEDED_FEATURES: &[(&str, &str, &str)] =
    &[("getrandom", "wasm_js", "without a backend it does not compile: turn the feature on where it is pulled in")];

const SYSTEM: &str = "it is a binding to an operating system";
const SOCKETS: &str = "there are no sockets: inject an HttpTransport";
const FILES: &str = "there are no files";
const PROCESSES: &str = "there are no processes, signals or standard streams";
const THREADS: &str = "there are no threads";
const NATIVE: &str = "it is C or assembly for machines that have an operating system";
const CLOCK: &str = "there is no clock and no time zone: inject a pi_ai::Clock";

/// Every broken rule, as a sentence.
pub(super) fn violations(reached: &[Reached]) -> Vec<String> {
    let way = |found: &Reached| format!("{} ({})", found.name, found.path.join(" -> "));
    let on = |found: &Reached| format!("{CRATE} for {TARGET} reaches {}", way(found));
    let first = |name: &str| reached.iter().find(|found| found.name == name);
    let with = |name: &str, feature: &str| {
        reached.iter().find(|found| found.name == name && found.features.iter().any(|has| has == feature))
    };
    let crates = NEVER.iter().filter_map(|(name, why)| Some(format!("{}: {why}", on(first(name)?))));
    let features = NEVER_FEATURES.iter().filter_map(|(name, feature, why)| {
        Some(format!("{} with its feature {feature}: {why}", on(with(name, feature)?)))
    });
    let needed = NEEDED_FEATURES.iter().flat_map(|(name, feature, why)| {
        let lacks = |found: &&Reached| found.name == *name && !found.features.iter().any(|has| has == feature);
        let found = reached.iter().find(lacks);
        found.map(|found| format!("{} without its feature {feature}: {why}", on(found)))
    });
    crates.chain(features).chain(needed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(lines: &[(&str, &str)]) -> Vec<Reached> {
        let reached = |(path, features): &(&str, &str)| {
            let path: Vec<String> = path.split('>').map(str::to_owned).collect();
            let features = features.split(',').map(str::to_owned).collect();
            Reached { name: path.last().unwrap().clone(), path, features }
        };
        lines.iter().map(reached).collect()
    }

    #[test]
    fn what_needs_no_system_passes() {
        let clean = tree(&[
            ("pi-agent-core>tokio", "macros,sync,time"),
            ("pi-agent-core>pi-ai>time", "formatting,parsing"),
            ("pi-agent-core>pi-ai>jsonschema>getrandom", "wasm_js"),
        ]);
        assert_eq!(violations(&clean), Vec::<String>::new());
    }

    #[test]
    fn a_planted_violation_is_named_with_its_way() {
        let planted = tree(&[
            ("pi-agent-core>helper>mio", ""),
            ("pi-agent-core>tokio", "macros,fs"),
            ("pi-agent-core>helper>getrandom", "std"),
        ]);
        let problems = violations(&planted);
        assert_eq!(problems.len(), 3, "{problems:?}");
        assert_eq!(
            problems[0],
            "pi-agent-core for wasm32-unknown-unknown reaches mio (pi-agent-core -> helper -> mio): there are no sockets: inject an HttpTransport"
        );
        assert!(problems[1].contains("tokio (pi-agent-core -> tokio) with its feature fs: "), "{problems:?}");
        assert!(problems[2].contains("without its feature wasm_js: "), "{problems:?}");
    }

    /// A real tree that breaks the rules, so that the way from cargo to the rules is tested, too.
    #[test]
    fn a_crate_that_lives_on_a_system_would_fail() {
        let reached = super::super::graph::reached_on("xtask", "x86_64-unknown-linux-gnu").unwrap();
        let problems = violations(&reached);
        assert!(problems.iter().any(|problem| problem.contains(" reaches libc (xtask -> ")), "{problems:?}");
        assert!(problems.iter().any(|problem| problem.contains("with its feature net")), "{problems:?}");
    }
}
