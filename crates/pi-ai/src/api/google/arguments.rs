//! Arguments that arrive in pieces, each with the path of its place: assembles the object and writes it as JSON text
//! while it grows.
//!
//! Providers send the pieces in the order of the text, so that each extends it. A piece for a place that the text has
//! already passed waits until the end: there the member of the outermost object that it belongs to is written again, and
//! of two members of one name the later counts. Every byte is handled a constant number of times.

use serde_json::{Map, Value};

use super::json_path::Step;

/// Arguments under construction.
#[derive(Debug)]
pub(super) struct Arguments {
    /// All of it, an object.
    root: Value,
    /// The place that the text is at: the value there was written, everything around it is open.
    at: Vec<Step>,
    /// The text is inside a string.
    in_string: bool,
    /// Members of the root that are not what the text says.
    late: Map<String, Value>,
    /// Text that was not taken yet.
    text: String,
}

impl Default for Arguments {
    fn default() -> Self {
        Self {
            root: Value::Object(Map::new()),
            at: Vec::new(),
            in_string: false,
            late: Map::new(),
            text: "{".to_owned(),
        }
    }
}

impl Arguments {
    /// Puts a value where the path leads. A string for a place that holds one continues it; indexes past the end of an
    /// array append.
    pub(super) fn put(&mut self, mut path: Vec<Step>, value: Value) {
        let common = self.at.iter().zip(&path).take_while(|(a, b)| a == b).count();
        let known = self.store(&mut path, &value);
        let is_here = common == path.len() && common == self.at.len();
        match value {
            _ if !self.late.is_empty() => self.delay(&path),
            Value::String(piece) if is_here && self.in_string => push_string(&mut self.text, &piece),
            // The first step that differs leads to a new place in a container that the text has open.
            value if known == common && self.branches(&path, common) => self.advance(path, common, &value),
            _ => self.delay(&path),
        }
    }

    /// Whether the path leaves the current one after `common` steps, in a container of the same kind.
    fn branches(&self, path: &[Step], common: usize) -> bool {
        match (self.at.get(common), path.get(common)) {
            (Some(Step::Key(_)), Some(Step::Key(_))) | (Some(Step::Index(_)), Some(Step::Index(_))) => true,
            (None, Some(_)) => self.at.is_empty(),
            _ => false,
        }
    }

    /// The text since the last call.
    pub(super) fn take_text(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    /// The rest of the text.
    pub(super) fn finish(mut self) -> String {
        self.close(0);
        // What is late was passed: the text holds a member.
        for name in std::mem::take(&mut self.late).keys() {
            self.text.push(',');
            push_key(&mut self.text, name);
            self.text.push_str(&self.root[name.as_str()].to_string());
        }
        self.text.push('}');
        self.text
    }

    /// Changes the object and returns how many steps of the path led to places that were there.
    fn store(&mut self, path: &mut [Step], value: &Value) -> usize {
        let mut known = path.len();
        let mut node = &mut self.root;
        for (depth, step) in path.iter_mut().enumerate() {
            let (child, is_new) = child(node, step);
            if is_new {
                known = known.min(depth);
            }
            node = child;
        }
        match (node, value) {
            (Value::String(text), Value::String(piece)) => text.push_str(piece),
            (node, value) => *node = value.clone(),
        }
        known
    }

    /// The place is behind the text.
    fn delay(&mut self, path: &[Step]) {
        if let Some(Step::Key(name)) = path.first() {
            self.late.insert(name.clone(), Value::Null);
        }
    }

    /// Extends the text to a new place whose path leaves the current one after `common` steps.
    fn advance(&mut self, path: Vec<Step>, common: usize, value: &Value) {
        let is_first = self.at.is_empty();
        self.close(common);
        if !is_first {
            self.text.push(',');
        }
        for (depth, step) in path.iter().enumerate().skip(common) {
            if depth > common {
                self.text.push(if matches!(step, Step::Key(_)) { '{' } else { '[' });
            }
            if let Step::Key(name) = step {
                push_key(&mut self.text, name);
            }
        }
        match value {
            Value::String(text) => {
                self.in_string = true;
                self.text.push('"');
                push_string(&mut self.text, text);
            }
            other => self.text.push_str(&other.to_string()),
        }
        self.at = path;
    }

    /// Closes what is open but the `depth` + 1 outermost containers.
    fn close(&mut self, depth: usize) {
        if std::mem::take(&mut self.in_string) {
            self.text.push('"');
        }
        for step in self.at.iter().skip(depth + 1).rev() {
            self.text.push(if matches!(step, Step::Key(_)) { '}' } else { ']' });
        }
    }
}

/// Where a step leads, and whether that place is new. What stands in the way is replaced.
fn child<'a>(node: &'a mut Value, step: &mut Step) -> (&'a mut Value, bool) {
    match step {
        Step::Key(name) => {
            if !node.is_object() {
                *node = Value::Object(Map::new());
            }
            let is_new = node.get(name.as_str()).is_none();
            (&mut node[name.as_str()], is_new)
        }
        Step::Index(index) => {
            if !node.is_array() {
                *node = Value::Array(Vec::new());
            }
            let length = node.as_array().map_or(0, Vec::len);
            let is_new = *index >= length;
            if is_new {
                // An index from outside must not decide how much memory is taken.
                *index = length;
                if let Value::Array(items) = node {
                    items.push(Value::Null);
                }
            }
            (&mut node[*index], is_new)
        }
    }
}

