//! Which extensions a run has, and what ends it.

use std::fs;
use std::path::Path;
use std::sync::Mutex;

use pi_ai::ToolDefinition;

use super::*;
use crate::cli::grammar::scan::scan;
use pi_coding_agent::env::Env;
use pi_coding_agent::extension::{Flag, HandlerError, ToolRegistration, extension_fn};
use pi_coding_agent::prompt::{ResourceOptions, ResourcePlaces, SourceInfo};

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

/// Files that fail, under their names.
fn no_engine() -> Arc<MakeExtension> {
    Arc::new(|path: &Path, _: SourceInfo, _: &ResourcePlaces| {
        extension_fn(path.to_string_lossy(), |_| async { Err(HandlerError::new("no engine")) })
    })
}

struct Loaded {
    extensions: RunExtensions,
    errors: Vec<String>,
    line: CommandLine,
}

impl Loaded {
    fn flag(&self, name: &str) -> Option<pi_coding_agent::extension::FlagValue> {
        self.extensions.runner().unwrap().runtime().flag(name)
    }
}

/// A run in `/nowhere`.
async fn loaded(program: Vec<Arc<dyn Extension>>, argv: &[&str]) -> Loaded {
    let mut line = scan(argv.iter().map(|argument| (*argument).to_owned()));
    let mut extensions = RunExtensions::new(program, no_engine());
    assert_eq!(extensions.load(&resources("/nowhere".as_ref(), &line, false)).await, [""; 0]);
    let errors = extensions.settle(&mut line, &mut |_| None).errors;
    Loaded { extensions, errors, line }
}

fn resources(root: &Path, line: &CommandLine, trusted: bool) -> PromptResources {
    let cwd = root.join("project");
    let paths = Paths::new(Env::fixed([("HOME", root.to_str().unwrap())]), &cwd);
    let extensions = paths_of(&line.args, &paths);
    let places =
        ResourcePlaces { agent_dir: root.join("agent"), home: None, project_dir: cwd.join(".pi"), cwd, trusted };
    let no_extensions = line.args.no_extensions;
    PromptResources::new(places, ResourceOptions { extensions, no_extensions, ..ResourceOptions::default() })
}

#[tokio::test]
async fn flags_are_set_and_messages_stay_where_they_were() {
    let argv = ["a", "--plan", "b", "--depth", "7", "--other", "x", "c", "--plan", "d"];
    let loaded = loaded(vec![planner("planner")], &argv).await;
    assert!(loaded.errors.is_empty(), "{:?}", loaded.errors);
    assert_eq!((loaded.flag("plan"), loaded.flag("depth")), (Some(true.into()), Some("7".into())));
    assert_eq!(loaded.line.args.messages, ["a", "b", "c", "d"]);
    assert_eq!(loaded.line.unknown_flags.iter().map(|flag| &*flag.name).collect::<Vec<_>>(), ["other"]);
}

#[tokio::test]
async fn a_flag_that_is_not_given_has_its_default() {
    for (argv, plan, depth) in [
        (vec![], None, Some("2".into())),
        (vec!["--plan=false"], Some(true.into()), Some("2".into())),
        (vec!["--depth="], None, Some("".into())),
    ] {
        let loaded = loaded(vec![planner("planner")], &argv).await;
        let flags = (loaded.flag("plan"), loaded.flag("depth"), loaded.errors.len());
        assert_eq!(flags, (plan, depth, 0), "{argv:?}");
        assert!(loaded.line.args.messages.is_empty());
    }
}

