//! Who may know whom: crates (`table.rs`, against what cargo says, `graph.rs`), heavy dependencies (`heavy_table.rs`), and
//! inside crates folders and floors (`floors_table.rs`, against the source, `inside.rs`). The rules are data, this module
//! compares. A sentence per violation says what to do.

mod circles;
mod errors;
mod featureless;
mod floors;
mod floors_table;
mod graph;
mod heavy;
mod heavy_table;
mod inside;
mod methods;
mod portable;
mod report;
mod table;

use anyhow::Result;

use crate::code::{File, read_files};
use floors_table::FLOORS;
use graph::{Direct, Reached, Workspace};
use heavy_table::HEAVY;
use table::{ANY, LAYERS, Layer, PLANNED, TEST_ONLY};

/// Checks the workspace.
///
/// # Errors
/// When a rule is broken, or cargo cannot be asked.
pub(crate) fn run() -> Result<()> {
    let workspace = graph::read()?;
    let mut problems = violations(LAYERS, PLANNED, &workspace);
    println!("layers: {} crates, {} packages reached", workspace.crates.len(), workspace.reached_count());
    let portable = graph::reached_on(portable::CRATE, portable::TARGET)?;
    problems.extend(portable::violations(&portable));
    println!("layers: {} packages reached by {} for {}", portable.len(), portable::CRATE, portable::TARGET);
    let bare = graph::reached_without_features(featureless::CRATE)?;
    problems.extend(featureless::violations(&bare));
    println!("layers: {} packages reached by {} without features", featureless::count(&bare), featureless::CRATE);
    problems.extend(run_inside(&workspace)?);
    let arrived = PLANNED.iter().filter(|name| workspace.crates.iter().any(|krate| krate.name == **name));
    problems.extend(arrived.map(|name| format!("{name} is here: remove it from PLANNED in table.rs")));
    crate::settle("layers", &problems, "The rules are in xtask/src/layers; docs/architecture.md says why.")
}

/// Prints what crates look like inside, and checks it.
fn run_inside(workspace: &Workspace) -> Result<Vec<String>> {
    let files = read_files()?;
    let targets = inside::read(&files)?;
    report::print(&targets, &files, workspace, &FLOORS);
    let mut problems = inside::check(&targets, &files, &FLOORS);
    problems.extend(heavy::check(HEAVY, workspace, &targets));
    Ok(problems)
}

/// The rules that need nothing but the source: circles, floors, methods.
///
/// # Errors
/// When a file is no Rust.
pub(crate) fn check_sources(files: &[File]) -> Result<Vec<String>> {
    Ok(inside::check(&inside::read(files)?, files, &FLOORS))
}

/// Every broken rule, as a sentence.
fn violations(layers: &[Layer], planned: &[&str], workspace: &Workspace) -> Vec<String> {
    let mut problems = Vec::new();
    for krate in &workspace.crates {
        let Some(layer) = layers.iter().find(|layer| layer.name == krate.name) else {
            problems.push(format!("{} has no layer: give it a row in the table", krate.name));
            continue;
        };
        problems.extend(krate.direct.iter().filter_map(|direct| direct_violation(layer, direct, workspace)));
        problems.extend(reached_violations(layer, &krate.reached));
    }
    let is_there = |layer: &&Layer| workspace.crates.iter().any(|krate| krate.name == layer.name);
    let stale = layers.iter().filter(|layer| !is_there(layer) && !planned.contains(&layer.name));
    problems.extend(stale.map(|layer| format!("the table has a row for {}, which is no crate: remove it", layer.name)));
    problems
}

fn direct_violation(layer: &Layer, direct: &Direct, workspace: &Workspace) -> Option<String> {
    let ours = workspace.crates.iter().any(|krate| krate.name == direct.name);
    // A crate that names itself turns on features for its tests.
    let itself = direct.name == layer.name && direct.is_dev;
    if TEST_ONLY.contains(&direct.name.as_str()) {
        let advice = || format!("{} is for tests: make it a dev-dependency of {}", direct.name, layer.name);
        return (!direct.is_dev).then(advice);
    }
    if ours && !itself && !layer.may_use.contains(&direct.name.as_str()) {
        let kind = if direct.is_dev { "dev-dependency" } else { "dependency" };
        return Some(format!(
            "{} must not know {}: remove the {kind} and move the code that needs it to the higher layer",
            layer.name, direct.name
        ));
    }
    let ban = layer.never_directly.iter().find(|ban| ban.krate == direct.name && !direct.is_dev)?;
    Some(format!("{} must not depend on {} itself: {}", layer.name, ban.krate, ban.instead))
}

/// One sentence per rule, however many ways lead to the package.
fn reached_violations(layer: &Layer, reached: &[Reached]) -> Vec<String> {
    let way = |reached: &Reached| format!("{} ({})", reached.name, reached.path.join(" -> "));
    let crates = layer.never.iter().filter_map(|ban| {
        let found = reached.iter().find(|reached| reached.name == ban.krate || ban.krate == ANY)?;
        Some(format!("{} reaches {}: {}", layer.name, way(found), ban.instead))
    });
    let features = layer.never_features.iter().filter_map(|ban| {
        let has_it = |r: &&Reached| r.name == ban.krate && r.features.iter().any(|feature| feature == ban.feature);
        let found = reached.iter().find(has_it)?;
        Some(format!("{} reaches feature {} of {}: {}", layer.name, ban.feature, way(found), ban.instead))
    });
    crates.chain(features).collect()
}