fn push_key(text: &mut String, name: &str) {
    text.push('"');
    push_string(text, name);
    text.push_str("\":");
}

/// Appends the inside of a JSON string.
fn push_string(text: &mut String, piece: &str) {
    let quoted = Value::from(piece).to_string();
    text.push_str(&quoted[1..quoted.len() - 1]);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::super::json_path::parse;
    use super::*;

    /// The text of pieces, one element per piece and one for the end.
    fn texts(pieces: &[(&str, Value)]) -> Vec<String> {
        let mut arguments = Arguments::default();
        let mut texts = Vec::new();
        for (path, value) in pieces {
            arguments.put(parse(path).unwrap(), value.clone());
            texts.push(arguments.take_text());
        }
        texts.push(arguments.finish());
        texts
    }

    fn read(texts: &[String]) -> Value {
        let text = texts.concat();
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn pieces_in_order_extend_the_text() {
        let texts = texts(&[
            ("$.place", json!("Bos")),
            ("$.place", json!("ton \"x\"")),
            ("$.days", json!(3)),
            ("$.stops[0].name", json!("a")),
            ("$.stops[0].far", json!(true)),
            ("$.stops[1].name", json!(null)),
            ("$.end", json!("")),
        ]);
        assert_eq!(texts[..2], [r#"{"place":"Bos"#, r#"ton \"x\""#]);
        assert_eq!(
            texts.concat(),
            r#"{"place":"Boston \"x\"","days":3,"stops":[{"name":"a","far":true},{"name":null}],"end":""}"#
        );
    }

    #[test]
    fn nothing_is_an_empty_object() {
        assert_eq!(texts(&[]), ["{}"]);
    }

    #[test]
    fn pieces_out_of_order_are_not_lost() {
        for (pieces, expected) in [
            (vec![("$.a.x", json!(1)), ("$.b", json!(2)), ("$.a.y", json!(3))], json!({"a": {"x": 1, "y": 3}, "b": 2})),
            (vec![("$.a", json!("1")), ("$.b", json!("2")), ("$.a", json!("3"))], json!({"a": "13", "b": "2"})),
            (vec![("$.a", json!(1)), ("$.a", json!(2))], json!({"a": 2})),
            (vec![("$.a", json!("s")), ("$.a", json!(2)), ("$.b", json!(1))], json!({"a": 2, "b": 1})),
            (vec![("$.a", json!(1)), ("$.a.b", json!(2))], json!({"a": {"b": 2}})),
            (vec![("$.a.b", json!(1)), ("$.a", json!(2))], json!({"a": 2})),
            (vec![("$.a[7]", json!(1)), ("$.a[9]", json!(2)), ("$.a[0]", json!(3))], json!({"a": [3, 2]})),
            (vec![("$.a[0]", json!(1)), ("$.a.b", json!(2))], json!({"a": {"b": 2}})),
            (vec![("$.a", json!({"x": 1})), ("$.a.y", json!(2))], json!({"a": {"x": 1, "y": 2}})),
            (
                vec![("$.c", json!(1)), ("$.a", json!(1)), ("$.c", json!(2)), ("$.d", json!(3))],
                json!({"c": 2, "a": 1, "d": 3}),
            ),
        ] {
            assert_eq!(read(&texts(&pieces)), expected, "{pieces:?}");
        }
    }

    fn path() -> impl Strategy<Value = Vec<Step>> {
        let key = prop::sample::select(vec!["a", "b", "c \""]).prop_map(|name| Step::Key(name.to_owned()));
        let step = prop_oneof![key.clone(), (0..3usize).prop_map(Step::Index)];
        (key, prop::collection::vec(step, 0..3)).prop_map(|(first, rest)| [vec![first], rest].concat())
    }

    fn value() -> impl Strategy<Value = Value> {
        prop_oneof![Just(json!(null)), Just(json!(1.5)), Just(json!(false)), ".{0,3}".prop_map(Value::from)]
    }

    proptest! {
        #[test]
        fn the_text_says_what_was_assembled(pieces in prop::collection::vec((path(), value()), 0..12)) {
            let mut arguments = Arguments::default();
            let mut text = String::new();
            for (path, value) in pieces {
                arguments.put(path, value);
                text.push_str(&arguments.take_text());
            }
            let assembled = arguments.root.clone();
            text.push_str(&arguments.finish());
            prop_assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), assembled);
        }
    }
}
