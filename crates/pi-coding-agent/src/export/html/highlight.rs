//! Code with colours: the spans of `pi-highlight` as HTML. What is a keyword in which language stands there.

use pi_highlight::{Class, Language};

use super::writer::Html;

/// Writes code in a language given by name or file extension; an unknown one stays plain.
pub(super) fn code(html: &mut Html, language: &str, text: &str) {
    let Some(language) = Language::by_name(language) else {
        html.text(text);
        return;
    };
    for span in language.spans(text) {
        match opening(span.class) {
            Some(opening) => html.raw(opening).text(span.text).raw("</span>"),
            None => html.text(span.text),
        };
    }
}

fn opening(class: Class) -> Option<&'static str> {
    match class {
        Class::Plain => None,
        Class::Comment => Some("<span class=\"hc\">"),
        Class::String => Some("<span class=\"hs\">"),
        Class::Number => Some("<span class=\"hn\">"),
        Class::Keyword => Some("<span class=\"hk\">"),
    }
}
