//! The theme's tokens as styles of widgets, and code and differences drawn with them.

use pi_coding_agent::theme::Token;
use pi_highlight::Language;
use pi_tui::text::{Attributes, Line, Style};
use pi_tui::widgets::code::{CodeLines, CodeStyle};
use pi_tui::widgets::diff::{Diff, DiffStyle, compare};
use pi_tui::widgets::editor::EditorStyle;
use pi_tui::widgets::input::InputStyle;
use pi_tui::widgets::markdown::MarkdownStyle;
use pi_tui::widgets::select::SelectStyle;
use pi_tui::widgets::settings_list::SettingsStyle;

use super::theme_styles::ThemeStyles;

/// Colours of code.
pub(super) fn code_style(look: &ThemeStyles) -> CodeStyle {
    CodeStyle {
        plain: look.style(Token::MdCodeBlock),
        comment: look.style(Token::SyntaxComment),
        string: look.style(Token::SyntaxString),
        number: look.style(Token::SyntaxNumber),
        keyword: look.style(Token::SyntaxKeyword),
    }
}

/// The lines of a file, coloured by the extension of its name.
pub(super) fn code(look: &ThemeStyles, path: &str, text: &str) -> Vec<Line> {
    CodeLines::new(Language::by_file(path), code_style(look)).lines(text)
}

/// What Markdown looks like; thoughts are italic and in their own colour.
pub(super) fn markdown(look: &ThemeStyles, is_thinking: bool) -> MarkdownStyle {
    let base = if is_thinking { look.style(Token::ThinkingText).italic() } else { look.text() };
    MarkdownStyle {
        base,
        heading: look.style(Token::MdHeading),
        link: look.style(Token::MdLink),
        link_url: look.style(Token::MdLinkUrl).with(Attributes::DIM),
        code: look.style(Token::MdCode),
        code_block: look.style(Token::MdCodeBlock),
        code_border: look.style(Token::MdCodeBlockBorder),
        syntax: code_style(look),
        quote: look.style(Token::MdQuote),
        quote_border: look.style(Token::MdQuoteBorder),
        rule: look.style(Token::MdHr),
        bullet: look.style(Token::MdListBullet),
        hyperlinks: look.links,
        padding: 1,
        ..MarkdownStyle::default()
    }
}

fn diff_style(look: &ThemeStyles) -> DiffStyle {
    DiffStyle {
        added: look.style(Token::ToolDiffAdded),
        removed: look.style(Token::ToolDiffRemoved),
        context: look.style(Token::ToolDiffContext),
    }
}

/// A difference as the `edit` tool stores it.
pub(super) fn diff(look: &ThemeStyles, text: &str, columns: u16) -> Vec<Line> {
    Diff::parse(text, diff_style(look)).lines(inner(columns))
}

/// What a replacement of one text by another changes.
pub(super) fn replacement(look: &ThemeStyles, old: &str, new: &str, columns: u16) -> Vec<Line> {
    const CONTEXT: usize = 4;
    Diff::new(compare(old, new, CONTEXT), diff_style(look)).lines(inner(columns))
}

/// Columns inside a box.
fn inner(columns: u16) -> usize {
    usize::from(columns).saturating_sub(2).max(1)
}

/// The editor; its rules have the colour of what it is for.
pub(super) fn editor(look: &ThemeStyles, rule: Token) -> EditorStyle {
    EditorStyle {
        rule: look.style(rule),
        text: look.text(),
        marker: look.muted(),
        caret: Style::PLAIN.with(Attributes::INVERSE),
    }
}

/// A line of input.
pub(super) fn input(look: &ThemeStyles) -> InputStyle {
    InputStyle { prompt: look.accent(), text: look.text(), caret: Style::PLAIN.with(Attributes::INVERSE) }
}

/// Settings with their values.
pub(super) fn settings(look: &ThemeStyles) -> SettingsStyle {
    SettingsStyle {
        label: look.text(),
        selected_label: look.accent(),
        value: look.muted(),
        selected_value: look.accent(),
        description: look.dim(),
        hint: look.dim(),
        search: input(look),
    }
}

/// A list to choose from.
pub(super) fn select(look: &ThemeStyles) -> SelectStyle {
    SelectStyle {
        label: look.text(),
        description: look.muted(),
        selected: look.accent(),
        counter: look.dim(),
        empty: look.dim(),
    }
}
