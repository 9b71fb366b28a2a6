//! Nested calls as a result keeps them.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A nested call that is over. A tool that makes calls keeps them in the details of its own result, so that clients find
/// them in a stored session, where no events are: `{"calls": [...]}`, in the order of their ends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NestedCallRecord {
    /// Id of the call, as its events had it.
    pub id: String,
    /// Name of the tool.
    pub name: String,
    /// What it was called with; the running tool may have cut long texts.
    #[serde(default)]
    pub arguments: Value,
    /// Text of its result, or its error; may be cut, too.
    #[serde(default)]
    pub text: String,
    /// Details of its result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// Whether it failed, or was refused.
    #[serde(default)]
    pub is_error: bool,
}

impl NestedCallRecord {
    /// The details of a result that keep these calls.
    pub fn to_details(calls: &[Self]) -> Value {
        json!({ "calls": calls })
    }

    /// The calls that the details of a result keep; what is no call is left out.
    pub fn from_details(details: Option<&Value>) -> impl Iterator<Item = Self> {
        let calls = details.and_then(|details| details.get("calls")).and_then(Value::as_array);
        calls.into_iter().flatten().filter_map(|call| Self::deserialize(call).ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_kept_and_found_again() {
        let call = NestedCallRecord {
            id: "1:1".to_owned(),
            name: "read".to_owned(),
            arguments: json!({"path": "a"}),
            text: "alpha".to_owned(),
            details: None,
            is_error: false,
        };
        let failed = NestedCallRecord { details: Some(json!({"code": 1})), is_error: true, ..call.clone() };
        let details = NestedCallRecord::to_details(&[call.clone(), failed.clone()]);
        insta::assert_snapshot!(details, @r#"{"calls":[{"id":"1:1","name":"read","arguments":{"path":"a"},"text":"alpha","isError":false},{"id":"1:1","name":"read","arguments":{"path":"a"},"text":"alpha","details":{"code":1},"isError":true}]}"#);
        assert_eq!(NestedCallRecord::from_details(Some(&details)).collect::<Vec<_>>(), [call, failed]);
    }

    #[test]
    fn what_is_no_call_is_left_out() {
        let found =
            |details: Value| NestedCallRecord::from_details(Some(&details)).map(|call| call.id).collect::<Vec<_>>();
        assert_eq!(found(json!({"calls": [3, {"id": "1"}, {"id": "2", "name": "ls"}, null]})), ["2"]);
        assert!(found(json!({"calls": 2})).is_empty());
        assert!(found(json!([])).is_empty());
        assert_eq!(NestedCallRecord::from_details(None).count(), 0);
    }
}
