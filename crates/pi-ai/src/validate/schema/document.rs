//! References: from the text of a `$ref` to the schema that it means, within one document.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::Value;

use super::draft::Draft;

/// What the schemas of a document are called.
#[derive(Debug)]
pub(super) struct Document<'a> {
    draft: Draft,
    /// Schemas with an identifier of their own, by it; the root also as the empty one.
    resources: HashMap<String, &'a Value>,
    /// Schemas with an anchor, by the identifier of their resource and it.
    anchors: HashMap<(String, String), &'a Value>,
}

/// A schema, and the identifier of the resource that it is part of.
#[derive(Debug, Clone)]
pub(super) struct Target<'a> {
    pub(super) schema: &'a Value,
    pub(super) base: String,
}

impl<'a> Document<'a> {
    /// Looks for names in all of a document.
    pub(super) fn new(root: &'a Value, draft: Draft) -> Self {
        let mut document = Self { draft, resources: HashMap::new(), anchors: HashMap::new() };
        document.resources.insert(String::new(), root);
        document.note(root, "");
        document
    }

    fn note(&mut self, value: &'a Value, base: &str) {
        match value {
            Value::Object(map) => {
                let base = self.base_of(value, base);
                if map.get(self.draft.id_keyword()).is_some_and(Value::is_string) {
                    self.resources.entry(base.clone().into_owned()).or_insert(value);
                }
                self.note_anchors(value, &base);
                // What an example or an allowed value looks like is no schema.
                let parts =
                    map.iter().filter(|(key, _)| !["const", "enum", "default", "examples"].contains(&key.as_str()));
                parts.for_each(|(_, part)| self.note(part, &base));
            }
            Value::Array(list) => list.iter().for_each(|part| self.note(part, base)),
            _ => {}
        }
    }

    fn note_anchors(&mut self, schema: &'a Value, base: &str) {
        let old = schema.get(self.draft.id_keyword()).and_then(Value::as_str).and_then(|id| id.strip_prefix('#'));
        let new = ["$anchor", "$dynamicAnchor"].iter().filter_map(|key| schema.get(key).and_then(Value::as_str));
        for name in old.into_iter().chain(new) {
            self.anchors.entry((base.to_owned(), name.to_owned())).or_insert(schema);
        }
    }

    /// The identifier of the resource that a schema is part of, where it stands in that of `outer`.
    pub(super) fn base_of<'b>(&self, schema: &Value, outer: &'b str) -> Cow<'b, str> {
        let id = schema.get(self.draft.id_keyword()).and_then(Value::as_str);
        let alone = self.draft.has_siblings_of_refs() || schema.get("$ref").is_none();
        match id.filter(|id| !id.starts_with('#') && alone) {
            Some(id) => Cow::Owned(joined(outer, id.strip_suffix('#').unwrap_or(id))),
            None => Cow::Borrowed(outer),
        }
    }

    /// What a reference means that stands in the resource `base`.
    ///
    /// # Errors
    /// The words for a reference that leads nowhere, or out of the document.
    pub(super) fn resolve(&self, reference: &str, base: &str) -> Result<Target<'a>, String> {
        let (url, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let base = if url.is_empty() { base.to_owned() } else { joined(base, url) };
        let Some(resource) = self.resources.get(&base) else {
            return Err(unreachable(reference, &base));
        };
        let fragment = percent_decoded(fragment);
        if !fragment.is_empty() && !fragment.starts_with('/') {
            let anchor = self.anchors.get(&(base.clone(), fragment.clone()));
            let schema = *anchor.ok_or_else(|| format!("Anchor '{fragment}' does not exist"))?;
            return Ok(Target { schema, base });
        }
        let missing = || format!("Pointer '{fragment}' does not exist");
        let mut target = Target { schema: resource, base };
        for token in fragment.split('/').skip(1) {
            target.schema = part(target.schema, token).ok_or_else(missing)?;
            target.base = self.base_of(target.schema, &target.base).into_owned();
        }
        Ok(target)
    }
}

/// The words for a reference out of the document.
fn unreachable(reference: &str, base: &str) -> String {
    let (name, reason) = if base.contains(':') {
        (base, format!("Retrieval is disabled, cannot fetch {base}"))
    } else {
        (reference, "No base URI is available".to_owned())
    };
    format!("Resource '{name}' is not present in a registry and retrieving it failed: {reason}")
}

/// A step of a JSON pointer.
fn part<'a>(value: &'a Value, token: &str) -> Option<&'a Value> {
    match value {
        Value::Object(map) => map.get(&token.replace("~1", "/").replace("~0", "~")),
        Value::Array(list) => list.get(token.parse::<usize>().ok()?),
        _ => None,
    }
}

/// A relative identifier in the place of the last part of `base`.
fn joined(base: &str, url: &str) -> String {
    let has_scheme = url.split_once(':').is_some_and(|(scheme, _)| !scheme.contains(['/', '?']));
    if has_scheme || base.is_empty() {
        return url.to_owned();
    }
    if let Some(path) = url.strip_prefix('/') {
        let host = base.find("://").and_then(|at| base[at + 3..].find('/').map(|end| at + 3 + end));
        return format!("{}/{path}", &base[..host.unwrap_or(base.len())]);
    }
    base.rfind('/').map_or_else(|| url.to_owned(), |end| format!("{}/{url}", &base[..end]))
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let code = (*first == b'%').then(|| tail.get(..2)).flatten();
        let code = code.and_then(|code| u8::from_str_radix(std::str::from_utf8(code).ok()?, 16).ok());
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
