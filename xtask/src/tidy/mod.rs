//! Rules about files that no compiler checks. Each rule is a pure function from a file to sentences that say what
//! to do (`rules.rs`); `layout.rs` says where modules lie; sizes are measured in `sizes.rs` and public items counted in
//! `public_items.rs`, on source text that [`Source`] has freed of comments and strings. `pages.rs` counts the words of `docs/`.

mod doors_table;
mod layout;
mod pages;
mod public_items;
mod reads_table;
mod retired_words;
mod rules;
mod sizes;
mod unsafe_table;

use anyhow::Result;

use crate::code::{File, Source, read_files};
use crate::layers;
use public_items::PublicItems;
use sizes::Sizes;

/// Checks every file that git tracks or would add.
///
/// # Errors
/// When a rule is broken, or the files cannot be listed or read.
pub(crate) fn run() -> Result<()> {
    let files = read_files()?;
    let (mut problems, sizes) = check(&files);
    println!("{sizes}");
    let (items, too_many) = count_public_items(&files).report();
    println!("{items}");
    problems.extend(too_many);
    let (words, too_long) = pages::report(&files);
    println!("{words}");
    problems.extend(too_long);
    problems.extend(layout::modules_beside_their_folder(&files));
    problems.extend(rules::unsafe_rows_without_use(&files));
    problems.extend(rules::rows_without_use(&files));
    problems.extend(layers::check_sources(&files)?);
    crate::settle("tidy", &problems, "CONTRIBUTING.md lists the rules.")
}

fn check(files: &[File]) -> (Vec<String>, Sizes) {
    let mut problems: Vec<String> = files.iter().flat_map(rules::machine_paths).collect();
    let mut sizes = Sizes::default();
    for file in files.iter().filter(|file| file.path.ends_with(".rs")) {
        let source = Source::new(&file.text);
        problems.extend(rules::module_docs(file));
        problems.extend(rules::left_overs(file, &source));
        problems.extend(rules::anyhow_in_library(file, &source));
        problems.extend(rules::reads_beside_the_door(file, &source));
        problems.extend(rules::hidden_doors(file, &source));
        problems.extend(rules::unlisted_unsafe(file, &source));
        problems.extend(retired_words::retired_words(file, &source));
        problems.extend(sizes.add(file, &source));
    }
    (problems, sizes)
}

