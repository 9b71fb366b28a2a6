//! Which conversion applies where: a walk over schema and value side by side.
//!
//! The schema is read once into a [`Plan`]; only branches of unions need nodes of their own to be checked against. `$ref` is
//! not followed: what lies behind it is validated as it came.

use std::borrow::Cow;

use serde_json::Value;

use super::CoercionMode;
use super::convert::{Kind, without_fraction};
use super::schema::{Compiler, NodeId, Schema};

/// What to convert at one place of a schema and below it.
#[derive(Debug, Default)]
pub(super) struct Plan {
    kinds: Vec<Kind>,
    /// Values of `const` or `enum`.
    literals: Vec<Value>,
    all_of: Vec<Plan>,
    any_of: Vec<Branch>,
    one_of: Vec<Branch>,
    properties: Vec<(String, Plan)>,
    /// Schema of undeclared properties.
    additional: Option<Box<Plan>>,
    items: Items,
}

/// Schemas of list items.
#[derive(Debug, Default)]
enum Items {
    #[default]
    Any,
    Each(Box<Plan>),
    Tuple(Vec<Plan>),
}

/// One alternative of a union.
#[derive(Debug)]
struct Branch {
    plan: Plan,
    node: NodeId,
}

impl Plan {
    /// Reads a schema, part of what `compiler` reads.
    pub(super) fn new<'a>(schema: &'a Value, compiler: &mut Compiler<'a>) -> Self {
        let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        Self {
            kinds: kinds(schema),
            literals: literals(schema),
            all_of: Self::list(schema, "allOf", compiler),
            any_of: Self::branches(schema, "anyOf", compiler),
            one_of: Self::branches(schema, "oneOf", compiler),
            properties: properties.map(|(name, sub)| (name.clone(), Self::new(sub, compiler))).collect(),
            additional: schema.get("additionalProperties").map(|sub| Box::new(Self::new(sub, compiler))),
            items: match schema.get("items") {
                Some(Value::Array(_)) => Items::Tuple(Self::list(schema, "items", compiler)),
                Some(items @ Value::Object(_)) => Items::Each(Box::new(Self::new(items, compiler))),
                _ => Items::Any,
            },
        }
    }

    fn list<'a>(schema: &'a Value, key: &str, compiler: &mut Compiler<'a>) -> Vec<Self> {
        subschemas(schema, key).map(|sub| Self::new(sub, compiler)).collect()
    }

    fn branches<'a>(schema: &'a Value, key: &str, compiler: &mut Compiler<'a>) -> Vec<Branch> {
        let branch = |sub| {
            // A branch that cannot be read by itself can never win.
            let node = compiler.part(sub)?;
            Some(Branch { plan: Self::new(sub, compiler), node })
        };
        subschemas(schema, key).filter_map(branch).collect()
    }

    /// Converts a value and everything in it. A value that needs no conversion is not copied: arguments may be large.
    pub(super) fn coerce<'v>(&self, value: &'v Value, mode: CoercionMode, schema: &Schema) -> Cow<'v, Value> {
        let value = Cow::Borrowed(value);
        let value = if mode == CoercionMode::Lenient { self.lenient(value, schema) } else { value };
        self.plain(value, schema)
    }

    /// Generous conversions. They leave alone what any branch of a union accepts.
    fn lenient<'v>(&self, value: Cow<'v, Value>, schema: &Schema) -> Cow<'v, Value> {
        let value = self.all_of.iter().fold(value, |value, part| part.lenient(value, schema));
        let value = lenient_union(&self.any_of, lenient_union(&self.one_of, value, schema), schema);
        let value = replaced(value, |value| self.lenient_scalar(value));
        self.descend(value, &|plan, value| into_changed(plan.lenient(Cow::Borrowed(value), schema)))
    }

    fn lenient_scalar(&self, value: &Value) -> Option<Value> {
        if self.literals.contains(value) {
            return None;
        }
        let to_literal =
            |literal: &&Value| Kind::of(literal).lenient(value).is_some_and(|converted| converted == **literal);
        if let Some(literal) = self.literals.iter().find(to_literal) {
            return Some(literal.clone());
        }
        match self.kinds.as_slice() {
            [kind] if self.literals.is_empty() => kind.lenient(value),
            _ => None,
        }
    }

    /// Conversions for any schema.
    fn plain<'v>(&self, value: Cow<'v, Value>, schema: &Schema) -> Cow<'v, Value> {
        let value = self.all_of.iter().fold(value, |value, part| part.plain(value, schema));
        let value = plain_union(&self.one_of, plain_union(&self.any_of, value, schema), schema);
        let value = replaced(value, |value| self.plain_scalar(value));
        self.descend(value, &|plan, value| into_changed(plan.plain(Cow::Borrowed(value), schema)))
    }

    fn plain_scalar(&self, value: &Value) -> Option<Value> {
        if self.kinds.iter().any(|kind| kind.matches(value)) {
            return if self.kinds.contains(&Kind::Integer) { without_fraction(value) } else { None };
        }
        self.kinds.iter().find_map(|kind| kind.plain(value))
    }

    /// Applies a step to the parts of a list or an object. The step returns a part only if it changed it.
    fn descend<'v>(&self, mut value: Cow<'v, Value>, step: &dyn Fn(&Self, &Value) -> Option<Value>) -> Cow<'v, Value> {
        let changed = |at: usize, plan: Option<&Self>, part: &Value| Some((at, step(plan?, part)?));
        let changes: Vec<(usize, Value)> = match &*value {
            Value::Object(map) => {
                let parts = map.iter().enumerate();
                parts.filter_map(|(at, (name, part))| changed(at, self.property(name), part)).collect()
            }
            Value::Array(list) => {
                let parts = list.iter().enumerate();
                parts.filter_map(|(at, part)| changed(at, self.items.at(at), part)).collect()
            }
            _ => Vec::new(),
        };
        if !changes.is_empty() {
            match value.to_mut() {
                Value::Object(map) => replace_parts(map.values_mut(), changes),
                Value::Array(list) => replace_parts(list.iter_mut(), changes),
                _ => {}
            }
        }
        value
    }

    fn property(&self, name: &str) -> Option<&Self> {
        let declared = self.properties.iter().find(|(declared, _)| declared == name).map(|(_, plan)| plan);
        declared.or(self.additional.as_deref())
    }
}

