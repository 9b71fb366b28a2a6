//! The check of lists and their items.

use serde_json::Value;

use super::Schema;
use super::check::Found;
use super::mismatch::{InstancePath, Problem};
use super::node::{Keyword, Size};
use super::values::equal;

impl Schema {
    pub(super) fn check_list(&self, keyword: &Keyword, list: &[Value], place: InstancePath<'_>, found: &mut Found) {
        let count = list.len() as u64;
        match keyword {
            Keyword::AtLeast { size: Size::Items, limit } if count < *limit => {
                found.add(place, || Problem::MinItems(*limit));
            }
            Keyword::AtMost { size: Size::Items, limit } if count > *limit => {
                found.add(place, || Problem::MaxItems(*limit));
            }
            Keyword::Unique if has_twins(list) => found.add(place, || Problem::Unique),
            Keyword::Prefix(nodes) => {
                for (index, (item, node)) in list.iter().zip(nodes).enumerate() {
                    self.check(*node, item, place.item(index), found);
                }
            }
            Keyword::Rest { skip, node } => {
                for (index, item) in list.iter().enumerate().skip(*skip) {
                    self.check(*node, item, place.item(index), found);
                }
            }
            Keyword::NoRest { skip } if list.len() > *skip => found.add(place, || Problem::UnknownItems),
            Keyword::Contains { node, min, max } => {
                let fitting = list.iter().filter(|item| self.fits(*node, item, found)).count() as u64;
                if fitting < *min || max.is_some_and(|max| fitting > max) {
                    found.add(place, || Problem::Contains);
                }
            }
            _ => {}
        }
    }
}

fn has_twins(list: &[Value]) -> bool {
    list.iter().enumerate().any(|(index, item)| list[..index].iter().any(|other| equal(other, item)))
}
