//! Packages from repositories, with the program git.

use std::fs;
use std::os::unix::fs::symlink;

use crate::packages::world::{World, has};

const CLONE: &str = "home/.pi/agent/git/host.example/me/repo";

impl World {
    fn git(&self, args: &[&str]) -> String {
        let config = ["-c", "user.name=me", "-c", "user.email=me@host.example", "-c", "init.defaultBranch=main"];
        let argv: Vec<&str> = ["git"].into_iter().chain(config).chain(args.iter().copied()).collect();
        self.program(&argv, "repositories/repo")
    }

    /// A repository with a package, and everything in it committed and called `v1`.
    fn repository(&self) {
        self.package("repositories/repo", "one");
        self.git(&["init", "-q"]);
        self.commit("v1");
        symlink("repo", self.path("repositories/repo.git")).unwrap();
    }

    fn commit(&self, tag: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", tag]);
        self.git(&["tag", tag]);
    }

    fn installed_skills(&self) -> Vec<String> {
        self.names(&format!("{CLONE}/skills"))
    }
}

#[test]
fn a_repository_is_cloned_moved_updated_and_removed() {
    if !has("git") {
        return;
    }
    let world = World::new();
    world.repository();
    world.success(&["install", "git:host.example/me/repo@v1"]);
    assert_eq!(world.installed_skills(), ["one"]);
    assert_eq!(world.read("home/.pi/agent/git/.gitignore"), "*\n!.gitignore\n");

    world.package("repositories/repo", "two");
    world.commit("v2");
    world.success(&["update", "--extensions"]);
    assert_eq!(world.installed_skills(), ["one"], "pinned");
    let moved = world.transcript(&[&["install", "https://host.example/me/repo.git@v2"], &["list"]]);
    assert_eq!(world.installed_skills(), ["one", "two"]);

    world.success(&["install", "git:git@host.example:me/repo"]);
    world.git(&["rm", "-q", "-r", "skills/one"]);
    world.package("repositories/repo", "three");
    world.commit("v3");
    world.write(&format!("{CLONE}/skills/stray/SKILL.md"), "");
    let updated = world.transcript(&[
        &["update", "git:host.example/me/repo"],
        &["update", "host.example/me/repo"],
        &["update", "repo"],
        &["update", "--extensions"],
    ]);
    assert_eq!(world.installed_skills(), ["three", "two"]);
    let removed = world.transcript(&[&["remove", "ssh://git@host.example/me/repo"], &["list"]]);
    assert!(!world.path("home/.pi/agent/git/host.example").exists());
    insta::assert_snapshot!(format!("{moved}{updated}{removed}"));
}

#[test]
fn a_commit_and_a_branch_are_references_too() {
    if !has("git") {
        return;
    }
    let world = World::new();
    world.repository();
    let first = world.git(&["rev-parse", "HEAD"]);
    world.git(&["checkout", "-q", "-b", "work/new"]);
    world.package("repositories/repo", "two");
    world.commit("v2");
    world.git(&["checkout", "-q", "main"]);
    world.success(&["install", "git:host.example/me/repo@work/new"]);
    assert_eq!(world.installed_skills(), ["one", "two"]);
    world.success(&["install", &format!("git:host.example/me/repo@{}", &first[..10])]);
    assert_eq!(world.installed_skills(), ["one"]);
    // A branch that is pinned follows the branch when it is brought up to date.
    world.success(&["install", "git:host.example/me/repo@work/new"]);
    assert_eq!(world.installed_skills(), ["one", "two"]);
}

#[test]
fn what_fails_leaves_nothing_behind() {
    if !has("git") {
        return;
    }
    let world = World::new();
    world.repository();
    let reference = world.failure(&["install", "git:host.example/me/repo@v9"]);
    assert_eq!(reference, "Error: https://host.example/me/repo has no branch, tag or commit \"v9\"\n");
    let missing = world.failure(&["install", "https://me:secret@host.example/me/gone"]);
    assert!(missing.contains(" failed with code 128:\n") && !missing.contains("secret"), "{missing}");
    assert_eq!(world.names("home/.pi/agent/git"), [".gitignore", ".lock"]);
    assert_eq!(world.success(&["list"]), "No packages installed.\n");

    world.success(&["install", "git:host.example/me/repo@v1"]);
    let reference = world.failure(&["install", "git:host.example/me/repo@v9"]);
    assert!(reference.contains("has no branch"), "{reference}");
    assert_eq!(world.installed_skills(), ["one"], "what was there stays");
    assert!(world.success(&["list"]).contains("git:host.example/me/repo@v1\n"));
}