#[cfg(test)]
mod tests {
    use super::graph::Crate;
    use super::*;

    fn direct(name: &str, is_dev: bool) -> Direct {
        Direct { name: name.to_owned(), is_dev }
    }

    fn reached(path: &[&str], features: &[&str]) -> Reached {
        Reached {
            name: path.last().copied().unwrap_or_default().to_owned(),
            path: path.iter().map(|&name| name.to_owned()).collect(),
            features: features.iter().map(|&feature| feature.to_owned()).collect(),
        }
    }

    /// The problems of a workspace that is fine except for what is given.
    fn check(name: &str, direct: Vec<Direct>, reached: Vec<Reached>) -> Vec<String> {
        let empty = |layer: &Layer| Crate { name: layer.name.to_owned(), direct: Vec::new(), reached: Vec::new() };
        let mut crates: Vec<Crate> = LAYERS.iter().map(empty).collect();
        let krate = crates.iter_mut().find(|krate| krate.name == name).unwrap();
        (krate.direct, krate.reached) = (direct, reached);
        violations(LAYERS, &[], &Workspace { crates })
    }

    #[test]
    fn a_clean_workspace_passes() {
        assert_eq!(check("pi-agent-core", vec![direct("pi-ai", false)], vec![]), Vec::<String>::new());
        assert_eq!(check("pi-coding-agent", vec![direct("anyhow", false)], vec![]), Vec::<String>::new());
        assert_eq!(check("pi-agent-core", vec![direct("pi-agent-core", true)], vec![]), Vec::<String>::new());
    }

    #[test]
    fn what_is_for_tests_is_a_dev_dependency() {
        assert_eq!(check("pi-coding-agent", vec![direct("pi-test-kit", true)], vec![]), Vec::<String>::new());
        assert_eq!(
            check("pi-coding-agent", vec![direct("pi-test-kit", false)], vec![]),
            ["pi-test-kit is for tests: make it a dev-dependency of pi-coding-agent"]
        );
    }

    #[test]
    fn an_upward_edge_fails_also_as_a_dev_dependency() {
        for (is_dev, kind) in [(false, "dependency"), (true, "dev-dependency")] {
            assert_eq!(
                check("pi-ai", vec![direct("pi-agent-core", is_dev)], vec![]),
                [format!(
                    "pi-ai must not know pi-agent-core: remove the {kind} and move the code that needs it to the higher layer"
                )]
            );
        }
    }

    #[test]
    fn a_crate_may_ask_for_its_own_features_in_tests() {
        assert_eq!(check("pi-agent-core", vec![direct("pi-agent-core", true)], vec![]), Vec::<String>::new());
    }

    #[test]
    fn a_forbidden_crate_fails_and_the_way_to_it_is_named() {
        let problems = check("pi-ai", vec![], vec![reached(&["pi-ai", "helper", "clap"], &[])]);
        assert_eq!(problems.len(), 1);
        assert!(problems[0].starts_with("pi-ai reaches clap (pi-ai -> helper -> clap): "), "{problems:?}");
    }

    #[test]
    fn a_crate_without_dependencies_stays_so() {
        let problems =
            check("pi-highlight", vec![direct("proptest", true)], vec![reached(&["pi-highlight", "memchr"], &[])]);
        assert_eq!(problems.len(), 1);
        assert!(problems[0].starts_with("pi-highlight reaches memchr (pi-highlight -> memchr): "), "{problems:?}");
    }

    #[test]
    fn what_the_model_layer_may_use_the_agent_layer_may_not() {
        let way = ["pi-agent-core", "pi-ai", "reqwest"];
        assert_eq!(check("pi-ai", vec![], vec![reached(&way[1..], &[])]).len(), 0);
        assert_eq!(check("pi-agent-core", vec![], vec![reached(&way, &[])]).len(), 1);
    }

    #[test]
    fn a_forbidden_feature_fails() {
        let problems =
            check("pi-agent-core", vec![], vec![reached(&["pi-agent-core", "tokio"], &["sync", "fs", "process"])]);
        assert_eq!(problems.len(), 2);
        assert!(
            problems[0].starts_with("pi-agent-core reaches feature fs of tokio (pi-agent-core -> tokio): "),
            "{problems:?}"
        );
    }

    #[test]
    fn anyhow_is_not_for_libraries() {
        let problems = check("pi-ai", vec![direct("anyhow", false)], vec![]);
        assert_eq!(problems.len(), 1);
        assert!(problems[0].contains("thiserror"), "{problems:?}");
    }

    #[test]
    fn a_crate_without_a_row_and_a_row_without_a_crate_fail() {
        let stray = Crate { name: "pi-new".to_owned(), direct: Vec::new(), reached: Vec::new() };
        let workspace = Workspace { crates: vec![stray] };
        let problems = violations(LAYERS, &[], &workspace);
        assert_eq!(problems[0], "pi-new has no layer: give it a row in the table");
        assert_eq!(problems.len(), 1 + LAYERS.len());
        assert!(problems[1].contains("which is no crate"), "{problems:?}");
        let planned: Vec<&str> = LAYERS.iter().map(|layer| layer.name).collect();
        assert_eq!(violations(LAYERS, &planned, &workspace).len(), 1, "a planned crate may be missing");
    }
}
