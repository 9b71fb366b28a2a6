//! What is checked: a node per schema, a keyword per condition.

use std::collections::HashMap;

use serde_json::Value;

use super::format::Format;
use super::pattern::Pattern;

/// The place of a node among those of its document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in super::super) struct NodeId(pub(super) usize);

/// A schema.
#[derive(Debug)]
pub(super) enum Node {
    /// `true` and `false`.
    Always,
    Never,
    /// Everything that must hold, the cheap first: the order in which mismatches are reported.
    All(Vec<Keyword>),
}

/// Types of JSON values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

/// A limit of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    Minimum,
    Maximum,
    ExclusiveMinimum,
    ExclusiveMaximum,
}

/// What a limit of a size counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Size {
    Characters,
    Items,
    Properties,
}

/// One condition.
#[derive(Debug)]
pub(super) enum Keyword {
    Type {
        types: Vec<Type>,
        names: Vec<String>,
        whole_floats_are_integers: bool,
    },
    Const(Value),
    Enum(Vec<Value>),
    Number {
        bound: Bound,
        limit: Value,
    },
    MultipleOf(Value),
    AtLeast {
        size: Size,
        limit: u64,
    },
    AtMost {
        size: Size,
        limit: u64,
    },
    Required(Vec<String>),
    DependentRequired(Vec<(String, Vec<String>)>),
    Pattern(Pattern),
    Format(Format),
    Unique,
    Object(Box<Members>),
    PropertyNames(NodeId),
    /// Each of the first items has a schema of its own.
    Prefix(Vec<NodeId>),
    /// The items after the first `skip`.
    Rest {
        skip: usize,
        node: NodeId,
    },
    /// Items after the first `skip` are one mismatch of the list.
    NoRest {
        skip: usize,
    },
    Contains {
        node: NodeId,
        min: u64,
        max: Option<u64>,
    },
    /// `dependentSchemas`, and the schemas of `dependencies`.
    DependentSchemas(Vec<(String, NodeId)>),
    AllOf(Vec<NodeId>),
    AnyOf(Vec<NodeId>),
    OneOf(Vec<NodeId>),
    Not(NodeId),
    If {
        condition: NodeId,
        then: Option<NodeId>,
        otherwise: Option<NodeId>,
    },
    UnevaluatedProperties(NodeId),
    UnevaluatedItems(NodeId),
    Ref(NodeId),
}

/// What the members of an object must be.
#[derive(Debug, Default)]
pub(super) struct Members {
    /// In the order of the schema.
    pub(super) properties: Vec<String>,
    pub(super) declared: HashMap<String, NodeId>,
    pub(super) patterns: Vec<(Pattern, NodeId)>,
    pub(super) additional: Additional,
    /// Whether the schema says anything about undeclared members, if only that they are allowed.
    pub(super) knows_all: bool,
    /// A single required member is reported after the others where nothing undeclared is allowed.
    pub(super) required_last: Option<String>,
}

/// What becomes of members that are neither declared nor match a pattern.
#[derive(Debug, Default)]
pub(super) enum Additional {
    #[default]
    Allowed,
    Forbidden,
    Fitting(NodeId),
}
