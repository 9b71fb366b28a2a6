//! The sessions: what is peculiar to each, and which facts are planted where.

use std::fs;
use std::path::Path;

use pi_ai::{ContentBlock, StopReason};
use pi_coding_agent::session::{BranchSummary, Compaction};
use serde_json::json;

use super::facts::Kind::{Constraint, Decision, Error, Figure, Goal, Path as File, Wish};
use super::facts::Place::{Added, Kept};
use super::script::Script;

const CUT: &str = "beyond the first 2000 characters of a tool result";

/// How a session goes.
type Play = fn(&mut Script);

/// Every session: its name, what is peculiar to it, and how it goes.
pub(crate) const SESSIONS: &[(&str, &str, Play)] = &[
    ("long-outputs", "facts in tool results, before and behind the cut that the request makes", long_outputs),
    ("many-edits", "eighty edits, so that the lists of files matter", many_edits),
    ("one-turn", "a single long turn, cut through in its middle", one_turn),
    ("twice-compacted", "two earlier compactions, facts in their summaries", twice_compacted),
    (
        "second-split",
        "an earlier compaction, then a single long turn: the earlier summary is carried on as it is",
        second_split,
    ),
    ("branches", "a branch that was left with a summary", branches),
    ("pictures", "questions with pictures", pictures),
    ("languages", "German, Japanese, Arabic, emoji", languages),
    ("commands", "commands of the user, some of them kept from the model", commands),
    ("extensions", "messages and data of extensions", extensions),
    ("huge-result", "ends in a tool result far larger than what is kept", huge_result),
    ("pinned", "pinned messages", pinned),
    ("thinking", "decisions that stand only in the model's thinking", thinking),
    ("failures", "failed and aborted answers", failures),
    ("settings", "settings, names and labels between everything, and a huge question", settings),
];

/// Writes all sessions and their facts into a directory.
pub(crate) fn generate(dir: &Path) -> std::io::Result<()> {
    fs::create_dir_all(dir)?;
    for (name, about, play) in SESSIONS {
        let scratch = tempfile::tempdir()?;
        let mut script = Script::new(scratch.path(), name, about);
        play(&mut script);
        let file = script.manager.session_file().expect("a file").to_owned();
        script.manager.sync().expect("a written file");
        fs::copy(file, dir.join(format!("{name}.jsonl")))?;
        let facts = serde_json::to_string_pretty(&script.planted)? + "\n";
        fs::write(dir.join(format!("{name}.facts.json")), facts)?;
    }
    Ok(())
}

/// What every session begins with, unless it has something better.
fn opening(s: &mut Script) {
    let goal = s.plant(Goal, "move the ledger from polling to push notifications");
    let path = s.plant(File, "crates/ledger/src/notify.rs");
    let constraint = s.plant(Constraint, "the public API of version 2 must not change");
    let wish = s.plant(Wish, "short commit messages in the present tense");
    s.user(&format!("I want to {goal}. Most of it is in {path}. Mind that {constraint}. And please: {wish}."));
    let decision = s.plant(Decision, "a bounded channel of 64 instead of an unbounded one");
    s.answer(&format!("Understood. I suggest {decision}, because a slow reader must slow the writer down."));
    let figure = s.plant(Figure, "p99 below 35 ms");
    s.user(&format!("Agreed. The target is {figure}."));
    s.answer("Then I begin with the reader.");
}

/// What every session ends with.
fn ending(s: &mut Script) {
    let kept = s.plant_at(Wish, "tell me before you touch the migration", Kept, None);
    s.user(&format!("One more thing: {kept}."));
    s.answer("I will.");
}

fn long_outputs(s: &mut Script) {
    opening(s);
    s.work(2);
    let early = s.plant(Error, "error[E0502]: cannot borrow `frames` as mutable");
    let late = s.lose(Error, "warning: 3 leases were never released", CUT);
    let result = format!("Compiling ledger\n{early}\n{}\n{late}", s.log(120));
    s.tool("I run the tests.", "bash", json!({ "command": "cargo test -p ledger" }), &result);
    let config = s.plant(Figure, "max_inflight = 48");
    let tail = s.lose(Figure, "retry_budget = 7", CUT);
    let result = format!("[push]\n{config}\n{}\n{tail}", s.code(160));
    s.tool("", "read", json!({ "path": "config/push.toml" }), &result);
    s.answer("The borrow has to end before the loop.");
    s.work(9);
    ending(s);
}

