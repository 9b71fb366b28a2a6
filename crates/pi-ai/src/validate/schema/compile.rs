//! From a schema to nodes.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::Schema;
use super::document::Document;
use super::draft::Draft;
use super::format::Format;
use super::grammar;
use super::node::{Additional, Bound, Keyword, Members, Node, NodeId, Size, Type};
use super::pattern::Pattern;

/// Reads the schemas of one document.
#[derive(Debug)]
pub(in super::super) struct Compiler<'a> {
    draft: Draft,
    document: Document<'a>,
    root: &'a Value,
    nodes: Vec<Node>,
    /// Nodes by where their schema is in memory.
    known: HashMap<usize, NodeId>,
}

/// The members of a schema, while it is read.
#[derive(Clone, Copy)]
struct Source<'a, 'b> {
    map: &'a Map<String, Value>,
    base: &'b str,
}

impl<'a> Compiler<'a> {
    /// Prepares to read a document.
    ///
    /// # Errors
    /// The words for what is no schema.
    pub(in super::super) fn new(root: &'a Value) -> Result<Self, String> {
        let draft = Draft::of(root)?;
        grammar::check(root, draft)?;
        let document = Document::new(root, draft);
        Ok(Self { draft, document, root, nodes: Vec::new(), known: HashMap::new() })
    }

    /// The node of the document itself.
    ///
    /// # Errors
    /// The words for a reference that leads nowhere.
    pub(in super::super) fn root(&mut self) -> Result<NodeId, String> {
        self.node(self.root, "")
    }

    /// The node of a schema somewhere in the document, if it can be read.
    pub(in super::super) fn part(&mut self, schema: &'a Value) -> Option<NodeId> {
        self.node(schema, "").ok()
    }

    /// All nodes that were asked for.
    pub(in super::super) fn finish(self) -> Schema {
        Schema { nodes: self.nodes.into_boxed_slice() }
    }

    fn node(&mut self, schema: &'a Value, base: &str) -> Result<NodeId, String> {
        let address = std::ptr::from_ref(schema).addr();
        if let Some(known) = self.known.get(&address) {
            return Ok(*known);
        }
        let id = NodeId(self.nodes.len());
        // A place, so that schemas can refer to what is being read.
        self.nodes.push(Node::Always);
        self.known.insert(address, id);
        self.nodes[id.0] = match schema {
            Value::Object(map) => {
                let base = self.document.base_of(schema, base).into_owned();
                Node::All(self.keywords(Source { map, base: &base })?)
            }
            Value::Bool(false) => Node::Never,
            _ => Node::Always,
        };
        Ok(id)
    }

    fn keywords(&mut self, source: Source<'a, '_>) -> Result<Vec<Keyword>, String> {
        if !self.draft.has_siblings_of_refs() && source.map.contains_key("$ref") {
            return Ok(self.reference("$ref", source)?.into_iter().collect());
        }
        let mut keywords = self.assertions(source);
        keywords.extend(self.members(source)?);
        if let Some(names) = self.sub("propertyNames", source, Draft::D6)? {
            keywords.push(Keyword::PropertyNames(names));
        }
        self.items(source, &mut keywords)?;
        self.dependencies(source, &mut keywords)?;
        self.applicators(source, &mut keywords)?;
        for key in ["$ref", "$recursiveRef", "$dynamicRef"] {
            keywords.extend(self.reference(key, source)?);
        }
        Ok(keywords)
    }

