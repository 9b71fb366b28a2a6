//! What ssh complains about, in words that say what to do.

/// What is wrong, by a part of what ssh says (which is never translated), and the way out.
const KNOWN: &[(&str, &str, &str)] = &[
    (
        "remote host identification has changed",
        "its host key is not the one that is known",
        "If that is meant to be, remove the old key with `ssh-keygen -R HOST`",
    ),
    (
        "host key verification failed",
        "its host key is not known",
        "Connect once by hand (`ssh HOST`) and accept the key",
    ),
    ("could not resolve hostname", "there is no host of this name", "Check the name, and the configuration of ssh"),
    ("connection refused", "it refuses connections", "Check the port, and that its SSH server runs"),
    ("no route to host", "it cannot be reached", "Check that it is up, and the network"),
    ("network is unreachable", "it cannot be reached", "Check the network"),
    ("timed out", "it does not answer", "Check that it is up and can be reached"),
    (
        "too many authentication failures",
        "it does not accept the first keys that ssh offers",
        "Name the right one as identity file, with `-o IdentitiesOnly=yes`",
    ),
    (
        "permission denied",
        "it does not accept the user or the key",
        "Load the key (`ssh-add`), name its file, or install it there (`ssh-copy-id HOST`): passwords are not asked for",
    ),
    (
        "bad owner or permissions",
        "ssh does not trust its own configuration",
        "Correct the permissions of the file that it names",
    ),
    ("identity file", "the key cannot be used", "Correct the name of the identity file"),
];

/// Why there is no shell at `destination`, given what ssh said.
pub(super) fn explain(destination: &str, said: &str) -> String {
    let said = said.trim();
    if said.is_empty() {
        return format!("Lost the connection to {destination}.");
    }
    let lower = said.to_lowercase();
    let known = KNOWN.iter().find(|(part, ..)| lower.contains(part));
    match known {
        Some((_, what, way_out)) => {
            let way_out = way_out.replace("HOST", destination);
            format!("Cannot work on {destination}: {what}. {way_out}. (ssh: {})", one_line(said))
        }
        None => format!("Lost the connection to {destination}. (ssh: {})", one_line(said)),
    }
}

/// Warnings come in frames of `@`.
fn one_line(said: &str) -> String {
    let lines = said.lines().map(|line| line.trim_matches(['@', ' ', '\r']));
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}
