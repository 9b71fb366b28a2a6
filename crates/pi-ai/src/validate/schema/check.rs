//! The check of a value against a node.

use serde_json::{Number, Value};

use super::Schema;
use super::mismatch::{InstancePath, Mismatch, Problem};
use super::node::{Bound, Keyword, Node, NodeId, Size, Type};
use super::values::{compare, equal, is_multiple, is_whole, is_written_whole};

/// What a check has found.
#[derive(Debug)]
pub(super) struct Found {
    list: Vec<Mismatch>,
    /// The first mismatch is enough, and where it is does not matter.
    only_first: bool,
    any: bool,
    /// References that are being followed, with the value that they are about: a circle says nothing.
    following: Vec<(NodeId, usize)>,
}

impl Found {
    /// For all mismatches.
    pub(super) fn all() -> Self {
        Self { list: Vec::new(), only_first: false, any: false, following: Vec::new() }
    }

    /// For the question whether there is one.
    pub(super) fn first() -> Self {
        Self { only_first: true, ..Self::all() }
    }

    pub(super) fn is_none(&self) -> bool {
        !self.any
    }

    pub(super) fn into_list(self) -> Vec<Mismatch> {
        self.list
    }

    /// Whether nothing more is to be found.
    pub(super) fn is_done(&self) -> bool {
        self.any && self.only_first
    }

    pub(super) fn add(&mut self, place: InstancePath<'_>, problem: impl FnOnce() -> Problem) {
        self.any = true;
        if !self.only_first {
            self.list.push(Mismatch { pointer: place.pointer(), problem: problem() });
        }
    }

    fn unless(&mut self, fits: bool, place: InstancePath<'_>, problem: impl FnOnce() -> Problem) {
        if !fits {
            self.add(place, problem);
        }
    }
}

impl Schema {
    /// Checks a value against a node.
    pub(super) fn check(&self, node: NodeId, value: &Value, place: InstancePath<'_>, found: &mut Found) {
        match &self.nodes[node.0] {
            Node::Always => {}
            Node::Never => found.add(place, || Problem::Never),
            Node::All(keywords) => {
                for keyword in keywords {
                    if found.is_done() {
                        return;
                    }
                    self.check_keyword(keyword, value, place, found);
                    self.check_left_over(node, keyword, value, place, found);
                }
            }
        }
    }

    /// Whether a value fits a node, asked in the middle of a check.
    pub(super) fn fits(&self, node: NodeId, value: &Value, found: &mut Found) -> bool {
        let mut inner = Found::first();
        inner.following = std::mem::take(&mut found.following);
        self.check(node, value, InstancePath::root(), &mut inner);
        found.following = std::mem::take(&mut inner.following);
        inner.is_none()
    }

    fn check_keyword(&self, keyword: &Keyword, value: &Value, place: InstancePath<'_>, found: &mut Found) {
        match keyword {
            Keyword::Type { types, names, whole_floats_are_integers } => {
                let fits = types.iter().any(|kind| kind.is_of(value, *whole_floats_are_integers));
                found.unless(fits, place, || Problem::Type(names.clone()));
            }
            Keyword::Const(wanted) => found.unless(equal(wanted, value), place, || Problem::Constant(wanted.clone())),
            Keyword::Enum(allowed) => {
                let fits = allowed.iter().any(|allowed| equal(allowed, value));
                found.unless(fits, place, || Problem::Enum(allowed.clone()));
            }
            Keyword::AllOf(parts) => parts.iter().for_each(|part| self.check(*part, value, place, found)),
            Keyword::AnyOf(parts) => {
                let fits = parts.iter().any(|part| self.fits(*part, value, found));
                found.unless(fits, place, || Problem::AnyOf);
            }
            Keyword::OneOf(parts) => {
                let fitting = parts.iter().filter(|part| self.fits(**part, value, found)).take(2).count();
                found.unless(fitting == 1, place, || Problem::OneOf);
            }
            Keyword::Not(node) => {
                let fits = self.fits(*node, value, found);
                found.unless(!fits, place, || Problem::Not);
            }
            Keyword::If { condition, then, otherwise } => {
                let branch = if self.fits(*condition, value, found) { then } else { otherwise };
                if let Some(branch) = branch {
                    self.check(*branch, value, place, found);
                }
            }
            Keyword::Ref(node) => self.follow(*node, value, place, found),
            _ => self.check_by_type(keyword, value, place, found),
        }
    }