    /// What is said about the value itself, in the order of reports.
    fn assertions(&self, source: Source<'a, '_>) -> Vec<Keyword> {
        let map = source.map;
        let mut keywords = Vec::new();
        keywords.extend(map.get("type").map(|types| self.types(types)));
        if self.draft >= Draft::D6 {
            keywords.extend(map.get("const").cloned().map(Keyword::Const));
        }
        keywords.extend(map.get("enum").and_then(Value::as_array).cloned().map(Keyword::Enum));
        self.bounds(map, &mut keywords);
        keywords.extend(map.get("multipleOf").cloned().map(Keyword::MultipleOf));
        let sizes = [
            ("minLength", "maxLength", Size::Characters),
            ("minItems", "maxItems", Size::Items),
            ("minProperties", "maxProperties", Size::Properties),
        ];
        for (min, max, size) in sizes {
            keywords.extend(count(map, min).map(|limit| Keyword::AtLeast { size, limit }));
            keywords.extend(count(map, max).map(|limit| Keyword::AtMost { size, limit }));
        }
        if required_last(map).is_none() {
            keywords.extend(map.get("required").map(|names| Keyword::Required(strings(names))));
        }
        if let Some(rules) =
            map.get("dependentRequired").and_then(Value::as_object).filter(|_| self.draft >= Draft::D2019)
        {
            let rules = rules.iter().map(|(name, names)| (name.clone(), strings(names)));
            keywords.push(Keyword::DependentRequired(rules.collect()));
        }
        keywords.extend(map.get("pattern").and_then(Value::as_str).and_then(Pattern::new).map(Keyword::Pattern));
        let format = map.get("format").and_then(Value::as_str);
        keywords.extend(format.and_then(|name| Format::new(name, self.draft)).map(Keyword::Format));
        if map.get("uniqueItems") == Some(&Value::Bool(true)) {
            keywords.push(Keyword::Unique);
        }
        keywords
    }

    fn types(&self, types: &Value) -> Keyword {
        let names = types.as_str().map_or_else(|| strings(types), |name| vec![name.to_owned()]);
        let types = names.iter().filter_map(|name| Type::of_name(name)).collect();
        Keyword::Type { types, names, whole_floats_are_integers: self.draft > Draft::D4 }
    }

    fn bounds(&self, map: &Map<String, Value>, keywords: &mut Vec<Keyword>) {
        let sides = [
            ("minimum", Bound::Minimum, "exclusiveMinimum", Bound::ExclusiveMinimum),
            ("maximum", Bound::Maximum, "exclusiveMaximum", Bound::ExclusiveMaximum),
        ];
        let number = |key: &str| map.get(key).filter(|limit| limit.is_number()).cloned();
        for (key, bound, exclusive, excluded) in sides {
            // In draft 4 the other keyword says how this one is meant.
            let is_exclusive = map.get(exclusive) == Some(&Value::Bool(true));
            let bound = if is_exclusive { excluded } else { bound };
            keywords.extend(number(key).map(|limit| Keyword::Number { bound, limit }));
        }
        for (_, _, key, bound) in sides {
            keywords.extend(number(key).map(|limit| Keyword::Number { bound, limit }));
        }
    }

    fn members(&mut self, source: Source<'a, '_>) -> Result<Option<Keyword>, String> {
        let part = |key: &str| source.map.get(key).and_then(Value::as_object);
        let (properties, patterns) = (part("properties"), part("patternProperties"));
        let additional = source.map.get("additionalProperties");
        if properties.is_none() && patterns.is_none() && additional.is_none() {
            return Ok(None);
        }
        let mut members = Members { knows_all: additional.is_some(), ..Members::default() };
        for (name, schema) in properties.into_iter().flatten() {
            members.properties.push(name.clone());
            members.declared.insert(name.clone(), self.node(schema, source.base)?);
        }
        for (pattern, schema) in patterns.into_iter().flatten() {
            let node = self.node(schema, source.base)?;
            members.patterns.extend(Pattern::new(pattern).map(|pattern| (pattern, node)));
        }
        members.additional = match additional {
            Some(Value::Bool(false)) => Additional::Forbidden,
            Some(schema @ Value::Object(_)) => Additional::Fitting(self.node(schema, source.base)?),
            _ => Additional::Allowed,
        };
        members.required_last = required_last(source.map);
        Ok(Some(Keyword::Object(Box::new(members))))
    }

    fn items(&mut self, source: Source<'a, '_>, keywords: &mut Vec<Keyword>) -> Result<(), String> {
        let prefix = source.map.get("prefixItems").and_then(Value::as_array).filter(|_| self.draft >= Draft::D2020);
        match source.map.get("items") {
            Some(Value::Array(list)) => {
                keywords.push(Keyword::Prefix(self.list(list, source.base)?));
                let skip = list.len();
                match source.map.get("additionalItems") {
                    Some(Value::Bool(false)) => keywords.push(Keyword::NoRest { skip }),
                    Some(schema) => keywords.push(Keyword::Rest { skip, node: self.node(schema, source.base)? }),
                    None => {}
                }
            }
            Some(schema) => {
                let skip = prefix.map_or(0, Vec::len);
                keywords.push(Keyword::Rest { skip, node: self.node(schema, source.base)? });
            }
            None => {}
        }
        if let Some(list) = prefix {
            keywords.push(Keyword::Prefix(self.list(list, source.base)?));
        }
        if let Some(node) = self.sub("contains", source, Draft::D6)? {
            let limit = |key: &str| count(source.map, key).filter(|_| self.draft >= Draft::D2019);
            let (min, max) = (limit("minContains").unwrap_or(1), limit("maxContains"));
            keywords.push(Keyword::Contains { node, min, max });
        }
        Ok(())
    }

