//! Tools whose arguments are Rust types.

use std::sync::Arc;

use pi_agent_core::{FnTool, Tool, ToolOutput};
use pi_ai::schemars::{self, JsonSchema};
use serde::Deserialize;
use serde_json::json;

use crate::agent::support::{Bench, Reply};

/// Not for the model: the tool has a description of its own.
#[derive(Debug, Deserialize, JsonSchema)]
struct Repeat {
    /// What to say.
    text: String,
    /// How often.
    times: Option<u8>,
}

fn repeat() -> FnTool {
    FnTool::typed("repeat", "Says it again.", |repeat: Repeat, call| async move {
        Ok(ToolOutput::text(format!("{}: {}", call.id, repeat.text.repeat(repeat.times.unwrap_or(2).into()))))
    })
    .unwrap()
}

#[test]
fn the_schema_comes_from_the_type() {
    let tool = repeat().with_label("Echo");
    assert_eq!((tool.definition().name.as_str(), tool.label()), ("repeat", "Echo"));
    insta::assert_snapshot!(serde_json::to_string_pretty(&**tool.definition()).unwrap(), @r#"
    {
      "name": "repeat",
      "description": "Says it again.",
      "parameters": {
        "type": "object",
        "properties": {
          "text": {
            "type": "string",
            "description": "What to say."
          },
          "times": {
            "type": [
              "integer",
              "null"
            ],
            "minimum": 0,
            "maximum": 255,
            "description": "How often."
          }
        },
        "required": [
          "text"
        ]
      }
    }
    "#);
}

#[tokio::test]
async fn arguments_arrive_as_values_of_the_type() {
    let calls = vec![
        ("plain", "repeat", json!({"text": "ha"})),
        ("coerced", "repeat", json!({"text": 1, "times": "3"})),
        ("invalid", "repeat", json!({"times": 3})),
        ("too big", "repeat", json!({"text": "ha", "times": 300})),
    ];
    let bench = Bench::new([Reply::Calls(calls), Reply::Text("done")], [Arc::new(repeat()) as Arc<dyn Tool>]);
    bench.run("go").await;
    insta::assert_snapshot!(bench.transcript(), @r#"
    user: go
    assistant toolUse:  [plain] [coerced] [invalid] [too big]
    result plain: plain: haha
    result coerced: coerced: 111
    result invalid!: Validation failed for tool "repeat":
      - text: must have required properties text

    Received arguments:
    {
      "times": 3
    }
    result too big!: Validation failed for tool "repeat":
      - times: must be <= 255

    Received arguments:
    {
      "text": "ha",
      "times": 300
    }
    assistant stop: done
    "#);
}

/// What only the type knows is checked as well.
#[derive(Debug, Deserialize, JsonSchema)]
struct Even {
    #[serde(deserialize_with = "even")]
    number: i64,
}

fn even<'de, D: serde::Deserializer<'de>>(input: D) -> Result<i64, D::Error> {
    let number = i64::deserialize(input)?;
    if number % 2 == 0 { Ok(number) } else { Err(serde::de::Error::custom("only even numbers can be halved")) }
}

#[tokio::test]
async fn a_type_may_be_stricter_than_its_schema() {
    let half =
        FnTool::typed(
            "half",
            "Halves.",
            |even: Even, _| async move { Ok(ToolOutput::text((even.number / 2).to_string())) },
        );
    let calls = vec![("a", "half", json!({"number": 4})), ("b", "half", json!({"number": 5}))];
    let bench = Bench::new([Reply::Calls(calls), Reply::Text("done")], [Arc::new(half.unwrap()) as Arc<dyn Tool>]);
    bench.run("go").await;
    insta::assert_snapshot!(bench.transcript(), @r#"
    user: go
    assistant toolUse:  [a] [b]
    result a: 2
    result b!: Invalid arguments for tool "half": only even numbers can be halved
    assistant stop: done
    "#);
}

#[test]
fn a_type_that_is_no_object_is_refused() {
    let error = FnTool::typed("bad", "", |_: String, _| async { Ok(ToolOutput::text("")) }).unwrap_err();
    assert!(error.to_string().contains("no struct with named fields"), "{error}");
}
