//! One field of a form: how it is asked for, and what is wrong with an answer.

use pi_coding_agent::extension::{DialogOptions, ExtensionUi};
use pi_coding_agent::host::plain;
use serde_json::{Number, Value, json};
use url::Url;

/// Answers of one field that do not fit before the form is given up: something else than a person may answer.
const MOST_TRIES: usize = 10;
/// Choices that no server offers.
const LEAVE_OUT: &str = "(leave out)";
const DONE: &str = "(done)";

/// A field.
#[derive(Debug)]
pub(super) struct Field<'a> {
    pub(super) name: &'a str,
    pub(super) schema: &'a Value,
    pub(super) is_required: bool,
}

/// What came of asking.
#[derive(Debug, PartialEq)]
pub(super) enum Asked {
    Answered(Value),
    LeftOut,
    Cancelled,
}

/// Asks for one field. `title` says who asks, `message` what the form is about.
pub(super) async fn ask(ui: &dyn ExtensionUi, title: &str, message: &str, field: &Field<'_>) -> Asked {
    let text = |key: &str| field.schema[key].as_str().filter(|text| !text.is_empty());
    let label = plain(text("title").unwrap_or(field.name)).into_owned();
    let about = text("description").map(|text| format!(" ({})", plain(text))).unwrap_or_default();
    let what = format!("{message}\n{label}{about}");
    let question = format!("{title}\n{what}");
    match field.schema["type"].as_str() {
        Some("boolean") => Asked::Answered(ui.confirm(title, &what, DialogOptions::default()).await.into()),
        Some("array") => several(ui, &question, field).await,
        _ => match Choices::of(field.schema) {
            Some(choices) => one(ui, &question, field, &choices).await,
            None => typed(ui, &question, field).await,
        },
    }
}

/// What can be chosen: what the user sees, and what the server gets.
struct Choices(Vec<(String, String)>);

impl Choices {
    fn of(schema: &Value) -> Option<Self> {
        let titled = |list: &Value| -> Option<Vec<(String, String)>> {
            let pair = |one: &Value| {
                let value = one["const"].as_str()?;
                Some((one["title"].as_str().unwrap_or(value).to_owned(), value.to_owned()))
            };
            list.as_array()?.iter().map(pair).collect()
        };
        let plain = || {
            let values: Vec<&str> = schema["enum"].as_array()?.iter().filter_map(Value::as_str).collect();
            let names = schema["enumNames"].as_array();
            let name = |at: usize| names?.get(at)?.as_str();
            let pair = |(at, value): (usize, &&str)| (name(at).unwrap_or(value).to_owned(), (*value).to_owned());
            Some(values.iter().enumerate().map(pair).collect::<Vec<_>>())
        };
        let choices = titled(&schema["oneOf"]).or_else(|| titled(&schema["anyOf"])).or_else(plain)?;
        (!choices.is_empty()).then_some(Self(choices))
    }

    fn labels(&self) -> Vec<String> {
        self.0.iter().map(|(label, _)| plain(label).into_owned()).collect()
    }

    fn value(&self, label: &str) -> Option<&str> {
        self.0.iter().find(|(own, _)| plain(own) == label).map(|(_, value)| value.as_str())
    }
}

async fn one(ui: &dyn ExtensionUi, question: &str, field: &Field<'_>, choices: &Choices) -> Asked {
    let mut labels = choices.labels();
    let default = &field.schema["default"];
    // What is chosen by Enter is what the server suggests.
    if let Some(at) = choices.0.iter().position(|(_, value)| default == value.as_str()) {
        labels[..=at].rotate_right(1);
    }
    if !field.is_required {
        labels.push(LEAVE_OUT.to_owned());
    }
    match ui.select(question, &labels, DialogOptions::default()).await {
        None => Asked::Cancelled,
        Some(label) => match choices.value(&label) {
            Some(value) => Asked::Answered(value.into()),
            None if label == LEAVE_OUT && default.is_null() => Asked::LeftOut,
            None if label == LEAVE_OUT => Asked::Answered(default.clone()),
            None => Asked::Cancelled,
        },
    }
}

