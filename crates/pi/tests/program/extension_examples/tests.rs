//! The tests, and what records the reference.

use std::collections::HashSet;
use std::path::Path;

use futures::StreamExt;
use serde_json::Value;

use crate::extension_examples::is_chosen;
use crate::extension_examples::package::Package;
use crate::extension_examples::play::{is_loaded, play, usual_prompt};
use crate::extension_examples::program::Program;
use crate::extension_examples::recordings;
use crate::extension_examples::registrations::{self, Registrations};
use crate::extension_examples::report::{self, Outcome};
use crate::extension_examples::trace::Trace;

/// So many programs run at a time.
const AT_A_TIME: usize = 4;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_examples_do_what_they_do_under_the_reference() {
    let Some(package) = Package::find() else { return };
    let ours = Program::ours();
    let (here, there) = (registrations::record(&ours, &package).await, registrations::of_reference());
    let usual = usual_prompt(&ours).await;
    let units = chosen(&package);
    let outcomes = futures::stream::iter(&units).map(|unit| outcome(&ours, &package, unit, &usual, (&here, &there)));
    let outcomes: Vec<Outcome> = outcomes.buffered(AT_A_TIME).collect().await;
    if std::env::var_os("PI_EXAMPLES").is_some() {
        return println!("{}", report::write(&outcomes));
    }
    let report = report::write(&outcomes);
    if std::env::var_os("UPDATE_REPORT").is_some() {
        std::fs::write(report::path(), &report).unwrap();
    }
    let committed = std::fs::read_to_string(report::path()).unwrap_or_default();
    let unexplained = report::unexplained(&outcomes);
    assert!(unexplained.is_empty(), "remarks.json says nothing of these: {unexplained:#?}");
    assert!(committed == report, "UPDATE_REPORT=1 writes the report; now:\n{}", report::lines(&committed, &report));
}

/// All examples, or those that `PI_EXAMPLES` names.
fn chosen(package: &Package) -> Vec<String> {
    package.units().into_iter().filter(|unit| is_chosen(unit)).collect()
}

async fn outcome(
    ours: &Program,
    package: &Package,
    unit: &str,
    usual: &HashSet<String>,
    (here, there): (&Registrations, &Registrations),
) -> Outcome {
    let expected: Trace = serde_json::from_value(recordings::read(&recordings::run(unit))).unwrap();
    let trace = play(ours, package, unit, usual).await;
    let (registered, expected_calls) = (&here[unit], &there[unit]);
    let loads = (is_loaded(&trace) && registered["calls"].is_array(), expected_calls["calls"].is_array());
    // Who cannot load it says why in other words.
    let registers = registered["calls"] == expected_calls["calls"];
    if !registers {
        println!("{unit} registers:\n{}", report::difference(expected_calls, registered));
    }
    if trace != expected {
        let json = |trace: &Trace| serde_json::to_value(trace).unwrap();
        println!("{unit} runs:\n{}", report::difference(&json(&expected), &json(&trace)));
    }
    Outcome { unit: unit.to_owned(), loads, registers, runs: is_loaded(&expected).then_some(trace == expected) }
}

/// Records the reference: `PI_REFERENCE_CLI` starts it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn record() {
    if std::env::var_os("RECORD_EXAMPLES").is_none() {
        println!("NOTICE: nothing is recorded; fixtures/extension_examples/README.md says how");
        return;
    }
    let package = Package::find().unwrap();
    let reference = Program::reference();
    recordings::write("registrations.json", &registrations::record(&reference, &package).await);
    let usual = usual_prompt(&reference).await;
    let units = chosen(&package);
    let (reference, package, usual) = (&reference, &package, &usual);
    let runs = futures::stream::iter(&units).map(|unit| async move {
        let trace = play(reference, package, unit, usual).await;
        println!("{unit}");
        recordings::write(&recordings::run(unit), &trace);
    });
    runs.buffer_unordered(AT_A_TIME).collect::<Vec<()>>().await;
}

/// Every script is one of an example that exists, and every recording belongs to one.
#[test]
fn scripts_and_recordings_belong_to_examples() {
    let registrations = registrations::of_reference();
    for file in ["scripts.json", "screens.json", "remarks.json"] {
        let Value::Object(fields) = recordings::read(file) else { panic!("{file} is an object") };
        let strangers: Vec<_> = fields.keys().filter(|unit| !registrations.contains_key(*unit)).collect();
        assert!(strangers.is_empty(), "{file}: {strangers:?}");
    }
    for unit in registrations.keys() {
        assert!(recordings::path(&recordings::run(unit)).exists(), "{unit} was not recorded");
    }
    assert!(Path::new(&report::path()).exists());
}
