//! Extensions from the side of the command line: loading what the program brings, their options, their part of the help.
//!
//! There is no engine for scripts: what `--extension` names cannot be loaded, and that is said here.

use std::sync::Arc;

use super::scan::{CommandLine, UnknownFlag};
use crate::extension::{Extension, Flag, FlagKind, FlagValue, LoadOptions, LoadReport, load_extensions};
use crate::paths::Paths;

/// Starts of values of `--extension` that are no paths.
const PACKAGE_SOURCES: &[&str] = &["npm:", "git:", "github:", "http:", "https:", "ssh:"];

/// Activates the extensions and gives them the options that are theirs; the others stay in `line`. Returns what ends the
/// program, in order.
pub(super) async fn load(
    extensions: &[Arc<dyn Extension>],
    line: &mut CommandLine,
    paths: &Paths,
) -> (LoadReport, Vec<String>) {
    let mut report = load_extensions(extensions, LoadOptions::default()).await;
    let scripts = line.args.extension.iter().map(|script| (script.clone(), refusal(script, paths)));
    let failures = std::mem::take(&mut report.errors).into_iter().map(|error| (error.path, error.error));
    let mut errors: Vec<String> = scripts
        .chain(failures)
        .map(|(path, reason)| format!("Failed to load extension \"{path}\": {reason}"))
        .collect();
    errors.extend(set_flags(&report, line));
    (report, errors)
}

/// Why a script is not loaded.
fn refusal(script: &str, paths: &Paths) -> String {
    let is_package = PACKAGE_SOURCES.iter().any(|start| script.starts_with(start));
    let path = paths.resolve(script);
    if !is_package && !path.exists() {
        return format!("Extension path does not exist: {}", path.display());
    }
    "This build cannot load script extensions. Leave it out, or use a program that has it built in (docs/extensions.md)"
        .to_owned()
}

/// Sets the flags that the command line gives, and returns what is wrong with them.
fn set_flags(report: &LoadReport, line: &mut CommandLine) -> Vec<String> {
    let flags: Vec<Flag> = report.runner.extensions().iter().flat_map(|extension| extension.flags()).collect();
    let (mut errors, mut messages) = (Vec::new(), Vec::new());
    let given = std::mem::take(&mut line.unknown_flags);
    for UnknownFlag { name, value, message_index } in given {
        match flags.iter().find(|flag| flag.name == name).map(|flag| flag.kind) {
            None => line.unknown_flags.push(UnknownFlag { name, value, message_index }),
            Some(FlagKind::Boolean) => {
                report.runner.runtime().set_flag(&name, FlagValue::Boolean(true));
                messages.extend(message_index.zip(value));
            }
            Some(FlagKind::String) => match value {
                Some(value) => report.runner.runtime().set_flag(&name, FlagValue::String(value)),
                None => errors.push(format!("Extension flag \"--{name}\" requires a value")),
            },
        }
    }
    // What stood behind a flag without value is a message after all. The last one first: places count from the front.
    for (index, message) in messages.into_iter().rev() {
        line.args.messages.insert(index, message);
    }
    errors
}

/// The options of extensions, for `--help`. Extensions that cannot be loaded have none.
pub(super) fn help(extensions: &[Arc<dyn Extension>]) -> String {
    if extensions.is_empty() {
        return String::new();
    }
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return String::new() };
    let report = runtime.block_on(load_extensions(extensions, LoadOptions::default()));
    let flags = report.runner.extensions().iter().flat_map(|extension| extension.flags());
    let lines: Vec<(String, String)> = flags.map(|flag| describe(&flag)).collect();
    if lines.is_empty() {
        return String::new();
    }
    let width = lines.iter().map(|(option, _)| option.chars().count()).max().unwrap_or_default();
    let lines: String = lines.iter().map(|(option, text)| format!("  {option:width$}  {text}\n")).collect();
    format!("\nOptions of extensions:\n{lines}")
}

fn describe(flag: &Flag) -> (String, String) {
    let option = match flag.kind {
        FlagKind::Boolean => format!("--{}", flag.name),
        FlagKind::String => format!("--{} <VALUE>", flag.name),
    };
    let default = match &flag.default {
        Some(FlagValue::String(text)) => format!(" [default: {text}]"),
        Some(FlagValue::Boolean(_)) | None => String::new(),
    };
    (option, format!("{}{default}", flag.description.as_deref().unwrap_or_default()))
}

#[cfg(test)]
mod tests {
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
}
