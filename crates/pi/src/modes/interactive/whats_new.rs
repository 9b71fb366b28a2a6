//! What is new since the version that the user had last: said once, at the start of an empty session.

use super::app::App;

/// Shows it, and remembers that it was shown. On a first start there is nothing new.
pub(super) fn show(app: &mut App) {
    let current = env!("CARGO_PKG_VERSION");
    let interface = app.settings().interface();
    let last = interface.last_changelog_version();
    if last.as_deref() == Some(current) || !app.session.messages().is_empty() {
        return;
    }
    if let Err(error) = interface.set_last_changelog_version(current) {
        return app.error(error);
    }
    let Some(last) = last else { return };
    let collapses = app.settings().interface().collapse_changelog();
    let news = (app.changelog)().map(|text| since(&text, &last)).unwrap_or_default();
    if collapses || news.trim().is_empty() {
        app.status(format!("This is version {current}. /changelog tells what is new"));
    } else {
        app.transcript.push_markdown(&format!("# What is new in {current}\n\n{}", joined(&news)));
    }
}

/// The sections of versions that are newer than this one.
fn since(changelog: &str, last: &str) -> String {
    let mut out = String::new();
    let mut is_newer = false;
    for line in changelog.lines() {
        if let Some(version) = line.strip_prefix("## [").and_then(|rest| rest.split(']').next()) {
            is_newer = numbers(version) > numbers(last);
        }
        if is_newer {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

/// All sections, the newest last: that is what is read first at the bottom of a screen.
pub(super) fn newest_last(changelog: &str) -> String {
    let mut sections: Vec<String> = Vec::new();
    for line in changelog.lines() {
        if line.starts_with("## ") {
            sections.push(String::new());
        }
        // What precedes the first section tells about the file.
        if let Some(section) = sections.last_mut() {
            section.push_str(line);
            section.push('\n');
        }
    }
    let filled = sections.iter().rev().filter(|section| section.lines().skip(1).any(|line| !line.trim().is_empty()));
    filled.map(|section| section.trim_end()).collect::<Vec<_>>().join("\n\n")
}

/// Paragraphs and entries of lists, each on one line: the file is broken for readers of its source, and what is shown is as
/// wide as the window.
pub(super) fn joined(changelog: &str) -> String {
    let mut out = String::new();
    let (mut is_code, mut goes_on) = (false, false);
    for line in changelog.lines() {
        let text = line.trim_start();
        let is_fence = text.starts_with("```");
        let begins = text.is_empty() || is_code || is_fence || text.starts_with(['#', '|', '>']) || is_entry(text);
        if begins || !goes_on {
            if !out.is_empty() {
                out.push('\n');
            }
            out.push_str(line);
        } else {
            out.push(' ');
            out.push_str(text);
        }
        is_code ^= is_fence;
        goes_on = !(text.is_empty() || is_code || is_fence || text.starts_with(['#', '|']));
    }
    out
}

/// Whether an entry of a list begins with this.
fn is_entry(text: &str) -> bool {
    let number = text.trim_start_matches(|char: char| char.is_ascii_digit());
    ["- ", "* ", "+ "].iter().any(|sign| text.starts_with(sign))
        || (number.len() < text.len() && number.starts_with(". "))
}

/// The parts of a version; of no version they are none, and older than all.
pub(super) fn numbers(version: &str) -> Vec<u64> {
    let parts = version.split('-').next().unwrap_or_default().split('.');
    parts.map_while(|part| part.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_newer_versions_are_told() {
        let changelog = "# Changelog\n\n## [Unreleased]\n\n- to come\n\n## [1.10.0] - 2026\n\n- ten\n\n## [1.9.0]\n\n- nine\n\n## [1.2.0]\n\n- two\n";
        let news = since(changelog, "1.9.0");
        assert!(news.contains("ten") && !news.contains("nine") && !news.contains("to come"), "{news}");
        assert_eq!(since(changelog, "1.10.0"), "");
        assert!(since(changelog, "1.2.0").contains("nine"));
    }

    #[test]
    fn what_is_broken_in_the_source_is_one_line() {
        let source =
            "## [1]\n\n- one\n  two\n  - three\n- four\n\ntext\nmore\n1. a\n   b\n```\nx\ny\n```\nlast\nline\n";
        let expected = "## [1]\n\n- one two\n  - three\n- four\n\ntext more\n1. a b\n```\nx\ny\n```\nlast line";
        assert_eq!(joined(source), expected);
    }

    #[test]
    fn the_newest_version_comes_last() {
        let changelog =
            "# Changelog\n\nAbout it.\n\n## [Unreleased]\n\n## [2.0.0]\n\n### Added\n\n- two\n\n## [1.0.0]\n\n- one\n";
        assert_eq!(newest_last(changelog), "## [1.0.0]\n\n- one\n\n## [2.0.0]\n\n### Added\n\n- two");
    }
}
