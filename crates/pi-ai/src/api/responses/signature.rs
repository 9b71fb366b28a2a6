//! What a text block remembers of the message item that it came from: id and phase, as JSON in the text signature.

use serde_json::{Map, Value};

use crate::hash::short_hash;
use crate::json_view::Json;

use super::ids::MAX_ID;

/// Version of the signature's shape.
const VERSION: u64 = 1;
/// Phases that may go back to the server.
const PHASES: [&str; 2] = ["commentary", "final_answer"];

/// The signature for a message item; `None` when the item has no id.
pub(super) fn of_item(item: &Json<'_>) -> Option<String> {
    let id = item["id"].as_str().filter(|id| !id.is_empty())?;
    let mut signature = Map::new();
    signature.insert("v".into(), VERSION.into());
    signature.insert("id".into(), id.into());
    if let Some(phase) = known_phase(&item["phase"]) {
        signature.insert("phase".into(), phase.into());
    }
    Some(Value::Object(signature).to_string())
}

/// Id and phase of the item that a signature is about. Old signatures are the bare id.
pub(super) fn read(signature: Option<&str>) -> (Option<String>, Option<String>) {
    let Some(signature) = signature.filter(|signature| !signature.is_empty()) else { return (None, None) };
    if !signature.starts_with('{') {
        return (Some(legal(signature)), None);
    }
    let read: Json<'_> = serde_json::from_str(signature).unwrap_or(Json::Null);
    match read["id"].as_str() {
        Some(id) if read["v"].as_u64() == Some(VERSION) && !id.is_empty() => {
            (Some(legal(id)), known_phase(&read["phase"]).map(str::to_owned))
        }
        _ => (None, None),
    }
}

fn known_phase<'a>(phase: &'a Json<'_>) -> Option<&'a str> {
    phase.as_str().filter(|phase| PHASES.contains(phase))
}

/// The id, or a short one in its place.
fn legal(id: &str) -> String {
    if id.chars().count() > MAX_ID { format!("msg_{}", short_hash(id)) } else { id.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_read() {
        let written = |item: &str| of_item(&serde_json::from_str(item).unwrap());
        for (item, signature, phase) in [
            (r#"{"id": "msg_1"}"#, r#"{"v":1,"id":"msg_1"}"#, None),
            (
                r#"{"id": "msg_1", "phase": "commentary"}"#,
                r#"{"v":1,"id":"msg_1","phase":"commentary"}"#,
                Some("commentary"),
            ),
            (r#"{"id": "msg_1", "phase": "other"}"#, r#"{"v":1,"id":"msg_1"}"#, None),
        ] {
            assert_eq!(written(item).as_deref(), Some(signature));
            assert_eq!(read(Some(signature)), (Some("msg_1".to_owned()), phase.map(str::to_owned)));
        }
        assert_eq!(written(r#"{"id": ""}"#), None);
    }

    #[test]
    fn old_and_odd_signatures() {
        let id = |signature: &str| read(Some(signature)).0;
        assert_eq!(id("msg_old").as_deref(), Some("msg_old"));
        assert_eq!(id(&"m".repeat(65)), Some(format!("msg_{}", short_hash(&"m".repeat(65)))));
        for odd in ["", "{", "{}", r#"{"v":2,"id":"msg_1"}"#, r#"{"v":1,"id":7}"#] {
            assert_eq!(id(odd), None, "{odd}");
        }
    }
}
