//! A short text that many messages have in common: who answered. All that say the same share one copy.
//!
//! For names that recur by nature. Ids, texts and whatever else is new each time are strings.

use std::borrow::Borrow;
use std::collections::HashSet;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, LazyLock, Mutex};

use pi_guard::Unpoisoned;
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The names in use. Session files come from anywhere, so the table must not grow with what they say.
static KNOWN: LazyLock<Mutex<Names>> = LazyLock::new(|| Mutex::new(Names::of_at_most(1024)));

/// Longer texts are nobody's name; they get a copy of their own, so that the table is small in bytes, too.
const LONGEST: usize = 128;

/// A name: a text that is cheap to clone, and that equal names share, whether they were made or read from a file.
#[derive(Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(Arc<str>);

impl Name {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A table that shares names. One that is full starts anew: names that are out stay as they are, recent ones are shared.
#[derive(Debug)]
struct Names {
    known: HashSet<Arc<str>>,
    limit: usize,
}

impl Names {
    fn of_at_most(limit: usize) -> Self {
        Self { known: HashSet::new(), limit }
    }

    fn get(&mut self, name: &str) -> Name {
        if name.is_empty() {
            return Name::default();
        }
        if name.len() > LONGEST {
            return Name(name.into());
        }
        if let Some(known) = self.known.get(name) {
            return Name(Arc::clone(known));
        }
        if self.known.len() >= self.limit {
            self.known.clear();
        }
        let name: Arc<str> = name.into();
        self.known.insert(Arc::clone(&name));
        Name(name)
    }
}

impl From<&str> for Name {
    fn from(name: &str) -> Self {
        KNOWN.lock().unpoisoned().get(name)
    }
}

impl From<&String> for Name {
    fn from(name: &String) -> Self {
        Self::from(name.as_str())
    }
}

impl From<String> for Name {
    fn from(name: String) -> Self {
        Self::from(name.as_str())
    }
}

impl From<Name> for String {
    fn from(name: Name) -> Self {
        name.as_str().to_owned()
    }
}

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

/// A name is compared, ordered and hashed as its text.
impl Borrow<str> for Name {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        &*self.0 == other
    }
}

impl PartialEq<&str> for Name {
    fn eq(&self, other: &&str) -> bool {
        &*self.0 == *other
    }
}

impl PartialEq<String> for Name {
    fn eq(&self, other: &String) -> bool {
        *self.0 == **other
    }
}

impl PartialEq<Name> for str {
    fn eq(&self, other: &Name) -> bool {
        other == self
    }
}

impl PartialEq<Name> for &str {
    fn eq(&self, other: &Name) -> bool {
        other == self
    }
}

impl PartialEq<Name> for String {
    fn eq(&self, other: &Name) -> bool {
        other == self
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&*self.0, f)
    }
}

/// As the text that it is.
impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(NameVisitor)
    }
}

/// Looks a text up where it stands, without a copy of it.
struct NameVisitor;

impl Visitor<'_> for NameVisitor {
    type Value = Name;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E>(self, name: &str) -> Result<Name, E> {
        Ok(name.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{AssistantMessage, Message};

    fn is_shared(a: &Name, b: &Name) -> bool {
        Arc::ptr_eq(&a.0, &b.0)
    }

    #[test]
    fn made_and_read_names_are_shared() {
        let made = Name::from("a-name-of-this-test");
        let read: Name = serde_json::from_str(r#""a-name-of-this-\u0074est""#).unwrap();
        assert!(is_shared(&made, &read) && is_shared(&made, &String::from("a-name-of-this-test").into()));
        assert_eq!(serde_json::to_string(&read).unwrap(), r#""a-name-of-this-test""#);
        assert!(serde_json::from_str::<Name>("1").is_err());
    }

    #[test]
    fn messages_of_one_model_share_its_names() {
        let line = r#"{"role":"assistant","content":[],"api":"x-api","provider":"x-provider","model":"x-model"}"#;
        let [a, b] = [0, 1].map(|_| serde_json::from_str::<Message>(line).unwrap());
        let names = |message: &Message| {
            let AssistantMessage { api, provider, model, .. } = message.as_assistant().unwrap().clone();
            [api, provider, model]
        };
        assert_eq!(names(&a), ["x-api", "x-provider", "x-model"]);
        assert!(names(&a).iter().zip(&names(&b)).all(|(a, b)| is_shared(a, b)));
    }

    #[test]
    fn a_full_table_starts_anew_and_stays_bounded() {
        let mut names = Names::of_at_most(2);
        let first = names.get("a");
        for name in ["b", "c", "a", "d"] {
            assert_eq!(names.get(name), name);
            assert!(names.known.len() <= 2, "{names:?}");
        }
        let again = names.get("a");
        assert_eq!(first, again);
        assert!(is_shared(&again, &names.get("a")));
        let long = "x".repeat(LONGEST + 1);
        assert_eq!(names.get(&long), long);
        assert!(!names.known.contains(long.as_str()));
    }

    #[test]
    fn a_name_is_its_text() {
        let name = Name::from("n");
        let owned = String::from("n");
        let equalities = [name == "n", name == *"n", name == owned, "n" == name, owned == name];
        assert_eq!(equalities, [true; 5]);
        assert_eq!((format!("{name:>3}"), format!("{name:?}"), name.len()), ("  n".to_owned(), "\"n\"".to_owned(), 1));
        assert!(Name::from("").is_empty() && Name::default().is_empty());
        assert!(HashSet::from([name]).contains("n"));
    }
}