    /// Conditions that mean something for one type of values only.
    fn check_by_type(&self, keyword: &Keyword, value: &Value, place: InstancePath<'_>, found: &mut Found) {
        match value {
            Value::Number(number) => check_number(keyword, number, place, found),
            Value::String(text) => check_text(keyword, text, place, found),
            Value::Array(list) => self.check_list(keyword, list, place, found),
            Value::Object(map) => self.check_object(keyword, value, map, place, found),
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn follow(&self, node: NodeId, value: &Value, place: InstancePath<'_>, found: &mut Found) {
        let step = (node, std::ptr::from_ref(value).addr());
        if found.following.contains(&step) {
            return;
        }
        found.following.push(step);
        self.check(node, value, place, found);
        found.following.pop();
    }
}

impl Type {
    /// The type of a name.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        Some(match name {
            "null" => Self::Null,
            "boolean" => Self::Boolean,
            "integer" => Self::Integer,
            "number" => Self::Number,
            "string" => Self::String,
            "array" => Self::Array,
            "object" => Self::Object,
            _ => return None,
        })
    }

    fn is_of(self, value: &Value, whole_floats_are_integers: bool) -> bool {
        match self {
            Self::Null => value.is_null(),
            Self::Boolean => value.is_boolean(),
            Self::Integer => value.as_number().is_some_and(|number| {
                if whole_floats_are_integers { is_whole(number) } else { is_written_whole(number) }
            }),
            Self::Number => value.is_number(),
            Self::String => value.is_string(),
            Self::Array => value.is_array(),
            Self::Object => value.is_object(),
        }
    }
}

fn check_number(keyword: &Keyword, number: &Number, place: InstancePath<'_>, found: &mut Found) {
    match keyword {
        Keyword::Number { bound, limit } => {
            let order = limit.as_number().and_then(|limit| compare(number, limit));
            let Some(order) = order else { return };
            let (fits, problem): (bool, fn(Value) -> Problem) = match bound {
                Bound::Minimum => (order.is_ge(), Problem::Minimum),
                Bound::Maximum => (order.is_le(), Problem::Maximum),
                Bound::ExclusiveMinimum => (order.is_gt(), Problem::ExclusiveMinimum),
                Bound::ExclusiveMaximum => (order.is_lt(), Problem::ExclusiveMaximum),
            };
            found.unless(fits, place, || problem(limit.clone()));
        }
        Keyword::MultipleOf(unit) => {
            let fits = unit.as_number().is_none_or(|unit| is_multiple(number, unit));
            found.unless(fits, place, || Problem::MultipleOf(unit.as_f64().unwrap_or_default()));
        }
        _ => {}
    }
}

fn check_text(keyword: &Keyword, text: &str, place: InstancePath<'_>, found: &mut Found) {
    let length = || text.chars().count() as u64;
    match keyword {
        Keyword::AtLeast { size: Size::Characters, limit } => {
            found.unless(length() >= *limit, place, || Problem::MinLength(*limit));
        }
        Keyword::AtMost { size: Size::Characters, limit } => {
            found.unless(length() <= *limit, place, || Problem::MaxLength(*limit));
        }
        Keyword::Pattern(pattern) => {
            found.unless(pattern.finds(text), place, || Problem::Pattern(pattern.text().to_owned()));
        }
        Keyword::Format(format) => {
            found.unless(format.accepts(text), place, || Problem::Format(format.name().to_owned()));
        }
        _ => {}
    }
}