/// A list, chosen one after the other.
async fn several(ui: &dyn ExtensionUi, question: &str, field: &Field<'_>) -> Asked {
    let Some(choices) = Choices::of(&field.schema["items"]) else { return Asked::Cancelled };
    let count = |key: &str| field.schema[key].as_u64().and_then(|count| usize::try_from(count).ok());
    let (least, most) = (count("minItems").unwrap_or(0), count("maxItems").unwrap_or(usize::MAX));
    let mut chosen: Vec<String> = Vec::new();
    let mut left = choices.labels();
    while !left.is_empty() && chosen.len() < most {
        let mut labels = left.clone();
        if chosen.len() >= least {
            labels.push(DONE.to_owned());
        }
        let so_far = if chosen.is_empty() { String::new() } else { format!("\nChosen: {}", chosen.join(", ")) };
        match ui.select(&format!("{question}{so_far}"), &labels, DialogOptions::default()).await {
            Some(label) if label == DONE && chosen.len() >= least => break,
            Some(label) if left.contains(&label) => {
                left.retain(|other| *other != label);
                chosen.push(label);
            }
            _ => return Asked::Cancelled,
        }
    }
    if chosen.is_empty() && !field.is_required {
        return Asked::LeftOut;
    }
    Asked::Answered(chosen.iter().filter_map(|label| choices.value(label)).collect())
}

/// A text or a number, asked for until it fits.
async fn typed(ui: &dyn ExtensionUi, question: &str, field: &Field<'_>) -> Asked {
    let default = &field.schema["default"];
    let shown = match default {
        Value::Null => None,
        Value::String(text) => Some(plain(text).into_owned()),
        other => Some(other.to_string()),
    };
    let mut question = question.to_owned();
    let asked = question.clone();
    for _ in 0..MOST_TRIES {
        let Some(answer) = ui.input(&question, shown.as_deref(), DialogOptions::default()).await else {
            return Asked::Cancelled;
        };
        if answer.trim().is_empty() {
            match (default, field.is_required) {
                (Value::Null, false) => return Asked::LeftOut,
                (Value::Null, true) => {
                    question = format!("{asked}\nThis is needed.");
                    continue;
                }
                (default, _) => return Asked::Answered(default.clone()),
            }
        }
        match value(field.schema, &answer) {
            Ok(value) => return Asked::Answered(value),
            Err(problem) => question = format!("{asked}\n{problem}"),
        }
    }
    Asked::Cancelled
}

/// The value that an answer is, or what is wrong with it.
fn value(schema: &Value, answer: &str) -> Result<Value, String> {
    let trimmed = answer.trim();
    let number = match schema["type"].as_str() {
        Some("integer") => {
            let number: i64 = trimmed.parse().map_err(|_| format!("\"{trimmed}\" is not a whole number."))?;
            Number::from(number)
        }
        Some("number") => {
            let number: Option<f64> = trimmed.parse().ok();
            number.and_then(Number::from_f64).ok_or_else(|| format!("\"{trimmed}\" is not a number."))?
        }
        _ => return text(schema, answer),
    };
    let (size, limit) = (number.as_f64().unwrap_or_default(), |key: &str| schema[key].as_f64());
    match (limit("minimum"), limit("maximum")) {
        (Some(least), _) if size < least => Err(format!("The number must be at least {least}.")),
        (_, Some(most)) if size > most => Err(format!("The number must be at most {most}.")),
        _ => Ok(Value::Number(number)),
    }
}

fn text(schema: &Value, answer: &str) -> Result<Value, String> {
    let (length, limit) = (answer.chars().count() as u64, |key: &str| schema[key].as_u64());
    if let Some(least) = limit("minLength").filter(|least| length < *least) {
        return Err(format!("The text must have at least {least} characters."));
    }
    if let Some(most) = limit("maxLength").filter(|most| length > *most) {
        return Err(format!("The text must have at most {most} characters."));
    }
    let answer = answer.trim();
    let (fits, kind) = match schema["format"].as_str() {
        Some("email") => (is_email(answer), "an address of mail, such as me@example.com"),
        Some("uri") => (Url::parse(answer).is_ok(), "a URL, such as https://example.com"),
        Some("date") => (is_date(answer), "a date, such as 2026-11-28"),
        Some("date-time") => (
            answer.get(..10).is_some_and(is_date) && answer.get(10..11) == Some("T"),
            "a time, such as 2026-11-28T09:30:00Z",
        ),
        _ => (true, ""),
    };
    if fits { Ok(json!(answer)) } else { Err(format!("This must be {kind}.")) }
}

fn is_email(text: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && !part.contains(char::is_whitespace) && !part.contains('@');
    text.split_once('@').is_some_and(|(name, host)| is_part(name) && is_part(host))
}

fn is_date(text: &str) -> bool {
    let parts: Vec<Option<u32>> = text.split('-').map(|part| part.parse().ok()).collect();
    let has_shape = text.len() == 10 && text.as_bytes()[4] == b'-' && text.as_bytes()[7] == b'-';
    has_shape && matches!(parts.as_slice(), [Some(_), Some(1..=12), Some(1..=31)])
}
