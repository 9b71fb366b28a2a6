//! What of a request must be the same in a replay: its shape, not its prose.
//!
//! The fields of the known wire formats are looked for side by side; a body that has none of them has a shape, too.

use http::Uri;
use serde_json::Value;

/// The shape of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shape {
    method: String,
    path: String,
    model: Option<String>,
    roles: Vec<String>,
    tools: Vec<String>,
}

impl Shape {
    /// The shape of a request with a JSON body.
    pub(super) fn new(method: &str, url: &str, body: &Value) -> Self {
        let path = url.parse::<Uri>().map_or_else(|_| url.to_owned(), |uri| uri.path().to_owned());
        let messages = ["messages", "input", "contents"].iter().find_map(|key| body[key].as_array());
        Self {
            method: method.to_owned(),
            path,
            model: body["model"].as_str().map(str::to_owned),
            roles: messages.into_iter().flatten().map(role).collect(),
            tools: tool_names(body),
        }
    }

    /// The first difference to what was recorded, in words.
    pub(super) fn difference(&self, recorded: &Self) -> Option<String> {
        let roles =
            recorded.roles.iter().zip(&self.roles).enumerate().map(|(index, (recorded, ours))| {
                differs(&format!("the role of message {}", index + 1), recorded, ours)
            });
        differs("the method", &recorded.method, &self.method)
            .or_else(|| differs("the path", &recorded.path, &self.path))
            .or_else(|| differs("the model", name(recorded.model.as_ref()), name(self.model.as_ref())))
            .or_else(|| {
                differs("the number of messages", &recorded.roles.len().to_string(), &self.roles.len().to_string())
            })
            .or_else(|| roles.flatten().next())
            .or_else(|| differs("the list of tools", &recorded.tools.join(", "), &self.tools.join(", ")))
    }
}

fn differs(what: &str, recorded: &str, ours: &str) -> Option<String> {
    (recorded != ours).then(|| format!("{what} was \"{recorded}\" in the recording and is \"{ours}\" now"))
}

fn name(model: Option<&String>) -> &str {
    model.map_or("", String::as_str)
}

/// The role of a message; items of the Responses format that have none have a type.
fn role(message: &Value) -> String {
    let role = message["role"].as_str().or_else(|| message["type"].as_str());
    role.unwrap_or("").to_owned()
}

/// Tool names of a body: flat, wrapped in `function`, grouped by Google, below `toolConfig` in Bedrock.
fn tool_names(body: &Value) -> Vec<String> {
    let tools = body["tools"].as_array().or_else(|| body["toolConfig"]["tools"].as_array());
    tools.into_iter().flatten().flat_map(names_of).collect()
}

fn names_of(tool: &Value) -> Vec<String> {
    if let Some(group) = tool["functionDeclarations"].as_array() {
        return group.iter().flat_map(names_of).collect();
    }
    let holders = [tool, &tool["function"], &tool["toolSpec"]];
    let name = holders.iter().find_map(|holder| holder["name"].as_str()).or_else(|| tool["type"].as_str());
    vec![name.unwrap_or("").to_owned()]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_wire_formats_side_by_side() {
        let bodies = [
            json!({ "model": "m", "messages": [{ "role": "user" }, { "role": "assistant" }], "tools": [{ "name": "read" }] }),
            json!({ "model": "m", "messages": [{ "role": "user" }, { "role": "assistant" }],
                    "tools": [{ "type": "function", "function": { "name": "read" } }] }),
            json!({ "model": "m", "input": [{ "role": "user" }, { "type": "assistant" }],
                    "tools": [{ "type": "function", "name": "read" }] }),
            json!({ "model": "m", "contents": [{ "role": "user" }, { "role": "assistant" }],
                    "tools": [{ "functionDeclarations": [{ "name": "read" }] }] }),
            json!({ "model": "m", "messages": [{ "role": "user" }, { "role": "assistant" }],
                    "toolConfig": { "tools": [{ "toolSpec": { "name": "read" } }] } }),
        ];
        let first = Shape::new("POST", "https://a/p?key=1", &bodies[0]);
        for body in &bodies {
            assert_eq!(Shape::new("POST", "http://b/p", body), first);
        }
        assert_eq!((first.roles.join(" ").as_str(), first.tools.join(" ").as_str()), ("user assistant", "read"));
    }

    #[test]
    fn the_first_difference_is_named() {
        let body = || json!({ "model": "m", "messages": [{ "role": "user" }], "tools": [{ "name": "read" }] });
        let recorded = Shape::new("POST", "http://h/p", &body());
        let change = |method: &str, url: &str, change: &dyn Fn(&mut Value)| {
            let mut body = body();
            change(&mut body);
            Shape::new(method, url, &body).difference(&recorded)
        };
        let said = |what: &str, old: &str, new: &str| {
            Some(format!("{what} was \"{old}\" in the recording and is \"{new}\" now"))
        };
        assert_eq!(change("POST", "http://other/p", &|body| body["messages"][0]["content"] = "new".into()), None);
        assert_eq!(change("GET", "http://h/q", &|_| {}), said("the method", "POST", "GET"));
        assert_eq!(change("POST", "http://h/q", &|_| {}), said("the path", "/p", "/q"));
        assert_eq!(change("POST", "http://h/p", &|body| body["model"] = "n".into()), said("the model", "m", "n"));
        let two = |body: &mut Value| body["messages"] = json!([{ "role": "user" }, { "role": "user" }]);
        assert_eq!(change("POST", "http://h/p", &two), said("the number of messages", "1", "2"));
        let role = |body: &mut Value| body["messages"][0]["role"] = "assistant".into();
        assert_eq!(change("POST", "http://h/p", &role), said("the role of message 1", "user", "assistant"));
        let tools = |body: &mut Value| body["tools"] = json!([]);
        assert_eq!(change("POST", "http://h/p", &tools), said("the list of tools", "read", ""));
    }
}
