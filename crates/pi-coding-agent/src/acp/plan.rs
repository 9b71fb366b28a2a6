//! Plans: what tools for lists of things to do keep in the details of their results, as the example extension `todo` does.

use agent_client_protocol_schema::v1::{Plan, PlanEntry, PlanEntryPriority, PlanEntryStatus, SessionUpdate};
use serde::Deserialize;
use serde_json::Value;

/// The list in the details of a result.
#[derive(Deserialize)]
struct List {
    todos: Vec<Item>,
}

/// A thing to do. Tools of this kind have other names for the same.
#[derive(Deserialize)]
struct Item {
    #[serde(alias = "content", alias = "title")]
    text: String,
    #[serde(default, alias = "completed")]
    done: bool,
    status: Option<String>,
    priority: Option<String>,
}

/// The plan in the details of a result, where there is one. It takes the place of the one before.
pub(super) fn of_details(details: Option<&Value>) -> Option<SessionUpdate> {
    // Whatever it is otherwise, it is no list that a client could show.
    let list = List::deserialize(details?).ok()?;
    Some(SessionUpdate::Plan(Plan::new(list.todos.into_iter().map(entry).collect())))
}

fn entry(item: Item) -> PlanEntry {
    let status = match item.status.as_deref() {
        Some("completed" | "done") => PlanEntryStatus::Completed,
        Some("in_progress") => PlanEntryStatus::InProgress,
        _ if item.done => PlanEntryStatus::Completed,
        _ => PlanEntryStatus::Pending,
    };
    let priority = match item.priority.as_deref() {
        Some("high") => PlanEntryPriority::High,
        Some("low") => PlanEntryPriority::Low,
        _ => PlanEntryPriority::Medium,
    };
    PlanEntry::new(item.text, priority, status)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn entries(details: &Value) -> Option<Value> {
        of_details(Some(details)).map(|plan| serde_json::to_value(plan).unwrap()["entries"].clone())
    }

    #[test]
    fn lists_of_things_to_do_are_plans() {
        let medium = |text: &str, status: &str| json!({"content": text, "priority": "medium", "status": status});
        let todos = json!({"todos": [{"id": 1, "text": "a", "done": true}, {"id": 2, "text": "b", "done": false}], "lastId": 2});
        assert_eq!(entries(&todos), Some(json!([medium("a", "completed"), medium("b", "pending")])));
        let todos = json!({"todos": [
            {"content": "a", "status": "in_progress", "priority": "high"},
            {"content": "b", "status": "completed"},
            {"title": "c", "status": "blocked", "priority": "low"},
        ]});
        let high = json!({"content": "a", "priority": "high", "status": "in_progress"});
        let low = json!({"content": "c", "priority": "low", "status": "pending"});
        assert_eq!(entries(&todos), Some(json!([high, medium("b", "completed"), low])));
        assert_eq!(entries(&json!({"todos": []})), Some(json!([])), "an empty list ends the plan");
    }

    #[test]
    fn other_details_are_none() {
        for details in
            [json!({}), json!(7), json!({"todos": 7}), json!({"todos": [{"id": 1}]}), json!({"todos": ["a"]})]
        {
            assert_eq!(entries(&details), None, "{details}");
        }
        assert_eq!(of_details(None), None);
    }
}
