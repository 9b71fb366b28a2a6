//! A complete set of colours.

use std::path::Path;

use super::colour::{Colour, ColourMode};
use super::token::Token;
use super::{builtin, file};
use crate::resources::Error;
use crate::resources::locate::source::SourceInfo;

/// A colour for every token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theme {
    pub(super) name: String,
    /// In the order of [`Token::ALL`].
    pub(super) colours: Vec<Colour>,
    pub(super) export: ExportColours,
    pub(super) source: Option<SourceInfo>,
}

/// Backgrounds of exported pages; `None` leaves the choice to the page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ExportColours {
    /// Behind everything.
    pub page: Option<Colour>,
    /// Behind a message.
    pub card: Option<Colour>,
    /// Behind notes.
    pub info: Option<Colour>,
}

impl Theme {
    /// Reads a theme file.
    ///
    /// # Errors
    /// [`host::Error::FileRead`](crate::host::Error::FileRead), [`host::Error::InvalidJson`](crate::host::Error::InvalidJson), [`ThemeError::Invalid`](super::ThemeError::Invalid) with everything
    /// that is wrong.
    pub fn load(path: &Path) -> Result<Self, Error> {
        file::load(path)
    }

    /// The built-in theme for dark terminals, also the one to use where another cannot be loaded.
    pub fn dark() -> Self {
        builtin::dark()
    }

    /// The built-in theme for light terminals.
    pub fn light() -> Self {
        builtin::light()
    }

    /// What settings call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The file, and whose it is; `None` for a built-in theme and one that was loaded by itself.
    pub fn source(&self) -> Option<&SourceInfo> {
        self.source.as_ref()
    }

    /// Colours of exported pages.
    pub fn export(&self) -> ExportColours {
        self.export
    }

    /// The colour of a token.
    pub fn colour(&self, token: Token) -> Colour {
        self.colours.get(token as usize).copied().unwrap_or_default()
    }

    /// The escape sequence that switches a token's colour on: behind the text for background tokens.
    pub fn escape(&self, token: Token, mode: ColourMode) -> String {
        let colour = self.colour(token);
        if token.is_background() { colour.background(mode) } else { colour.foreground(mode) }
    }

    /// A text in the colour of a token, and the terminal's own colour behind it.
    pub fn paint(&self, token: Token, text: &str, mode: ColourMode) -> String {
        let end =
            if token.is_background() { Colour::Terminal.background(mode) } else { Colour::Terminal.foreground(mode) };
        format!("{}{text}{end}", self.escape(token, mode))
    }
}
