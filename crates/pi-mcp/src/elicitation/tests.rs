//! Forms are asked field by field, by a user who answers as a table says.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use serde_json::json;

use super::*;

/// A user who gives these answers, and what they were asked. A text is typed or chosen; a boolean confirms; null cancels.
#[derive(Default)]
struct Answers {
    answers: Mutex<VecDeque<Value>>,
    asked: Mutex<Vec<String>>,
}

impl Answers {
    fn new(answers: &[Value]) -> Self {
        Self { answers: Mutex::new(answers.iter().cloned().collect()), asked: Mutex::default() }
    }

    fn next(&self, asked: String) -> Value {
        self.asked.lock().unwrap().push(asked);
        self.answers.lock().unwrap().pop_front().unwrap_or_default()
    }
}

impl ExtensionUi for Answers {
    fn is_available(&self) -> bool {
        true
    }

    fn select(&self, title: &str, options: &[String], _: DialogOptions) -> BoxFuture<'_, Option<String>> {
        let answer = self.next(format!("select {title} {options:?}"));
        ready(answer.as_str().map(str::to_owned)).boxed()
    }

    fn confirm(&self, title: &str, message: &str, _: DialogOptions) -> BoxFuture<'_, bool> {
        ready(self.next(format!("confirm {title} | {message}")) == json!(true)).boxed()
    }

    fn input(&self, title: &str, placeholder: Option<&str>, _: DialogOptions) -> BoxFuture<'_, Option<String>> {
        let answer = self.next(format!("input {title} [{}]", placeholder.unwrap_or_default()));
        ready(answer.as_str().map(str::to_owned)).boxed()
    }

    fn notify(&self, message: &str, _: Option<NotifyKind>) -> BoxFuture<'_, ()> {
        self.asked.lock().unwrap().push(format!("notify {message}"));
        ready(()).boxed()
    }
}

async fn asked(request: &Value, answers: &[Value]) -> (Value, Vec<String>, Vec<String>) {
    let ui = Answers::new(answers);
    let opened = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&opened);
    let pages = OpenPage::new(move |url| {
        sink.lock().unwrap().push(url.to_owned());
        true
    });
    let result = ask(&ui, "s", serde_json::from_value(request.clone()).unwrap(), &pages).await;
    let opened = opened.lock().unwrap().clone();
    (serde_json::to_value(result).unwrap(), ui.asked.into_inner().unwrap(), opened)
}

fn form_of(properties: &Value, required: &Value) -> Value {
    let schema = json!({"type": "object", "properties": properties, "required": required});
    json!({"mode": "form", "message": "Who?", "requestedSchema": schema})
}

