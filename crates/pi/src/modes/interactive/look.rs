//! What a theme looks like on this terminal: tokens as styles.

use pi_coding_agent::theme::{Colour, ColourMode, Theme, Token};
use pi_tui::text::{Attributes, Color, Style};

use pi_coding_agent::agent_session::AgentSession;
use pi_coding_agent::env::Env;
use pi_coding_agent::settings::SettingsManager;
use pi_coding_agent::theme::ThemeChoice;

use super::app::App;
use super::chat::NoteKind;

/// A theme for a terminal.
#[derive(Debug, Clone)]
pub(super) struct Look {
    theme: Theme,
    mode: ColourMode,
    /// Whether there are colours at all (`NO_COLOR`).
    coloured: bool,
    /// Whether the terminal shows links.
    pub(super) links: bool,
}

impl Look {
    /// The look of a theme; without colours only attributes are left.
    pub(super) fn new(theme: Theme, mode: ColourMode, coloured: bool) -> Self {
        Self { theme, mode, coloured, links: false }
    }

    /// The theme's name.
    pub(super) fn theme_name(&self) -> &str {
        self.theme.name()
    }

    /// Takes another theme.
    pub(super) fn set_theme(&mut self, theme: Theme) {
        self.theme = theme;
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

    /// What is selected in a list: its background, and where there are no colours the exchange of both.
    pub(super) fn selected(&self) -> Style {
        match self.coloured {
            true => self.style(Token::SelectedBg).bold(),
            false => Style::PLAIN.with(Attributes::INVERSE),
        }
    }
}

/// The look that the settings ask for; the dark theme where that cannot be had.
pub(super) fn of(session: &AgentSession, mode: ColourMode, coloured: bool) -> Look {
    let theme = chosen(session, true).unwrap_or_else(|_| Theme::dark());
    Look::new(theme, mode, coloured)
}

/// The look before themes are loaded: one of the built-in themes.
pub(super) fn early(settings: &SettingsManager, env: &Env) -> Look {
    let setting = settings.interface().theme_setting();
    let is_light = setting.is_some_and(|setting| ThemeChoice::parse(&setting).name(true) == "light");
    let theme = if is_light { Theme::light() } else { Theme::dark() };
    let coloured = env.var("NO_COLOR").is_none_or(|value| value.is_empty());
    Look::new(theme, ColourMode::detect(env), coloured)
}

/// The theme of the settings, for a terminal whose background is dark or not.
fn chosen(session: &AgentSession, is_dark: bool) -> Result<Theme, String> {
    let Some(setting) = session.settings().interface().theme_setting() else {
        return Ok(if is_dark { Theme::dark() } else { Theme::light() });
    };
    let choice = ThemeChoice::parse(&setting);
    let name = choice.name(is_dark);
    match name {
        "dark" => Ok(Theme::dark()),
        "light" => Ok(Theme::light()),
        name => session.resources().themes().get(name).map(|theme| (*theme).clone()).map_err(|error| error.to_string()),
    }
}

/// Takes the theme of the settings as they are now.
pub(super) fn reload(app: &mut App) {
    match chosen(&app.session, true) {
        Ok(theme) => {
            let mut look = (*app.shared.look()).clone();
            look.set_theme(theme);
            app.shared.set_look(look);
        }
        Err(error) => app.note(NoteKind::Warning, error),
    }
}
