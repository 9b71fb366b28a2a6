//! Help, manual pages and completions: one table, nothing missing. Commands that there are not.

use std::process::{Command, Stdio};

use clap::CommandFactory;
use pi::cli::Args;

use pi_test_kit::{Provider, World, answer};

/// The long options of the table.
fn options() -> Vec<String> {
    let command = Args::command();
    command.get_arguments().filter_map(|arg| arg.get_long().map(str::to_owned)).collect()
}

#[tokio::test]
async fn every_option_is_in_help_manual_and_completions() {
    let world = World::empty();
    let options = options();
    assert!(options.len() > 35, "{options:?}");
    for args in [
        vec!["--help"],
        vec!["man"],
        vec!["completions", "bash"],
        vec!["completions", "zsh"],
        vec!["completions", "fish"],
        vec!["completions", "powershell"],
        vec!["completions", "elvish"],
    ] {
        // A manual page writes every hyphen as such.
        let text = world.run(&args).await.success().replace("\\-", "-");
        for option in &options {
            // fish names options without their hyphens.
            assert!(
                text.contains(&format!("--{option}")) || text.contains(&format!("-l {option}")),
                "{args:?}: {option}"
            );
        }
        for command in ["auth", "models", "session", "trust", "doctor", "completions", "man", "help", "version"] {
            assert!(text.contains(command), "{args:?}: {command}");
        }
    }
    assert!(!world.agent_dir().join("auth.json").exists(), "nothing is looked at");
}

#[tokio::test]
async fn help_says_what_there_is() {
    let world = World::empty();
    insta::assert_snapshot!("help", world.run(&["--help"]).await.success());
    for command in [["doctor", "--help"], ["completions", "--help"], ["man", "--help"]] {
        insta::assert_snapshot!(format!("help_{}", command[0]), world.run(&command).await.success());
    }
    let page = world.run(&["man", "session", "search"]).await.success().replace("\\-", "-");
    assert!(page.contains("pi-session-search") && page.contains("--all") && page.contains("--json"), "{page}");
}

/// What a shell makes of a script; `None` where it is not installed. `.ci/run` installs it, if it can be had.
fn shell(name: &str, args: &[&str], script: &str) -> Option<String> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), script).unwrap();
    let output = Command::new(name).args(args).arg(file.path()).stdin(Stdio::null()).output();
    let Ok(output) = output else {
        let set = |name: &str, value: &str| std::env::var(name).is_ok_and(|is| is == value);
        assert!(!set("CI", "true") || set("PROGRAMS_OF_TESTS", "absent"), "{name}: not installed");
        println!("SKIPPED: {name}: not installed");
        return None;
    };
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{name}");
    Some(String::from_utf8(output.stdout).unwrap())
}

#[tokio::test]
async fn shells_take_the_completions() {
    let world = World::empty();
    let script = async |shell: &str| world.run(&["completions", shell]).await.success();
    let bash = script("bash").await
        + "\ntry() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _pi pi \"${@: -1}\" \"${@: -2:1}\"; echo \"${COMPREPLY[@]}\"; }\n\
           try pi se; try pi --no-t; try pi session do; try pi completions e; try pi --mode ''\n";
    if let Some(found) = shell("bash", &["--norc"], &bash) {
        assert_eq!(found, "session\n--no-themes --no-tools\ndoctor\nelvish\ntext json rpc acp\n");
    }
    let tries = ["pi se", "pi --no-th", "pi session do", "pi --mode ", "pi completions e", "pi -p x --thinking hi"];
    let fish = tries.iter().fold(script("fish").await, |script, line| script + &format!("complete -C '{line}'\n"));
    if let Some(found) = shell("fish", &["--no-config"], &fish) {
        let names: Vec<_> = found.lines().filter_map(|line| line.split('\t').next()).collect();
        assert_eq!(names, ["session", "--no-themes", "doctor", "acp", "json", "rpc", "text", "elvish", "high"]);
    }
    let zsh = script("zsh").await;
    assert!(zsh.contains("case $line[1] in\n            (auth)"), "the command is the first argument:\n{zsh}");
    shell("zsh", &["-n"], &zsh);
}