impl Items {
    fn at(&self, index: usize) -> Option<&Plan> {
        match self {
            Self::Any => None,
            Self::Each(plan) => Some(plan),
            Self::Tuple(plans) => plans.get(index),
        }
    }
}

/// Puts each change where its index says; indexes ascend.
fn replace_parts<'a>(parts: impl Iterator<Item = &'a mut Value>, changes: Vec<(usize, Value)>) {
    let mut changes = changes.into_iter().peekable();
    for (at, part) in parts.enumerate() {
        if let Some((_, change)) = changes.next_if(|(place, _)| *place == at) {
            *part = change;
        }
    }
}

fn replaced<'v>(value: Cow<'v, Value>, convert: impl FnOnce(&Value) -> Option<Value>) -> Cow<'v, Value> {
    match convert(&value) {
        Some(converted) => Cow::Owned(converted),
        None => value,
    }
}

/// `None` when nothing was converted.
fn into_changed(value: Cow<'_, Value>) -> Option<Value> {
    match value {
        Cow::Owned(changed) => Some(changed),
        Cow::Borrowed(_) => None,
    }
}

fn lenient_union<'v>(branches: &[Branch], value: Cow<'v, Value>, schema: &Schema) -> Cow<'v, Value> {
    let fits = |value: &Value| branches.iter().any(|branch| schema.accepts(branch.node, value));
    if branches.is_empty() || fits(&value) {
        return value;
    }
    replaced(value, |value| {
        let mut candidates = branches.iter().map(|branch| branch.plan.lenient(Cow::Borrowed(value), schema));
        candidates.find(|candidate| fits(candidate)).and_then(into_changed)
    })
}

/// The first branch whose conversion satisfies that branch wins, even where a later one fits as it is.
fn plain_union<'v>(branches: &[Branch], value: Cow<'v, Value>, schema: &Schema) -> Cow<'v, Value> {
    replaced(value, |value| {
        let mut candidates = branches.iter().map(|branch| (branch, branch.plan.plain(Cow::Borrowed(value), schema)));
        let winner = candidates.find(|(branch, candidate)| schema.accepts(branch.node, candidate));
        winner.and_then(|(_, candidate)| into_changed(candidate))
    })
}

fn subschemas<'a>(schema: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> + use<'a> {
    schema.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn kinds(schema: &Value) -> Vec<Kind> {
    match schema.get("type") {
        Some(Value::String(name)) => Kind::parse(name).into_iter().collect(),
        Some(Value::Array(names)) => names.iter().filter_map(|name| Kind::parse(name.as_str()?)).collect(),
        _ => Vec::new(),
    }
}

fn literals(schema: &Value) -> Vec<Value> {
    let list = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
    schema.get("const").into_iter().chain(list).cloned().collect()
}
