//! What the model is told besides the conversation: files found, prompts assembled, commands expanded.
#![allow(clippy::unwrap_used, clippy::panic)] // helpers of a test

use std::fs;
use std::path::{Path, PathBuf};

use pi_ai::FixedClock;
use pi_coding_agent::prompt::*;
use tempfile::TempDir;
use time::macros::{date, offset};

/// A directory tree with a home, an agent directory and a project two levels deep.
struct Tree {
    root: TempDir,
}

impl Tree {
    fn new(files: &[(&str, &str)]) -> Self {
        let root = TempDir::new().unwrap();
        for dir in ["home", "agent", "top/project"] {
            fs::create_dir_all(root.path().join(dir)).unwrap();
        }
        let tree = Self { root };
        files.iter().for_each(|(path, text)| tree.write(path, text));
        tree
    }

    fn path(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn places(&self, trusted: bool) -> ResourcePlaces {
        let cwd = self.path("top/project");
        let project_dir = cwd.join(".pi");
        ResourcePlaces { agent_dir: self.path("agent"), home: Some(self.path("home")), cwd, project_dir, trusted }
    }

    fn resources(&self, trusted: bool) -> PromptResources {
        PromptResources::new(self.places(trusted), ResourceOptions::default())
    }

    /// Text without the machine's part of paths.
    fn short(&self, text: &str) -> String {
        text.replace(&format!("{}/", self.root.path().display()), "")
    }

    fn diagnostics<T>(&self, found: &Found<T>) -> Vec<String> {
        found.diagnostics.iter().map(|d| self.short(&format!("{:?} {d}", d.kind))).collect()
    }
}

fn skill(name: &str) -> String {
    format!("---\nname: {name}\ndescription: about {name}\n---\nBody of {name}\n")
}

fn names(found: &Found<Skill>) -> Vec<&str> {
    found.items.iter().map(|skill| skill.name.as_str()).collect()
}

#[test]
fn context_files_come_from_the_general_to_the_particular() {
    let tree = Tree::new(&[
        ("agent/AGENTS.md", "user"),
        ("top/AGENTS.md", "top agents"),
        ("top/CLAUDE.md", "top claude"),
        ("top/project/CLAUDE.md", "project"),
        ("home/AGENTS.md", "not above the project"),
    ]);
    let resources = tree.resources(false);
    let files = resources.context_files().items.iter();
    let files: Vec<_> = files.map(|file| tree.short(&format!("{}: {}", file.path.display(), file.content))).collect();
    assert_eq!(files, ["agent/AGENTS.md: user", "top/AGENTS.md: top agents", "top/project/CLAUDE.md: project"]);

    let options = ResourceOptions { no_context_files: true, ..ResourceOptions::default() };
    assert!(PromptResources::new(tree.places(true), options).context_files().items.is_empty());
}

#[test]
fn an_agent_directory_above_the_project_counts_once_and_an_unreadable_file_gives_way() {
    let tree = Tree::new(&[("top/AGENTS.md", "shared"), ("top/project/CLAUDE.md", "project")]);
    fs::create_dir(tree.path("top/project/AGENTS.md")).unwrap();
    let found = load_context_files(&ResourcePlaces { agent_dir: tree.path("top"), ..tree.places(false) });
    let contents: Vec<_> = found.items.iter().map(|file| file.content.as_str()).collect();
    assert_eq!(contents, ["shared", "project"]);
    let diagnostics = tree.diagnostics(&found);
    assert_eq!(diagnostics.len(), 1);
    assert!(diagnostics[0].starts_with("Warning top/project/AGENTS.md: cannot read"), "{diagnostics:?}");
}

#[test]
fn prompt_files_follow_option_project_user() {
    let tree = Tree::new(&[
        ("agent/SYSTEM.md", "user system\n"),
        ("agent/APPEND_SYSTEM.md", "user append\n"),
        ("top/project/.pi/SYSTEM.md", "project system\n"),
        ("top/project/.pi/APPEND_SYSTEM.md", "project append\n"),
        ("top/project/words.txt", "from a file"),
    ]);
    for (trusted, whose) in [(false, "user"), (true, "project")] {
        let files = tree.resources(trusted).prompt_files().clone();
        assert_eq!(files.custom, Some(format!("{whose} system\n")));
        assert_eq!(files.append, [format!("{whose} append\n")]);
    }
    let append = ["words.txt", "plain text", ""].map(str::to_owned);
    let options = PromptFiles::load(&tree.places(true), &[], Some("no-such-file"), &append);
    assert_eq!(options.custom.as_deref(), Some("no-such-file"));
    assert_eq!(options.append, ["from a file", "plain text", ""]);
    assert_eq!(options.diagnostics, []);
}

#[test]
fn a_prompt_file_that_cannot_be_read_is_named() {
    let tree = Tree::new(&[("agent/SYSTEM.md/inside", ""), ("top/project/dir/inside", "")]);
    let files = PromptFiles::load(&tree.places(false), &[], None, &["dir".to_owned(), "two\nlines/".repeat(5000)]);
    assert_eq!((files.custom, files.append[0].as_str()), (None, "dir"));
    let named: Vec<_> = files.diagnostics.iter().map(|diagnostic| diagnostic.path.file_name().unwrap()).collect();
    assert_eq!(named, ["SYSTEM.md", "dir"]);
}

#[test]
fn skills_are_found_in_order_of_precedence() {
    let tree = Tree::new(&[
        ("top/.git/HEAD", ""),
        ("top/project/.pi/skills/one/SKILL.md", &skill("one")),
        ("top/project/.agents/skills/two/SKILL.md", &skill("two")),
        ("top/project/.agents/skills/stray.md", &skill("stray")),
        ("top/.agents/skills/deep/three/SKILL.md", &skill("three")),
        (".agents/skills/outside/SKILL.md", &skill("outside")),
        ("agent/skills/one/SKILL.md", &skill("one")),
        ("agent/skills/four/SKILL.md", &skill("four")),
        ("agent/skills/four/nested/SKILL.md", &skill("nested")),
        ("agent/skills/root.md", "---\ndescription: named after its directory\n---\n"),
        ("home/.agents/skills/five/SKILL.md", &skill("five")),
        ("elsewhere/six/SKILL.md", &skill("six")),
    ]);
    let explicit = ["elsewhere", "agent/skills/four", "nowhere", "top/.git/HEAD"].map(|path| tree.path(path));
    let found = load_skills(&tree.places(true), &ListedResources::default(), &explicit, true);
    let line = |skill: &Skill| {
        let (source, base) = (&skill.source, skill.source.base_dir.as_deref().unwrap());
        tree.short(&format!("{} {:?} {} {base}", skill.name, source.scope, source.source))
    };
    assert_eq!(
        found.items.iter().map(line).collect::<Vec<_>>(),
        [
            "one Project auto top/project/.pi",
            "two Project auto top/project/.agents",
            "three Project auto top/.agents",
            "four User auto agent",
            "skills User auto agent",
            "five User auto home/.agents",
            "six Temporary local elsewhere",
        ]
    );
    assert_eq!(
        tree.diagnostics(&found),
        [
            "Error nowhere: Skill path does not exist",
            "Warning top/.git/HEAD: skill path is not a markdown file",
            "Collision agent/skills/one/SKILL.md: skill \"one\" is already defined by top/project/.pi/skills/one/SKILL.md",
        ]
    );
    assert_eq!(
        names(&load_skills(&tree.places(false), &ListedResources::default(), &[], true)),
        ["four", "one", "skills", "five"]
    );
    assert_eq!(names(&load_skills(&tree.places(true), &ListedResources::default(), &explicit[..1], false)), ["six"]);
}

#[test]
fn outside_a_repository_every_parent_counts_but_not_the_home() {
    let tree = Tree::new(&[(".agents/skills/outside/SKILL.md", &skill("outside"))]);
    let found = load_skills(&tree.places(true), &ListedResources::default(), &[], true);
    assert!(names(&found).contains(&"outside"));

    let at_home = ResourcePlaces { home: Some(tree.path("")), ..tree.places(true) };
    let found = load_skills(&at_home, &ListedResources::default(), &[], true);
    let scopes: Vec<_> = found.items.iter().filter(|s| s.name == "outside").map(|s| s.source.scope).collect();
    assert_eq!(scopes, [Scope::User]);
}

#[cfg(unix)]
#[test]
fn ignored_hidden_and_linked_directories() {
    use std::os::unix::fs::symlink;

    let tree = Tree::new(&[
        ("agent/skills/.gitignore", "drafts/\n*.tmp.md\n!keep.tmp.md\n"),
        ("agent/skills/drafts/a/SKILL.md", &skill("draft")),
        ("agent/skills/x.tmp.md", &skill("temporary")),
        ("agent/skills/keep.tmp.md", &skill("kept")),
        ("agent/skills/.hidden/SKILL.md", &skill("hidden")),
        ("agent/skills/node_modules/m/SKILL.md", &skill("module")),
        ("agent/skills/group/.fdignore", "no\n"),
        ("agent/skills/group/no/SKILL.md", &skill("no")),
        ("agent/skills/group/yes/SKILL.md", &skill("yes")),
        ("elsewhere/linked/SKILL.md", &skill("linked")),
    ]);
    symlink(tree.path("elsewhere/linked"), tree.path("agent/skills/link")).unwrap();
    symlink(tree.path("agent/skills"), tree.path("agent/skills/group/loop")).unwrap();
    let found = load_skills(&tree.places(false), &ListedResources::default(), &[], true);
    assert_eq!(names(&found), ["yes", "kept", "linked"]);
    assert_eq!(found.diagnostics, []);
}

#[test]
fn doubtful_skills_are_reported() {
    let long = "x".repeat(65);
    let tree = Tree::new(&[
        ("agent/skills/a/SKILL.md", "---\nname: a: b\n---\n"),
        ("agent/skills/b/SKILL.md", "---\nname: b\ndescription: ' '\n---\n"),
        ("agent/skills/c/SKILL.md", "no head"),
        ("agent/skills/d/SKILL.md", "---\nname: -Bad--Name\ndescription: d\ndisable-model-invocation: true\n---\n"),
        ("agent/skills/e/SKILL.md", &format!("---\nname: {long}\ndescription: {}\n---\n", "y".repeat(1025))),
    ]);
    let found = load_skills(&tree.places(false), &ListedResources::default(), &[], true);
    let loaded: Vec<_> = found.items.iter().map(|s| (s.name.as_str(), s.disable_model_invocation)).collect();
    assert_eq!(loaded, [("-Bad--Name", true), (long.as_str(), false)]);
    let lines = tree.diagnostics(&found);
    let parts = [
        "skills/a/SKILL.md: invalid frontmatter",
        "skills/b/SKILL.md: description is required",
        "skills/c/SKILL.md: description is required",
        "should only have lower-case letters",
        "should not begin or end with a hyphen",
        "should not have two hyphens",
        "name has 65 characters",
        "description has 1025 characters",
    ];
    assert_eq!(lines.len(), parts.len(), "{lines:?}");
    for (line, part) in lines.iter().zip(parts) {
        assert!(line.contains(part), "{line} / {part}");
    }
}

#[test]
fn skill_commands_expand() {
    let tree = Tree::new(&[
        ("agent/skills/alpha/SKILL.md", "---\nname: alpha\ndescription: d\n---\n\n# Alpha\n\nrun x.sh\n\n"),
        ("agent/prompts/plain.md", "plain text\n"),
    ]);
    let resources = tree.resources(false);
    let block = "<skill name=\"alpha\" location=\"agent/skills/alpha/SKILL.md\">\n\
                 References are relative to agent/skills/alpha.\n\n# Alpha\n\nrun x.sh\n</skill>";
    let with_message = format!("{block}\n\ndo \"this\" now");
    for (text, wanted) in [
        ("/skill:alpha", block),
        ("/skill:alpha  do \"this\" now ", &with_message),
        ("/skill:none go", "/skill:none go"),
        ("/skill:alpha\tgo", "/skill:alpha\tgo"),
        ("please /skill:alpha", "please /skill:alpha"),
        ("/plain", "plain text\n"),
    ] {
        assert_eq!(tree.short(&resources.expand(text).unwrap()), wanted, "{text}");
    }

    fs::remove_file(tree.path("agent/skills/alpha/SKILL.md")).unwrap();
    let error = resources.expand("/skill:alpha").unwrap_err();
    assert_eq!(error.path, tree.path("agent/skills/alpha/SKILL.md"));
    assert!(error.to_string().starts_with("Cannot read skill file "), "{error}");
}

#[test]
fn skill_blocks_are_recognised() {
    let parsed = |text: &str| parse_skill_block(text).map(|b| (b.name, b.location, b.content, b.user_message));
    let full = |content: &str, message: Option<&str>| {
        Some(("a".to_owned(), "/f".to_owned(), content.to_owned(), message.map(str::to_owned)))
    };
    for (tail, wanted) in [
        ("body\n</skill>", full("body", None)),
        ("b\n\nc\n</skill>\n\n go \n", full("b\n\nc", Some("go"))),
        ("b\n</skill> inside\n</skill>", full("b\n</skill> inside", None)),
        ("b\n</skill>\n", None),
        ("b</skill>", None),
    ] {
        assert_eq!(parsed(&format!("<skill name=\"a\" location=\"/f\">\n{tail}")), wanted, "{tail:?}");
    }
    assert_eq!(parsed("<skill name=\"\" location=\"/f\">\nb\n</skill>"), None);
    assert_eq!(parsed("text"), None);
}

const TEMPLATES: &[(&str, &str)] = &[
    ("agent/prompts/args.md", "---\ndescription: all kinds\nargument-hint: <file>\n---\nfirst=$1 rest=${@:2}\n"),
    ("agent/prompts/plain.md", "\n\nA first line that is a good deal longer than sixty characters are, really\n"),
    ("agent/prompts/empty.md", ""),
    ("agent/prompts/broken.md", "---\na: b: c\n---\n"),
    ("agent/prompts/note.txt", "no template"),
    ("agent/prompts/sub/deep.md", "deep"),
    ("top/project/.pi/prompts/plain.md", "the project's"),
    ("elsewhere/extra.md", "extra $1"),
];

#[test]
fn templates_are_found() {
    let tree = Tree::new(TEMPLATES);
    let explicit = ["elsewhere/extra.md", "agent/prompts/args.md", "nowhere.md"].map(|path| tree.path(path));
    let found = load_templates(&tree.places(false), &ListedResources::default(), &explicit, true);
    let listed: Vec<_> = found.items.iter().map(|t| (t.name.as_str(), t.description.as_str())).collect();
    assert_eq!(
        listed,
        [
            ("args", "all kinds"),
            ("empty", ""),
            ("plain", "A first line that is a good deal longer than sixty character..."),
            ("extra", "extra $1"),
        ]
    );
    assert_eq!(found.items[0].argument_hint.as_deref(), Some("<file>"));
    insta::assert_json_snapshot!(found.items[3].source, { ".path" => "[path]", ".baseDir" => "[dir]" }, @r#"
    {
      "path": "[path]",
      "source": "local",
      "scope": "temporary",
      "origin": "top-level",
      "baseDir": "[dir]"
    }
    "#);
    let lines = tree.diagnostics(&found);
    assert_eq!(lines[0], "Error nowhere.md: Prompt template path does not exist");
    assert!(lines[1].starts_with("Warning agent/prompts/broken.md: prompt template skipped: invalid frontmatter"));

    let project = load_templates(&tree.places(true), &ListedResources::default(), &[], true);
    assert_eq!(expand_template("/plain", &project.items).as_deref(), Some("the project's"));
    assert!(tree.diagnostics(&project)[1].starts_with("Collision agent/prompts/plain.md"));
    assert!(load_templates(&tree.places(true), &ListedResources::default(), &[], false).items.is_empty());
}

#[test]
fn template_calls_expand() {
    let tree = Tree::new(TEMPLATES);
    let templates = load_templates(&tree.places(false), &ListedResources::default(), &[], true).items;
    for (text, wanted) in [
        ("/args one \"two words\" three", Some("first=one rest=two words three")),
        ("/args", Some("first= rest=")),
        ("/args\n\nx", Some("first=x rest=")),
        ("/empty", Some("")),
        ("/deep", None),
        ("/Args", None),
        ("/ args", None),
        ("see /args", None),
    ] {
        assert_eq!(expand_template(text, &templates).as_deref(), wanted, "{text:?}");
    }
}

fn tool(name: &str, snippet: Option<&str>, guidelines: &[&str]) -> ToolPrompt {
    let guidelines = guidelines.iter().map(|&line| line.to_owned()).collect();
    ToolPrompt { name: name.to_owned(), snippet: snippet.map(str::to_owned), guidelines }
}

fn prompt<'a>() -> SystemPrompt<'a> {
    SystemPrompt {
        custom: None,
        append: &[],
        tools: &[],
        context_files: &[],
        skills: &[],
        docs: None,
        docs_command: None,
        date: date!(2026 - 02 - 03),
        cwd: Path::new("/srv/code"),
    }
}

#[test]
fn the_whole_prompt() {
    let tree = Tree::new(&[
        ("agent/skills/a/SKILL.md", "---\nname: a\ndescription: for <b> & \"c\"\n---\n"),
        ("agent/skills/h/SKILL.md", "---\nname: h\ndescription: d\ndisable-model-invocation: true\n---\n"),
        ("install/README.md", ""),
        ("install/docs/x.md", ""),
    ]);
    let tools = [
        tool("read", Some("Look at\n  files"), &["One at a time. ", "Keep answers short and to the point."]),
        tool("bash", Some("Run commands"), &["One at a time."]),
        tool("mine", None, &[]),
    ];
    let files = [ContextFile { path: "/srv/AGENTS.md".into(), content: "Be kind.\n".to_owned() }];
    let resources = tree.resources(false);
    let docs = ProductDocs::find(&tree.path("install"));
    let whole = SystemPrompt {
        tools: &tools,
        context_files: &files,
        append: &["First.".to_owned(), "Second.".to_owned()],
        skills: &resources.skills().items,
        docs: docs.as_ref(),
        ..prompt()
    };
    insta::assert_snapshot!(tree.short(&whole.build()));
}

#[test]
fn parts_that_are_absent_leave_no_trace() {
    let tree = Tree::new(&[("agent/skills/a/SKILL.md", &skill("a"))]);
    let resources = tree.resources(false);
    let bare = SystemPrompt { custom: Some("Just this."), skills: &resources.skills().items, ..prompt() };
    assert_eq!(bare.build(), "Just this.\nCurrent date: 2026-02-03\nCurrent working directory: /srv/code");

    let with_read = SystemPrompt { tools: &[tool("read", None, &[])], ..bare }.build();
    assert!(with_read.starts_with("Just this.\n\nSkills hold"), "{with_read}");

    let text = prompt().build();
    assert!(text.contains("Available tools:\n(none)\n"), "{text}");
    assert!(!text.contains("project_context") && !text.contains("available_skills") && !text.contains("README"));
}

#[test]
fn bash_is_for_exploring_only_without_better_tools() {
    for (names, wanted) in
        [(&["bash"][..], true), (&["bash", "ls"], false), (&["bash", "grep"], false), (&["read"], false)]
    {
        let tools: Vec<_> = names.iter().map(|name| tool(name, None, &[])).collect();
        let text = SystemPrompt { tools: &tools, ..prompt() }.build();
        assert_eq!(text.contains("Use bash to look around"), wanted, "{names:?}");
    }
}

#[test]
fn documentation_is_named_only_where_it_is() {
    let tree = Tree::new(&[("full/README.md", ""), ("full/docs/a.md", ""), ("bare/docs/a.md", "")]);
    let docs = ProductDocs::find(&tree.path("full")).unwrap();
    assert_eq!((docs.docs.is_some(), docs.examples.is_some()), (true, false));
    assert_eq!(ProductDocs::find(&tree.path("bare")), None);
    for (names, wanted) in [(&["bash"][..], true), (&["read"], false)] {
        let tools: Vec<_> = names.iter().map(|name| tool(name, None, &[])).collect();
        let text = SystemPrompt { tools: &tools, docs_command: Some("pi docs"), ..prompt() }.build();
        assert_eq!(text.contains("`pi docs NAME` prints one"), wanted, "{text}");
    }
}

#[test]
fn the_date_is_that_of_the_user() {
    let a_minute_to_midnight = FixedClock(1_767_225_540_000);
    assert_eq!(local_date(&a_minute_to_midnight, offset!(UTC)).to_string(), "2025-12-31");
    assert_eq!(local_date(&a_minute_to_midnight, offset!(+1)).to_string(), "2026-01-01");
    assert_eq!(local_date(&FixedClock(i64::MAX), offset!(UTC)).to_string(), "1970-01-01");
}

#[test]
fn nothing_is_read_before_it_is_asked_for() {
    let tree = Tree::new(&[]);
    let resources = tree.resources(true);
    assert_eq!(resources.expand("hello").unwrap(), "hello");
    tree.write("agent/AGENTS.md", "later");
    tree.write("agent/prompts/p.md", "later");
    tree.write("agent/skills/s/SKILL.md", &skill("s"));
    assert_eq!(resources.context_files().items.len(), 1);
    assert_eq!(resources.expand("/p").unwrap(), "later");
    assert_eq!(resources.skills().items.len(), 1);
}
