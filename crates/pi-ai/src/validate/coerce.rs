//! Which conversion applies where: a walk over schema and value side by side.
//!
//! The schema is read once into a [`Plan`]; only branches of unions need compiled validators of their own. `$ref` is
//! not followed: what lies behind it is validated as it came.

use jsonschema::{ValidationError, Validator, ValidatorMap};
use serde_json::Value;

use super::convert::{Kind, without_fraction};
use super::{CoercionMode, options};

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
    validator: Validator,
}

impl Plan {
    /// Reads a schema.
    ///
    /// # Errors
    /// What the schema compiler says about a branch of a union.
    pub(super) fn new(schema: &Value) -> Result<Self, ValidationError<'static>> {
        let map = if has_unions(schema) { Some(options(schema).build_map(schema)?) } else { None };
        Ok(Self::read(schema, "#", map.as_ref()))
    }

    fn read(schema: &Value, at: &str, map: Option<&ValidatorMap>) -> Self {
        let plan = |key: &str| schema.get(key).map(|sub| Box::new(Self::read(sub, &format!("{at}/{key}"), map)));
        let list = |key: &str| subschemas(schema, key, at).map(|(sub, at)| Self::read(sub, &at, map)).collect();
        let union = |key: &str| {
            let branches = subschemas(schema, key, at).filter_map(|(sub, at)| {
                // A branch that does not compile by itself can never win.
                let validator = map?.get(&at)?.clone();
                Some(Branch { plan: Self::read(sub, &at, map), validator })
            });
            branches.collect()
        };
        let items = match schema.get("items") {
            Some(Value::Array(_)) => Items::Tuple(list("items")),
            Some(Value::Object(_)) => plan("items").map_or(Items::Any, Items::Each),
            _ => Items::Any,
        };
        let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        let properties = properties.map(|(name, sub)| {
            let at = format!("{at}/properties/{}", name.replace('~', "~0").replace('/', "~1"));
            (name.clone(), Self::read(sub, &at, map))
        });
        Self {
            kinds: kinds(schema),
            literals: literals(schema),
            all_of: list("allOf"),
            any_of: union("anyOf"),
            one_of: union("oneOf"),
            properties: properties.collect(),
            additional: plan("additionalProperties"),
            items,
        }
    }

    /// Converts a value and everything in it.
    pub(super) fn coerce(&self, value: Value, mode: CoercionMode) -> Value {
        let value = if mode == CoercionMode::Lenient { self.lenient(value) } else { value };
        self.plain(value)
    }

    /// Generous conversions. They leave alone what any branch of a union accepts.
    fn lenient(&self, value: Value) -> Value {
        let value = self.all_of.iter().fold(value, |value, part| part.lenient(value));
        let value = lenient_union(&self.any_of, lenient_union(&self.one_of, value));
        let value = self.lenient_scalar(value);
        self.descend(value, &Self::lenient)
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
    fn plain(&self, value: Value) -> Value {
        let value = self.all_of.iter().fold(value, |value, part| part.plain(value));
        let value = plain_union(&self.one_of, plain_union(&self.any_of, value));
        let value = self.plain_scalar(value);
        self.descend(value, &Self::plain)
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

fn lenient_union(branches: &[Branch], value: Value) -> Value {
    let fits = |value: &Value| branches.iter().any(|branch| branch.validator.is_valid(value));
    if branches.is_empty() || fits(&value) {
        return value;
    }
    let converted = branches.iter().map(|branch| branch.plan.lenient(value.clone())).find(fits);
    converted.unwrap_or(value)
}

/// The first branch whose conversion satisfies that branch wins, even where a later one fits as it is.
fn plain_union(branches: &[Branch], value: Value) -> Value {
    let converted = branches.iter().find_map(|branch| {
        let candidate = branch.plan.plain(value.clone());
        branch.validator.is_valid(&candidate).then_some(candidate)
    });
    converted.unwrap_or(value)
}

fn subschemas<'a>(schema: &'a Value, key: &'a str, at: &'a str) -> impl Iterator<Item = (&'a Value, String)> {
    let list = schema.get(key).and_then(Value::as_array).into_iter().flatten();
    list.enumerate().map(move |(index, sub)| (sub, format!("{at}/{key}/{index}")))
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

fn has_unions(schema: &Value) -> bool {
    match schema {
        Value::Object(map) => {
            ["anyOf", "oneOf"].iter().any(|key| map.contains_key(*key)) || map.values().any(has_unions)
        }
        Value::Array(list) => list.iter().any(has_unions),
        _ => false,
    }
}
