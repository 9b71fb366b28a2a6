//! Theme files: JSON that is read, checked as a whole, and resolved. Everything that is wrong is told at once.

use std::collections::HashSet;
use std::path::Path;

use serde_json::{Map, Value};

use super::colour::Colour;
use super::error::ThemeError;
use super::theme::{ExportColours, Theme};
use super::token::Token;
use crate::host::json_file::read_object;
use crate::host::{self, FileKind};
use crate::resources::Error;

const VALID: &str =
    "a colour is \"#rrggbb\", a number from 0 to 255, the name of a var, or \"\" for the terminal's own colour";

/// Reads a theme file.
pub(super) fn load(path: &Path) -> Result<Theme, Error> {
    let missing = || std::io::Error::from(std::io::ErrorKind::NotFound);
    let object = read_object(path, FileKind::Theme)?
        .ok_or_else(|| host::Error::FileRead { path: path.to_owned(), source: missing() })?;
    parse(&object).map_err(|problems| ThemeError::Invalid { path: path.to_owned(), problems }.into())
}

/// Makes a theme of a file's content, or says in sentences what is wrong with it.
fn parse(object: &Map<String, Value>) -> Result<Theme, Vec<String>> {
    let mut reader = Reader { vars: None, problems: Vec::new(), bad_colour: false };
    let name = reader.name(object);
    reader.vars = reader.object(object, "vars");
    reader.check_vars();
    let colours = reader.colours(object);
    let export = reader.export(object);
    if reader.bad_colour {
        reader.problems.push(VALID.to_owned());
    }
    match reader.problems {
        problems if problems.is_empty() => Ok(Theme { name, colours, export, source: None }),
        problems => Err(problems),
    }
}

struct Reader<'a> {
    vars: Option<&'a Map<String, Value>>,
    problems: Vec<String>,
    /// Whether one of them is about a colour.
    bad_colour: bool,
}

impl<'a> Reader<'a> {
    fn name(&mut self, object: &Map<String, Value>) -> String {
        let name = object.get("name").and_then(Value::as_str).unwrap_or_default();
        if name.trim().is_empty() {
            self.problems.push("\"name\" is missing: give it the text that the setting \"theme\" will name".to_owned());
        } else if name.contains('/') {
            self.problems
                .push(format!("\"name\": \"{name}\" must not have a \"/\", which stands between the two of a pair"));
        }
        name.to_owned()
    }

