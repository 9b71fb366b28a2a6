//! The pages under `docs/` against the program: paths exist, examples run, tables name what there is.
// Helpers outside of `#[test]` functions may panic: that is how they fail a test.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use pi_ai::auth::env::env_key_names;
use pi_ai::{ThinkingLevel, get_models, get_providers};
use serde_json::{Value, json};

const PI: &str = env!("CARGO_BIN_EXE_pi");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page(name: &str) -> String {
    fs::read_to_string(root().join("docs").join(name)).unwrap()
}

/// The fenced blocks of a language.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    let after = text.split(&fence).skip(1);
    after.map(|rest| rest.split_once("\n```").unwrap().0.to_owned()).collect()
}

/// What stands between single backquotes, fenced blocks left out.
fn code_spans(text: &str) -> Vec<String> {
    let prose: Vec<&str> = text.split("```").step_by(2).collect();
    prose.concat().split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// A directory with a configuration of its own, without the keys of whoever runs the test.
fn pi(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(PI);
    let path = std::env::var_os("PATH").unwrap();
    command.args(args).current_dir(dir).env_clear().env("PATH", path).env("HOME", dir).stdin(Stdio::null());
    command
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// A cassette of one answer by the model that `docs/models.md` configures.
fn cassette(answer: &str) -> String {
    let chunk = json!({ "choices": [{ "index": 0, "delta": { "content": answer }, "finish_reason": "stop" }] });
    let tools = ["read", "bash", "edit", "write"].map(|name| json!({ "function": { "name": name } }));
    let messages = json!([{ "role": "system" }, { "role": "user" }]);
    let body = json!({ "model": "qwen3-coder", "messages": messages, "tools": tools });
    let request =
        json!({ "method": "POST", "url": "http://localhost/v1/chat/completions", "headers": {}, "body": body });
    let response = json!({ "status": 200, "headers": { "content-type": "text/event-stream" }, "at": 0,
        "body": [{ "at": 0, "text": format!("data: {chunk}\n\ndata: [DONE]\n\n") }] });
    json!({ "cassette": 1, "n": 1, "request": request, "response": response, "end": "complete" }).to_string()
}

/// The configuration that `docs/models.md` shows.
fn configure(dir: &Path) {
    let models = blocks(&page("models.md"), "json").into_iter().find(|block| block.contains("providers")).unwrap();
    write(&dir.join(".pi/agent/models.json"), &models);
    write(&dir.join("tape.jsonl"), &cassette("Nothing but a tape."));
}

fn has_answer(output: &Output) {
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout).trim_end(), "Nothing but a tape.");
}

