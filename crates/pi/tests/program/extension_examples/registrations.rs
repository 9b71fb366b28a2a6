//! What examples register, as an extension of ours sees it that calls them in the place of the program.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use crate::extension_examples::package::Package;
use crate::extension_examples::program::Program;
use crate::extension_examples::recordings;
use pi_test_kit::World;

/// The calls that each unit makes when it is activated, or why it cannot be loaded.
pub(crate) type Registrations = BTreeMap<String, Value>;

/// Loads all units in one program.
pub(crate) async fn record(program: &Program, package: &Package) -> Registrations {
    let world = World::at("http://127.0.0.1:9");
    let result = world.root().join("registrations.json");
    let units = package.units().into_iter().map(|unit| (unit.clone(), package.path(&unit)));
    let units: BTreeMap<String, _> = units.collect();
    fs::write(world.root().join("units.json"), serde_json::to_string(&units).unwrap()).unwrap();
    let recorder = recordings::path("recorder.ts");
    let pi = program.rpc(&world, &[&recorder], &["--no-session".to_owned()]);
    let pi = pi.env("PI_RECORDER_UNITS", world.root().join("units.json").to_str().unwrap());
    let pi = pi.env("PI_RECORDER_RESULT", result.to_str().unwrap());
    let (code, complaints) = pi.start().end().await;
    let recorded = fs::read_to_string(&result).unwrap_or_else(|error| panic!("{error} ({code}): {complaints}"));
    let recorded = world.mask(&recorded.replace(package.dir().to_str().unwrap(), "PACKAGE"));
    // No fixture may look as if it held a key, not even its variable's name.
    let keys = regex::Regex::new(r#"("apiKey"\s*:\s*)"[^"]*""#).unwrap();
    serde_json::from_str(&keys.replace_all(&recorded, "$1\"VARIABLE\"")).unwrap()
}

/// Those of the reference.
pub(crate) fn of_reference() -> Registrations {
    serde_json::from_value(recordings::read("registrations.json")).unwrap()
}
