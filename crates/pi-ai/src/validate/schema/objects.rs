//! The check of objects and their members.

use serde_json::{Map, Value};

use super::Schema;
use super::check::Found;
use super::mismatch::{InstancePath, Problem};
use super::node::{Additional, Keyword, Members, NodeId, Size};

/// Up to so many declared members are looked for in the order of the object where it is the shorter of the two.
const SHORT: usize = 15;

impl Schema {
    pub(super) fn check_object(
        &self,
        keyword: &Keyword,
        value: &Value,
        map: &Map<String, Value>,
        place: InstancePath<'_>,
        found: &mut Found,
    ) {
        let count = map.len() as u64;
        match keyword {
            Keyword::AtLeast { size: Size::Properties, limit } if count < *limit => {
                found.add(place, || Problem::MinProperties(*limit));
            }
            Keyword::AtMost { size: Size::Properties, limit } if count > *limit => {
                found.add(place, || Problem::MaxProperties(*limit));
            }
            Keyword::Required(names) => check_required(names, map, place, found),
            Keyword::DependentRequired(rules) => {
                let rules = rules.iter().filter(|(name, _)| map.contains_key(name));
                rules.for_each(|(_, names)| check_required(names, map, place, found));
            }
            Keyword::DependentSchemas(rules) => {
                let rules = rules.iter().filter(|(name, _)| map.contains_key(name));
                rules.for_each(|(_, node)| self.check(*node, value, place, found));
            }
            Keyword::Object(members) => self.check_members(members, map, place, found),
            Keyword::PropertyNames(node) => self.check_names(*node, map, place, found),
            _ => {}
        }
    }

    fn check_members(&self, members: &Members, map: &Map<String, Value>, place: InstancePath<'_>, found: &mut Found) {
        match &members.additional {
            Additional::Allowed => {
                self.check_declared(members, map, place, found);
                for (pattern, node) in &members.patterns {
                    for (name, part) in map.iter().filter(|(name, _)| pattern.finds(name)) {
                        self.check(*node, part, place.member(name), found);
                    }
                }
            }
            Additional::Forbidden => {
                let mut has_unknown = false;
                for (name, part) in map {
                    has_unknown |= !self.check_known(members, name, part, place, found);
                }
                if has_unknown {
                    found.add(place, || Problem::UnknownMembers);
                }
            }
            Additional::Fitting(node) => {
                for (name, part) in map {
                    if !self.check_known(members, name, part, place, found) {
                        self.check(*node, part, place.member(name), found);
                    }
                }
            }
        }
        if let Some(name) = members.required_last.as_ref().filter(|name| !map.contains_key(*name)) {
            found.add(place, || Problem::Missing(name.clone()));
        }
    }

    fn check_declared(&self, members: &Members, map: &Map<String, Value>, place: InstancePath<'_>, found: &mut Found) {
        if map.len() <= members.properties.len() || members.properties.len() >= SHORT {
            for (name, part) in map {
                if let Some(node) = members.declared.get(name) {
                    self.check(*node, part, place.member(name), found);
                }
            }
            return;
        }
        for name in &members.properties {
            if let (Some(part), Some(node)) = (map.get(name), members.declared.get(name)) {
                self.check(*node, part, place.member(name), found);
            }
        }
    }

    /// Checks a member that is declared or matches a pattern; whether it is or does.
    fn check_known(
        &self,
        members: &Members,
        name: &str,
        part: &Value,
        place: InstancePath<'_>,
        found: &mut Found,
    ) -> bool {
        let declared = members.declared.get(name);
        let matching = members.patterns.iter().filter(|(pattern, _)| pattern.finds(name)).map(|(_, node)| node);
        let mut is_known = false;
        for node in declared.into_iter().chain(matching) {
            is_known = true;
            self.check(*node, part, place.member(name), found);
        }
        is_known
    }

    fn check_names(&self, node: NodeId, map: &Map<String, Value>, place: InstancePath<'_>, found: &mut Found) {
        for name in map.keys() {
            let name = Value::from(name.as_str());
            for mismatch in self.mismatches(node, &name) {
                if mismatch.problem == Problem::Never {
                    return found.add(place, || Problem::Never);
                }
                found.add(place, || Problem::Name(mismatch.problem.words(&name)));
            }
        }
    }
}

fn check_required(names: &[String], map: &Map<String, Value>, place: InstancePath<'_>, found: &mut Found) {
    for name in names.iter().filter(|name| !map.contains_key(*name)) {
        found.add(place, || Problem::Missing(name.clone()));
    }
}
