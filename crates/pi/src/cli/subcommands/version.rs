//! What `pi --version` prints. Clients compare the first line: it states the level of the reference that is spoken.

/// Our version; its first two numbers are those of the reference's version whose protocol and files are spoken.
pub(in crate::cli) const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The version of the reference whose protocol, files and extensions are spoken.
pub(in crate::cli) const REFERENCE: &str = "0.87.1";
/// The version of the reference whose behaviour is the baseline.
const BASELINE: &str = "0.79.10";

/// The version, alone in its line; in detail also which versions of the reference it stands for.
pub(in crate::cli) fn text(in_detail: bool) -> String {
    if in_detail {
        format!(
            "{VERSION}\npi in Rust {VERSION}\nspeaks the protocol and the files of the reference {REFERENCE}; what is older behaves as in {BASELINE}\n"
        )
    } else {
        format!("{VERSION}\n")
    }
}
