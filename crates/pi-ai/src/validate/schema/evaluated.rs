//! What no other keyword of a schema has looked at: `unevaluatedProperties` and `unevaluatedItems`.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::Schema;
use super::check::Found;
use super::mismatch::{InstancePath, Problem};
use super::node::{Additional, Keyword, Node, NodeId};

/// Schemas within schemas are followed so far: one that refers to itself looks at nothing new.
const DEEPEST: usize = 64;

impl Schema {
    /// Checks what the other keywords of `node` left over, if `keyword` is about that.
    pub(super) fn check_left_over(
        &self,
        node: NodeId,
        keyword: &Keyword,
        value: &Value,
        place: InstancePath<'_>,
        found: &mut Found,
    ) {
        match (keyword, value) {
            (Keyword::UnevaluatedProperties(rest), Value::Object(map)) => {
                let mut seen = HashSet::new();
                self.members_seen(node, Some(*rest), value, map, &mut seen, 0);
                let mut left = map.iter().filter(|(name, _)| !seen.contains(name.as_str()));
                if left.any(|(_, part)| !self.fits(*rest, part, found)) {
                    found.add(place, || Problem::UnknownMembers);
                }
            }
            (Keyword::UnevaluatedItems(rest), Value::Array(list)) => {
                let mut seen = vec![false; list.len()];
                self.items_seen(node, Some(*rest), value, list, &mut seen, 0);
                let mut left = list.iter().zip(&seen).filter(|(_, seen)| !**seen);
                if left.any(|(item, _)| !self.fits(*rest, item, found)) {
                    found.add(place, || Problem::UnknownItems);
                }
            }
            _ => {}
        }
    }

    /// Notes the members that a node looks at. `except` is the keyword that asks.
    fn members_seen<'a>(
        &self,
        node: NodeId,
        except: Option<NodeId>,
        value: &'a Value,
        map: &'a Map<String, Value>,
        seen: &mut HashSet<&'a str>,
        depth: usize,
    ) {
        let Node::All(keywords) = &self.nodes[node.0] else { return };
        for keyword in keywords {
            match keyword {
                Keyword::Object(members) => {
                    let all = members.knows_all || !matches!(members.additional, Additional::Allowed);
                    let is_known = |name: &str| {
                        members.declared.contains_key(name) || members.patterns.iter().any(|(p, _)| p.finds(name))
                    };
                    seen.extend(map.keys().map(String::as_str).filter(|name| all || is_known(name)));
                }
                Keyword::UnevaluatedProperties(rest) if except != Some(*rest) => {
                    seen.extend(map.keys().map(String::as_str));
                }
                _ => {}
            }
            for part in self.parts_in_force(keyword, value, depth) {
                self.members_seen(part, None, value, map, seen, depth + 1);
            }
        }
    }

    /// Notes the items that a node looks at.
    fn items_seen(
        &self,
        node: NodeId,
        except: Option<NodeId>,
        value: &Value,
        list: &[Value],
        seen: &mut [bool],
        depth: usize,
    ) {
        let Node::All(keywords) = &self.nodes[node.0] else { return };
        for keyword in keywords {
            match keyword {
                Keyword::Prefix(nodes) => seen.iter_mut().take(nodes.len()).for_each(|seen| *seen = true),
                Keyword::Rest { skip, .. } | Keyword::NoRest { skip } => {
                    seen.iter_mut().skip(*skip).for_each(|seen| *seen = true);
                }
                Keyword::Contains { node, .. } => {
                    let items = seen.iter_mut().zip(list);
                    items.for_each(|(seen, item)| *seen |= self.accepts(*node, item));
                }
                Keyword::UnevaluatedItems(rest) if except != Some(*rest) => seen.fill(true),
                _ => {}
            }
            for part in self.parts_in_force(keyword, value, depth) {
                self.items_seen(part, None, value, list, seen, depth + 1);
            }
        }
    }

    /// The schemas within a keyword that are about the same value and hold for it.
    fn parts_in_force(&self, keyword: &Keyword, value: &Value, depth: usize) -> Vec<NodeId> {
        if depth > DEEPEST {
            return Vec::new();
        }
        let fitting = |parts: &[NodeId]| parts.iter().copied().filter(|part| self.accepts(*part, value)).collect();
        match keyword {
            Keyword::Ref(node) => vec![*node],
            Keyword::AllOf(parts) => parts.clone(),
            Keyword::AnyOf(parts) | Keyword::OneOf(parts) => fitting(parts),
            Keyword::DependentSchemas(rules) => {
                rules.iter().filter(|(name, _)| value.get(name).is_some()).map(|(_, node)| *node).collect()
            }
            Keyword::If { condition, then, otherwise } => {
                if self.accepts(*condition, value) {
                    std::iter::once(*condition).chain(*then).collect()
                } else {
                    otherwise.iter().copied().collect()
                }
            }
            _ => Vec::new(),
        }
    }
}