/// The pages of the repository that people read outside of `docs`, and those in it.
fn pages() -> Vec<PathBuf> {
    let root = root();
    let mut pages: Vec<PathBuf> =
        ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"].iter().map(|name| root.join(name)).collect();
    let in_docs = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    // Pictures, and a schema for editors, stand beside them.
    pages.extend(in_docs.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    pages
}

/// A page without its fenced blocks, in which nothing is a link or a heading.
fn prose(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let mut fenced = false;
    let lines = text.lines().filter(|line| {
        let is_fence = line.trim_start().starts_with("```");
        fenced ^= is_fence;
        !fenced && !is_fence
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// How pages link to files of this repository outside of `docs`: the book and `pi docs` hold the pages alone.
const REPOSITORY: [&str; 2] =
    ["https://github.com/pi-agent/pi/blob/main/", "https://github.com/pi-agent/pi/tree/main/"];

/// Where the links of a page lead, those to the network left out.
fn links(text: &str) -> Vec<String> {
    let targets = text.split("](").skip(1).map(|rest| rest.split(')').next().unwrap().to_owned());
    targets.filter(|link| !link.contains("://") || in_repository(link).is_some()).collect()
}

/// The file of the repository that an absolute link means.
fn in_repository(link: &str) -> Option<PathBuf> {
    REPOSITORY.iter().find_map(|start| link.strip_prefix(start)).map(|path| root().join(path))
}

/// The names under which the headings of a page can be linked to: small letters and digits, hyphens for blanks.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    headings.map(|heading| heading.to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-")).collect()
}

#[test]
fn links_lead_to_files_and_headings() {
    let mut checked = (0, 0);
    for page in pages() {
        for link in links(&prose(&page)) {
            let (file, heading) = link.split_once('#').map_or((link.as_str(), None), |(file, name)| (file, Some(name)));
            let dir = page.parent().unwrap();
            assert!(
                !(dir.ends_with("docs") && file.starts_with("../")),
                "{}: {link} leads out of the book: link to {}…",
                page.display(),
                REPOSITORY[0]
            );
            let beside = || if file.is_empty() { page.clone() } else { dir.join(file) };
            let target = in_repository(file).unwrap_or_else(beside);
            assert!(target.exists(), "{} links to {link}, which does not exist", page.display());
            checked.0 += 1;
            if let Some(heading) = heading {
                let there = anchors(&prose(&target));
                assert!(there.iter().any(|name| name == heading), "{}: {link}: {there:?}", page.display());
                checked.1 += 1;
            }
        }
    }
    assert!(checked.0 > 100 && checked.1 > 30, "only {checked:?} links found: the search is broken");
}

#[test]
fn the_book_has_every_page_once() {
    let docs = root().join("docs");
    let mut named = links(&prose(&docs.join("SUMMARY.md")));
    named.sort_unstable();
    let files = pages().into_iter().filter(|page| page.parent().unwrap().ends_with("docs"));
    let mut files: Vec<_> = files.map(|page| page.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    files.retain(|name| name != "SUMMARY.md");
    files.sort_unstable();
    assert_eq!(named, files, "docs/SUMMARY.md names each page of docs/ once");
    for line in prose(&docs.join("SUMMARY.md")).lines().filter(|line| line.starts_with("- [")) {
        let (title, file) = line[3..].trim_end_matches(')').split_once("](").unwrap();
        assert_eq!(page(file).lines().next(), Some(format!("# {title}").as_str()), "docs/SUMMARY.md, {file}");
    }
}

#[test]
fn every_picture_is_shown() {
    let shown: Vec<String> = pages().iter().flat_map(|page| links(&prose(page))).collect();
    for picture in fs::read_dir(root().join("docs/screens")).unwrap() {
        let name = picture.unwrap().file_name();
        let link = format!("screens/{}", name.to_str().unwrap());
        assert!(shown.iter().any(|shown| shown.ends_with(&link)), "no page shows {link}");
    }
}

#[test]
fn every_page_can_be_found_from_the_first() {
    let named = links(&prose(&root().join("README.md")));
    for page in pages().iter().filter(|page| page.parent().unwrap().ends_with("docs")) {
        let link = format!("docs/{}", page.file_name().unwrap().to_str().unwrap());
        assert!(named.contains(&link), "README.md does not link to {link}");
    }
}

#[test]
fn paths_that_pages_name_exist() {
    let root = root();
    let mut checked = 0;
    for page in pages() {
        let is_path = |span: &String| {
            ["crates/", "xtask/src/", "docs/", "fixtures/"].iter().any(|start| span.starts_with(start))
                && !span.contains(['<', '*', ' '])
        };
        for path in code_spans(&fs::read_to_string(&page).unwrap()).into_iter().filter(is_path) {
            assert!(root.join(&path).exists(), "{} names {path}, which does not exist", page.display());
            checked += 1;
        }
    }
    assert!(checked > 20, "only {checked} paths found: the search is broken");
}

/// What `docs/security.md` promises is held by the tests that it names: `file.rs`: `function`, `function`.
#[test]
fn the_security_page_names_real_tests() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let (mut source, mut functions) = (String::new(), 0);
    for span in code_spans(&page("security.md")) {
        if span.ends_with(".rs") {
            let library = root().join("crates/pi-coding-agent/tests");
            let program = tests.join("program");
            let file = [
                tests.join(&span),
                program.join(&span),
                library.join(&span),
                root().join(&span),
                tests.join("..").join(&span),
            ]
            .into_iter()
            .find(|file| file.exists());
            source = fs::read_to_string(file.unwrap_or_else(|| panic!("docs/security.md names {span}"))).unwrap();
        } else if span.matches('_').count() > 2 && !span.contains(|c: char| c.is_uppercase()) {
            assert!(source.contains(&format!("fn {span}(")), "docs/security.md names {span}");
            functions += 1;
        }
    }
    assert!(functions > 10, "only {functions} tests found: the search is broken");
}

#[test]
fn the_architecture_page_names_real_files() {
    let crates: Vec<PathBuf> =
        fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path()).collect();
    let spans = code_spans(&page("architecture.md"));
    let files: Vec<_> = spans.iter().filter(|span| span.ends_with(".rs")).collect();
    assert!(files.len() > 20, "only {} files found", files.len());
    for file in files {
        let bases = crates
            .iter()
            .flat_map(|dir| [dir.join("src"), dir.join("examples"), dir.parent().unwrap().to_owned(), root()]);
        let found = bases.clone().any(|base| base.join(file).exists()) || in_a_subdirectory(&crates, file);
        assert!(found, "docs/architecture.md names {file}, which does not exist");
    }
}

/// Whether some folder below `src` holds the file: a page may leave out the way where the text says it.
fn in_a_subdirectory(crates: &[PathBuf], file: &str) -> bool {
    let mut dirs: Vec<PathBuf> = crates.iter().map(|dir| dir.join("src")).collect();
    while let Some(dir) = dirs.pop() {
        if dir.join(file).exists() {
            return true;
        }
        dirs.extend(fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()));
    }
    false
}

#[test]
fn json_examples_are_json() {
    for name in ["cli.md", "models.md", "rpc.md", "settings.md"] {
        let blocks = blocks(&page(name), "json");
        assert!(!blocks.is_empty(), "{name}");
        for block in blocks {
            let values: Result<Vec<Value>, _> = serde_json::Deserializer::from_str(&block).into_iter().collect();
            values.unwrap_or_else(|error| panic!("{name}: {error}\n{block}"));
        }
    }
}

#[test]
fn the_models_example_answers() {
    let dir = tempfile::tempdir().unwrap();
    configure(dir.path());
    let output = pi(dir.path(), &["-p", "--model", "local/qwen3-coder", "--replay", "tape.jsonl", "hi"]).output();
    has_answer(&output.unwrap());
}

#[test]
fn the_rpc_client_works() {
    let dir = tempfile::tempdir().unwrap();
    configure(dir.path());
    let client = blocks(&page("rpc.md"), "python").concat();
    write(&dir.path().join("client.py"), &client);
    let path = std::env::join_paths(
        std::iter::once(Path::new(PI).parent().unwrap().to_owned())
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let output = Command::new("python3")
        .args(["client.py", "--model", "local/qwen3-coder", "--replay", "tape.jsonl"])
        .current_dir(dir.path())
        .env_clear()
        .env("PATH", path.unwrap())
        .env("HOME", dir.path())
        .output();
    match output {
        Ok(output) => has_answer(&output),
        Err(error) => {
            assert!(std::env::var_os("CI").is_none(), "python3 is missing: {error}");
            eprintln!("skipped, python3 is missing: {error}");
        }
    }
}

/// The names in the first column of the table under a heading.
fn first_column(text: &str, heading: &str) -> Vec<String> {
    let section = text.split(&format!("\n## {heading}\n")).nth(1).unwrap();
    let table = section.lines().skip_while(|line| !line.starts_with("|---")).skip(1);
    let rows = table.take_while(|line| line.starts_with('|'));
    rows.flat_map(|row| code_spans(row.split('|').nth(1).unwrap())).collect()
}

#[test]
fn the_rpc_commands_exist() {
    let dir = tempfile::tempdir().unwrap();
    let names = first_column(&page("rpc.md"), "Commands");
    assert!(names.len() >= 9, "{names:?}");
    let mut command = pi(dir.path(), &["--mode", "rpc", "--no-session"]);
    let mut server = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = server.stdin.take().unwrap();
    for name in names.iter().map(String::as_str).filter(|name| *name != "extension_ui_response").chain(["no_such"]) {
        writeln!(input, "{}", json!({ "id": name, "type": name })).unwrap();
    }
    let lines = std::io::BufRead::lines(std::io::BufReader::new(server.stdout.take().unwrap()));
    let unknown: Vec<Value> = lines
        .map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap())
        .filter(|line| line["type"] == "response")
        .take(names.len())
        .filter(|response| response["error"].as_str().is_some_and(|error| error.starts_with("Unknown command")))
        .collect();
    drop(input);
    assert!(server.wait().unwrap().success());
    assert_eq!(unknown.len(), 1, "{unknown:?}");
    assert_eq!(unknown[0]["id"], "no_such");
}

#[test]
fn every_option_is_known_and_named() {
    let dir = tempfile::tempdir().unwrap();
    let help = pi(dir.path(), &["--help"]).output().unwrap();
    let help = text(&help.stdout);
    let spans = code_spans(&page("cli.md"));
    let words = spans.iter().flat_map(|span| span.split([' ', '=', ',']));
    let options: Vec<&str> =
        words.filter(|word| word.starts_with("--") && !word.trim_matches('-').is_empty()).collect();
    assert!(options.len() > 30, "{options:?}");
    // The page's own example of a form that is not understood.
    let of_commands = ["--json", "--online", "--all", "--undo", "--with-key"];
    for option in options.iter().filter(|option| **option != "--option" && !of_commands.contains(option)) {
        assert!(help.contains(option), "docs/cli.md names {option}, which --help does not");
    }
    for option in help.split([' ', ',', '\n']).filter(|word| word.starts_with("--") && word.len() > 2) {
        assert!(options.contains(&option), "docs/cli.md lacks {option}");
    }
}

#[test]
fn the_key_variables_are_all_there() {
    let page = page("models.md");
    let spans = code_spans(&page);
    for provider in get_providers().filter(|provider| !provider.starts_with("xiaomi-token")) {
        for variable in env_key_names(provider) {
            assert!(spans.iter().any(|span| span == variable), "docs/models.md lacks {variable} of {provider}");
        }
    }
    for level in ThinkingLevel::ALL {
        assert!(spans.iter().any(|span| span == level.as_str()), "docs/models.md lacks {}", level.as_str());
    }
    let (providers, models) =
        get_providers().fold((0, 0), |(count, sum), name| (count + 1, sum + get_models(name).len()));
    let sentence = format!("knows about {} models of {providers} providers", models / 100 * 100);
    assert!(page.contains(&sentence), "docs/models.md should say: {sentence}");
}
