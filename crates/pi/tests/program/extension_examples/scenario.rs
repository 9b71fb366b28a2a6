//! What is done with an example on a terminal: `fixtures/extension_examples/screens.json`.

use std::collections::BTreeMap;

use pi_test_kit::{Answer as Blocks, Gate, Reply, delta, end, open};
use serde::Deserialize;

use crate::extension_examples::recordings;
use crate::extension_examples::script::Answer;

/// All scenarios, by example.
pub(crate) type Scenarios = BTreeMap<String, Scenario>;

/// A scenario: `pi -e EXAMPLE` is started, and somebody types and looks.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Scenario {
    /// What the example draws, in the words of the report.
    pub(crate) draws: Vec<String>,
    /// Why it is not played yet.
    #[serde(default)]
    pub(crate) pending: Option<String>,
    /// What is waited for before the first step; else the model in the footer.
    #[serde(default)]
    pub(crate) begins: Option<String>,
    /// Files of the project.
    #[serde(default)]
    pub(crate) files: BTreeMap<String, String>,
    /// Shell commands that are run in the project before the program starts.
    #[serde(default)]
    pub(crate) setup: Option<String>,
    /// More arguments of the program.
    #[serde(default)]
    pub(crate) arguments: String,
    /// More variables of its environment.
    #[serde(default)]
    pub(crate) environment: BTreeMap<String, String>,
    /// Settings beside those of every scenario.
    #[serde(default)]
    pub(crate) settings: serde_json::Map<String, serde_json::Value>,
    /// Columns and rows of the window.
    #[serde(default = "usual_size")]
    pub(crate) size: (u16, u16),
    /// What differs from run to run: patterns, and what stands in their place.
    #[serde(default)]
    pub(crate) masks: Vec<(String, String)>,
    /// What the model answers, in order.
    #[serde(default)]
    model: Vec<Said>,
    /// What the user does.
    pub(crate) steps: Vec<Act>,
}

/// An answer of the model.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Said {
    Usual(Answer),
    /// After thinking.
    Thought {
        thinking: String,
        text: String,
    },
    /// One that does not go on before `release`.
    Held {
        held: String,
    },
}

/// Something that the user does or sees.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Act {
    /// Types a line, and Enter.
    Run(String),
    /// Types text.
    Type(String),
    /// Types text until the screen shows the other one: what is typed before an extension has begun is deleted again.
    TypeUntil(String, String),
    /// Presses keys: names with blanks between them, as in settings of keys.
    Keys(String),
    /// Waits until the screen shows this.
    See(String),
    /// Waits until the screen does not show this any more.
    Gone(String),
    /// Waits until this is in the window's title.
    Title(String),
    /// Waits until this is all of the window's title.
    TitleIs(String),
    /// The model goes on with its answer.
    Release,
    /// Another size of the window.
    Resize(u16, u16),
    /// The rows from the first that has one text to the first from there that has the other are what the snapshot says.
    Hold(String, String),
    /// The same with their colours.
    Colours(String, String),
}

fn usual_size() -> (u16, u16) {
    (80, 24)
}

/// The scenarios as they are committed.
pub(crate) fn all() -> Scenarios {
    serde_json::from_value(recordings::read("screens.json")).unwrap_or_else(|error| panic!("screens.json: {error}"))
}

impl Scenario {
    /// The answers of the model, and what holds those up that wait.
    pub(crate) fn replies(&self) -> (Vec<Reply>, Vec<Gate>) {
        let mut gates = Vec::new();
        let reply = |said: &Said| match said {
            Said::Usual(answer) => answer.reply(),
            Said::Thought { thinking, text } => Blocks::of_tokens(7, 5).thinking(thinking).text(text).reply(),
            Said::Held { held } => {
                let gate = Gate::new();
                gates.push(gate.clone());
                Reply::stream(&(open() + &delta(held))).wait(&gate).then(&end()).end()
            }
        };
        (self.model.iter().map(reply).collect(), gates)
    }
}