#[test]
fn a_link_out_of_the_package_is_refused() {
    if !has("git") {
        return;
    }
    let world = World::new();
    world.repository();
    world.write("secret.txt", "");
    for (number, target) in ["/etc/passwd", "../../../../../../../../secret.txt"].into_iter().enumerate() {
        let link = world.path("repositories/repo/prompts/link.md");
        let _ = fs::remove_file(&link);
        symlink(target, &link).unwrap();
        world.commit(&format!("evil{number}"));
        let complaint = world.failure(&["install", "git:host.example/me/repo"]);
        assert!(complaint.contains("was refused: its link "), "{complaint}");
        assert!(!world.path(CLONE).exists());
    }
    world.git(&["rm", "-q", "prompts/link.md"]);
    symlink("one.md", world.path("repositories/repo/prompts/inside.md")).unwrap();
    world.commit("good");
    world.success(&["install", "git:host.example/me/repo"]);
}

#[test]
fn a_refused_update_leaves_what_was_there() {
    if !has("git") {
        return;
    }
    let world = World::new();
    world.repository();
    world.success(&["install", "git:host.example/me/repo"]);
    world.package("repositories/repo", "two");
    symlink("/etc/passwd", world.path("repositories/repo/prompts/link.md")).unwrap();
    world.commit("evil");
    let complaint = world.failure(&["update", "--extensions"]);
    assert!(complaint.contains("was refused: its link "), "{complaint}");
    assert_eq!(world.installed_skills(), ["one"]);

    // What the new version depends on cannot be had: the old one stays, and is updated when it can.
    world.git(&["rm", "-q", "prompts/link.md"]);
    world.write("repositories/repo/package.json", "{}");
    world.commit("v3");
    world.write(
        "home/.pi/agent/settings.json",
        r#"{"packages": ["git:host.example/me/repo"], "npmCommand": ["false"]}"#,
    );
    let complaint = world.failure(&["update", "--extensions"]);
    assert!(complaint.contains("false install --ignore-scripts failed with code 1"), "{complaint}");
    assert_eq!(world.installed_skills(), ["one"]);
    world
        .write("home/.pi/agent/settings.json", r#"{"packages": ["git:host.example/me/repo"], "npmCommand": ["true"]}"#);
    world.success(&["update", "--extensions"]);
    assert_eq!(world.installed_skills(), ["one", "two"]);
    assert_eq!(world.names("home/.pi/agent/git"), [".gitignore", ".lock", "host.example"]);
}

#[test]
fn a_project_cannot_lead_a_clone_out_of_its_directory() {
    if !has("git") {
        return;
    }
    let world = World::new();
    world.repository();
    fs::create_dir_all(world.path("project/.pi")).unwrap();
    fs::create_dir_all(world.path("outside/host.example/me/repo/precious")).unwrap();
    symlink(world.path("outside"), world.path("project/.pi/git")).unwrap();
    let complaint = world.failure(&["install", "-l", "git:host.example/me/repo", "-a"]);
    assert!(complaint.contains("project/.pi/git leads out of ROOT/project/.pi"), "{complaint}");
    world.write("project/.pi/settings.json", r#"{"packages": ["git:host.example/me/repo"]}"#);
    let complaint = world.failure(&["remove", "-l", "git:host.example/me/repo", "-a"]);
    assert!(complaint.contains("leads out of"), "{complaint}");
    assert!(world.path("outside/host.example/me/repo/precious").exists());
}

#[test]
fn a_missing_program_is_named() {
    let world = World::new();
    let mut command = world.command(&["install", "git:host.example/me/repo"]);
    command.env("PATH", world.path("home"));
    let run = world.finish(command);
    assert_eq!((run.code, run.stdout.as_str()), (1, "Installing git:host.example/me/repo...\n"));
    assert_eq!(
        run.stderr,
        "Error: The program \"git\" was not found, and packages from repositories need it. Install git, or install the package from npm or a path.\n"
    );
}

#[test]
fn an_interrupt_ends_the_programs_and_leaves_nothing() {
    if !has("git") {
        return;
    }
    let world = World::new();
    // A git that never ends; the real one is not asked.
    world.write("bin/git", "#!/bin/sh\necho begun > \"$HOME/begun\"\nexec sleep 60\n");
    world.program(&["chmod", "+x", "bin/git"], "");
    let mut command = world.command(&["install", "git:host.example/me/repo"]);
    let path = format!("{}:{}", world.path("bin").display(), std::env::var("PATH").unwrap());
    let child = command.env("PATH", path).stdout(std::process::Stdio::piped()).spawn().unwrap();
    while !world.path("home/begun").exists() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let pid = rustix::process::Pid::from_raw(child.id().try_into().unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(world.names("home/.pi/agent/git"), [".gitignore", ".lock"]);
}