#[tokio::test]
async fn every_kind_of_field_is_asked_for() {
    let properties = json!({
        "name": {"type": "string", "title": "Your name", "description": "as in the passport"},
        "age": {"type": "integer", "minimum": 18, "maximum": 120},
        "height": {"type": "number"},
        "mail": {"type": "string", "format": "email"},
        "size": {"type": "string", "enum": ["s", "m"], "enumNames": ["Small", "Medium"]},
        "colour": {"type": "string", "oneOf": [{"const": "r", "title": "Red"}]},
        "tags": {"type": "array", "items": {"type": "string", "enum": ["a", "b", "c"]}, "maxItems": 2},
        "sure": {"type": "boolean", "description": "No way back"},
        "nick": {"type": "string", "default": "joe"},
        "note": {"type": "string"},
    });
    let required = json!(["name", "age", "height", "mail", "size", "colour", "tags", "sure", "nick"]);
    let answers = [
        json!(""),
        json!("Ann"),
        json!("x"),
        json!("12"),
        json!("40"),
        json!("1.5"),
        json!("nobody"),
        json!("a@b.c"),
        json!("Medium"),
        json!("Red"),
        json!("c"),
        json!("a"),
        json!(true),
        json!(""),
        json!(""),
    ];
    let (result, asked, _) = asked(&form_of(&properties, &required), &answers).await;
    let content = json!({"name": "Ann", "age": 40, "height": 1.5, "mail": "a@b.c", "size": "m", "colour": "r",
        "tags": ["c", "a"], "sure": true, "nick": "joe"});
    assert_eq!(result, json!({"action": "accept", "content": content}));
    let title = "MCP server \"s\" asks\nWho?";
    for (at, expected) in [
        (0, format!("input {title}\nYour name (as in the passport) []")),
        (1, format!("input {title}\nYour name (as in the passport)\nThis is needed. []")),
        (3, format!("input {title}\nage\n\"x\" is not a whole number. []")),
        (4, format!("input {title}\nage\nThe number must be at least 18. []")),
        (7, format!("input {title}\nmail\nThis must be an address of mail, such as me@example.com. []")),
        (8, format!("select {title}\nsize [\"Small\", \"Medium\"]")),
        (11, format!("select {title}\ntags\nChosen: c [\"a\", \"b\", \"(done)\"]")),
        (12, "confirm MCP server \"s\" asks | Who?\nsure (No way back)".to_owned()),
        (13, format!("input {title}\nnick [joe]")),
    ] {
        assert_eq!(asked[at], expected);
    }
}

#[tokio::test]
async fn forms_are_cancelled_declined_and_left_out() {
    let one = json!({"a": {"type": "string", "enum": ["x"]}});
    let suggested = json!({"a": {"type": "string", "enum": ["x", "y"], "default": "y"}});
    let text = json!({"a": {"type": "string"}, "b": {"type": "string"}});
    for (properties, required, answers, expected) in [
        (&one, json!(["a"]), vec![json!(null)], json!({"action": "cancel"})),
        (&one, json!([]), vec![json!("(leave out)")], json!({"action": "accept", "content": {}})),
        (&suggested, json!([]), vec![json!("(leave out)")], json!({"action": "accept", "content": {"a": "y"}})),
        (&text, json!(["b"]), vec![json!("1"), json!(null)], json!({"action": "cancel"})),
        (&text, json!(["b"]), vec![json!("1"), json!("")], json!({"action": "accept", "content": {"b": "1"}})),
        // Nobody who answers like this for ever is a person.
        (&text, json!(["b"]), vec![json!(""); 50], json!({"action": "cancel"})),
        (&json!({}), json!([]), vec![json!(true)], json!({"action": "accept", "content": {}})),
        (&json!({}), json!([]), vec![json!(false)], json!({"action": "decline"})),
    ] {
        let (result, ..) = asked(&form_of(properties, &required), &answers).await;
        assert_eq!(result, expected, "{properties} {answers:?}");
    }
}

#[tokio::test]
async fn pages_are_opened_after_a_yes_and_nothing_else_is() {
    for (url, answer, action, opened, said) in [
        (
            "https://a.example/x?y=1",
            true,
            "accept",
            vec!["https://a.example/x?y=1"],
            "confirm MCP server \"s\" asks you to open a page of a.example | Pay\nhttps://a.example/x?y=1",
        ),
        ("https://a.example/", false, "decline", vec![], "confirm"),
        (
            "file:///etc/passwd",
            true,
            "decline",
            vec![],
            "notify MCP server \"s\" wanted to open what is no page of the web",
        ),
        ("javascript:alert(1)", true, "decline", vec![], "notify"),
    ] {
        let request = json!({"mode": "url", "message": "Pay", "url": url, "elicitationId": "1"});
        let (result, asked, pages) = asked(&request, &[json!(answer)]).await;
        assert_eq!(
            (&result["action"], pages.as_slice()),
            (&json!(action), opened.as_slice().iter().map(|url| (*url).to_owned()).collect::<Vec<_>>().as_slice()),
            "{url}"
        );
        assert!(asked[0].starts_with(said), "{asked:?}");
    }
}
