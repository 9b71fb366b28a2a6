//! Schemas of arguments as every provider takes them: one object without references, `const` and the keywords of a draft.
//! What stands in `merge` makes one object of alternatives.

mod merge;
#[cfg(test)]
mod tests;

use serde_json::{Map, Value, json};

/// References inside references are written out this far, as long as the whole stays small.
const DEEPEST: usize = 8;
/// A schema with its references written out has at most so many times the bytes that it had,
const MOST_GROWTH: usize = 4;
/// or so many bytes, for small ones.
const SMALL: usize = 16 << 10;
/// Keys that mean nothing to a model and are refused by some provider.
const DROPPED: [&str; 9] =
    ["$schema", "$id", "$anchor", "$comment", "$defs", "definitions", "$dynamicAnchor", "$vocabulary", "examples"];

/// The schema of a tool's arguments.
///
/// Definitions that refer to each other multiply when they are written out. The size and the work are bounded: references
/// are followed as deep as fits, equally deep everywhere, so that no argument takes the room of those after it.
pub(crate) fn sanitized(schema: &Map<String, Value>) -> Value {
    let root = Value::Object(schema.clone());
    let most = (size(&root) * MOST_GROWTH).max(SMALL);
    let attempt = |deepest| Expansion { root: &root, path: vec![&root], left: most, deepest }.arguments();
    let object = (0..=DEEPEST).rev().find_map(attempt).unwrap_or_default();
    let mut object = merge::flattened(object);
    object.insert("type".to_owned(), "object".into());
    object.entry("properties").or_insert_with(|| json!({}));
    Value::Object(object)
}

/// One attempt to write out a schema in bounded space.
struct Expansion<'a> {
    root: &'a Value,
    /// Schemas whose references are being written out: one that comes again holds itself.
    path: Vec<&'a Value>,
    /// Bytes that may still be written.
    left: usize,
    deepest: usize,
}

impl<'a> Expansion<'a> {
    /// The schema of all arguments; `None` if it becomes too large. A reference in the place of the whole is followed
    /// however little room there is: without it no argument would be known.
    fn arguments(mut self) -> Option<Map<String, Value>> {
        if self.root.get("$ref").is_some() {
            self.deepest += 1;
        }
        match self.clean(self.root)? {
            Value::Object(object) => Some(object),
            _ => None,
        }
    }

    /// Takes room; `None` if there is none.
    fn take(&mut self, bytes: usize) -> Option<()> {
        self.left = self.left.checked_sub(bytes)?;
        Some(())
    }

    fn clean(&mut self, schema: &'a Value) -> Option<Value> {
        let Value::Object(object) = schema else {
            self.take(size(schema))?;
            return Some(schema.clone());
        };
        self.take("{}".len())?;
        let mut result = match object.get("$ref").and_then(Value::as_str) {
            Some(reference) => self.followed(reference)?,
            None => Map::new(),
        };
        for (key, value) in object {
            if DROPPED.contains(&key.as_str()) || (key == "$ref" && value.is_string()) {
                continue;
            }
            self.take(key.len() + "\"\":,".len())?;
            let (key, value) = match key.as_str() {
                "const" => ("enum", self.only(value)?),
                key @ ("properties" | "patternProperties") => (key, self.members(value)?),
                key @ ("items"
                | "additionalProperties"
                | "not"
                | "if"
                | "then"
                | "else"
                | "contains"
                | "propertyNames") => (key, self.clean(value)?),
                key @ ("anyOf" | "oneOf" | "allOf" | "prefixItems") => (key, self.list(value)?),
                key => (key, self.copied(value)?),
            };
            result.insert(key.to_owned(), value);
        }
        Some(Value::Object(result))
    }

    fn copied(&mut self, value: &Value) -> Option<Value> {
        self.take(size(value))?;
        Some(value.clone())
    }

    /// A list of one value.
    fn only(&mut self, value: &Value) -> Option<Value> {
        self.take("[]".len())?;
        Some(json!([self.copied(value)?]))
    }

    fn members(&mut self, members: &'a Value) -> Option<Value> {
        let Value::Object(members) = members else { return self.copied(members) };
        self.take("{}".len())?;
        let mut result = Map::new();
        for (name, schema) in members {
            self.take(name.len() + "\"\":,".len())?;
            result.insert(name.clone(), self.clean(schema)?);
        }
        Some(Value::Object(result))
    }

    fn list(&mut self, list: &'a Value) -> Option<Value> {
        let Value::Array(list) = list else { return self.copied(list) };
        self.take("[]".len() + list.len())?;
        list.iter().map(|schema| self.clean(schema)).collect::<Option<_>>().map(Value::Array)
    }

    /// What a reference means. One that leads nowhere allows anything; so does one that leads too deep or back to where it
    /// stands, but for the type and the words of what it leads to.
    fn followed(&mut self, reference: &str) -> Option<Map<String, Value>> {
        self.take(reference.len())?;
        let Some(target) = reference.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer)) else {
            return Some(Map::new());
        };
        // Two pointers can lead to one place, which is why places are compared.
        if self.path.len() > self.deepest || self.path.iter().any(|on_path| std::ptr::eq(*on_path, target)) {
            return self.open(target);
        }
        self.path.push(target);
        let schema = self.clean(target);
        self.path.pop();
        match schema? {
            Value::Object(object) => Some(object),
            _ => Some(Map::new()),
        }
    }

    fn open(&mut self, target: &Value) -> Option<Map<String, Value>> {
        let mut object = Map::new();
        if target["type"] == "object" || target["properties"].is_object() {
            self.take("\"type\":\"object\",".len())?;
            object.insert("type".to_owned(), "object".into());
        }
        // Where nothing is written out, the least is written: that attempt always fits.
        if let Some(words) = target["description"].as_str().filter(|_| self.deepest > 0) {
            self.take(size(&words.into()) + "\"description\":,".len())?;
            object.insert("description".to_owned(), words.into());
        }
        Some(object)
    }
}

/// Bytes of a value as it is sent.
pub(crate) fn size(value: &Value) -> usize {
    serde_json::to_string(value).map_or(0, |text| text.len())
}
