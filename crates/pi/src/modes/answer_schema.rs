//! A final answer that fits a JSON Schema: asked for in the prompt, read out of what the model wrote, checked.

use pi_ai::{CoercionMode, ToolDefinition, ToolValidator};
use serde_json::Value;

use super::InitialPrompts;

/// What the final answer has to look like.
#[derive(Debug)]
pub struct AnswerSchema {
    validator: ToolValidator,
    text: String,
}

impl AnswerSchema {
    /// Compiles a schema.
    ///
    /// # Errors
    /// A sentence, when it is no JSON Schema.
    pub fn new(schema: Value) -> Result<Self, String> {
        let text = schema.to_string();
        if !schema.is_object() && !schema.is_boolean() {
            return Err("a JSON Schema is an object".to_owned());
        }
        let definition = ToolDefinition { name: "answer".to_owned(), description: String::new(), parameters: schema };
        let validator = ToolValidator::new(&definition, CoercionMode::Plain).map_err(|error| error.to_string())?;
        Ok(Self { validator, text })
    }

    /// Asks for such an answer at the end of the last prompt.
    pub(crate) fn ask(&self, prompts: &mut InitialPrompts) {
        if let Some(last) = prompts.texts.last_mut() {
            last.push_str(&format!(
                "\n\nWhen everything is done, answer with one JSON value that fits this JSON Schema, and with nothing else: no explanation, no code fence.\n{}",
                self.text
            ));
        }
    }

    /// The value of an answer.
    ///
    /// # Errors
    /// What is wrong with it, for the model.
    pub(crate) fn check(&self, answer: &str) -> Result<Value, String> {
        let value = json_in(answer).ok_or("The answer is not JSON.")?;
        self.validator.validate(&value).map_err(|error| error.to_string())
    }

    /// What the model is told about an answer that does not fit.
    pub(crate) fn repair(&self, problem: &str) -> String {
        format!(
            "That answer does not fit the JSON Schema.\n\n{problem}\n\nAnswer once more, with one JSON value that fits it and with nothing else:\n{}",
            self.text
        )
    }
}

/// The JSON in a text: all of it, what stands in its last code fence, or what lies between its first and last brackets.
fn json_in(text: &str) -> Option<Value> {
    let read = |text: &str| serde_json::from_str(text.trim()).ok();
    let fenced = || {
        let (before, _) = text.trim_end().strip_suffix("```").map(|text| (text, ())).or_else(|| {
            let end = text.rfind("\n```")?;
            Some((&text[..end], ()))
        })?;
        let start = before.rfind("```")?;
        read(before[start..].split_once('\n')?.1)
    };
    let between = || {
        let start = text.find(['{', '['])?;
        let end = text.rfind(['}', ']'])?;
        text.get(start..=end).and_then(read)
    };
    read(text).or_else(fenced).or_else(between)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn json_is_found_in_what_models_write() {
        for text in [
            r#"{"a":1}"#,
            "```json\n{\"a\":1}\n```",
            "Here it is:\n\n```json\n{\"a\": 1}\n```\nDone.",
            "The answer is {\"a\":1}.",
            "```\nnot this\n```\nbut\n```\n{\"a\":1}\n```\n",
        ] {
            assert_eq!(json_in(text), Some(json!({"a": 1})), "{text}");
        }
        assert_eq!((json_in("no"), json_in(""), json_in("}{")), (None, None, None));
    }

    #[test]
    fn an_answer_that_does_not_fit_is_explained() {
        let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
        let schema = AnswerSchema::new(schema).unwrap();
        assert_eq!(schema.check("{\"n\": 3}").unwrap(), json!({"n": 3}));
        let problem = schema.check("{}").unwrap_err();
        assert!(problem.contains('n') && schema.repair(&problem).contains("\"required\""), "{problem}");
        assert!(AnswerSchema::new(json!("no")).is_err());
        assert!(AnswerSchema::new(json!({"type": "nonsense"})).is_err());
    }
}
