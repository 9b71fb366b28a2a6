//! What no file should be, wherever the program reads one: pipes, sockets, devices, links out of a stranger's repository,
//! files without end. Every run ends by itself, in little memory, says what it left out, and does its work all the same.
//!
//! The long form (`.ci/long files-hostile`) puts every shape at every place and prints what it counted.

use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;

use futures::StreamExt;
use serde_json::json;

use pi_test_kit::{Finished, PATIENCE, Provider, World, answer, scale, tool_call};

/// Most memory that a run may ask for, in kilobytes: less than what the largest of the files holds.
const MEMORY: usize = 1_900_000;
/// Runs at the same time.
const AT_ONCE: usize = 4;
const SECRET: &str = "SECRET-OF-THE-USER";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Fifo,
    Socket,
    /// A link to a device that never ends.
    Zero,
    /// A link to a file of the kernel that is of no size, and never ends or makes its readers wait.
    Kernel,
    Directory,
    /// A link to a file outside of the repository.
    Out,
    /// The same by way of two links inside.
    Chain,
    /// A link to a good file in the repository.
    In,
    Gone,
    Loop,
    Sparse,
    Nul,
    /// No UTF-8.
    Bytes,
    /// Without any right to read it. Root reads it all the same.
    Closed,
}

const SHAPES: [Shape; 14] = [
    Shape::Fifo,
    Shape::Socket,
    Shape::Zero,
    Shape::Kernel,
    Shape::Directory,
    Shape::Out,
    Shape::Chain,
    Shape::In,
    Shape::Gone,
    Shape::Loop,
    Shape::Sparse,
    Shape::Nul,
    Shape::Bytes,
    Shape::Closed,
];

impl Shape {
    /// Puts it at a path. `good` is what belongs there.
    fn make(self, path: &Path, good: &str, world: &World) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let _ = fs::remove_file(path);
        let good_file = |dir: &Path, text: &str| {
            let file = dir.join("target-of-links.txt");
            fs::write(&file, text).unwrap();
            file
        };
        match self {
            Self::Fifo => assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success()),
            Self::Socket => drop(UnixListener::bind(path).unwrap()),
            Self::Zero => symlink("/dev/zero", path).unwrap(),
            Self::Kernel => symlink("/proc/kmsg", path).unwrap(),
            Self::Directory => fs::create_dir_all(path.join("inside")).unwrap(),
            Self::Out => symlink(good_file(world.root(), &good.replace("GOOD", SECRET)), path).unwrap(),
            Self::Chain => {
                let target = good_file(world.root(), &good.replace("GOOD", SECRET));
                let second = path.parent().unwrap().join("second-link");
                symlink(target, &second).unwrap();
                symlink("second-link", path).unwrap();
            }
            Self::In => {
                good_file(path.parent().unwrap(), good);
                symlink("target-of-links.txt", path).unwrap();
            }
            Self::Gone => symlink("no-such-file", path).unwrap(),
            Self::Loop => symlink(path.file_name().unwrap(), path).unwrap(),
            Self::Sparse => File::create(path).unwrap().set_len(2 << 30).unwrap(),
            Self::Nul => fs::write(path, "\0".repeat(2000)).unwrap(),
            Self::Bytes => fs::write(path, b"\xff\xfe\xfd\n\x80").unwrap(),
            Self::Closed => {
                fs::write(path, good).unwrap();
                fs::set_permissions(path, fs::Permissions::from_mode(0o000)).unwrap();
            }
        }
    }

    /// What a run says of it, one of these; nothing where it may well be what belongs there.
    fn words(self) -> &'static [&'static str] {
        match self {
            Self::Fifo => &["named pipe", "not a regular file"],
            Self::Socket => &["socket", "not a regular file"],
            Self::Zero => &["device", "not a regular file"],
            Self::Directory => &["directory"],
            Self::Loop => &["symbolic links", "does not exist", "not found"],
            Self::Sparse => &["2 GB", "more than 256 MB", "more than 64 MB"],
            _ => &[],
        }
    }
}