fn many_edits(s: &mut Script) {
    opening(s);
    for n in 0..80 {
        let path = format!("src/push/step_{n:02}.rs");
        let (old, new) = (s.line(), s.line());
        if matches!(n, 3 | 4) {
            s.plant_at(File, &path, Added, None);
        }
        s.tool("", "edit", json!({ "path": path, "edits": [{ "oldText": old, "newText": new }] }), "Applied 1 edit.");
        if n % 10 == 9 {
            let text = s.prose(4);
            s.answer(&text);
            s.user(&format!("Go on with part {}.", n / 10 + 2));
        }
    }
    s.answer("All parts are done.");
    s.work(4);
    ending(s);
}

fn one_turn(s: &mut Script) {
    let goal = s.plant(Goal, "port the importer to the streaming reader");
    let constraint = s.plant(Constraint, "never hold more than 16 MB of a file in memory");
    let wish = s.plant(Wish, "leave the old importer behind a flag named legacy-import");
    s.user(&format!("Please {goal}. You must {constraint}, and {wish}. Work until all tests pass."));
    for n in 0..26 {
        let code = s.code(40);
        let text = match n {
            1 => format!("I decided on {}.", s.plant(Decision, "one arena per record batch")),
            3 => format!("The cause is {}.", s.plant(Error, "UnexpectedEof at offset 73216")),
            _ => s.prose(1),
        };
        s.tool(&text, "read", json!({ "path": format!("src/import/stage_{n}.rs") }), &code);
    }
    let kept = s.plant_at(Figure, "412 of 412 tests pass", Kept, None);
    s.answer(&format!("Done: {kept}."));
}

fn compaction(s: &mut Script, summary: &str, kept: &str) {
    s.manager
        .append()
        .compaction(Compaction {
            summary: summary.to_owned(),
            first_kept_entry_id: kept.to_owned(),
            tokens_before: 50_000,
            details: Some(json!({ "readFiles": ["docs/push.md"], "modifiedFiles": ["src/old/poller.rs"] })),
            from_hook: Some(false),
        })
        .expect("an entry");
}

fn twice_compacted(s: &mut Script) {
    let gone = s.lose(Wish, "use tabs in the generated files", "was not in the first summary");
    s.user(&format!("Let us begin. And {gone}."));
    s.work(3);
    let first = s.user("Now the writer.");
    s.answer("Yes.");
    compaction(s, "## Goal\nSomething that the second summary replaced.", &first);
    s.work(4);
    let second = s.user("Now the reader.");
    s.answer("Yes.");
    let goal = s.plant(Goal, "retire the nightly poller before the March release");
    let decision = s.plant(Decision, "sequence numbers instead of timestamps");
    let constraint = s.plant(Constraint, "no lock may be held across an await");
    let path = s.plant_at(File, "src/old/poller.rs", Added, None);
    compaction(
        s,
        &format!(
            "## Goal\nMove to push and {goal}.\n\n## Constraints & Preferences\n- {constraint}\n\n## Key Decisions\n- \
             **{decision}**: clocks differ.\n\n<modified-files>\n{path}\n</modified-files>"
        ),
        &second,
    );
    s.work(10);
    s.plant_at(File, "docs/push.md", Added, None);
    ending(s);
}

fn second_split(s: &mut Script) {
    s.user("Let us begin.");
    s.work(2);
    let goal = s.plant_at(Goal, "keep the offline mode working on the train", Added, None);
    let error = s.plant_at(Error, "lease 0x5f21 expired twice", Added, None);
    let task = s.plant(Goal, "rewrite the whole cursor");
    let kept = s.user(&format!("Now {task} in one go."));
    compaction(s, &format!("## Goal\n{goal}\n\n## Critical Context\n- {error}"), &kept);
    for n in 0..24 {
        let code = s.code(40);
        let text = match n {
            2 => format!("I take {}.", s.plant(Decision, "a skip list for open cursors")),
            _ => s.prose(1),
        };
        s.tool(&text, "read", json!({ "path": format!("src/cursor/part_{n}.rs") }), &code);
    }
    s.answer("The cursor is rewritten.");
}

