//! Measures what compaction retains: facts are planted in long sessions, and after a compaction they are looked for.
//!
//! - `retention generate DIR` writes the sessions anew (the same ones every time).
//! - `retention check DIR` says whether every fact reaches the summarising model or stays in the context.
//! - `retention requests DIR OUT` writes what a model would be asked to `OUT/<session>.<n>.txt`, to be put to any model.
//! - `retention report DIR ANSWERS` reads its answers from `ANSWERS/<session>.<n>.txt` and says what they retained.
//! - `retention ask DIR PROVIDER MODEL` asks a model itself, with the key of the environment, and reports.
//!
//! `DIR` is `fixtures/sessions/retention`.
#![allow(clippy::print_stdout, clippy::expect_used, clippy::missing_docs_in_private_items, reason = "an example")]

mod facts;
mod measure;
mod script;
mod sessions;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs};

use anyhow::{Context as _, Result, bail};
use pi_ai::{ApiRegistry, AssistantMessage, ContentBlock, Context, StreamOptions};
use pi_coding_agent::compaction::SummaryOptions;

use facts::{Fixture, load};
use measure::{Outcome, compacted, report};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        ["generate", dir] => sessions::generate(Path::new(dir))?,
        ["check", dir] => check(Path::new(dir)).await?,
        ["requests", dir, out] => requests(Path::new(dir), Path::new(out)).await?,
        ["report", dir, answers] => from_files(Path::new(dir), Path::new(answers)).await?,
        ["ask", dir, provider, model] => ask(Path::new(dir), provider, model).await?,
        _ => bail!(
            "usage: retention generate DIR | check DIR | requests DIR OUT | report DIR ANSWERS | ask DIR PROVIDER MODEL"
        ),
    }
    Ok(())
}

fn says(text: &str) -> Arc<AssistantMessage> {
    Arc::new(AssistantMessage { content: vec![ContentBlock::text(text)], ..AssistantMessage::default() })
}

async fn check(dir: &Path) -> Result<()> {
    for fixture in load(dir)? {
        let outcome = compacted(&fixture, |_, _| std::future::ready(says("THE WORDS OF THE MODEL"))).await?;
        for fact in &fixture.planted.facts {
            let (place, why) = (outcome.place(fact), fact.why.as_deref().unwrap_or_default());
            let mark = if place == fact.place { "ok" } else { "WRONG" };
            println!("{mark:5} {place:?} {}: {} {why}", fixture.name, fact.text.trim_end());
        }
    }
    Ok(())
}

async fn requests(dir: &Path, out: &Path) -> Result<()> {
    fs::create_dir_all(out)?;
    for fixture in load(dir)? {
        let outcome = compacted(&fixture, |_, _| std::future::ready(says("-"))).await?;
        for (n, request) in outcome.requests.iter().enumerate() {
            fs::write(out.join(format!("{}.{n}.txt", fixture.name)), request)?;
        }
    }
    Ok(())
}

async fn from_files(dir: &Path, answers: &Path) -> Result<()> {
    let mut outcomes: Vec<(Fixture, Outcome)> = Vec::new();
    for fixture in load(dir)? {
        let asked = AtomicUsize::new(0);
        let read = |_: Context, _: SummaryOptions| {
            let n = asked.fetch_add(1, Ordering::Relaxed);
            let file = answers.join(format!("{}.{n}.txt", fixture.name));
            let answer = fs::read_to_string(&file).map(|text| says(&text));
            async move { answer.unwrap_or_else(|error| says(&format!("({}: {error})", file.display()))) }
        };
        let outcome = compacted(&fixture, read).await?;
        outcomes.push((fixture, outcome));
    }
    println!("{}", report(&outcomes));
    Ok(())
}

async fn ask(dir: &Path, provider: &str, model: &str) -> Result<()> {
    let apis = ApiRegistry::builtin();
    let model = pi_ai::get_model(provider, model).context("no such model; see pi --list-models")?;
    let mut outcomes: Vec<(Fixture, Outcome)> = Vec::new();
    for fixture in load(dir)? {
        let call = async |context: Context, options: SummaryOptions| {
            let options = StreamOptions { max_tokens: Some(options.max_tokens), ..StreamOptions::default() };
            match apis.stream(Arc::clone(&model), context, options) {
                Ok(stream) => stream.result().await,
                Err(error) => says(&error.to_string()),
            }
        };
        let outcome = compacted(&fixture, call).await.with_context(|| fixture.name.clone())?;
        outcomes.push((fixture, outcome));
    }
    println!("{}", report(&outcomes));
    Ok(())
}
