//! Why a package is not installed, removed or read.

use std::io;
use std::path::PathBuf;

/// What went wrong with a package.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PackageError {
    /// A text that names no package.
    #[error("{shown} is not a package source: {reason}")]
    Source {
        /// The text, without passwords.
        shown: String,
        /// What is wrong, and what would be right.
        reason: String,
    },
    /// A package on this machine is not there. Clients match on this text.
    #[error("Path does not exist: {}", .path.display())]
    NoSuchPath {
        /// The path, absolute.
        path: PathBuf,
    },
    /// A path leads to something that cannot be a package.
    #[error("{} is no package: {reason}", .path.display())]
    NotAPackage {
        /// The path, absolute.
        path: PathBuf,
        /// Why not, and the way out.
        reason: &'static str,
    },
    /// The settings name no such package. Clients match on the first part of the text.
    #[error("No matching package found for {wanted}{}", .similar.as_ref().map(|it| format!(". Did you mean {it}?")).unwrap_or_default())]
    NotInSettings {
        /// What was asked for.
        wanted: String,
        /// A package of the settings with a name that looks like it.
        similar: Option<String>,
    },
    /// A resource of a directory further up is switched there, so that everybody below sees the same.
    #[error("{} belongs to {}: switch it in {}", .path.display(), .dir.display(), .dir.parent().unwrap_or(.dir).display())]
    OfOuterProject {
        /// The resource.
        path: PathBuf,
        /// The configuration directory.
        dir: PathBuf,
    },
    /// The settings of a project may not be changed. Clients match on this text.
    #[error("Project is not trusted. Use --approve to modify local package config.")]
    NotTrusted,
    /// Settings that are in memory have no directory to install to.
    #[error("Packages cannot be installed: these settings are kept in memory and have no directory")]
    NoDirectory,
    /// The network must not be used.
    #[error("{shown} cannot be fetched: pi is offline. Unset PI_OFFLINE, leave out --offline, or install from a path")]
    Offline {
        /// The source, without passwords.
        shown: String,
    },
    /// A program that is needed is not installed.
    #[error("The program \"{program}\" was not found, and {purpose} need it. {way_out}")]
    MissingProgram {
        /// The program.
        program: String,
        /// What needs it, in the plural.
        purpose: &'static str,
        /// What to do.
        way_out: &'static str,
    },
    /// A program could not be started.
    #[error("Cannot start \"{program}\": {source}")]
    Start {
        /// The program.
        program: String,
        /// What the system said.
        source: io::Error,
    },
    /// A program said that it failed.
    #[error("{command} failed with code {code}{}", with_output(.output))]
    Failed {
        /// The command line, without passwords.
        command: String,
        /// Its exit code.
        code: i32,
        /// The end of what it printed.
        output: String,
    },
    /// A program took too long and was ended.
    #[error("{command} was ended after {seconds} s without an end. Try again when the network is faster{}", with_output(.output))]
    TimedOut {
        /// The command line, without passwords.
        command: String,
        /// How long it was given.
        seconds: u64,
        /// The end of what it printed.
        output: String,
    },
    /// Another process works in the same directory.
    #[error("Another pi has been installing packages in {} for {seconds} s. Wait for it, or end it", .root.display())]
    Busy {
        /// The directory.
        root: PathBuf,
        /// How long was waited for it.
        seconds: u64,
    },
    /// The user did not want to wait any longer.
    #[error("Cancelled")]
    Cancelled,
    /// A repository has no such branch, tag or commit.
    #[error("{shown} has no branch, tag or commit \"{reference}\"")]
    NoSuchReference {
        /// The source, without passwords.
        shown: String,
        /// What was asked for.
        reference: String,
    },
    /// A program ended well, and yet there is no package.
    #[error("{shown} was installed, but there is nothing in {}", .path.display())]
    NothingInstalled {
        /// The source, without passwords.
        shown: String,
        /// Where it should be.
        path: PathBuf,
    },
    /// What came contains a link to something that is no part of it.
    #[error("{shown} was refused: its link {} leads out of the package", .link.display())]
    Escapes {
        /// The source, without passwords.
        shown: String,
        /// The link.
        link: PathBuf,
    },
    /// The place where packages go is a link that leads elsewhere.
    #[error("{} leads out of {}: remove the link, nothing is installed through it", .path.display(), .base.display())]
    Outside {
        /// Where the package would go.
        path: PathBuf,
        /// The configuration directory.
        base: PathBuf,
    },
    /// A file or directory of packages cannot be read or written.
    #[error("Cannot {action} {}: {source}", .path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl PackageError {
    /// Whether the user ended it.
    pub fn is_cancelled(&self) -> bool {
        matches!(self, Self::Cancelled)
    }
}

/// What a program printed follows on lines of its own.
fn with_output(output: &str) -> String {
    if output.is_empty() { String::new() } else { format!(":\n{output}") }
}
