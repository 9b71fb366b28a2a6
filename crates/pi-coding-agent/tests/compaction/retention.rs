//! What compaction retains: the planted facts reach the summarising model or stay in the context, and what cannot is
//! known. The sessions and the measuring are those of the example `retention`.

#[path = "../../examples/retention/facts.rs"]
mod facts;
#[path = "../../examples/retention/measure.rs"]
mod measure;
#[path = "../../examples/retention/script.rs"]
mod script;
#[path = "../../examples/retention/sessions.rs"]
mod sessions;

use std::fs;
use std::future::ready;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use facts::{Fixture, Place, load};
use measure::{Outcome, compacted, open, report, text_of};
use pi_ai::{AssistantMessage, ContentBlock, Context};
use pi_coding_agent::compaction::{branch_entries, prepare};

fn dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/sessions/retention")
}

fn says(text: &str) -> Arc<AssistantMessage> {
    Arc::new(AssistantMessage { content: vec![ContentBlock::text(text)], ..AssistantMessage::default() })
}

#[test]
fn the_sessions_are_as_generated_and_small() {
    let again = tempfile::tempdir().unwrap();
    sessions::generate(again.path()).unwrap();
    let mut total = 0;
    for (name, ..) in sessions::SESSIONS {
        for extension in ["jsonl", "facts.json"] {
            let file = format!("{name}.{extension}");
            let committed = fs::read_to_string(dir().join(&file)).unwrap();
            let generated = fs::read_to_string(again.path().join(&file)).unwrap();
            assert!(
                committed == generated,
                "{file}: cargo run --example retention -- generate <dir> writes another one"
            );
            assert!(committed.len() <= 200_000, "{file}: {}", committed.len());
            total += committed.len();
        }
    }
    assert!(total <= 1_500_000, "{total}");
    assert_eq!(load(&dir()).unwrap().len(), sessions::SESSIONS.len());
}

#[tokio::test]
async fn every_fact_is_where_it_has_to_be() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for fixture in load(&dir()).unwrap() {
        let outcome = compacted(&fixture, |_, _| ready(says("THE WORDS OF THE MODEL"))).await.unwrap();
        for fact in &fixture.planted.facts {
            count += 1;
            assert_eq!(fact.place == Place::Lost, fact.why.is_some(), "{}: {}", fixture.name, fact.text);
            let place = outcome.place(fact);
            if place != fact.place {
                wrong.push(format!("{}: {:?} {:?} instead of {:?}", fixture.name, fact.text, place, fact.place));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 100, "{count}");
}

/// Stands in for a model: of everything that the user said, the first hundred characters.
fn first_words(request: &str) -> String {
    let parts = request.trim_start_matches("<conversation>\n").split("\n\n");
    let said = parts.filter_map(|part| part.strip_prefix("[User]: "));
    said.map(|text| text.chars().take(100).collect::<String>()).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn a_report_says_what_a_summary_kept() {
    let mut outcomes: Vec<(Fixture, Outcome)> = Vec::new();
    for fixture in load(&dir()).unwrap() {
        let summarise = |context: Context, _| ready(says(&first_words(&text_of(&context.messages))));
        let outcome = compacted(&fixture, summarise).await.unwrap();
        outcomes.push((fixture, outcome));
    }
    insta::assert_snapshot!(report(&outcomes));
}

#[tokio::test]
async fn compacting_again_and_again_ends() {
    // Each session is compacted with ever less to be kept, until nothing more can be done.
    for fixture in load(&dir()).unwrap() {
        let scratch = tempfile::tempdir().unwrap();
        let session = open(&fixture, scratch.path());
        let context = session.build_session_context().unwrap().messages;
        let mut before = usize::MAX;
        for keep in [8000, 4000, 2000, 500, 1] {
            let settings = pi_coding_agent::compaction::CompactionSettings {
                keep_recent_tokens: keep,
                ..pi_coding_agent::compaction::CompactionSettings::default()
            };
            let preparation = prepare(&branch_entries(&session).unwrap(), &context, &settings).unwrap();
            let all = context.len() - preparation.messages_to_summarize.len() - preparation.turn_prefix_messages.len();
            assert!(all <= before, "{}: {all} kept of {keep} tokens", fixture.name);
            before = all;
        }
    }
}
