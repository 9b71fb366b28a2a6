//! Packages: extensions, skills, prompt templates and themes that come together from npm, git or a directory.
//!
//! # Layout
//! `entries` reads the settings, `package_dirs` says where a package is. [`PackageManager`]
//! (`manager`; `fetch`, `update`) changes what is installed, by the programs of `npm` and `git`, which `programs` runs,
//! one process at a time (`install_lock`), and all or nothing (`snapshot`); `contents` looks at what they brought.
//! `manifest` says what a package offers, `resolve` what all of them bring; `temporary` is for one run. `toggle` switches
//! single resources off and on.
//!
//! Nothing of a package is run here. Who asks the user for trust is elsewhere: settings of a project that is not trusted
//! name no packages.

mod contents;
mod entries;
mod fetch;
mod git;
mod install_lock;
mod local;
mod manager;
mod manifest;
mod npm;
mod package_dirs;
mod programs;
mod resolve;
mod snapshot;
mod temporary;
mod toggle;
mod update;

pub use crate::resources::locate::package_source::{GitSource, NpmSource, PackageSource, shown};
pub use crate::resources::package_error::PackageError;
pub use entries::{ListedPackage, listed_packages};
pub use manager::{PackageManager, PackageOptions};
pub use npm::InstallScripts;
pub(crate) use resolve::resolve_packages;
pub use resolve::{ResolvedPackages, directory_resources, temporary_resources};
pub use temporary::temporary;
pub use toggle::{ResourceSwitch, resource_switches, set_resource};
