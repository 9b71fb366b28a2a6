//! What a theme looks like on this terminal: tokens as styles.

use pi_coding_agent::env::Env;
use pi_coding_agent::settings::SettingsManager;
use pi_coding_agent::theme::{Colour, ColourMode, Theme, ThemeChoice, Token};
use pi_tui::text::{Attributes, Color, Style};

use crate::modes::colours;

/// A theme for a terminal.
#[derive(Debug, Clone)]
pub(super) struct ThemeStyles {
    theme: Theme,
    version: u64,
    mode: ColourMode,
    /// Whether there are colours at all.
    coloured: bool,
    /// Whether the terminal shows links.
    pub(super) links: bool,
}

impl ThemeStyles {
    /// The look of a theme; without colours only attributes are left.
    pub(super) fn new(theme: Theme, mode: ColourMode, coloured: bool) -> Self {
        Self { theme, version: 0, mode, coloured, links: false }
    }

    /// The look of a theme on the terminal of this process.
    pub(super) fn of_terminal(theme: Theme, env: &Env) -> Self {
        Self::new(theme, ColourMode::detect(env), colours::wanted(true))
    }

    /// Changes with the theme, also when a theme's file does.
    pub(super) fn version(&self) -> u64 {
        self.version
    }

    /// The look before themes are loaded: one of the built-in themes.
    pub(super) fn early(settings: &SettingsManager, env: &Env) -> Self {
        let setting = settings.interface().theme_setting();
        let is_light = setting.is_some_and(|setting| ThemeChoice::parse(&setting).name(true) == "light");
        let theme = if is_light { Theme::light() } else { Theme::dark() };
        Self::of_terminal(theme, env)
    }

    /// What is selected in a list: its background, and where there are no colours the exchange of both.
    pub(super) fn selected(&self) -> Style {
        match self.coloured {
            true => self.style(Token::SelectedBg).bold(),
            false => Style::PLAIN.with(Attributes::INVERSE),
        }
    }

    /// How many colours there are, as people say it.
    pub(super) fn colours(&self) -> &'static str {
        match (self.coloured, self.mode) {
            (false, _) => "none (NO_COLOR)",
            (true, ColourMode::TrueColour) => "24 bits",
            (true, ColourMode::Palette) => "256; COLORTERM=truecolor says that there are more",
        }
    }

    /// The theme itself.
    pub(super) fn theme(&self) -> &Theme {
        &self.theme
    }

    /// Takes another theme.
    pub(super) fn set_theme(&mut self, theme: Theme) {
        self.theme = theme;
        self.version += 1;
    }

    /// The style of a token: behind the text for backgrounds.
    pub(super) fn style(&self, token: Token) -> Style {
        let color = self.color(token);
        if token.is_background() { Style::PLAIN.background(color) } else { Style::PLAIN.foreground(color) }
    }

    /// Its colour alone.
    pub(super) fn color(&self, token: Token) -> Color {
        if !self.coloured {
            return Color::Default;
        }
        match self.theme.colour(token).on(self.mode) {
            Colour::Terminal => Color::Default,
            Colour::Indexed(index) => Color::Indexed(index),
            Colour::Rgb(red, green, blue) => Color::Rgb(red, green, blue),
        }
    }

    /// Text that hardly matters.
    pub(super) fn dim(&self) -> Style {
        self.style(Token::Dim)
    }

    /// Secondary text.
    pub(super) fn muted(&self) -> Style {
        self.style(Token::Muted)
    }

    /// What matters.
    pub(super) fn accent(&self) -> Style {
        self.style(Token::Accent)
    }

    /// Ordinary text.
    pub(super) fn text(&self) -> Style {
        self.style(Token::Text)
    }

    /// What needs attention.
    pub(super) fn warning(&self) -> Style {
        self.style(Token::Warning)
    }

    /// What failed.
    pub(super) fn error(&self) -> Style {
        self.style(Token::Error)
    }
}