/// A place where the program reads a file.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// Below the root of everything: `project/`, `agent/`.
    at: &'static str,
    args: &'static [&'static str],
    /// What belongs there; the word GOOD arrives at the provider where the file is text for the model.
    good: &'static str,
    /// Whether links out of the repository are refused.
    fenced: bool,
    /// The exit code when it cannot be read.
    code: i32,
    /// Shapes of which nothing is said, because nothing belongs there as well.
    quiet: &'static [Shape],
}

/// A directory of this name is another thing than a file of this name.
const NO_FILE: &[Shape] = &[Shape::Directory];
const TEXT: &str = "GOOD words";
const SKILL: &str = "---\nname: x\ndescription: GOOD skill\n---\nbody";
const SESSION: &str = "{\"type\":\"session\",\"version\":3,\"id\":\"s1\",\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"cwd\":\"/\"}\n{\"type\":\"message\",\"id\":\"a1\",\"parentId\":null,\"timestamp\":\"2026-01-01T00:00:01.000Z\",\"message\":{\"role\":\"user\",\"content\":\"GOOD\",\"timestamp\":1}}\n";
const RUN: &[&str] = &["--model", "mock/m1", "-p", "hi"];
const TRUSTED: &[&str] = &["--approve", "--model", "mock/m1", "-p", "hi"];

/// A place that a run can do without.
const fn part(at: &'static str, good: &'static str) -> Place {
    Place { at, args: RUN, good, fenced: false, code: 0, quiet: &[] }
}

