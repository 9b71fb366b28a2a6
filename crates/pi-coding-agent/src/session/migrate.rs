//! Older versions of the format, brought to the current one in memory.
//!
//! Values are moved as the text they are: nothing but the keys named here changes. Damaged pieces stay in place.

use std::collections::HashSet;

use serde_json::value::{RawValue, to_raw_value};

use super::raw_object::RawObject;
use super::scan::{LineProblem, Piece, Scan};
use crate::host;
use crate::host::ids::{Ids, entry_id};
use crate::session::Error;

/// Brings all pieces from `version` to the current one.
pub(super) fn migrate(scan: &mut Scan, version: u64, ids: &dyn Ids) -> Result<(), Error> {
    let mut objects = Objects::of(scan);
    if version < 2 {
        objects.link_entries(ids)?;
    }
    objects.rename_hook_messages()?;
    if let Some(header) = objects.first() {
        header.set("version", raw(&super::header::CURRENT_VERSION)?);
    }
    objects.write_back(scan)
}

/// The readable objects of a scan with the indices of their pieces; the first is the header.
struct Objects(Vec<(usize, RawObject)>);

impl Objects {
    fn of(scan: &mut Scan) -> Self {
        let mut objects = Vec::new();
        for (index, piece) in scan.pieces.iter().enumerate() {
            let Piece::Object(text, line) = piece else { continue };
            match RawObject::parse(text) {
                Ok(object) => objects.push((index, object)),
                Err(error) => {
                    scan.problems.push(LineProblem { line: *line, reason: format!("cannot be migrated: {error}") });
                }
            }
        }
        Self(objects)
    }

    fn first(&mut self) -> Option<&mut RawObject> {
        self.0.first_mut().map(|(_, object)| object)
    }

    /// Version 1 to 2: a chain of ids in file order; compactions refer to entries by id instead of by line. An entry that
    /// has an id and a parent keeps both: then it is the header that names the wrong version.
    fn link_entries(&mut self, ids: &dyn Ids) -> Result<(), Error> {
        let new_ids = self.ids(ids);
        let mut parent: Option<&String> = None;
        for ((_, object), id) in self.0.iter_mut().zip(&new_ids).skip(1) {
            if !is_linked(object) {
                object.set("id", raw(id)?);
                object.set("parentId", raw(&parent)?);
            }
            parent = Some(id);
            refer_by_id(object, &new_ids)?;
        }
        Ok(())
    }

    /// One id per object, its own or a new one; the header's is never used.
    fn ids(&self, ids: &dyn Ids) -> Vec<String> {
        let own = |object: &RawObject| serde_json::from_str::<String>(object.get("id")?).ok();
        let mut taken: HashSet<String> = self.0.iter().skip(1).filter_map(|(_, object)| own(object)).collect();
        let mut fresh = || {
            let id = entry_id(ids, |id| taken.contains(id));
            taken.insert(id.clone());
            id
        };
        let of_entry = |object: &RawObject| own(object).filter(|_| is_linked(object)).unwrap_or_else(&mut fresh);
        std::iter::once(String::new()).chain(self.0.iter().skip(1).map(|(_, object)| object).map(of_entry)).collect()
    }

    /// Version 2 to 3: the role `hookMessage` is called `custom`.
    fn rename_hook_messages(&mut self) -> Result<(), Error> {
        for (_, object) in &mut self.0 {
            if object.get("type") != Some(r#""message""#) {
                continue;
            }
            let Some(Ok(mut message)) = object.get("message").map(RawObject::parse) else { continue };
            if message.get("role") == Some(r#""hookMessage""#) {
                message.set("role", raw("custom")?);
                object.set("message", verbatim(message.to_json())?);
            }
        }
        Ok(())
    }

    fn write_back(self, scan: &mut Scan) -> Result<(), Error> {
        for (index, object) in self.0 {
            if let Some(Piece::Object(text, _)) = scan.pieces.get_mut(index) {
                *text = object.to_json().map_err(serialize)?;
            }
        }
        Ok(())
    }
}

/// Whether an entry has its place in a tree.
fn is_linked(object: &RawObject) -> bool {
    object.get("id").is_some_and(|id| id.starts_with('"')) && object.get("parentId").is_some()
}

/// Replaces `firstKeptEntryIndex`, an index over all lines with the header as 0.
fn refer_by_id(object: &mut RawObject, ids: &[String]) -> Result<(), Error> {
    const INDEX: &str = "firstKeptEntryIndex";
    if object.get("type") != Some(r#""compaction""#) {
        return Ok(());
    }
    let index = object.get(INDEX).and_then(|index| index.parse::<usize>().ok());
    if let Some(id) = index.filter(|index| *index > 0).and_then(|index| ids.get(index)) {
        object.set("firstKeptEntryId", raw(id)?);
    }
    object.remove(INDEX);
    Ok(())
}

fn raw<T: serde::Serialize + ?Sized>(value: &T) -> Result<Box<RawValue>, Error> {
    to_raw_value(value).map_err(serialize)
}

fn verbatim(json: serde_json::Result<String>) -> Result<Box<RawValue>, Error> {
    json.and_then(RawValue::from_string).map_err(serialize)
}

fn serialize(source: serde_json::Error) -> Error {
    host::Error::Serialize { what: "a migrated session entry", source }.into()
}
