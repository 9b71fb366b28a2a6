//! Files and directories that are no extensions, or broken ones: what a user is told.

use std::os::unix::fs::symlink;

use pi_test_kit::{Provider, World, answer};

/// Named on the command line, each ends the program with a message that names it and what is wrong.
#[tokio::test]
async fn what_is_named_and_cannot_be_loaded_is_said() {
    let world = World::empty();
    for (file, text) in [
        ("syntax.ts", "export default function (pi { \n"),
        ("imports-syntax.ts", "import './syntax.ts'; export default () => {};\n"),
        ("throws.ts", "const keys: string[] = [];\nthrow new Error(`no key in ${keys}`);\n"),
        ("calls.ts", "export default (pi) => {\n  pi.nothing();\n};\n"),
        ("rejects.ts", "export default async () => { throw 'a text'; };\n"),
        ("no-default.ts", "export const a = 1;\n"),
        ("empty.ts", ""),
        ("missing-package.ts", "import x from 'not-there';\nexport default () => x();\n"),
        ("missing-file.ts", "import x from './not-there.ts';\nexport default () => x();\n"),
        ("exits.ts", "process.exit(3);\n"),
        ("notes.md", "hello\n"),
        ("nothing/readme", ""),
        ("bad-json/package.json", "{\"pi\": {"),
        ("bad-list/package.json", "{\"pi\": {\"extensions\": \"./a.ts\"}}"),
        ("gone/package.json", "{\"pi\": {\"extensions\": [\"./a.ts\"]}}"),
    ] {
        world.write(file, text);
    }
    std::fs::write(world.cwd().join("binary.ts"), [0xff, 0xfe, 0, 1]).unwrap();
    symlink("loop.ts", world.cwd().join("loop.ts")).unwrap();
    let names = "syntax.ts imports-syntax.ts throws.ts calls.ts rejects.ts no-default.ts empty.ts missing-package.ts \
                 missing-file.ts exits.ts notes.md binary.ts loop.ts not-there.ts nothing bad-json bad-list gone";
    let mut said = String::new();
    for name in names.split_whitespace() {
        let run = world.run(&["-p", "--no-session", "-e", name, "hi"]).await;
        assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{name}");
        assert!(run.stderr.contains(name), "{name}: {}", run.stderr);
        said.push_str(&world.mask(&run.stderr));
    }
    insta::assert_snapshot!(said);
}

/// What else is allowed in such files.
#[tokio::test]
async fn line_ends_and_marks_of_other_systems_do_no_harm() {
    let world = World::empty();
    let script =
        |name: &str| format!("export default (pi) => {{\n  pi.registerFlag('{name}', {{ type: 'boolean' }});\n}};\n");
    world.write("mark.ts", &format!("\u{feff}{}", script("mark")));
    world.write("returns.ts", &script("returns").replace('\n', "\r\n"));
    world.write("noending", &script("noending"));
    world.write("package/package.json", "\u{feff}{\"pi\": {\"extensions\": [\"main.ts\"]}}\r\n");
    world.write("package/main.ts", &script("package"));
    for (path, flag) in
        [("mark.ts", "--mark"), ("returns.ts", "--returns"), ("noending", "--noending"), ("package", "--package")]
    {
        let help = world.run(&["--help", "-e", path]).await.stdout;
        assert!(help.contains(&format!("\nOptions of extensions:\n  {flag}")), "{path}: {help}");
    }
}

/// Found in a directory: a manifest that hides an extension is a warning, for the directory may be something else.
#[tokio::test]
async fn manifests_that_hide_extensions_are_warned_about() {
    let world = World::empty();
    let extensions = world.agent_dir().join("extensions");
    for (file, text) in [
        ("bad/package.json", "{"),
        ("gone/package.json", "{\"pi\": {\"extensions\": [\"main.ts\", \"gone.ts\"]}}"),
        ("gone/main.ts", "export default () => {};"),
        ("other/package.json", "{\"name\": \"other\"}"),
        ("node_modules/package.json", "{"),
    ] {
        let path = extensions.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let run = world.run(&["-p", "--no-session", "hi"]).await;
    let warnings: Vec<&str> = run.stderr.lines().filter(|line| line.starts_with("Warning: ")).collect();
    insta::assert_snapshot!(world.mask(&warnings.join("\n")));
}

/// A package is somebody else's: the run goes on without what does not load of it. With `-e` it was asked for.
#[tokio::test]
async fn a_package_that_does_not_load_is_a_warning() {
    let provider = Provider::start([answer("ok"), answer("ok")]).await;
    let world = World::with(&provider);
    world.write("broken/package.json", r#"{"name": "broken", "pi": {"extensions": ["./a.ts"]}}"#);
    world.write("broken/a.ts", "throw new Error('no key');\n");
    let installed = world.run(&["install", "./broken"]).await;
    assert_eq!((installed.code, installed.stdout.as_str()), (Some(0), "Installing ./broken...\nInstalled ./broken\n"));
    assert!(installed.stderr.contains("Warning: it is installed, but this does not load: "));
    let run = world.run(&["-p", "hi"]).await;
    let warnings = run.stderr.matches("Warning: ").count();
    assert_eq!((run.code, run.stdout.as_str(), warnings), (Some(0), "ok\n", 1), "{}", run.stderr);
    assert!(run.stderr.starts_with("Warning: Failed to load extension \"ROOT/project/broken/a.ts\""), "{}", run.stderr);
    assert!(run.stderr.contains("no key") && run.stderr.contains("It is left out; pi update "), "{}", run.stderr);
    let asked_for = world.run(&["-e", "./broken", "-p", "hi"]).await;
    assert!(asked_for.code == Some(1) && asked_for.stderr.contains("Error: Failed to load extension"), "{asked_for:?}");
}
