//! Themes: found, named, refused.

use std::fs;
use std::path::Path;

use pi_coding_agent::prompt::{ListedResources, PathLists, ResourcePlaces};
use pi_coding_agent::theme::{Colour, ColourMode, Theme, ThemeCatalog, Token};
use serde_json::{Value, json};

fn theme(name: &str, accent: &str) -> Value {
    let colours = Token::ALL.iter().map(|token| (token.name().to_owned(), json!("")));
    let mut colours: serde_json::Map<String, Value> = colours.collect();
    colours.insert("accent".to_owned(), json!(accent));
    json!({"name": name, "colors": colours})
}

fn places(root: &Path, trusted: bool) -> ResourcePlaces {
    let (agent_dir, cwd) = (root.join("agent"), root.join("project"));
    ResourcePlaces { agent_dir, home: None, project_dir: cwd.join(".pi"), cwd, trusted }
}

#[test]
fn the_first_of_a_name_counts_and_the_rest_is_told() {
    let root = tempfile::tempdir().unwrap();
    for (file, content) in [
        ("project/.pi/themes/a.json", theme("nord", "#000001").to_string()),
        ("agent/themes/b.json", theme("nord", "#000002").to_string()),
        ("agent/themes/c.json", theme("dusk", "#000003").to_string()),
        ("agent/themes/d.json", theme("dark", "#000004").to_string()),
        ("agent/themes/e.json", "{oops".to_owned()),
        ("agent/themes/f.txt", "no theme".to_owned()),
        ("agent/listed/g.json", theme("listed", "#000005").to_string()),
        ("cli/h.json", "// mine\n".to_owned() + &theme("dawn", "#000006").to_string()),
    ] {
        let path = root.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    let user = PathLists { themes: vec!["listed".to_owned()], ..PathLists::default() };
    let listed = ListedResources { user, ..ListedResources::default() };
    let explicit = [root.path().join("cli/h.json"), root.path().join("none.json")];
    let catalog = ThemeCatalog::load(&places(root.path(), true), &listed, &explicit, true);
    assert_eq!(catalog.names(), ["dark", "dawn", "dusk", "light", "listed", "nord"]);
    assert_eq!(catalog.get("nord").unwrap().colour(Token::Accent), Colour::Rgb(0, 0, 1));
    assert_eq!(*catalog.get("dark").unwrap(), Theme::dark());
    let short = |text: String| text.replace(&format!("{}/", root.path().display()), "");
    let lines: Vec<_> = catalog.diagnostics().iter().map(|d| short(format!("{:?} {d}", d.kind))).collect();
    insta::assert_snapshot!(lines.join("\n"));
    insta::assert_snapshot!("unknown", catalog.get("neon").unwrap_err().to_string());

    let untrusted = ThemeCatalog::load(&places(root.path(), false), &listed, &[], true);
    assert_eq!(untrusted.get("nord").unwrap().colour(Token::Accent), Colour::Rgb(0, 0, 2));
    let only = ThemeCatalog::load(&places(root.path(), true), &listed, &explicit[..1], false);
    assert_eq!(only.names(), ["dark", "dawn", "light"]);
}

#[test]
fn a_file_is_loaded_or_refused_with_reasons() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("x.json");
    fs::write(&file, theme("x", "#102030").to_string()).unwrap();
    let theme = Theme::load(&file).unwrap();
    let painted = theme.paint(Token::Accent, "text", ColourMode::TrueColour);
    assert_eq!(painted, "\x1b[38;2;16;32;48mtext\x1b[39m");
    assert_eq!(theme.paint(Token::SelectedBg, "text", ColourMode::Palette), "\x1b[49mtext\x1b[49m");
    fs::write(&file, json!({"name": "x", "colors": {"accent": "blue"}}).to_string()).unwrap();
    let refused = Theme::load(&file).unwrap_err().to_string().replace(root.path().to_str().unwrap(), "ROOT");
    insta::assert_snapshot!(refused);
    let missing = Theme::load(&root.path().join("none.json")).unwrap_err().to_string();
    assert!(missing.contains("none.json"), "{missing}");
}
