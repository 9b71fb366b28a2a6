//! Lines of code with colours.

use pi_highlight::{Class, Language, State};

use crate::text::{Line, Style};

/// What the pieces of code look like.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CodeStyle {
    /// Names, operators, blanks.
    pub plain: Style,
    /// Comments.
    pub comment: Style,
    /// Strings and characters.
    pub string: Style,
    /// Numbers.
    pub number: Style,
    /// Keywords and tags.
    pub keyword: Style,
}

impl CodeStyle {
    /// What a piece of this class looks like.
    pub fn of(&self, class: Class) -> Style {
        match class {
            Class::Plain => self.plain,
            Class::Comment => self.comment,
            Class::String => self.string,
            Class::Number => self.number,
            Class::Keyword => self.keyword,
        }
    }
}

/// Colours lines one after the other: each is coloured once, when it comes.
#[derive(Debug, Clone)]
pub struct CodeLines {
    language: Option<Language>,
    state: State,
    style: CodeStyle,
}

impl CodeLines {
    /// Code in a language; without one all of it is plain.
    pub fn new(language: Option<Language>, style: CodeStyle) -> Self {
        Self { language, state: State::default(), style }
    }

    /// Code in no known language, in one style.
    pub(crate) fn plain(style: Style) -> Self {
        Self::new(None, CodeStyle { plain: style, ..CodeStyle::default() })
    }

    /// Goes on behind a line that has left this state.
    pub(crate) fn resumed(language: Option<Language>, state: State, style: CodeStyle) -> Self {
        Self { language, state, style }
    }

    /// The next line, without its end.
    pub fn line(&mut self, text: &str) -> Line {
        let mut line = Line::new();
        match self.language {
            Some(language) => {
                language.scan_line(&mut self.state, text, |span| line.push(span.text, self.style.of(span.class)));
            }
            None => line.push(text, self.style.plain),
        }
        line
    }

    /// The lines of a text.
    pub fn lines(&mut self, text: &str) -> Vec<Line> {
        text.lines().map(|line| self.line(line)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_go_on_over_lines() {
        let comment = Style::PLAIN.italic();
        let style = CodeStyle { comment, ..CodeStyle::default() };
        let mut code = CodeLines::new(Language::by_name("rust"), style);
        let lines = code.lines("a /* b\nc */ d");
        assert_eq!(lines[0], Line::from("a ").and("/* b", comment));
        assert_eq!(lines[1], Line::styled("c */", comment).and(" d", Style::PLAIN));
    }
}
