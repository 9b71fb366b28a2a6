//! Path arguments as models write them.

use std::path::{Path, PathBuf};

use pi_coding_agent::tools::{PathBase, read_fallbacks, resolve_read_path};
use proptest::prelude::*;
use serde_json::json;

use crate::support::{Workbench, text};

#[test]
fn arguments_resolve_to_absolute_paths() {
    let base = PathBase { cwd: "/base/dir".into(), home: Some("/home/me".into()) };
    for (argument, path) in [
        ("", "/base/dir"),
        (".", "/base/dir"),
        ("a/../b/./c", "/base/dir/b/c"),
        ("sub/", "/base/dir/sub"),
        ("../../../../x", "/x"),
        ("/a/./b/../c", "/a/c"),
        ("@a.txt", "/base/dir/a.txt"),
        ("@@a.txt", "/base/dir/@a.txt"),
        ("@/abs", "/abs"),
        ("~", "/home/me"),
        ("~/x", "/home/me/x"),
        ("~//x", "/home/me/x"),
        ("~/../you", "/home/you"),
        ("@~/x", "/home/me/x"),
        ("~user/x", "/base/dir/~user/x"),
        ("a\u{a0}b\u{2003}c\u{202f}d\u{205f}e\u{3000}f", "/base/dir/a b c d e f"),
        ("file:///a%20b/%C3%BC?query#part", "/a b/ü"),
        ("file://localhost/a", "/a"),
        ("@file:///a/../b", "/b"),
    ] {
        assert_eq!(base.resolve(argument).unwrap(), Path::new(path), "{argument:?}");
    }
    let homeless = PathBase { home: None, ..base };
    assert_eq!(homeless.resolve("~/x").unwrap(), Path::new("/base/dir/~/x"));
}

#[test]
fn urls_that_name_no_local_file_are_refused() {
    let base = PathBase::new("/base");
    for (url, why) in [
        ("file://host/a", "the host must be empty or localhost"),
        ("file:///a%2Fb", "the path must not contain an encoded /"),
        ("file:///a%zz", "the percent-encoding is malformed"),
        ("file:///a%f", "the percent-encoding is malformed"),
        ("file:///%ff", "the percent-encoding is malformed"),
    ] {
        let error = base.resolve(url).unwrap_err().to_string();
        assert_eq!(error, format!("Invalid file URL {url}: {why}. Pass a plain path."));
    }
}

#[test]
fn fallbacks_in_order() {
    let shown: Vec<PathBuf> = read_fallbacks(Path::new("/d/Bild 9.41 pm. von 'é'"));
    let expected = [
        "/d/Bild 9.41\u{202f}pm. von 'é'",
        "/d/Bild 9.41 pm. von 'e\u{301}'",
        "/d/Bild 9.41 pm. von \u{2019}é\u{2019}",
        "/d/Bild 9.41 pm. von \u{2019}e\u{301}\u{2019}",
    ];
    assert_eq!(shown, expected.map(PathBuf::from));
    assert_eq!(read_fallbacks(Path::new("/plain.txt")), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn files_that_macos_renamed_are_found_for_reading_only() {
    let stored =
        ["Shot 1.02.03\u{202f}PM.png", "caf\u{65}\u{301}", "it\u{2019}s", "d\u{65}\u{301}j\u{61}\u{300} d\u{2019}ici"];
    let asked = ["Shot 1.02.03 PM.png", "café", "it's", "déjà d'ici"];
    let bench = Workbench::with(&stored.map(|name| (name, name.as_bytes())));
    for (name, stored) in asked.into_iter().zip(stored) {
        assert_eq!(text(&bench.call("read", json!({ "path": name })).await), stored);
        assert_eq!(resolve_read_path(&bench.options.path_base(), name).await.unwrap(), bench.path(stored));
        let edit = json!({"path": name, "edits": [{"oldText": "a", "newText": "b"}]});
        let refused = format!("Could not edit file: {name}. Error code: ENOENT.");
        assert_eq!(text(&bench.call("edit", edit).await), refused);
    }
    let missing = resolve_read_path(&bench.options.path_base(), "it's not there").await.unwrap();
    assert_eq!(missing, bench.path("it's not there"));
}

/// Pieces of which models, and nobody else, make paths.
fn argument() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "/",
        "//",
        ".",
        "..",
        "~",
        "@",
        "file://",
        "localhost",
        "%",
        "%2F",
        "%41",
        "%ff",
        "?",
        "#",
        "\\",
        " ",
        "\u{a0}",
        "\u{202f}",
        "'",
        "é",
        "e\u{301}",
        "AM.",
        " pm.",
        "a",
        "\0",
        "\u{1f600}",
    ]);
    prop_oneof![prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat()), any::<String>()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn every_argument_resolves_to_a_normal_path_or_is_refused(argument in argument()) {
        let base = PathBase { cwd: "/base/dir".into(), home: Some("/home/me".into()) };
        match base.resolve(&argument) {
            Ok(path) => {
                prop_assert!(path.is_absolute());
                let normal = |part| matches!(part, std::path::Component::RootDir | std::path::Component::Normal(_));
                prop_assert!(path.components().all(normal), "{path:?}");
                // Resolving once more changes nothing, but for blanks that a URL may hold in any form.
                if let (Some(again), false) = (path.to_str(), argument.contains("file://")) {
                    prop_assert_eq!(base.resolve(again).unwrap(), path.clone());
                }
                read_fallbacks(&path);
            }
            Err(error) => prop_assert!(error.to_string().starts_with("Invalid file URL file://"), "{error}"),
        }
    }

    #[test]
    fn a_path_as_a_url_is_that_path(path in "(/[ -~\u{e4}\u{20ac}]{1,8}){1,4}") {
        let base = PathBase { cwd: "/base/dir".into(), home: None };
        let encode = |byte: u8| if byte == b'/' { "/".to_owned() } else { format!("%{byte:02x}") };
        let url: String = path.bytes().map(encode).collect();
        prop_assert_eq!(base.resolve(&format!("file://{url}")).unwrap(), base.resolve(&path).unwrap());
    }
}
