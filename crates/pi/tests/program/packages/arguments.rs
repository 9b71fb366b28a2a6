//! What is said about arguments. The first lines are texts that clients know.

use crate::packages::world::World;

#[test]
fn wrong_arguments_are_named() {
    let world = World::new();
    let first = |args: &[&str]| {
        let complaint = world.failure(args);
        assert!(complaint.contains("\nUsage: pi "), "{complaint}");
        complaint.lines().next().unwrap().to_owned()
    };
    for (args, expected) in [
        (&["install"][..], "Missing install source."),
        (&["install", " "], "Missing install source."),
        (&["install", "--bogus", "x"], "Unknown option --bogus for \"install\"."),
        (&["install", "-x"], "Unknown option -x for \"install\"."),
        (&["install", "a", "b"], "Unexpected argument b."),
        (&["remove"], "Missing remove source."),
        (&["uninstall"], "Missing remove source."),
        (&["list", "-l"], "Unknown option -l for \"list\"."),
        (&["list", "x"], "Unexpected argument x."),
        (&["update", "--extension"], "Missing value for --extension."),
        (&["update", "--extension", "--self"], "Missing value for --extension."),
        (&["update", "--extension", "a", "--extension", "b"], "--extension can only be provided once"),
        (&["update", "--all", "--self"], "--all cannot be combined with --self, --extensions, or --extension"),
        (
            &["update", "--extension", "a", "--all"],
            "--all cannot be combined with --self, --extensions, or --extension",
        ),
        (&["update", "a", "--all"], "--all cannot be combined with a positional source"),
        (&["update", "self", "--all"], "--all cannot be combined with a positional source"),
        (
            &["update", "--extension", "a", "--self"],
            "--extension cannot be combined with --self, --extensions, or --all",
        ),
        (&["update", "a", "--extension", "b"], "--extension cannot be combined with a positional source"),
        (
            &["update", "a", "--self"],
            "positional update targets cannot be combined with --self, --extensions, or --all",
        ),
    ] {
        assert_eq!(first(args), expected, "{args:?}");
    }
}

#[test]
fn help_is_on_standard_output() {
    let world = World::new();
    let commands = ["install", "remove", "update", "list", "config"];
    let help: Vec<String> = commands.iter().map(|name| world.success(&[name, "-h"])).collect();
    insta::assert_snapshot!(help.join("\n----\n"));
}

#[test]
fn this_program_does_not_update_itself() {
    let world = World::new();
    insta::assert_snapshot!(world.transcript(&[
        &["update"],
        &["update", "pi"],
        &["update", "--self"],
        &["update", "--all"]
    ]));
}