const fn named(at: &'static str, args: &'static [&'static str], good: &'static str, code: i32) -> Place {
    Place { at, args, good, fenced: false, code, quiet: &[] }
}

const PLACES: &[Place] = &[
    Place { fenced: true, ..part("project/AGENTS.md", TEXT) },
    Place { fenced: true, ..part("project/CLAUDE.md", TEXT) },
    part("AGENTS.md", TEXT),
    part("agent/AGENTS.md", TEXT),
    part("agent/SYSTEM.md", TEXT),
    part("agent/APPEND_SYSTEM.md", TEXT),
    named("project/.pi/SYSTEM.md", TRUSTED, TEXT, 0),
    Place { fenced: true, ..named("project/p.txt", &["--system-prompt", "p.txt", "-p", "hi"], TEXT, 0) },
    Place { fenced: true, ..named("project/p.txt", &["--append-system-prompt", "p.txt", "-p", "hi"], TEXT, 0) },
    part("agent/settings.json", "{}"),
    named("project/.pi/settings.json", TRUSTED, "{}", 0),
    named("agent/models.json", &["--list-models", "mock"], "{}", 0),
    named("agent/auth.json", RUN, "{}", 0),
    part("agent/trust.json", "{}"),
    Place { quiet: NO_FILE, ..part("agent/skills/x/SKILL.md", SKILL) },
    Place { quiet: NO_FILE, ..part("agent/skills/x.md", SKILL) },
    Place { quiet: NO_FILE, ..named("project/.pi/skills/x/SKILL.md", TRUSTED, SKILL, 0) },
    Place { fenced: true, quiet: NO_FILE, ..named("project/s/SKILL.md", &["--skill", "s", "-p", "hi"], SKILL, 0) },
    Place { fenced: true, quiet: NO_FILE, ..named("project/s.md", &["--skill", "s.md", "-p", "hi"], SKILL, 0) },
    Place { quiet: NO_FILE, ..named("agent/prompts/x.md", &["-p", "/x"], TEXT, 0) },
    Place { quiet: NO_FILE, ..named("project/.pi/prompts/x.md", &["--approve", "-p", "/x"], TEXT, 0) },
    Place { fenced: true, quiet: NO_FILE, ..named("project/t/x.md", &["--prompt-template", "t", "-p", "/x"], TEXT, 0) },
    Place {
        fenced: true,
        quiet: NO_FILE,
        ..named("project/x.md", &["--prompt-template", "x.md", "-p", "/x"], TEXT, 0)
    },
    Place { quiet: NO_FILE, ..named("project/t.json", &["--theme", "t.json", "-p", "hi"], "{}", 0) },
    Place { quiet: NO_FILE, ..part("agent/extensions/x.ts", "export default () => {};") },
    named("project/x.ts", &["-e", "x.ts", "-p", "hi"], "export default () => {};", 1),
    part("agent/extensions/p/package.json", "{}"),
    Place { quiet: NO_FILE, ..part("agent/skills/.gitignore", "x") },
    named("project/s.jsonl", &["--session", "s.jsonl", "-p", "hi"], SESSION, 1),
    named("project/s.jsonl", &["--fork", "s.jsonl", "-p", "hi"], SESSION, 1),
    named("project/s.jsonl", &["--export", "s.jsonl"], SESSION, 1),
    named("project/s.jsonl", &["session", "doctor", "s.jsonl"], SESSION, 1),
    named("project/s.jsonl", &["session", "import", "s.jsonl"], SESSION, 1),
    Place {
        quiet: &SHAPES,
        ..named("sessions/s.jsonl", &["--session-dir", "../sessions", "-c", "-p", "hi"], SESSION, 0)
    },
    Place {
        quiet: &SHAPES,
        ..named("sessions/s.jsonl", &["session", "ls", "--session-dir", "../sessions"], SESSION, 0)
    },
    Place {
        quiet: &SHAPES,
        ..named("sessions/s.jsonl", &["session", "search", "GOOD", "--session-dir", "../sessions"], SESSION, 0)
    },
    Place { quiet: &SHAPES, ..named("project/open.jsonl.effects", &["--session", "open.jsonl", "-p", "hi"], "", 0) },
    named("project/c.jsonl", &["--replay", "c.jsonl", "-p", "hi"], "", 1),
    named("project/c.jsonl", &["--replay", "c.jsonl", "--with-tools", "-p", "hi"], "", 1),
    Place { quiet: &[Shape::Sparse], ..named("project/c.jsonl", &["--record", "c.jsonl", "-p", "hi"], "", 1) },
    named("project/a.txt", &["-p", "@a.txt", "hi"], TEXT, 1),
    Place { quiet: &SHAPES, ..part("project/.git", "gitdir: /nowhere") },
];

/// A session that was cut off while a tool ran.
fn unfinished() -> String {
    let call = json!({"type": "message", "id": "a2", "parentId": "a1", "timestamp": "2026-01-01T00:00:02.000Z", "message": {
        "role": "assistant", "api": "anthropic-messages", "provider": "mock", "model": "m1", "stopReason": "toolUse", "timestamp": 2,
        "content": [{"type": "toolCall", "id": "t1", "name": "bash", "arguments": {"command": "true"}}],
        "usage": {"input": 1, "output": 1, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 2,
            "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}},
    }});
    format!("{SESSION}{call}\n")
}

async fn run(world: &World, args: &[&str]) -> Finished {
    let quoted: Vec<String> = args.iter().map(|argument| format!("'{argument}'")).collect();
    world.shell(&format!("ulimit -v {MEMORY}; exec \"$PI\" {}", quoted.join(" "))).run().await
}

/// One shape at one place. Returns what was wrong.
async fn attempt(place: Place, shape: Shape) -> Result<(), String> {
    let provider = Provider::start([answer("done")]).await;
    let world = World::with(&provider);
    fs::create_dir_all(world.cwd().join(".git")).unwrap();
    fs::write(world.cwd().join("open.jsonl"), unfinished()).unwrap();
    let path = world.root().join(place.at);
    if place.at == "project/.git" {
        fs::remove_dir(&path).unwrap();
    }
    shape.make(&path, place.good, &world);
    let Ok(ran) = tokio::time::timeout(PATIENCE / 2, run(&world, place.args)).await else {
        return Err(format!("{} {:?} {shape:?}: it does not end", place.at, place.args));
    };
    if shape == Shape::Closed {
        // It may be gone by now: that of effects is.
        let _ = fs::set_permissions(&path, fs::Permissions::from_mode(0o644));
    }
    judge(place, shape, &ran, &provider).map_err(|problem| {
        format!(
            "{} {:?} {shape:?}: {problem}\n  code {:?}\n  out {:?}\n  err {:?}",
            place.at,
            place.args,
            ran.code,
            cut(&ran.stdout),
            cut(&ran.stderr)
        )
    })
}

fn cut(text: &str) -> String {
    text.chars().take(1500).collect()
}

fn judge(place: Place, shape: Shape, ran: &Finished, provider: &Provider) -> Result<(), String> {
    let check = |holds: bool, problem: &str| if holds { Ok(()) } else { Err(problem.to_owned()) };
    let said = format!("{}{}", ran.stdout, ran.stderr);
    let sent: String = provider.requests().iter().map(|request| request.body.to_string()).collect();
    check(ran.code.is_some_and(|code| code == 0 || code == 1), "it did not end by itself")?;
    check(!said.contains("panicked") && !said.contains("memory allocation"), "it broke down")?;
    check(!place.fenced || !sent.contains(SECRET), "the secret was sent")?;
    check(!place.fenced || !said.contains(SECRET), "the secret was shown")?;
    let leads_out = matches!(shape, Shape::Out | Shape::Chain);
    let words = match shape {
        _ if place.quiet.contains(&shape) => &[],
        Shape::Out | Shape::Chain | Shape::Kernel | Shape::Zero if place.fenced => &["outside of the repository"][..],
        shape => shape.words(),
    };
    // Code that cannot be run is an error of the user's.
    let is_no_code =
        place.at.ends_with(".ts") && matches!(shape, Shape::Bytes | Shape::Nul | Shape::Kernel | Shape::Sparse);
    if !words.is_empty() {
        let code = if is_no_code { 1 } else { place.code };
        check(words.iter().any(|words| said.contains(words)), &format!("nothing is said of {words:?}"))?;
        check(ran.code == Some(code), &format!("the code should be {code}"))?;
    }
    let is_good = matches!(shape, Shape::In) || (leads_out && !place.fenced);
    if is_good && place.good.contains("GOOD") && place.args.contains(&"-p") && place.code == 0 && place.quiet.is_empty()
    {
        let word = if leads_out { SECRET } else { "GOOD" };
        check(sent.contains(word), "a good file did not arrive")?;
    }
    let goes_on = !is_no_code && place.code == 0 && place.args.contains(&"-p");
    check(!goes_on || !sent.is_empty(), "the run did not do its work")
}

#[tokio::test]
async fn nothing_hangs_or_fills_the_memory_and_everything_is_named() {
    let every = scale(4, 1);
    let cases: Vec<(Place, Shape)> = PLACES
        .iter()
        .enumerate()
        .flat_map(|(row, place)| SHAPES.iter().enumerate().map(move |(column, shape)| (row + column, *place, *shape)))
        .filter(|(number, ..)| number % every == 0)
        .map(|(_, place, shape)| (place, shape))
        .collect();
    let count = cases.len();
    let outcomes = futures::stream::iter(cases).map(|(place, shape)| attempt(place, shape)).buffer_unordered(AT_ONCE);
    let problems: Vec<String> = outcomes.filter_map(|outcome| async { outcome.err() }).collect().await;
    println!(
        "hostile files: {count} runs, {} places, {} shapes, {} problems",
        PLACES.len(),
        SHAPES.len(),
        problems.len()
    );
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Links that are the user's own are followed, and the warning of one that is not says what to do.
#[tokio::test]
async fn trust_and_ownership_decide_about_links() {
    let warning = "Warning: ROOT/project/AGENTS.md: cannot read this context file: it leads to ROOT/elsewhere.md, outside of the \
                   repository ROOT/project, which is not trusted (--approve trusts it for one run)";
    for (link, args, arrives) in [
        ("project/AGENTS.md", &[][..], false),
        ("project/AGENTS.md", &["--approve"], true),
        ("project/AGENTS.md", &["-nc"], false),
        ("AGENTS.md", &[], true),
        ("agent/AGENTS.md", &[], true),
    ] {
        let provider = Provider::start([answer("done")]).await;
        let world = World::with(&provider);
        fs::create_dir_all(world.cwd().join(".git")).unwrap();
        fs::write(world.root().join("elsewhere.md"), "WORDS").unwrap();
        symlink(world.root().join("elsewhere.md"), world.root().join(link)).unwrap();
        let ran = world.run(&[args, &["-p", "hi"]].concat()).await;
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert_eq!(provider.requests()[0].system().contains("WORDS"), arrives, "{link} {args:?}");
        let is_refused = link.starts_with("project") && args.is_empty();
        assert_eq!(ran.stderr.contains(warning), is_refused, "{link} {args:?}: {}", ran.stderr);
    }
}

#[tokio::test]
async fn large_context_files_are_named_and_very_large_ones_left_out() {
    for (size, arrives, said) in [
        (64 << 10, true, None),
        ((64 << 10) + 1, true, Some("this context file has 64 KB, and every request carries it")),
        (1 << 20, true, Some("this context file has 1 MB")),
        ((1 << 20) + 1, false, Some("more than the 1 MB that a context file may have")),
    ] {
        let provider = Provider::start([answer("done")]).await;
        let world = World::with(&provider);
        world.write("AGENTS.md", &"w".repeat(size));
        let ran = world.run(&["-p", "hi"]).await;
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert_eq!(provider.requests()[0].system().contains("wwww"), arrives, "{size}");
        match said {
            Some(said) => assert!(ran.stderr.contains(said), "{size}: {}", ran.stderr),
            None => assert!(!ran.stderr.contains("AGENTS.md"), "{size}: {}", ran.stderr),
        }
    }
}

#[tokio::test]
async fn traps_in_directories_cost_one_warning_each() {
    let provider = Provider::start([answer("done")]).await;
    let world = World::with(&provider);
    let skills = world.agent_dir().join("skills");
    fs::create_dir_all(skills.join("good")).unwrap();
    fs::write(skills.join("good/SKILL.md"), SKILL).unwrap();
    symlink(".", skills.join("again")).unwrap();
    symlink("..", skills.join("good-loop")).unwrap();
    fs::create_dir_all(skills.join("deep").join("d/".repeat(200))).unwrap();
    fs::create_dir(skills.join("many")).unwrap();
    for number in 0..scale(10_050, 100_000) {
        File::create(skills.join(format!("many/{number}"))).unwrap();
    }
    fs::create_dir_all(world.agent_dir().join("prompts")).unwrap();
    symlink("../prompts", world.agent_dir().join("prompts/again")).unwrap();
    fs::create_dir(skills.join("evil\x1b[2J\nWarning: all is well")).unwrap();
    symlink("/dev/zero", skills.join("evil\x1b[2J\nWarning: all is well/SKILL.md")).unwrap();
    let ran = run(&world, &["-p", "hi"]).await;
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(provider.requests()[0].system().contains("GOOD skill"));
    for (said, times) in [
        ("more than 32 levels of directories", 1),
        ("it has more than 10000 entries", 1),
        ("evil\u{241b}[2J\u{240a}Warning: all is well/SKILL.md: it is a device", 1),
        ("\x1b", 0),
        ("\nWarning: all is well", 0),
    ] {
        assert_eq!(ran.stderr.matches(said).count(), times, "{said:?}: {}", ran.stderr);
    }
}

#[tokio::test]
async fn an_attachment_has_to_fit_the_window() {
    for (name, text, problem) in [
        ("small.txt", "w".repeat(1000), None),
        ("large.txt", "w".repeat(4 << 20), Some("about 10485")),
        ("binary.bin", "\0".repeat(4 << 20), Some("about 10485")),
    ] {
        let provider = Provider::start([answer("done")]).await;
        let world = World::with(&provider);
        world.write(name, &text);
        let ran = world.run(&["-p", &format!("@{name}"), "hi"]).await;
        assert_eq!(ran.code, Some(i32::from(problem.is_some())), "{}", ran.stderr);
        assert_eq!(provider.requests().is_empty(), problem.is_some());
        if let Some(problem) = problem {
            for part in [problem, name, "window", "128000", "m1"] {
                assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
            }
        }
    }
}

/// A pipe that is open already is what the user wants to have read.
#[tokio::test]
async fn what_a_shell_has_opened_is_read() {
    let provider = Provider::start([answer("done")]).await;
    let world = World::with(&provider);
    let script = "exec 8<<END\npiped words\nEND\nprintf 'more words' | \"$PI\" -p @/dev/fd/0 hi";
    let ran = world.shell(script).run().await;
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(provider.requests()[0].body.to_string().contains("more words"));
}

/// The tools of the model say what they met instead of waiting for it.
#[tokio::test]
async fn tools_do_not_wait_for_pipes() {
    let calls = [
        ("read", json!({"path": "fifo"}), "named pipe"),
        ("read", json!({"path": "zero"}), "device"),
        ("edit", json!({"path": "fifo", "edits": [{"oldText": "a", "newText": "b"}]}), "named pipe"),
        ("edit", json!({"path": "zero", "edits": [{"oldText": "a", "newText": "b"}]}), "device"),
        ("write", json!({"path": "fifo", "content": "x"}), "named pipe"),
        ("grep", json!({"pattern": "needle", "path": "fifo"}), "pipe"),
        ("grep", json!({"pattern": "needle", "path": "zero"}), "device"),
        ("grep", json!({"pattern": "needle"}), "bad/.gitignore is a named pipe"),
        ("grep", json!({"pattern": "needle"}), "good.txt"),
        ("find", json!({"pattern": "*.txt"}), "good.txt"),
        ("find", json!({"pattern": "*.txt"}), "endless/.ignore is a device"),
        ("grep", json!({"pattern": "needle", "path": "bad/below"}), "bad/.gitignore is a named pipe"),
        ("grep", json!({"pattern": "needle", "path": "tree"}), "tree/.git has 2 GB"),
        ("ls", json!({}), "fifo"),
    ];
    let replies = calls
        .iter()
        .enumerate()
        .map(|(number, (name, arguments, _))| tool_call(&format!("t{number}"), name, arguments));
    let provider = Provider::start(replies.chain([answer("done")])).await;
    let world = World::with(&provider);
    world.write("good.txt", "needle");
    world.write("bad/below/x.txt", "needle");
    world.write("endless/x.txt", "needle");
    world.write("tree/sub/x.txt", "needle");
    for fifo in ["fifo", "bad/.gitignore", "deep-fifo"] {
        Shape::Fifo.make(&world.cwd().join(fifo), "", &world);
    }
    for zero in ["zero", "endless/.ignore"] {
        Shape::Zero.make(&world.cwd().join(zero), "", &world);
    }
    Shape::Sparse.make(&world.cwd().join("tree/.git"), "", &world);
    let ran = run(&world, &["--tools", "read,edit,write,grep,find,ls", "-p", "hi"]).await;
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let requests = provider.requests();
    assert_eq!(requests.len(), calls.len() + 1);
    for (number, (name, arguments, expected)) in calls.iter().enumerate() {
        let messages = requests[number + 1].body["messages"].as_array().unwrap();
        let said = messages.last().unwrap().to_string();
        assert!(said.contains(expected), "{name} {arguments}: {said}");
    }
}
