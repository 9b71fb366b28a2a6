//! The examples do what they show, without key and network.

use std::process::Command;

use pi_test_kit::{example, example_names};

#[test]
fn every_example_runs_by_itself() {
    for name in example_names(env!("CARGO_MANIFEST_DIR")) {
        let output = Command::new(example("pi-ai", &name, &[])).env_remove("PI_EXAMPLE_MODEL").output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && errors.is_empty(), "{name}: {errors}");
        // Prices follow the market; the snapshots should not.
        let filter = [(r"\d+\.\d{4}", "[price]")];
        insta::with_settings!({filters => filter}, {
            insta::assert_snapshot!(name.clone(), String::from_utf8(output.stdout).unwrap());
        });
    }
}
