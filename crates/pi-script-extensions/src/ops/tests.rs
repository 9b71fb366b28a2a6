//! The operations of the program and the modules in `js/` that call them: neither side has a name that the other lacks.

use std::path::Path;
use std::sync::Weak;

use pi_test_kit::script_ops::{Composed, Names, differences};

/// Where modules make the name of an operation of parts.
const COMPOSED: &[Composed] = &[
    Composed {
        file: "bridge/api.js",
        expression: "`pi.${name}`",
        names: Names::After { prefix: "pi.", before: &["now("] },
    },
    Composed {
        file: "bridge/context.js",
        expression: "`ctx.${name}`",
        names: Names::After { prefix: "ctx.", before: &["ask("] },
    },
    Composed {
        file: "bridge/handle.js",
        expression: "`${kind}.drop`",
        names: Names::These(&["auth.drop", "registries.drop", "settings.drop"]),
    },
    Composed {
        file: "bridge/models.js",
        expression: "operation",
        names: Names::These(&["pi.registerProvider", "registries.registerProvider"]),
    },
    Composed {
        file: "bridge/models.js",
        expression: "this.#words(\"unregisterProvider\")",
        names: Names::These(&["pi.unregisterProvider", "registries.unregisterProvider"]),
    },
    Composed {
        file: "bridge/session_manager.js",
        expression: "`sm.${name}`",
        names: Names::After { prefix: "sm.", before: &["const QUESTIONS = ["] },
    },
    Composed {
        file: "bridge/ui.js",
        expression: "`ui.${name}`",
        names: Names::After { prefix: "ui.", before: &["tell("] },
    },
    Composed {
        file: "bridge/ui.js",
        expression: "name",
        names: Names::After { prefix: "", before: &["ask(dialog?.signal, ", "ask(dialog, "] },
    },
    Composed {
        file: "pi-coding-agent/agent_session.js",
        expression: "`agents.${name}`",
        names: Names::After {
            prefix: "agents.",
            before: &["const acts = [", "const runs = [", "this.#act(", "this.#run(", " act("],
        },
    },
];

#[test]
fn operations_and_modules_have_the_same_names() {
    let operations: Vec<String> = super::table(&Weak::new()).names().map(str::to_owned).collect();
    let modules = Path::new(env!("CARGO_MANIFEST_DIR")).join("js");
    assert_eq!(differences(&modules, COMPOSED, &operations), [""; 0]);
}

#[test]
fn a_missing_name_is_found_on_either_side() {
    let mut operations: Vec<String> = super::table(&Weak::new()).names().map(str::to_owned).collect();
    operations.retain(|name| name != "ctx.mode" && name != "agents.steer");
    operations.push("ctx.mood".to_owned());
    let modules = Path::new(env!("CARGO_MANIFEST_DIR")).join("js");
    assert_eq!(
        differences(&modules, COMPOSED, &operations),
        [
            "pi-coding-agent/agent_session.js calls agents.steer, and the program has no such operation",
            "bridge/context.js calls ctx.mode, and the program has no such operation",
            "the program has ctx.mood, and no module calls it",
        ]
    );
}
