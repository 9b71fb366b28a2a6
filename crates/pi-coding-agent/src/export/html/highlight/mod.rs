//! Colours for code: comments, strings, numbers and keywords, found in one pass without a grammar.
//!
//! Grammars (`syntect`) colour more and read four thousand lines a second; a page may hold a hundred times as many.
//! What is coloured wrongly is still shown rightly: tokens only ever wrap text.

mod languages;
mod scanner;

use super::writer::Html;
use languages::find;
use scanner::{Scanner, Token};

/// Writes code in a language given by name or file extension; an unknown one stays plain.
pub(super) fn code(html: &mut Html, language: &str, text: &str) {
    let Some(language) = find(language) else {
        html.text(text);
        return;
    };
    for (token, piece) in Scanner::new(language, text) {
        match opening(token) {
            Some(opening) => html.raw(opening).text(piece).raw("</span>"),
            None => html.text(piece),
        };
    }
}

fn opening(token: Token) -> Option<&'static str> {
    match token {
        Token::Plain => None,
        Token::Comment => Some("<span class=\"hc\">"),
        Token::String => Some("<span class=\"hs\">"),
        Token::Number => Some("<span class=\"hn\">"),
        Token::Keyword => Some("<span class=\"hk\">"),
    }
}
