//! The examples on a terminal: each that draws has a scenario, and its rows are held by a snapshot.

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use futures::StreamExt;
use pi_test_kit::scale;
use regex::Regex;

use super::package::Package;
use super::perform::perform;
use super::scenario::{self, Scenario};
use super::{recordings, registrations};

/// So many programs run at a time.
const AT_A_TIME: usize = 6;

/// Those of the short form: nothing in them moves. `.ci/long draws` plays all.
const STILL: &[&str] = &[
    "custom-header.ts",
    "doom-overlay/",
    "message-renderer.ts",
    "structured-output.ts",
    "todo.ts",
    "tools.ts",
    "truncated-tool.ts",
    "widget-placement.ts",
];

/// What an example calls that draws. Notices are the program's.
const DRAWING: &str = r"\bui\s*\.\s*(select|confirm|input|editor|custom|setStatus|setWidget|setFooter|setHeader|setTitle|setTheme|setWorking\w+|setHiddenThinkingLabel|setEditorComponent|addAutocompleteProvider)\b|\bregister(Message|Entry)Renderer\(|\brender(Call|Result)\(";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_examples_draw_is_on_the_screen() {
    let Some(package) = Package::find() else { return };
    let package = Arc::new(package);
    let is_named = std::env::var_os("PI_EXAMPLES").is_some();
    let is_played = |unit: &str, scenario: &Scenario| {
        let is_in_form = scale(0, 1) == 1 || STILL.contains(&unit);
        // One that is named is played in any case.
        super::is_chosen(unit) && (is_named || (is_in_form && scenario.pending.is_none()))
    };
    let chosen = scenario::all().into_iter().filter(|(unit, scenario)| is_played(unit, scenario));
    let played = futures::stream::iter(chosen).map(|(unit, scenario)| play(package.clone(), unit, scenario));
    let played: Vec<(String, Result<String, String>)> = played.buffered(AT_A_TIME).collect().await;
    let failed: Vec<String> = played.into_iter().filter_map(|(unit, screens)| compare(&unit, screens)).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Plays it in a task of its own, so that all others go on when it fails.
async fn play(package: Arc<Package>, unit: String, scenario: Scenario) -> (String, Result<String, String>) {
    let committed = committed(&unit);
    let name = unit.clone();
    let task = tokio::spawn(async move { perform(&package, &name, &scenario, committed.as_deref()).await });
    (unit, task.await.map_err(|error| reason(&*error.into_panic())))
}

fn reason(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
}

/// What is wrong with it.
fn compare(unit: &str, screens: Result<String, String>) -> Option<String> {
    let screens = match screens {
        Ok(screens) => screens,
        Err(reason) => return Some(format!("{unit}: {reason}")),
    };
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(recordings::path("screens"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_description(format!("What pi shows of {unit}, an example extension that comes with TypeScript pi"));
    let assert = || settings.bind(|| insta::assert_snapshot!(name_of(unit), screens));
    catch_unwind(AssertUnwindSafe(assert))
        .err()
        .map(|_| format!("{unit}: its screens differ from the snapshot, see above"))
}

fn name_of(unit: &str) -> &str {
    unit.trim_end_matches(".ts").trim_end_matches('/')
}

/// The committed snapshot without its head. There is none while snapshots are made anew.
fn committed(unit: &str) -> Option<String> {
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update != "no" && update != "auto") {
        return None;
    }
    let file = recordings::path("screens").join(format!("{}.snap", name_of(unit)));
    let text = std::fs::read_to_string(file).ok()?;
    text.splitn(3, "---\n").nth(2).map(|screens| screens.trim_end().to_owned())
}

/// An example that calls something that draws has a scenario, and no other has one.
#[test]
fn every_example_that_draws_has_a_scenario() {
    let Some(package) = Package::find() else { return };
    let (drawing, registrations) = (Regex::new(DRAWING).unwrap(), registrations::of_reference());
    let scenarios = scenario::all();
    let mut wrong = String::new();
    for unit in package.units() {
        // Two do not load: there is nothing to see.
        let draws = registrations[&unit]["calls"].is_array() && drawing.is_match(&package.source(&unit));
        if draws != scenarios.contains_key(&unit) {
            // Writing to a string does not fail.
            let _ = writeln!(wrong, "{unit} draws: {draws}");
        }
    }
    assert!(wrong.is_empty(), "screens.json:\n{wrong}");
}
