//! A home, a project and sources of packages of one's own, and `pi` running in them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use pi_ai::system_clock;
use pi_coding_agent::env::Env;
use pi_coding_agent::paths::Paths;
use pi_coding_agent::prompt::{ListedResources, PromptResources, ResourceOptions, ResourcePlaces, SourceInfo};
use pi_coding_agent::settings::SettingsManager;
use tempfile::TempDir;

use pi_test_kit::output::Finished;

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_pi");

/// Directories that nobody else uses; gone with the value.
pub(crate) struct World {
    root: TempDir,
    /// The address of a registry, for npm.
    registry: String,
}

/// Whether a program is there; where it is not, a notice is printed, which is a failure where everything must be tested.
#[allow(clippy::print_stdout)] // the notice
pub(crate) fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let is_there = found.is_ok_and(|status| status.success());
    if !is_there {
        println!("skipped: {program} is not installed");
        assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "{program} is not installed");
    }
    is_there
}

impl World {
    pub(crate) fn new() -> Self {
        // A port that nobody listens on.
        Self::with_registry("http://127.0.0.1:9/")
    }

    pub(crate) fn with_registry(registry: &str) -> Self {
        let world = Self { root: tempfile::tempdir().unwrap(), registry: registry.to_owned() };
        for dir in ["home", "project", "repositories"] {
            fs::create_dir_all(world.path(dir)).unwrap();
        }
        let repositories = world.path("repositories");
        let config = format!(
            "[url \"file://{}/\"]\n\tinsteadOf = https://host.example/me/\n\tinsteadOf = ssh://git@host.example/me/\n\
             \tinsteadOf = git@host.example:me/\n[protocol \"file\"]\n\tallow = always\n",
            repositories.display()
        );
        world.write("home/gitconfig", &config);
        world
    }

    pub(crate) fn root(&self) -> &Path {
        self.root.path()
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The names in a directory, in order; none where there is none.
    pub(crate) fn names(&self, dir: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(dir)).into_iter().flatten();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// A package in `dir` with a skill, a template, a theme and an extension of this name.
    pub(crate) fn package(&self, dir: &str, name: &str) {
        self.write(
            &format!("{dir}/skills/{name}/SKILL.md"),
            &format!("---\nname: {name}\ndescription: does {name}\n---\n"),
        );
        self.write(&format!("{dir}/prompts/{name}.md"), &format!("Do {name}: $1\n"));
        self.write(&format!("{dir}/extensions/{name}.ts"), "export default () => {}\n");
    }

    /// A command with the programs of this machine, and nothing else of its environment.
    fn base(&self, program: &str, dir: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(dir).env_clear().stdin(Stdio::null());
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("HOME", self.path("home"));
        command.env("GIT_CONFIG_GLOBAL", self.path("home/gitconfig")).env("GIT_CONFIG_NOSYSTEM", "1");
        command.env("npm_config_registry", &self.registry).env("npm_config_cache", self.path("npm-cache"));
        command.env("npm_config_fetch_retries", "0").env("npm_config_update_notifier", "false");
        command
    }

    /// Runs a program that must succeed.
    pub(crate) fn program(&self, argv: &[&str], dir: &str) -> String {
        let output = self.base(argv[0], &self.path(dir)).args(&argv[1..]).output().unwrap();
        assert!(output.status.success(), "{argv:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// `pi` in the project, not started.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        self.command_in("project", args)
    }

    /// `pi` in a directory, not started.
    pub(crate) fn command_in(&self, dir: &str, args: &[&str]) -> Command {
        let mut command = self.base(PROGRAM, &self.path(dir));
        command.args(args);
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Finished {
        self.finish(self.command(args))
    }

    pub(crate) fn finish(&self, command: Command) -> Finished {
        Finished::of(command, |text| self.mask(text))
    }

    pub(crate) fn mask(&self, text: &str) -> String {
        text.replace(self.root().to_str().unwrap(), "ROOT")
    }

    /// What a run that went well printed.
    pub(crate) fn success(&self, args: &[&str]) -> String {
        self.run(args).success()
    }

    /// What a run complained about that did not go well.
    pub(crate) fn failure(&self, args: &[&str]) -> String {
        let run = self.run(args);
        assert_eq!(run.code, 1, "{args:?} {} {}", run.stdout, run.stderr);
        run.stderr
    }

    /// Several runs, as on a terminal.
    pub(crate) fn transcript(&self, lines: &[&[&str]]) -> String {
        let transcript = |args: &&[&str]| {
            let line = self.mask(&format!("pi {}", args.join(" ")));
            self.run(args).transcript(&line)
        };
        lines.iter().map(transcript).collect()
    }

    /// The settings, with those of the project.
    pub(crate) fn settings(&self) -> Arc<SettingsManager> {
        let paths = self.paths();
        Arc::new(SettingsManager::load(&paths, paths.cwd(), true, system_clock()))
    }

    pub(crate) fn paths(&self) -> Paths {
        Paths::new(Env::fixed([("HOME", self.path("home").to_str().unwrap())]), self.path("project"))
    }

    pub(crate) fn places(&self) -> ResourcePlaces {
        let paths = self.paths();
        ResourcePlaces {
            agent_dir: paths.agent_dir().to_owned(),
            home: paths.env().home(),
            cwd: self.path("project"),
            project_dir: self.path("project/.pi"),
            trusted: true,
        }
    }

    /// The resources that a session here would have, as `kind: path [source scope origin]`, and what is wrong with packages.
    pub(crate) fn loaded(&self) -> Vec<String> {
        let listed = ListedResources::of_settings(&self.settings());
        let problems = listed.package_problems.iter().map(|problem| format!("problem: {problem}")).collect::<Vec<_>>();
        let resources = PromptResources::new(self.places(), ResourceOptions::default()).with_listed(listed);
        let line = |kind: &str, source: &SourceInfo| {
            format!("{kind}: {} [{} {:?} {:?}]", source.path, source.source, source.scope, source.origin)
        };
        let skills = resources.skills().items.iter().map(|skill| line("skill", &skill.source));
        let templates = resources.templates().items.iter().map(|template| line("template", &template.source));
        let extensions = resources.extensions().items.iter().map(|extension| line("extension", extension));
        let themes = resources.themes().custom().filter_map(|theme| Some(line("theme", theme.source()?)));
        let lines = extensions.chain(skills).chain(templates).chain(themes).chain(problems);
        lines.map(|line| self.mask(&line)).collect()
    }
}