    fn object(&mut self, object: &'a Map<String, Value>, key: &str) -> Option<&'a Map<String, Value>> {
        match object.get(key) {
            None | Some(Value::Null) => None,
            Some(Value::Object(inner)) => Some(inner),
            Some(_) => {
                self.problems.push(format!("\"{key}\" must be an object of names and colours"));
                None
            }
        }
    }

    /// A var that nobody uses is checked, too.
    fn check_vars(&mut self) {
        for (name, value) in self.vars.into_iter().flatten() {
            self.resolve(&format!("vars.{name}"), value);
        }
    }

    fn colours(&mut self, object: &'a Map<String, Value>) -> Vec<Colour> {
        let colours = self.object(object, "colors");
        let mut missing: Vec<&str> = Vec::new();
        let mut resolved = Vec::new();
        for token in Token::ALL {
            let of = |token: Token| colours.and_then(|colours| colours.get(token.name()));
            match of(*token).or_else(|| of(token.fallback()?)) {
                Some(value) => resolved.push(self.resolve(&format!("colors.{}", token.name()), value)),
                // The token that it falls back to is missing, too, and is named itself.
                None if token.fallback().is_some() => {}
                None => missing.push(token.name()),
            }
        }
        if !missing.is_empty() {
            missing.sort_unstable();
            self.problems.push(format!("\"colors\" lacks {}: every token needs a colour", missing.join(", ")));
        }
        resolved
    }

    fn export(&mut self, object: &'a Map<String, Value>) -> ExportColours {
        let Some(export) = self.object(object, "export") else { return ExportColours::default() };
        let mut colour = |key: &str| Some(self.resolve(&format!("export.{key}"), export.get(key)?));
        ExportColours { page: colour("pageBg"), card: colour("cardBg"), info: colour("infoBg") }
    }

    /// The colour that a value means; what is wrong is noted under `key`.
    fn resolve(&mut self, key: &str, value: &'a Value) -> Colour {
        let found = self.follow(value);
        found.unwrap_or_else(|problem| {
            self.bad_colour = true;
            self.problems.push(format!("\"{key}\": {problem}"));
            Colour::Terminal
        })
    }

    fn follow(&self, mut value: &'a Value) -> Result<Colour, String> {
        let mut seen = HashSet::new();
        loop {
            let name = match value {
                Value::String(text) if text.is_empty() => return Ok(Colour::Terminal),
                Value::String(text) if text.starts_with('#') => {
                    return Colour::from_hex(text).ok_or_else(|| format!("{value} is no colour"));
                }
                Value::String(name) => name,
                other => {
                    let index = other.as_u64().and_then(|number| u8::try_from(number).ok());
                    return index.map(Colour::Indexed).ok_or_else(|| format!("{value} is no colour"));
                }
            };
            if !seen.insert(name) {
                return Err(format!("the var \"{name}\" leads back to itself"));
            }
            let var = self.vars.and_then(|vars| vars.get(name));
            value = var.ok_or_else(|| format!("there is no var \"{name}\""))?;
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A complete theme in which `change` was changed.
    fn theme(change: Value) -> Map<String, Value> {
        let colours: Map<String, Value> = Token::ALL.iter().map(|token| (token.name().to_owned(), json!(1))).collect();
        let mut theme = Map::from_iter([("name".to_owned(), json!("mine")), ("colors".to_owned(), colours.into())]);
        let Value::Object(change) = change else { panic!("{change}") };
        for (key, value) in change {
            match (theme.get_mut(&key), value) {
                (Some(Value::Object(below)), Value::Object(above)) => below.extend(above),
                (_, value) => drop(theme.insert(key, value)),
            }
        }
        theme
    }

    #[test]
    fn colours_are_resolved() {
        let theme = parse(&theme(json!({
            "$schema": "x", "vars": {"blue": "#0000ff", "link": "blue", "own": "", "grey": 240},
            "colors": {"accent": "link", "text": "own", "muted": "grey", "error": "#FF0000", "newToken": "?"},
            "export": {"pageBg": "blue", "infoBg": 0},
        })));
        let theme = theme.unwrap();
        assert_eq!(theme.name(), "mine");
        for (token, colour) in [
            (Token::Accent, Colour::Rgb(0, 0, 255)),
            (Token::Text, Colour::Terminal),
            (Token::Muted, Colour::Indexed(240)),
            (Token::Error, Colour::Rgb(255, 0, 0)),
            (Token::BashMode, Colour::Indexed(1)),
        ] {
            assert_eq!(theme.colour(token), colour, "{token:?}");
        }
        let export = theme.export();
        assert_eq!((export.page, export.card), (Some(Colour::Rgb(0, 0, 255)), None));
        assert_eq!(export.info, Some(Colour::Indexed(0)));
    }

    #[test]
    fn everything_that_is_wrong_is_told_at_once() {
        let mut bad = theme(json!({
            "name": "a/b", "vars": {"x": "y", "y": "x", "unused": [1]}, "export": {"cardBg": true},
            "colors": {"accent": "x", "border": 256, "text": "nothing", "error": "#12", "dim": -1, "muted": 1.5},
        }));
        if let Some(Value::Object(colours)) = bad.get_mut("colors") {
            for token in ["warning", "bashMode", "mdHr"] {
                colours.remove(token);
            }
        }
        insta::assert_snapshot!(parse(&bad).unwrap_err().join("\n"));
        for (bad, problem) in [
            (json!({}), "\"name\" is missing"),
            (json!({"name": 5}), "\"name\" is missing"),
            (json!({"name": "a", "colors": []}), "\"colors\" must be an object"),
            (json!({"name": "a", "vars": "blue"}), "\"vars\" must be an object"),
        ] {
            let Value::Object(bad) = bad else { panic!("{bad}") };
            let problems = parse(&bad).unwrap_err().join("\n");
            assert!(problems.contains(problem) && problems.contains("\"colors\" lacks accent, bashMode"), "{problems}");
        }
    }
}
