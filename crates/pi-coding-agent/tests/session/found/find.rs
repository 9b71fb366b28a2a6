//! What `--session` means.

use std::path::Path;

use pi_coding_agent::session::{SessionMatch, find_session};

use crate::found::support::{CWD, Home, age, header};

#[test]
fn an_argument_is_a_path_or_an_id() {
    let home = Home::new();
    let write = |cwd: &str, id: &str, seconds: u64| {
        let file = home.write(cwd, &format!("{id}.jsonl"), &[header(id, cwd)]);
        age(&file, seconds);
        file
    };
    let exact = write(CWD, "abc", 1);
    let longer = write(CWD, "abcd", 2);
    let newest = write(CWD, "abce", 3);
    let only_there = write("/srv/other", "xyz", 4);
    write("/srv/other", "abc", 5);
    let elsewhere = |file: &Path| SessionMatch::Elsewhere { file: file.to_owned(), cwd: "/srv/other".to_owned() };
    for (argument, expected) in [
        ("abc", SessionMatch::Here(exact)),
        ("abcd", SessionMatch::Here(longer)),
        ("ab", SessionMatch::Here(newest)),
        ("xyz", elsewhere(&only_there)),
        ("x", elsewhere(&only_there)),
        ("ABC", SessionMatch::None),
        ("q", SessionMatch::None),
        ("", SessionMatch::None),
        ("abc.jsonl", SessionMatch::Path("/srv/app/abc.jsonl".into())),
        ("../x/abc", SessionMatch::Path("/srv/x/abc".into())),
        (r"c:\abc", SessionMatch::Path(r"/srv/app/c:\abc".into())),
        ("~/s", SessionMatch::Path("/nowhere/s".into())),
    ] {
        assert_eq!(find_session(&home.paths, Path::new(CWD), None, argument), expected, "{argument:?}");
    }
}

#[test]
fn a_shared_directory_holds_sessions_of_here_and_elsewhere() {
    let home = Home::new();
    let dir = Path::new("shared");
    let mine = home.write_into(dir, "1.jsonl", &[header("mine", CWD)]);
    let theirs = home.write_into(dir, "2.jsonl", &[header("theirs", "/srv/b")]);
    home.write(CWD, "3.jsonl", &[header("default", CWD)]);
    let shared = home.dir.path().join(dir);
    let find = |argument: &str| find_session(&home.paths, Path::new(CWD), Some(&shared), argument);
    assert_eq!(find("mi"), SessionMatch::Here(mine));
    assert_eq!(find("the"), SessionMatch::Elsewhere { file: theirs, cwd: "/srv/b".to_owned() });
    assert_eq!(find("default"), SessionMatch::None, "the directory replaces the default one");
}