    fn dependencies(&mut self, source: Source<'a, '_>, keywords: &mut Vec<Keyword>) -> Result<(), String> {
        let part = |key: &str| source.map.get(key).and_then(Value::as_object).into_iter().flatten();
        // Kept apart: what an older schema lists together is reported together.
        for (name, rule) in part("dependencies") {
            keywords.push(match rule {
                Value::Array(_) => Keyword::DependentRequired(vec![(name.clone(), strings(rule))]),
                schema => Keyword::DependentSchemas(vec![(name.clone(), self.node(schema, source.base)?)]),
            });
        }
        if self.draft >= Draft::D2019 {
            for (name, schema) in part("dependentSchemas") {
                let node = self.node(schema, source.base)?;
                keywords.push(Keyword::DependentSchemas(vec![(name.clone(), node)]));
            }
        }
        Ok(())
    }

    fn applicators(&mut self, source: Source<'a, '_>, keywords: &mut Vec<Keyword>) -> Result<(), String> {
        for key in ["allOf", "anyOf", "oneOf"] {
            let Some(list) = source.map.get(key).and_then(Value::as_array) else { continue };
            let list = self.list(list, source.base)?;
            keywords.push(match key {
                "allOf" => Keyword::AllOf(list),
                "anyOf" => Keyword::AnyOf(list),
                _ => Keyword::OneOf(list),
            });
        }
        keywords.extend(self.sub("not", source, Draft::D4)?.map(Keyword::Not));
        if let Some(condition) = self.sub("if", source, Draft::D7)? {
            let then = self.sub("then", source, Draft::D7)?;
            let otherwise = self.sub("else", source, Draft::D7)?;
            keywords.push(Keyword::If { condition, then, otherwise });
        }
        let rest = self.sub("unevaluatedProperties", source, Draft::D2019)?;
        keywords.extend(rest.map(Keyword::UnevaluatedProperties));
        keywords.extend(self.sub("unevaluatedItems", source, Draft::D2019)?.map(Keyword::UnevaluatedItems));
        Ok(())
    }

    fn reference(&mut self, key: &str, source: Source<'a, '_>) -> Result<Option<Keyword>, String> {
        let Some(reference) = source.map.get(key).and_then(Value::as_str) else { return Ok(None) };
        let target = self.document.resolve(reference, source.base)?;
        // The check of the document does not look into keywords that it does not know.
        if !self.known.contains_key(&std::ptr::from_ref(target.schema).addr()) {
            grammar::check(target.schema, self.draft)?;
        }
        Ok(Some(Keyword::Ref(self.node(target.schema, &target.base)?)))
    }

    fn sub(&mut self, key: &str, source: Source<'a, '_>, since: Draft) -> Result<Option<NodeId>, String> {
        let schema = source.map.get(key).filter(|_| self.draft >= since);
        schema.map(|schema| self.node(schema, source.base)).transpose()
    }

    fn list(&mut self, schemas: &'a [Value], base: &str) -> Result<Vec<NodeId>, String> {
        schemas.iter().map(|schema| self.node(schema, base)).collect()
    }
}

/// A size; sizes may be written as fractions.
fn count(map: &Map<String, Value>, key: &str) -> Option<u64> {
    let limit = map.get(key)?;
    limit.as_u64().or_else(|| limit.as_f64().filter(|limit| *limit >= 0.0).map(|limit| limit as u64))
}

fn strings(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The one required member of a closed object, which is reported after the members that are there.
fn required_last(map: &Map<String, Value>) -> Option<String> {
    let closed = map.get("additionalProperties") == Some(&Value::Bool(false));
    let simple = map.contains_key("properties") && !map.contains_key("patternProperties");
    match map.get("required")?.as_array()?.as_slice() {
        [Value::String(name)] if closed && simple => Some(name.clone()),
        _ => None,
    }
}