#[tokio::test]
async fn what_goes_wrong_is_said_in_order() {
    let root = tempfile::tempdir().unwrap();
    let cwd = root.path().join("project");
    fs::create_dir_all(cwd.join("loose")).unwrap();
    fs::write(cwd.join("loose/tool.ts"), "").unwrap();
    let broken = extension_fn("broken", |_| async { Err(HandlerError::new("no luck")) });
    let nothing = extension_fn("nothing", |_| async {
        Err(HandlerError::new("Extension does not export a valid factory function: /x/nothing.ts"))
    });
    let program = vec![planner("one"), broken, nothing, planner("two")];
    let argv = ["-e", "missing.ts", "-e", "loose", "-e", "~/a\u{a0}b", "-e", "loose/tool.ts", "--depth"];
    let mut line = scan(argv.map(str::to_owned));
    let mut extensions = RunExtensions::new(program, no_engine());
    extensions.load(&resources(root.path(), &line, false)).await;
    let errors =
        extensions.settle(&mut line, &mut |_| None).errors.join("\n").replace(root.path().to_str().unwrap(), "ROOT");
    assert_eq!(extensions.runner().unwrap().extensions().len(), 2);
    let expected = [
        "Failed to load extension \"ROOT/project/loose/tool.ts\": Failed to load extension: no engine",
        "Failed to load extension \"broken\": Failed to load extension: no luck",
        "Failed to load extension \"nothing\": Extension does not export a valid factory function: /x/nothing.ts",
        "Failed to load extension \"two\": Tool \"plan\" conflicts with one",
        "Failed to load extension \"two\": Flag \"--plan\" conflicts with one",
        "Failed to load extension \"two\": Flag \"--depth\" conflicts with one",
        "Failed to load extension \"ROOT/project/missing.ts\": Extension path does not exist: ROOT/project/missing.ts",
        "Failed to load extension \"ROOT/project/loose\": Failed to load extension: the directory has no package.json with \
         pi.extensions, no index.ts or index.js, and nothing in extensions/: ROOT/project/loose",
        "Failed to load extension \"ROOT/a b\": Extension path does not exist: ROOT/a b",
        "Extension flag \"--depth\" requires a value",
    ];
    assert_eq!(errors, expected.join("\n"));
}

/// A home with an extension each for the command line, the project and the user; `made` tells what was activated.
fn home() -> (tempfile::TempDir, Arc<MakeExtension>, Arc<Mutex<Vec<String>>>) {
    let root = tempfile::tempdir().unwrap();
    for file in ["cli.ts", "project/.pi/extensions/own.ts", "agent/extensions/judge.ts"] {
        let file = root.path().join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "").unwrap();
    }
    let activated = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&activated);
    let make: Arc<MakeExtension> = Arc::new(move |path: &Path, _: SourceInfo, _: &ResourcePlaces| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let log = Arc::clone(&log);
        extension_fn(name.clone(), move |pi| {
            log.lock().unwrap().push(name.clone());
            pi.register_flag(Flag::boolean(name.clone()));
            async { Ok(()) }
        })
    });
    (root, make, activated)
}

#[tokio::test]
async fn those_of_the_project_come_in_a_second_step_and_nothing_is_loaded_twice() {
    for (argv, first, then, order) in [
        (vec!["-e", "../cli.ts"], vec!["cli", "judge"], vec!["own"], vec!["cli", "own", "judge", "inline"]),
        (vec![], vec!["judge"], vec!["own"], vec!["own", "judge", "inline"]),
        (vec!["-ne", "-e", "../cli.ts"], vec!["cli"], vec![], vec!["cli", "inline"]),
    ] {
        let (root, make, activated) = home();
        let mut line = scan(argv.iter().map(|argument| (*argument).to_owned()));
        let mut extensions = RunExtensions::new(vec![extension_fn("inline", |_| async { Ok(()) })], make);
        let names = |extensions: &RunExtensions| -> Vec<String> {
            extensions.runner().unwrap().extensions().iter().map(|extension| extension.name().to_owned()).collect()
        };
        let take = || std::mem::take(&mut *activated.lock().unwrap());
        extensions.load(&resources(root.path(), &line, false)).await;
        assert_eq!(take(), first, "{argv:?}");
        extensions.load(&resources(root.path(), &line, false)).await;
        assert_eq!(take(), [""; 0], "{argv:?}");
        extensions.load(&resources(root.path(), &line, true)).await;
        assert_eq!(take(), then, "{argv:?}");
        assert_eq!(names(&extensions), order, "{argv:?}");
        assert_eq!(extensions.settle(&mut line, &mut |_| None).errors, [""; 0]);
        extensions.load(&resources(root.path(), &line, false)).await;
        assert!(!names(&extensions).contains(&"own".to_owned()), "what does not count any more is gone");
    }
}

#[tokio::test]
async fn the_help_names_options_of_what_was_loaded() {
    let (root, make, _) = home();
    let line = scan(["--help".to_owned()]);
    let mut extensions = RunExtensions::new(Vec::new(), make);
    assert_eq!(extensions.help(), "");
    extensions.load(&resources(root.path(), &line, false)).await;
    assert_eq!(extensions.help(), "\nOptions of extensions:\n  --judge  \n");
    extensions.load(&resources(root.path(), &line, true)).await;
    assert_eq!(extensions.help(), "\nOptions of extensions:\n  --own    \n  --judge  \n");
}