#[tokio::test]
async fn completions_know_models_sessions_pages_and_files() {
    let provider = Provider::start([answer("ok")]).await;
    let world = World::with(&provider);
    world.run(&["-p", "hi"]).await.success();
    world.write("src/main.rs", "");
    let id = world.entries()[0]["id"].as_str().unwrap().to_owned();
    assert_eq!(world.run(&["completions", "--values", "models"]).await.success(), "mock/m1\nmock/m2\nchat/c1\n");
    assert_eq!(world.run(&["completions", "--values", "sessions"]).await.success(), format!("{id}\n"));
    assert!(world.run(&["completions", "--values", "docs"]).await.success().contains("settings\n"));
    let script = "eval \"$(\"$PI\" completions bash)\"\n\
        try() { COMP_WORDS=(\"$PI\" \"$@\"); COMP_CWORD=$#; COMPREPLY=(); _pi_with_values \"$PI\" \"${@: -1}\" \"${@: -2:1}\"; echo \"${COMPREPLY[@]}\"; }\n\
        try --model mo; try --model = ch; try --session ''; try docs sett; COMP_WORDBREAKS=' '; try @sr; try @src/m; COMP_WORDBREAKS=@; try @ src/; try auth lo";
    let found = world.shell(&format!("cat > try.sh <<'END'\n{script}\nEND\nbash --norc try.sh")).run().await.success();
    let expected =
        format!("mock/m1 mock/m2\nchat/c1\n{id} src try.sh\nsettings\n@src\n@src/main.rs\nsrc/main.rs\nlogin logout\n");
    assert_eq!(found, expected);
}

#[tokio::test]
async fn the_documentation_is_in_the_program() {
    let provider = Provider::start([answer("ok"), answer("ok"), answer("ok")]).await;
    let world = World::with(&provider);
    let list = world.run(&["docs"]).await.success();
    assert!(list.contains("cli ") && list.contains("To read one: pi docs NAME"), "{list}");
    let page = world.run(&["docs", "cli"]).await.success();
    assert!(page.starts_with("# Command line\n") && page.contains("## Exit codes"));
    assert_eq!(world.run(&["man", "cli"]).await.success(), page);
    let wrong = world.run(&["docs", "setings"]).await;
    assert!(wrong.code == Some(2) && wrong.stderr.contains("did you mean settings?"), "{}", wrong.stderr);
    assert_eq!(world.run(&["docs", "are", "outdated"]).await.success(), "ok\n", "a sentence is a prompt");
    assert!(provider.requests()[0].system().contains("`pi docs NAME` prints one"));
}

#[tokio::test]
async fn wrong_usage_of_commands_is_explained() {
    let world = World::empty();
    let mut text = String::new();
    for args in [
        vec!["install"],
        vec!["remove", "--all", "x"],
        vec!["uninstall"],
        vec!["update", "x", "--all"],
        vec!["list", "x"],
        vec!["config", "--enable"],
        vec!["completions"],
        vec!["completions", "tcsh"],
        vec!["man", "nothing"],
        vec!["doctor", "--fix"],
        vec!["doctor", "me"],
    ] {
        let run = world.run(&args).await;
        assert_eq!(run.stdout, "", "{args:?}");
        text.push_str(&format!("$ pi {}\n{}[{}]\n\n", args.join(" "), run.stderr, run.code.unwrap()));
    }
    insta::assert_snapshot!(text);
}

#[tokio::test]
async fn the_version_stands_alone_and_says_in_detail_what_it_means() {
    let world = World::empty();
    assert_eq!(world.run(&["--version"]).await.success(), "0.87.0\n");
    let detail = world.run(&["--version", "--verbose"]).await.success();
    let lines: Vec<&str> = detail.lines().collect();
    assert_eq!(lines[0], "0.87.0");
    assert!(
        lines[1].contains("pi in Rust 0.87.0") && lines[2].contains("0.87.1") && lines[2].contains("0.79.10"),
        "{detail}"
    );
}
