//! Packages from paths, git and npm, as a user meets them: real programs, repositories of this machine, and a registry on
//! the loopback address. What needs a program that is not installed is left out with a notice.

mod arguments;
mod config;
mod git;
mod npm;
mod paths;
mod registry;
mod resources;
mod start;
mod temporary;
mod unfinished;
mod world;
