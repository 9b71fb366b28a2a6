//! Older spellings of settings, brought to the current ones in memory. The file changes when something is saved.

use serde_json::{Map, Value};

/// Brings one scope's settings to the current keys.
pub(super) fn migrate(settings: &mut Map<String, Value>) {
    rename_queue_mode(settings);
    websockets_to_transport(settings);
    split_skills(settings);
    move_retry_delay(settings);
}

fn rename_queue_mode(settings: &mut Map<String, Value>) {
    if let Some(mode) = settings.shift_remove("queueMode") {
        settings.entry("steeringMode").or_insert(mode);
    }
}

fn websockets_to_transport(settings: &mut Map<String, Value>) {
    let Some(Value::Bool(websockets)) = settings.get("websockets") else { return };
    let transport = if *websockets { "websocket" } else { "sse" };
    settings.shift_remove("websockets");
    settings.entry("transport").or_insert(transport.into());
}

/// An object `skills` becomes the list of its directories and a switch of its own.
fn split_skills(settings: &mut Map<String, Value>) {
    let Some(Value::Object(skills)) = settings.get_mut("skills") else { return };
    let enable = skills.remove("enableSkillCommands");
    let directories = skills.remove("customDirectories");
    if let Some(enable) = enable {
        settings.entry("enableSkillCommands").or_insert(enable);
    }
    match directories {
        Some(Value::Array(directories)) if !directories.is_empty() => {
            settings.insert("skills".to_owned(), Value::Array(directories));
        }
        _ => {
            settings.shift_remove("skills");
        }
    }
}

fn move_retry_delay(settings: &mut Map<String, Value>) {
    let Some(Value::Object(retry)) = settings.get_mut("retry") else { return };
    if !retry.get("maxDelayMs").is_some_and(Value::is_number) {
        return;
    }
    let Some(delay) = retry.shift_remove("maxDelayMs") else { return };
    if let Value::Object(provider) = retry.entry("provider").or_insert_with(|| Value::Object(Map::new())) {
        provider.entry("maxRetryDelayMs").or_insert(delay);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn old_spellings_become_new_ones() {
        for (old, new) in [
            (json!({"queueMode": "all", "x": 1}), json!({"x": 1, "steeringMode": "all"})),
            (json!({"queueMode": "all", "steeringMode": "one-at-a-time"}), json!({"steeringMode": "one-at-a-time"})),
            (json!({"websockets": true}), json!({"transport": "websocket"})),
            (json!({"websockets": false, "transport": "auto"}), json!({"transport": "auto"})),
            (json!({"websockets": "yes"}), json!({"websockets": "yes"})),
            (
                json!({"skills": {"enableSkillCommands": false, "customDirectories": ["a"]}}),
                json!({"skills": ["a"], "enableSkillCommands": false}),
            ),
            (json!({"skills": {"customDirectories": []}}), json!({})),
            (json!({"skills": ["a"]}), json!({"skills": ["a"]})),
            (json!({"retry": {"maxDelayMs": 5}}), json!({"retry": {"provider": {"maxRetryDelayMs": 5}}})),
            (
                json!({"retry": {"maxDelayMs": 5, "provider": {"maxRetryDelayMs": 7}}}),
                json!({"retry": {"provider": {"maxRetryDelayMs": 7}}}),
            ),
            (json!({"retry": {"maxDelayMs": "5"}}), json!({"retry": {"maxDelayMs": "5"}})),
        ] {
            let Value::Object(mut settings) = old else { panic!("a case is no object") };
            migrate(&mut settings);
            assert_eq!(Value::Object(settings.clone()), new);
            migrate(&mut settings);
            assert_eq!(Value::Object(settings), new, "a second time");
        }
    }
}