fn count_public_items(files: &[File]) -> PublicItems {
    let mut items = PublicItems::default();
    for file in files.iter().filter(|file| file.path.ends_with(".rs")) {
        items.add(file, &Source::new(&file.text));
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> File {
        File { path: path.to_owned(), text: text.to_owned() }
    }

    fn problems(path: &str, text: &str) -> Vec<String> {
        check(&[file(path, text)]).0
    }

    #[test]
    fn a_tidy_file_passes() {
        let text = "//! What lives here.\n\n/// A todo! in a comment is talk.\nfn main() {\n    say(\"dbg!(1)\");\n}\n";
        assert_eq!(problems("crates/pi-ai/src/a.rs", text), Vec::<String>::new());
    }

    #[test]
    fn a_module_without_docs_fails() {
        assert_eq!(
            problems("crates/pi-ai/src/a.rs", "use std::fmt;\n"),
            ["crates/pi-ai/src/a.rs: begin with `//!` lines that say what lives here and what must not"]
        );
    }

    #[test]
    fn left_overs_fail() {
        for (code, what) in [
            ("fn a() { todo!() }", "todo!"),
            ("fn a() { unimplemented!(\"later\") }", "unimplemented!"),
            ("fn a() { dbg!(1); }", "dbg!"),
            ("#[ignore]\nfn a() {}", "#[ignore]"),
            ("#[ignore = \"slow\"]\nfn a() {}", "#[ignore]"),
        ] {
            let found = problems("crates/pi-ai/tests/a.rs", &format!("//! Docs.\n{code}\n"));
            assert_eq!(found.len(), 1, "{code}: {found:?}");
            assert!(found[0].starts_with("crates/pi-ai/tests/a.rs:2: ") && found[0].contains(what), "{found:?}");
        }
    }

    #[test]
    fn machine_paths_fail_in_any_file_but_look_alikes_pass() {
        for path in [concat!("/wo", "rk/x"), concat!("/ro", "ot/.cargo")] {
            let found = problems("docs/a.md", &format!("first\nsee {path} there\n"));
            assert_eq!(found.len(), 1, "{path}");
            assert!(found[0].starts_with("docs/a.md:2: "), "{found:?}");
        }
        assert_eq!(problems("docs/a.md", "agent/work/x and <ROOT>/work/y\n"), Vec::<String>::new());
    }

    #[test]
    fn anyhow_fails_in_a_library_and_passes_in_the_program() {
        let text = "//! Docs.\nuse anyhow::Result;\n";
        assert_eq!(problems("crates/pi-coding-agent/src/session/log.rs", text).len(), 1);
        assert_eq!(problems("crates/pi/src/cli/mod.rs", text), Vec::<String>::new());
        assert_eq!(problems("xtask/src/main.rs", text), Vec::<String>::new());
    }

    #[test]
    fn a_read_beside_the_door_fails() {
        for call in [
            "std::fs::read(path)",
            "fs::read_to_string(path)",
            "tokio::fs::read_to_string(path)",
            "fs::read_dir(dir)",
            "fs::copy(a, b)",
            "File::open(path)",
            "tokio::fs::File::open(path)",
            "OpenOptions::new().read(true).open(path)",
        ] {
            let text = format!("//! Docs.\nfn a() {{\n    {call};\n}}\n");
            let found = problems("crates/pi-coding-agent/src/session/new.rs", &text);
            assert_eq!(found.len(), 1, "{call}: {found:?}");
            assert!(found[0].starts_with("crates/pi-coding-agent/src/session/new.rs:3: "), "{found:?}");
            assert!(problems("crates/pi-coding-agent/src/host/files/new.rs", &text).is_empty(), "the door may");
            assert!(problems("crates/pi-coding-agent/tests/new.rs", &text).is_empty(), "tests may");
            let test = format!("//! Docs.\n#[cfg(test)]\nmod tests {{\n    fn a() {{\n        {call};\n    }}\n}}\n");
            assert!(
                problems("crates/pi-coding-agent/src/session/new.rs", &test).is_empty(),
                "{call}: inline tests may"
            );
        }
        for other in ["operations.read_dir(path)", "unread(path)", "my_fs::ready(x)"] {
            let text = format!("//! Docs.\nfn a() {{\n    {other};\n}}\n");
            assert!(problems("crates/pi-coding-agent/src/session/new.rs", &text).is_empty(), "{other}");
        }
    }

    #[test]
    fn unsafe_code_fails_where_it_is_not_listed() {
        let text = "//! Not unsafe.\nfn a() {\n    say(\"unsafe\");\n    unsafe { b() }\n}\n";
        let found = problems("crates/pi-ai/src/a.rs", text);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("crates/pi-ai/src/a.rs:4: unsafe: "), "{found:?}");
        assert_eq!(problems("crates/pi-script/src/engine/values.rs", text), Vec::<String>::new());
        let text = "//! Docs.\n#![deny(unsafe_code)]\n#![allow(not_unsafe)]\n";
        assert_eq!(problems("crates/pi-ai/src/a.rs", text), Vec::<String>::new());
    }

    #[test]
    fn a_row_without_unsafe_code_fails() {
        let found = rules::unsafe_rows_without_use(&[file("crates/pi-script/src/engine/values.rs", "fn a() {}")]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("crates/pi-script/src/engine/values.rs holds no unsafe code"), "{found:?}");
    }

    #[test]
    fn a_door_opened_elsewhere_fails_and_so_does_a_row_without_one() {
        let text = "//! Docs.\nfn a() {\n    pi_ai::system_clock();\n}\n#[cfg(test)]\nmod tests {\n    fn b() { system_clock(); }\n}\n";
        let found = problems("crates/pi-coding-agent/src/session/new.rs", text);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("crates/pi-coding-agent/src/session/new.rs:3: system_clock( hides"), "{found:?}");
        let place = "crates/pi-coding-agent/src/sdk/resolve_options.rs";
        assert!(problems(place, text).is_empty(), "a row permits it");
        let rows = |text: &str| {
            let found = rules::rows_without_use(&[file(place, text)]).into_iter();
            found.filter(|row| row.contains(place)).collect::<Vec<_>>()
        };
        assert!(rows(text).is_empty());
        assert_eq!(rows("//! Docs.\n"), [format!("nothing at {place} needs its row: remove it from doors_table.rs")]);
    }

    #[test]
    fn a_long_file_fails_unless_it_is_a_table_or_says_why() {
        let long = format!("//! Docs.\n{}", "const A: u8 = 1;\n".repeat(400));
        let found = problems("crates/pi-ai/src/a.rs", &long);
        assert_eq!(found, ["crates/pi-ai/src/a.rs: 401 code lines, 400 allowed: split it along its concerns"]);
        assert_eq!(problems("crates/pi-ai/src/env_table.rs", &long), Vec::<String>::new());
        assert_eq!(problems("crates/pi-ai/src/catalog/generated.rs", &long), Vec::<String>::new());
        let reasoned = long.replacen("Docs.", "Docs.\n//! tidy: data, one row per provider", 1);
        assert_eq!(problems("crates/pi-ai/src/a.rs", &reasoned), Vec::<String>::new());
        let unreasoned = long.replacen("Docs.", "Docs.\n//! tidy: data,", 1);
        assert_eq!(problems("crates/pi-ai/src/a.rs", &unreasoned).len(), 1);
    }

    #[test]
    fn tests_do_not_count() {
        let tests = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", "    const A: u8 = 1;\n".repeat(400));
        assert_eq!(problems("crates/pi-ai/src/a.rs", &format!("//! Docs.\n{tests}")), Vec::<String>::new());
        let long = format!("//! Docs.\n{}", "const A: u8 = 1;\n".repeat(400));
        for path in ["crates/pi-ai/src/api/tests.rs", "crates/pi-ai/src/api/tests/a.rs", "crates/pi-ai/tests/a.rs"] {
            assert_eq!(problems(path, &long), Vec::<String>::new(), "{path}");
        }
    }

    #[test]
    fn a_long_function_fails() {
        let text = format!("//! Docs.\npub(crate) fn f(a: [u8; 2]) {{\n{}}}\n", "    say();\n".repeat(60));
        let found = problems("crates/pi-ai/src/a.rs", &text);
        assert_eq!(found, ["crates/pi-ai/src/a.rs:2: fn f has 62 lines, 60 allowed: name its steps"]);
    }
}
