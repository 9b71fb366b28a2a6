//! Themes: colours by what they are for, built in or in JSON files. Nothing is drawn here, and no terminal is asked.
//!
//! # Layout
//! `token` names what has a colour, `colour` turns a colour into escape sequences, `theme` is a complete set, `file`
//! reads one, `builtin` holds ours, `catalog` finds those of the user, the project and others, `choice` reads the
//! setting, `error` says why there is none.

mod builtin;
mod catalog;
mod choice;
mod colour;
mod error;
mod file;
// The module of the type that gives this one its name.
#[allow(clippy::module_inception)]
mod theme;
mod token;

pub use catalog::ThemeCatalog;
pub use choice::ThemeChoice;
pub use colour::{Colour, ColourMode};
pub use error::ThemeError;
pub use theme::{ExportColours, Theme};
pub use token::Token;
