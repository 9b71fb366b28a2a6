//! Which conversion applies where: a walk over schema and value side by side.
//!
//! The schema is read once into a [`Plan`]; only branches of unions need nodes of their own to be checked against. `$ref` is
//! not followed: what lies behind it is validated as it came.

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

    /// Converts a value and everything in it.
    pub(super) fn coerce(&self, value: Value, mode: CoercionMode, schema: &Schema) -> Value {
        let value = if mode == CoercionMode::Lenient { self.lenient(value, schema) } else { value };
        self.plain(value, schema)
    }

    /// Generous conversions. They leave alone what any branch of a union accepts.
    fn lenient(&self, value: Value, schema: &Schema) -> Value {
        let value = self.all_of.iter().fold(value, |value, part| part.lenient(value, schema));
        let value = lenient_union(&self.any_of, lenient_union(&self.one_of, value, schema), schema);
        let value = self.lenient_scalar(value);
        self.descend(value, &|plan, value| plan.lenient(value, schema))
    }

    fn lenient_scalar(&self, value: Value) -> Value {
        if self.literals.contains(&value) {
            return value;
        }
        let to_literal =
            |literal: &&Value| Kind::of(literal).lenient(&value).is_some_and(|converted| converted == **literal);
        if let Some(literal) = self.literals.iter().find(to_literal) {
            return literal.clone();
        }
        match self.kinds.as_slice() {
            [kind] if self.literals.is_empty() => kind.lenient(&value).unwrap_or(value),
            _ => value,
        }
    }

    /// Conversions for any schema.
    fn plain(&self, value: Value, schema: &Schema) -> Value {
        let value = self.all_of.iter().fold(value, |value, part| part.plain(value, schema));
        let value = plain_union(&self.one_of, plain_union(&self.any_of, value, schema), schema);
        let value = self.plain_scalar(value);
        self.descend(value, &|plan, value| plan.plain(value, schema))
    }

    fn plain_scalar(&self, value: Value) -> Value {
        if self.kinds.iter().any(|kind| kind.matches(&value)) {
            return if self.kinds.contains(&Kind::Integer) { without_fraction(value) } else { value };
        }
        self.kinds.iter().find_map(|kind| kind.plain(&value)).unwrap_or(value)
    }

    /// Applies a step to the parts of a list or an object.
    fn descend(&self, mut value: Value, step: &dyn Fn(&Self, Value) -> Value) -> Value {
        let apply = |plan: Option<&Self>, part: &mut Value| {
            if let Some(plan) = plan {
                *part = step(plan, part.take());
            }
        };
        match &mut value {
            Value::Object(map) => map.iter_mut().for_each(|(name, part)| apply(self.property(name), part)),
            Value::Array(list) => {
                list.iter_mut().enumerate().for_each(|(index, part)| apply(self.items.at(index), part));
            }
            _ => {}
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

fn lenient_union(branches: &[Branch], value: Value, schema: &Schema) -> Value {
    let fits = |value: &Value| branches.iter().any(|branch| schema.accepts(branch.node, value));
    if branches.is_empty() || fits(&value) {
        return value;
    }
    let converted = branches.iter().map(|branch| branch.plan.lenient(value.clone(), schema)).find(fits);
    converted.unwrap_or(value)
}

/// The first branch whose conversion satisfies that branch wins, even where a later one fits as it is.
fn plain_union(branches: &[Branch], value: Value, schema: &Schema) -> Value {
    let converted = branches.iter().find_map(|branch| {
        let candidate = branch.plan.plain(value.clone(), schema);
        schema.accepts(branch.node, &candidate).then_some(candidate)
    });
    converted.unwrap_or(value)
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
