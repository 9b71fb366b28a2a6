//! Registers: the unnamed one and those with numbers are the kill ring of the editor, those with letters are kept here.

use std::collections::BTreeMap;

use crate::widgets::editor::{Editor, layer};

/// Registers with letters.
#[derive(Debug, Clone, Default)]
pub(super) struct Registers(BTreeMap<char, String>);

/// Whether a text is one of whole lines: those end with a line end.
pub(super) fn is_lines(text: &str) -> bool {
    text.ends_with('\n')
}

impl Registers {
    /// Keeps a text. A capital adds to its register, `_` keeps nothing.
    pub(super) fn keep(&mut self, editor: &mut Editor, name: Option<char>, text: String) {
        match name {
            Some('_') => {}
            Some(name) if name.is_ascii_lowercase() => drop(self.0.insert(name, text)),
            Some(name) if name.is_ascii_uppercase() => {
                self.0.entry(name.to_ascii_lowercase()).or_default().push_str(&text);
            }
            _ => layer::text(editor).ring().push(text),
        }
    }

    /// What is in a register.
    pub(super) fn get(&self, editor: &mut Editor, name: Option<char>) -> Option<String> {
        match name {
            Some(name) if name.is_ascii_alphabetic() => self.0.get(&name.to_ascii_lowercase()).cloned(),
            Some('_') => None,
            name => {
                let index = name.and_then(|name| name.to_digit(10)).unwrap_or(0).saturating_sub(1);
                layer::text(editor).ring().at(index as usize).map(str::to_owned)
            }
        }
    }
}
