//! Which extensions a run has, and what ends it.

use pi_ai::ToolDefinition;

use super::*;
use crate::cli::scan;
use crate::env::Env;
use crate::extension::{HandlerError, ToolRegistration, extension_fn};

fn planner(name: &str) -> Arc<dyn Extension> {
    extension_fn(name, |pi| async move {
        pi.register_flag(Flag::boolean("plan").description("Plan first"));
        pi.register_flag(Flag::string("depth").description("How deep").default("2"));
        let parameters = serde_json::json!({"type": "object"});
        let tool = ToolDefinition { name: "plan".to_owned(), description: String::new(), parameters };
        let tool = pi_agent_core::FnTool::new(tool, |_| async { Ok(pi_agent_core::ToolOutput::text("")) });
        pi.register_tool(ToolRegistration::new(tool));
        Ok(())
    })
}

async fn loaded(extensions: &[Arc<dyn Extension>], argv: &[&str]) -> (LoadReport, Vec<String>, CommandLine) {
    let mut line = scan(argv.iter().map(|argument| (*argument).to_owned()));
    let (report, errors) = load(extensions, &mut line, &Paths::new(Env::default(), "/nowhere")).await;
    (report, errors, line)
}

#[tokio::test]
async fn flags_are_set_and_messages_stay_where_they_were() {
    let argv = ["a", "--plan", "b", "--depth", "7", "--other", "x", "c", "--plan", "d"];
    let (report, errors, line) = loaded(&[planner("planner")], &argv).await;
    assert!(errors.is_empty(), "{errors:?}");
    let flag = |name: &str| report.runner.runtime().flag(name);
    assert_eq!((flag("plan"), flag("depth")), (Some(true.into()), Some("7".into())));
    assert_eq!(line.args.messages, ["a", "b", "c", "d"]);
    assert_eq!(line.unknown_flags.iter().map(|flag| &*flag.name).collect::<Vec<_>>(), ["other"]);
}

#[tokio::test]
async fn a_flag_that_is_not_given_has_its_default() {
    for (argv, plan, depth) in [
        (vec![], None, Some("2".into())),
        (vec!["--plan=false"], Some(true.into()), Some("2".into())),
        (vec!["--depth="], None, Some("".into())),
    ] {
        let (report, errors, line) = loaded(&[planner("planner")], &argv).await;
        let flag = |name: &str| report.runner.runtime().flag(name);
        assert_eq!((flag("plan"), flag("depth"), errors.len()), (plan, depth, 0), "{argv:?}");
        assert!(line.args.messages.is_empty());
    }
}

#[tokio::test]
async fn what_goes_wrong_is_said_in_order() {
    let broken = extension_fn("broken", |_| async { Err(HandlerError::new("no luck")) });
    let argv = ["-e", "missing.ts", "-e", "npm:x", "--depth"];
    let (report, errors, _) = loaded(&[planner("one"), broken, planner("two")], &argv).await;
    assert_eq!(report.runner.extensions().len(), 2);
    assert_eq!(
        errors,
        [
            "Failed to load extension \"missing.ts\": Extension path does not exist: /nowhere/missing.ts",
            "Failed to load extension \"npm:x\": This build cannot load script extensions. Leave it out, or use a program that has it built in (docs/extensions.md)",
            "Failed to load extension \"broken\": Failed to load extension: no luck",
            "Failed to load extension \"two\": Tool \"plan\" conflicts with one",
            "Failed to load extension \"two\": Flag \"--plan\" conflicts with one",
            "Failed to load extension \"two\": Flag \"--depth\" conflicts with one",
            "Extension flag \"--depth\" requires a value",
        ]
    );
}