fn branches(s: &mut Script) {
    opening(s);
    s.work(2);
    let fork = s.answer("Two ways are open: threads, or one task.");
    let gone = s.lose(Decision, "twelve threads with a barrier", "on a branch that was left, and not in its summary");
    s.user("Try threads.");
    s.answer(&format!("I take {gone}."));
    s.work(3);
    let learned = s.plant(Error, "deadlock between the journal and the flusher");
    let path = s.plant(File, "experiments/threads.rs");
    s.manager
        .branch_with_summary(
            Some(&fork),
            BranchSummary {
                summary: format!("Threads were tried in {path} and given up: {learned}."),
                details: Some(json!({ "readFiles": [], "modifiedFiles": ["experiments/barrier.rs"] })),
                from_hook: Some(false),
            },
        )
        .expect("an entry");
    s.plant_at(File, "experiments/barrier.rs", Added, None);
    s.user("Then one task.");
    s.answer("One task it is.");
    s.work(10);
    ending(s);
}

fn pictures(s: &mut Script) {
    opening(s);
    for text in ["the sidebar overlaps the chart below 640 pixels", "the legend is cut off in landscape"] {
        let fact = s.plant(Error, text);
        s.user_with_picture(&format!("Look at this: {fact}."));
        s.answer("I see it in the picture.");
        s.work(1);
    }
    let constraint = s.plant(Constraint, "colours only from the tokens file");
    s.user_with_picture(&format!("This is how it should be; {constraint}."));
    s.answer("Understood.");
    s.work(9);
    ending(s);
}

fn languages(s: &mut Script) {
    let german = s.plant(Goal, "die Übersetzung der Fehlermeldungen ergänzen");
    let umlaut = s.plant(Constraint, "Umlaute dürfen nicht zu Fragezeichen werden");
    s.user(&format!("Bitte {german}. Wichtig: {umlaut}."));
    let japanese = s.plant(Wish, "コメントは日本語で書いてください");
    s.user(&format!("それから、{japanese}。"));
    s.answer("はい、分かりました。");
    let arabic = s.plant(Constraint, "يجب أن يعمل النص من اليمين إلى اليسار");
    s.user(&format!("{arabic}، من فضلك."));
    let emoji = s.plant(Decision, "🦀 means an error that Rust caught, 🐍 one that it did not");
    s.answer(&format!("I note: {emoji}."));
    let path = s.plant_at(File, "src/i18n/größe/日本.rs", Added, None);
    let code = s.code(20);
    s.tool("", "read", json!({ "path": path }), &code);
    let cut = s.lose(Figure, "合計は四二〇件", CUT);
    let result = format!("{}{cut}", "計測中。𝄞 ".repeat(600));
    s.tool("", "bash", json!({ "command": "./measure" }), &result);
    s.answer("測りました。");
    s.work(10);
    ending(s);
}

fn commands(s: &mut Script) {
    opening(s);
    let shown = s.plant(Error, "thread 'main' panicked at src/lease.rs:88");
    s.bash("cargo run -- --once", &shown, false);
    let command = s.plant(File, "./scripts/replay-journal.sh");
    s.bash(&format!("{command} --from 17"), "replayed 1204 entries", false);
    let hidden = s.lose(Figure, "salary-export-2026.csv", "a command that the user keeps from the model");
    s.bash("ls ~/private", &hidden, true);
    s.user("Did you see the panic?");
    s.answer("Yes: line 88 of lease.rs.");
    s.work(10);
    ending(s);
}

