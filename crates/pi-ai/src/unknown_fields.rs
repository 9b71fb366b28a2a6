//! Fields of a known object that this version does not understand, kept as they came.
//!
//! Almost every object has none, and a transcript holds many objects: an empty set is one null pointer. What a field
//! means is nobody's business here.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::LazyLock;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

static EMPTY: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);

/// Fields of a known object that this version does not understand, in the order in which they came.
///
/// Reads like a [`Map`]. Changing one that is empty allocates; a null pointer and an empty map are equal.
#[derive(Clone, Default)]
pub struct Extra(Option<Box<Map<String, Value>>>);

impl Extra {
    /// No fields.
    pub const fn new() -> Self {
        Self(None)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.as_ref().is_none_or(|fields| fields.is_empty())
    }

    /// The fields as a map of their own.
    pub fn into_map(self) -> Map<String, Value> {
        self.0.map(|fields| *fields).unwrap_or_default()
    }
}

impl Deref for Extra {
    type Target = Map<String, Value>;

    fn deref(&self) -> &Self::Target {
        self.0.as_deref().unwrap_or(&EMPTY)
    }
}

impl DerefMut for Extra {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.0.get_or_insert_default()
    }
}

impl PartialEq for Extra {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl fmt::Debug for Extra {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl From<Map<String, Value>> for Extra {
    fn from(fields: Map<String, Value>) -> Self {
        Self((!fields.is_empty()).then(|| Box::new(fields)))
    }
}

impl FromIterator<(String, Value)> for Extra {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(fields: I) -> Self {
        Map::from_iter(fields).into()
    }
}

impl IntoIterator for Extra {
    type Item = (String, Value);
    type IntoIter = serde_json::map::IntoIter;

    fn into_iter(self) -> Self::IntoIter {
        self.into_map().into_iter()
    }
}

impl<'a> IntoIterator for &'a Extra {
    type Item = (&'a String, &'a Value);
    type IntoIter = serde_json::map::Iter<'a>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Serialize for Extra {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Extra {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Map::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Known {
        name: String,
        #[serde(flatten)]
        extra: Extra,
    }

    #[test]
    fn what_is_not_known_survives_in_its_order() {
        for text in [r#"{"name":"a"}"#, r#"{"name":"a","z":null,"b":{"y":[1,2.50]},"a":"x"}"#] {
            let known: Known = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&known).unwrap(), serde_json::to_string(&text_value(text)).unwrap());
            assert_eq!(known.extra.len(), text_value(text).as_object().unwrap().len() - 1);
        }
    }

    fn text_value(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn empty_is_one_pointer_and_equals_an_emptied_map() {
        assert_eq!(size_of::<Extra>(), size_of::<usize>());
        let known: Known = serde_json::from_str(r#"{"name":"a"}"#).unwrap();
        assert!(known.extra.0.is_none(), "reading nothing must not allocate");
        let mut emptied = Extra::from_iter([("a".to_owned(), json!(1))]);
        emptied.shift_remove("a");
        assert_eq!(emptied, Extra::new());
    }

    #[test]
    fn reads_and_changes_like_a_map() {
        let mut extra = Extra::new();
        assert_eq!((extra.get("a"), extra.iter().count()), (None, 0));
        extra.insert("a".to_owned(), json!(1));
        extra.insert("b".to_owned(), json!({}));
        assert_eq!(extra["a"], 1);
        assert_eq!((&extra).into_iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(format!("{extra:?}"), format!("{:?}", extra.clone().into_map()));
        assert_eq!(extra.clone().into_iter().collect::<Extra>(), extra);
    }
}
