//! Where resources lie: the directories that are looked through, what settings, packages and extensions list, and the
//! files that come of it. What is in these files is not looked at here.
//!
//! # Layout
//! `source` says where a resource came from and collects what was wrong, `explicit` holds what somebody lists by path,
//! `package_source` takes apart what a user writes to get a package. `search` finds the files of every kind that can be
//! listed, as far as `overrides` allow; `extension_scan` and `skill_scan` know how extensions and skills lie in
//! directories, `ignore_files` what is left out of one.

pub(super) mod explicit;
pub(crate) mod extension_scan;
mod ignore_files;
pub(crate) mod overrides;
pub(super) mod package_source;
pub(super) mod search;
pub(crate) mod skill_scan;
pub(crate) mod source;
