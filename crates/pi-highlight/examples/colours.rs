//! Prints a file with colours for a terminal; without an argument it prints itself.
//!
//! ```sh
//! cargo run -p pi-highlight --example colours src/lib.rs
//! ```

use std::io::{self, Write};

use pi_highlight::{Class, Language};

fn main() -> io::Result<()> {
    let path = std::env::args().nth(1);
    let code = match &path {
        Some(path) => std::fs::read_to_string(path)?,
        None => include_str!("colours.rs").to_owned(),
    };
    let mut out = io::stdout().lock();
    let Some(language) = Language::by_file(path.as_deref().unwrap_or("colours.rs")) else {
        return out.write_all(code.as_bytes());
    };
    for span in language.spans(&code) {
        match sgr(span.class) {
            Some(colour) => write!(out, "\x1b[{colour}m{}\x1b[0m", span.text)?,
            None => out.write_all(span.text.as_bytes())?,
        }
    }
    Ok(())
}

/// Parameters of the escape sequence that sets a colour.
fn sgr(class: Class) -> Option<&'static str> {
    match class {
        Class::Plain => None,
        Class::Comment => Some("90"),
        Class::String => Some("32"),
        Class::Number => Some("36"),
        Class::Keyword => Some("35"),
    }
}