fn extensions(s: &mut Script) {
    opening(s);
    let note = s.plant(Constraint, "ticket OPS-771 forbids new cron jobs");
    s.custom(&format!("From the tracker: {note}."));
    let data = s.lose(Figure, "internal-weight-0.37", "data of an extension that no model sees");
    s.manager.append().custom_entry("weights", Some(json!({ "value": data }))).expect("an entry");
    s.user("Do you see the ticket?");
    s.answer("Yes, OPS-771.");
    s.work(5);
    let second = s.plant(Decision, "the reviewer wants feature flags per tenant");
    s.custom(&format!("From the review: {second}."));
    s.work(8);
    ending(s);
}

fn huge_result(s: &mut Script) {
    opening(s);
    s.work(4);
    let wish = s.plant(Wish, "find the slowest request of last night");
    s.user(&format!("Please {wish}."));
    let head = s.plant(Figure, "log of node-7, 2026-11-20");
    let middle = s.lose(Figure, "request 55120 took 901 ms", "in the middle of a result that is cut through");
    let tail = s.plant_at(Figure, "slowest: request 98113 with 4410 ms", Added, None);
    let result = format!("{head}\n{}\n{middle}\n{}\n{tail}", s.log(900), s.log(900));
    let id = s.call("", "bash", json!({ "command": "ssh node-7 cat requests.log" }));
    s.result(&id, "bash", &result);
}

fn pinned(s: &mut Script) {
    let rule = s.plant_at(Constraint, "NEVER push to the branch named production", Added, None);
    let id = s.user(&format!("{rule}, whatever happens."));
    s.pin(&id);
    s.answer("Never.");
    s.work(3);
    let contract = s.plant_at(Decision, "POST /v2/leases returns 409 when the lease is held", Added, None);
    let id = s.answer(&format!("We agreed on this contract: {contract}."));
    s.pin(&id);
    let text = s.plant(Wish, "examples in the docs must run");
    s.user(&format!("Good, and {text}."));
    s.answer("They will.");
    s.work(9);
    ending(s);
}

fn thinking(s: &mut Script) {
    opening(s);
    for (text, said) in [
        ("the retry belongs into the client and not into the server", "I change the client."),
        ("an Option is enough here, no enum", "I simplify the type."),
        ("the flaky test depends on the order of two listeners", "I look at the listeners."),
    ] {
        let fact = s.plant(Decision, text);
        let thought = serde_json::from_value(
            json!({ "type": "thinking", "thinking": format!("So {fact}."), "thinkingSignature": "c2ln" }),
        );
        s.user("And now?");
        s.say(vec![thought.expect("a block"), ContentBlock::text(said)], StopReason::Stop);
        s.work(1);
    }
    s.work(8);
    ending(s);
}

fn failures(s: &mut Script) {
    opening(s);
    s.user("Go on.");
    let gone = s.lose(Error, "529 overloaded, request req_8813", "the failure of a call, not part of the conversation");
    s.failure(StopReason::Error, &gone);
    let half = s.plant(Decision, "half of the answer: split the module in three");
    s.say(vec![ContentBlock::text(half)], StopReason::Aborted);
    let reason = s.plant(Wish, "stop before the third module and ask");
    s.user(&format!("I aborted that: {reason}."));
    s.answer("I will ask.");
    let id = s.call("", "bash", json!({ "command": "cargo bench" }));
    let error = s.plant(Error, "Command aborted after 31 seconds");
    s.result(&id, "bash", &error);
    s.answer("The benchmark was stopped.");
    s.work(10);
    ending(s);
}

fn settings(s: &mut Script) {
    let specification = s.prose(160);
    let goal = s.plant(Goal, "implement section 9 of this specification first");
    let deep = s.plant(Constraint, "identifiers are at most 63 bytes long");
    s.user(&format!("Please {goal}.\n\n{specification}\n\n{deep}.\n\n{specification}"));
    s.answer("Section 9 it is.");
    for n in 0..10 {
        s.manager.append().thinking_level_change(if n % 2 == 0 { "high" } else { "low" }).expect("an entry");
        s.manager.append().model_change("example", if n % 2 == 0 { "m2" } else { "m1" }).expect("an entry");
        s.work(1);
        s.manager.append().session_info(&format!("Section 9, part {n}")).expect("an entry");
    }
    s.manager.append().thinking_level_change("medium").expect("an entry");
    ending(s);
}
